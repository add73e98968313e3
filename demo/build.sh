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

rm -rf "$dir/small" "$dir/without" "$dist"
mkdir -p "$dir/small" "$dir/without" "$dist"
tar -c --exclude={./.git,./target,./out,./demo/dist,node_modules} . | tar -x -C "$dir/small"
grep -rl 'inline(always)' "$dir/small/src" | grep -v /src/simd/ |
    xargs sed -i 's/#\[inline(always)\]/#[inline]/'
# Every browser that runs this has the lanes of simd128, so the scalar twins of kernels go, but for
# those of passes over contacts and joints, which some of them need.
sed -i 's/            same => same,/            same => wide_levels().next().unwrap_or(same),/' "$dir/small/src/simd/level.rs"
grep -q 'wide_levels().next().unwrap_or(same)' "$dir/small/src/simd/level.rs"
# Crowds have no joints: navigation is built without their solver and what belongs to it, and, since its
# worlds are small, at level z.
cp -r "$dir/small/." "$dir/without"
# without <file> <pattern> <command>: does with the line, which must be there, what sed is told.
without() {
    grep -q "$2" "$dir/without/$1"
    sed -i "/$2/$3" "$dir/without/$1"
}
without src/tuning.rs 'MOST_JOINTS: usize = 1 << 28' 's/1 << 28/0/'
without src/world/joints/read_back.rs 'fn flush_impulses(&mut self) {' 'a if MOST_JOINTS == 0 { return; }'
without src/world/joints/state.rs 'fn joint_state(&self' 'a if crate::tuning::MOST_JOINTS == 0 { return None; }'
without src/draw/joints.rs 'fn draw_joints' 'a if crate::tuning::MOST_JOINTS == 0 { return; }'
without demo/shell/src/grab.rs 'BY_JOINTS: bool' 's/true/false/'
# Nor areas, tile maps, or surfaces that weld.
for call in 'world/areas/forces.rs fn apply_areas(' 'world/tiles/mod.rs fn show_cells(' 'world/tiles/edit.rs fn take_fills(' 'world/events/welds.rs fn weld_touched('; do
    without "src/${call%% *}" "${call#* }" 'a if crate::tuning::MOST_JOINTS == 0 { return; }'
done

# Nor laws of single bodies, nor recordings.
for call in feel_own_laws fill_own_rows keep_own_speeds; do
    without src/world/store/own_laws.rs "fn $call(" 'a if crate::tuning::MOST_JOINTS == 0 { return; }'
done
without src/world/record/mod.rs 'fn note_step(' 'a if crate::tuning::MOST_JOINTS == 0 { return; }'

# A page gives no room back, and no number of a crowd runs away.
without src/world/store/trim.rs 'fn trim(' 'a if crate::tuning::MOST_JOINTS == 0 { return; }'
for call in quarantine freeze; do
    without src/world/finish/quarantine.rs "fn $call(" 'a if crate::tuning::MOST_JOINTS == 0 { return; }'
done

# Crowds do not wrap round.
without src/broadphase/period.rs 'self.0 == IVec2::ZERO' 's/self.0 == IVec2::ZERO/true/'
without src/broadphase/periodic.rs '= &mut self.images {' 's/&mut self.images {/self.images.as_mut().filter(|_| false) {/'
without src/broadphase/periodic.rs '= &self.images else' 's/&self.images else/self.images.as_ref().filter(|_| false) else/'
without src/broadphase/periodic.rs 'self.images.as_ref().map_or' 's/as_ref().map_or/as_ref().filter(|_| false).map_or/'
without src/broadphase/periodic.rs 'Some(images) = images {' 's/= images {/= images.as_mut().filter(|_| false) {/'

# Nor do they leave the region in which they begin.
without src/broadphase/fan.rs 'if self.is_mixed {' 's/self.is_mixed/false/'
without src/broadphase/packet.rs 'if order.is_mixed {' 's/order.is_mixed/false/'
without src/broadphase/packet.rs 'if here.region != region {' 's/here.region != region/false/'
without src/broadphase/cell_order.rs 'if self.is_mixed {' 's/self.is_mixed/false/'
without src/broadphase/sweep.rs 'if order.is_mixed {' 's/order.is_mixed/false/'

# linked <copy> <kind> <level> <package> [argument …]: modules as the compiler leaves them, at that level of
# optimisation. By itself the standard library is built to print backtraces; with this feature it is not.
linked() {
    (cd "$dir/$1" && CARGO_PROFILE_RELEASE_OPT_LEVEL=$3 RUSTFLAGS="${flags[*]}" build "$4" "$2" wasm32-unknown-unknown --lib "${@:5}" \
        -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size)
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
    linked small demo s demo
    module demo demo carom 400000
    exit
fi
# Side by side: a crate is compiled on one core. Each is waited for by itself, so that one that fails
# is noticed.
linked without bare z demo-nav &
bare=$!
linked small demo s demo
module demo demo carom 400000 & jobs=($!)
wait "$bare"
module bare demo_nav nav 320000 & jobs+=($!)
# A recording has everything that a world can do, so its module is at level z, too.
linked small film z demo-film
module film demo_film film 520000 & jobs+=($!)
for job in "${jobs[@]}"; do wait "$job"; done
cp demo/web/* "$dist"
# What the page lists before it has any module but the first that it needs.
node demo/list.mjs "$dist" carom nav film
printf 'demo/dist: %d s\n' "$SECONDS"
