#!/usr/bin/env bash
# Builds the browser demo into demo/dist, for any static server.
#
#   demo/build.sh          all of it
#   demo/build.sh carom    the module of physics alone, in a third of the time
#
# Debian's Rust compiler builds it, see ci/debian_rust.sh; apt installs what is missing.
#
# A page should open at once, so size counts: what carom has features for and a module needs not, the
# package of the module leaves out.
#
# The page unpacks the module by itself, so any static server will do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")/cross
dist=$(realpath -m demo/dist)
. ci/debian_rust.sh
tools binaryen xz-utils

# Vectors that LLVM finds by itself cost room and gain nothing measurable, because what counts has
# lanes already.
export CARGO_PROFILE_RELEASE_PANIC=abort
# Crates hold copies of each other's functions. Link-time optimisation merges them, which saves a
# twentieth.
export CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
flags=(
    -Ctarget-feature=+simd128 -Clink-arg=--strip-all -Cno-vectorize-loops -Cno-vectorize-slp
)
# Panics without messages save a fourteenth. A compiler that cannot do that does without.
silent=(-Zunstable-options -Cpanic=immediate-abort)
if understands "${silent[@]}"; then flags+=("${silent[@]}"); fi

rm -rf "$dist"
mkdir -p "$dir" "$dist"

# linked <kind> <level> <package>: a module as the compiler leaves it, at that level of optimisation.
# By itself the standard library is built to print backtraces; with this feature it is not.
linked() {
    CARGO_PROFILE_RELEASE_OPT_LEVEL=$2 RUSTFLAGS="${flags[*]}" build "$3" "$1" wasm32-unknown-unknown --lib \
        -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size
}

# module <kind> <crate> <name> <limit>: makes a module as small as it gets, and fails when it is too
# large.
module() {
    local built=$dir/$1/wasm32-unknown-unknown/release/$2.wasm size
    # wasm-opt takes off another thirtieth. The module stays as it is if this one is too old to read it.
    wasm-opt --all-features -O1 --dae-optimizing --rse --vacuum "$built" -o "$dir/$3.wasm" ||
        cp "$built" "$dir/$3.wasm"
    # A fifth smaller than gzip -9; `web/unpack.js` is the other side.
    xz --format=lzma --lzma1=preset=9e,lc=4,lp=0,pb=0 -c "$dir/$3.wasm" >"$dist/$3.wasm.lzma"
    size=$(stat -c %s "$dist/$3.wasm.lzma")
    printf '%s.wasm.lzma: %d bytes\n' "$3" "$size"
    if [ "$size" -ge "$4" ]; then
        printf 'error: %s.wasm.lzma has to stay below %d bytes\n' "$3" "$4" >&2
        return 1
    fi
}

if [ "${1:-all}" = carom ]; then
    linked demo s demo
    module demo demo carom 450000
    exit
fi
# Side by side: a crate is compiled on one core. Each is waited for by itself, so that one that fails
# is noticed.
linked bare z demo-nav &
bare=$!
linked demo s demo
module demo demo carom 450000 & jobs=($!)
wait "$bare"
module bare demo_nav nav 500000 & jobs+=($!)
# A recording has everything that a world can do, so its module is at level z, too.
linked film z demo-film
module film demo_film film 600000 & jobs+=($!)
for job in "${jobs[@]}"; do wait "$job"; done
cp demo/web/* "$dist"
# What the page lists before it has any module but the first that it needs.
node demo/list.mjs "$dist" carom nav film
printf 'demo/dist: %d s\n' "$SECONDS"
