#!/usr/bin/env bash
# Builds the browser demo into demo/dist, for any static server.
#
#   demo/build.sh
#
# Debian's Rust compiler builds it, see ci/debian_rust.sh; apt installs what is missing.
#
# A page should open at once, so size counts. Kernels say `#[inline(always)]`, because on x86 a call
# inside of one would lose the wide registers; wasm32 has its lanes everywhere. So the script builds
# a copy of the source that leaves inlining to the compiler, except in src/simd/: the bits are the
# same. (If src/simd/ left it to the compiler too, joints would take twice as long.)
# The page unpacks the module by itself, so any static server will do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")/cross
dist=$(realpath -m demo/dist)
. ci/debian_rust.sh
tools binaryen zopfli

# Level z inlines too little by itself and is two thirds slower than level s. With these limits the
# file is a fifteenth smaller than at level s. Heaps are up to a third slower, joints are as fast.
# (At 35 and 50 it is 6 kB larger, and steps take a twentieth less time.)
# Vectors that LLVM finds by itself cost room and gain nothing measurable, because what counts has
# lanes already.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=z CARGO_PROFILE_RELEASE_PANIC=abort
# Crates hold copies of each other's functions. Link-time optimisation merges them, which saves a
# twentieth.
export CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
flags=(
    -Ctarget-feature=+simd128 -Clink-arg=--strip-all -Cno-vectorize-loops -Cno-vectorize-slp
    -Cllvm-args=-inline-threshold=25 -Cllvm-args=-inlinehint-threshold=40
)
# Panics without messages save a fourteenth. A compiler that cannot do that does without.
silent=(-Zunstable-options -Cpanic=immediate-abort)
if understands "${silent[@]}"; then flags+=("${silent[@]}"); fi
export RUSTFLAGS="${flags[*]}"

rm -rf "$dir/small" "$dist"
mkdir -p "$dir/small" "$dist"
tar -c --exclude={./.git,./target,./out,./demo/dist,node_modules} . | tar -x -C "$dir/small"
grep -rl 'inline(always)' "$dir/small/src" | grep -v /src/simd/ |
    xargs sed -i 's/#\[inline(always)\]/#[inline]/'
# By itself the standard library is built to print backtraces; with this feature it is not.
(cd "$dir/small" && build demo demo wasm32-unknown-unknown --lib -Zbuild-std=std,panic_abort \
    -Zbuild-std-features=optimize_for_size)
module=$dir/demo/wasm32-unknown-unknown/release/demo.wasm

# wasm-opt takes off another thirtieth. The module stays as it is if this one is too old to read it.
wasm-opt --all-features -O1 --dae-optimizing --rse --vacuum "$module" -o "$dir/demo.wasm" ||
    cp "$module" "$dir/demo.wasm"
# zopfli finds what is a twentieth smaller than gzip -9, in the same format.
zopfli -c "$dir/demo.wasm" >"$dist/carom.wasm.gz"
cp demo/web/* "$dist"
size=$(stat -c %s "$dist/carom.wasm.gz")
printf 'carom.wasm.gz: %d bytes\n' "$size"
# It was 400 kB before areas, pieces of worlds, webs of joints and tile maps came: recordings can call
# all of them, so none is left out. The aim is still 400,000.
if [ "$size" -ge 470000 ]; then
    echo 'error: carom.wasm.gz has to stay below 470,000 bytes' >&2
    exit 1
fi
printf 'demo/dist: %d s\n' "$SECONDS"
