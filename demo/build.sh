#!/usr/bin/env bash
# Builds the browser demo into demo/dist, for any static server.
#
#   demo/build.sh          all of it
#   demo/build.sh carom    the module of physics alone, in a third of the time
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
# file is a tenth smaller than at level s. At 25 and 40, which are 6 kB larger, heaps were up to a
# third slower than at level s, and joints as fast; at 35 and 50, which are 12 kB larger, steps took
# a twentieth less time.
# Vectors that LLVM finds by itself cost room and gain nothing measurable, because what counts has
# lanes already.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=z CARGO_PROFILE_RELEASE_PANIC=abort
# Crates hold copies of each other's functions. Link-time optimisation merges them, which saves a
# twentieth.
export CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
flags=(
    -Ctarget-feature=+simd128 -Clink-arg=--strip-all -Cno-vectorize-loops -Cno-vectorize-slp
)
inlining=(-Cllvm-args=-inline-threshold=5 -Cllvm-args=-inlinehint-threshold=10)
# Panics without messages save a fourteenth. A compiler that cannot do that does without.
silent=(-Zunstable-options -Cpanic=immediate-abort)
if understands "${silent[@]}"; then flags+=("${silent[@]}"); fi

rm -rf "$dir/small" "$dir/without" "$dist"
mkdir -p "$dir/small" "$dir/without" "$dist"
tar -c --exclude={./.git,./target,./out,./demo/dist,node_modules} . | tar -x -C "$dir/small"
grep -rl 'inline(always)' "$dir/small/src" | grep -v /src/simd/ |
    xargs sed -i 's/#\[inline(always)\]/#[inline]/'
# Crowds have no joints, and few bodies: navigation is built without the solver of joints, and at level
# z as it is.
cp -r "$dir/small/." "$dir/without"
sed -i 's/MOST_JOINTS: usize = 1 << 28/MOST_JOINTS: usize = 0/' "$dir/without/src/tuning.rs"

# linked <copy> <kind> <package> [argument …]: modules as the compiler leaves them. By itself the standard
# library is built to print backtraces; with this feature it is not.
linked() {
    (cd "$dir/$1" && build "$3" "$2" wasm32-unknown-unknown --lib "${@:4}" \
        -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size)
}

# module <kind> <crate> <name> <limit>: makes a module as small as it gets, and fails when it is too
# large.
module() {
    local built=$dir/$1/wasm32-unknown-unknown/release/$2.wasm size
    # wasm-opt takes off another thirtieth. The module stays as it is if this one is too old to read it.
    wasm-opt --all-features -O1 --dae-optimizing --rse --vacuum "$built" -o "$dir/$3.wasm" ||
        cp "$built" "$dir/$3.wasm"
    # zopfli finds what is a twentieth smaller than gzip -9, in the same format.
    zopfli -c "$dir/$3.wasm" >"$dist/$3.wasm.gz"
    size=$(stat -c %s "$dist/$3.wasm.gz")
    printf '%s.wasm.gz: %d bytes\n' "$3" "$size"
    if [ "$size" -ge "$4" ]; then
        printf 'error: %s.wasm.gz has to stay below %d bytes\n' "$3" "$4" >&2
        return 1
    fi
}

if [ "${1:-all}" = carom ]; then
    RUSTFLAGS="${flags[*]} ${inlining[*]}" linked small demo demo
    module demo demo carom 400000
    exit
fi
# Side by side: a crate is compiled on one core. Each is waited for by itself, so that one that fails
# is noticed.
RUSTFLAGS="${flags[*]}" linked without bare demo-nav &
bare=$!
RUSTFLAGS="${flags[*]} ${inlining[*]}" linked small demo demo -p demo-film
jobs=()
module demo demo carom 400000 & jobs+=($!)
module demo demo_film film 570000 & jobs+=($!)
wait "$bare"
module bare demo_nav nav 378000 & jobs+=($!)
for job in "${jobs[@]}"; do wait "$job"; done
cp demo/web/* "$dist"
# What the page lists before it has any module but the first that it needs.
node demo/list.mjs "$dist" carom nav film
printf 'demo/dist: %d s\n' "$SECONDS"
