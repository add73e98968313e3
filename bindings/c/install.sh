#!/usr/bin/env bash
# Builds the library and installs it: install.sh PREFIX (default: /usr/local)
#
#   PREFIX/include/carom.h, carom.hpp    PREFIX/lib/libcarom_c.so, libcarom_c.a
#   PREFIX/lib/pkgconfig/carom.pc        PREFIX/lib/cmake/carom/carom-config.cmake
set -euo pipefail
prefix=$(mkdir -p "${1:-/usr/local}" && cd "${1:-/usr/local}" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
# Without `rlib` among the kinds, code is optimised across crates: cargo cannot do so for all three.
cargo rustc --release --lib --crate-type cdylib,staticlib
built=${CARGO_TARGET_DIR:-target}/release
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/carom"
cp include/carom.h include/carom.hpp "$prefix/include/"
for library in libcarom_c.so libcarom_c.dylib libcarom_c.a; do
    [ ! -e "$built/$library" ] || cp "$built/$library" "$prefix/lib/"
done
sed -e "s|@PREFIX@|$prefix|; s|@VERSION@|$version|" carom.pc.in >"$prefix/lib/pkgconfig/carom.pc"
cp cmake/carom-config.cmake "$prefix/lib/cmake/carom/"
printf 'set(PACKAGE_VERSION "%s")\nset(PACKAGE_VERSION_EXACT FALSE)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n' \
    "$version" >"$prefix/lib/cmake/carom/carom-config-version.cmake"
echo "installed carom $version in $prefix"
