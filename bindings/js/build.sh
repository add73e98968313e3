#!/usr/bin/env bash
# Builds the modules of the npm package into bindings/js/dist: carom.wasm, physics.wasm, nav.wasm.
#
#   bindings/js/build.sh
#
# Debian's Rust compiler builds them, see ci/debian_rust.sh; apt installs missing tools. All come
# from one build, out of which entries.mjs makes the smaller ones.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")/npm
dist=$(realpath -m bindings/js/dist)
. ci/debian_rust.sh
tools binaryen

# Bytes, gzipped, that the modules may have; docs/javascript.md has the aims.
declare -A limits=([carom]=1290000 [physics]=1040000 [nav]=1120000)

jobs=()
mkdir -p "$dir" "$dist"
# The stack is put right after a panic, for which JavaScript needs its pointer.
export RUSTFLAGS="-Ctarget-feature=+simd128 -Clink-arg=--strip-debug"
RUSTFLAGS+=" -Clink-arg=--export=__stack_pointer"
CARGO_TARGET_DIR=$dir nice -n 5 cargo build --quiet --release --locked \
    --manifest-path bindings/js/wasm/Cargo.toml --target wasm32-unknown-unknown \
    -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size
built=$dir/wasm32-unknown-unknown/release/carom_js.wasm
# Instructions that every browser has: with others, binaryen writes types that Node refuses.
features=(
    --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext
    --enable-mutable-globals --enable-reference-types --enable-multivalue
)
# No further inlining: V8 compiles large functions late, and a step is slow until then.
small=("${features[@]}" -O1 --dae-optimizing --rse --vacuum)
wasm-opt "${small[@]}" --strip-debug --strip-producers "$built" -o "$dist/carom.wasm"
for entry in physics nav; do
    (
        node bindings/js/entries.mjs "$entry" "$dist/carom.wasm" "$dir/$entry.wasm" "${features[@]}"
        wasm-opt "${small[@]}" "$dir/$entry.wasm" -o "$dist/$entry.wasm"
    ) &
    jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job"; done
for name in carom physics nav; do
    size=$(gzip -9 -c "$dist/$name.wasm" | wc -c)
    printf '%s.wasm: %d bytes, gzipped %d\n' "$name" "$(stat -c %s "$dist/$name.wasm")" "$size"
    if [ "$size" -gt "${limits[$name]}" ]; then
        printf 'error: %s.wasm has to stay below %d bytes\n' "$name" "${limits[$name]}" >&2
        exit 1
    fi
done
