#!/usr/bin/env bash
# Builds the browser demo into demo/dist, for any static server.
#
#   demo/build.sh
#
# With Debian's Rust compiler, see ci/debian_rust.sh; installs by apt what is missing.
#
# A page is to be there at once, so size counts. Kernels say `#[inline(always)]`, for on x86 a call inside of one would lose the wide
# registers; wasm32 has its lanes everywhere. So what is built is a copy of the source that leaves inlining to the compiler, but for
# src/simd/: the same bits, two thirds of the size, and by scene between a quarter quicker and two thirds slower. (With src/simd/ too,
# joints take twice as long. opt-level z: a third smaller, three times slower. Link-time optimisation: a quarter of an hour.)
# The page unpacks the module by itself, so that any static server will do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")/cross
dist=$(realpath -m demo/dist)
. ci/debian_rust.sh

export CARGO_PROFILE_RELEASE_OPT_LEVEL=s CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_PANIC=abort
# Vectors that LLVM finds by itself cost room and gain nothing measurable: what counts has lanes already. Less is inlined than at this
# level otherwise, a tenth of the size.
export RUSTFLAGS="-Ctarget-feature=+simd128 -Clink-arg=--strip-all -Cno-vectorize-loops -Cno-vectorize-slp
    -Cllvm-args=-inline-threshold=50 -Cllvm-args=-inlinehint-threshold=100"
RUSTFLAGS=$(printf '%s' "$RUSTFLAGS" | tr -s ' \n' ' ')

tools rustc-web cargo-web rust-web-src lld
copies
rm -rf "$dir/small"
mkdir -p "$dir/small"
tar -c --exclude=./.git --exclude=./target --exclude=./out --exclude=./demo/dist --exclude=node_modules . | tar -x -C "$dir/small"
grep -rl 'inline(always)' "$dir/small/src" | grep -v /src/simd/ | xargs sed -i 's/#\[inline(always)\]/#[inline]/'
(cd "$dir/small" && build demo demo wasm32-unknown-unknown --lib -Zbuild-std=std,panic_abort \
    -Zbuild-std-features=panic_immediate_abort,optimize_for_size)

rm -rf "$dist"
mkdir -p "$dist"
cp demo/web/* "$dist"
gzip -9 -n -c "$dir/demo/wasm32-unknown-unknown/release/demo.wasm" >"$dist/carom.wasm.gz"
size=$(stat -c %s "$dist/carom.wasm.gz")
printf 'carom.wasm.gz: %d bytes\n' "$size"
if [ "$size" -ge 400000 ]; then
    echo 'error: carom.wasm.gz has to stay below 400,000 bytes' >&2
    exit 1
fi
printf 'demo/dist: %d s\n' "$SECONDS"
