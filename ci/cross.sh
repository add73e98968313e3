#!/usr/bin/env bash
# Compares the golden hashes on machines of other kinds: aarch64 under qemu, and wasm32 in node,
# with simd128 and without.
#
#   ci/cross.sh [STEPS] [KIND …]     500 steps, and the kinds aarch64 simd128 wasm32, unless told
#
# Debian's Rust compiler builds them, see `debian_rust.sh`. The level of optimisation is low,
# because LLVM needs minutes for the lanes of wasm32 even so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
steps=${1:-500}
kinds=("${@:2}")
[ ${#kinds[@]} -gt 0 ] || kinds=(aarch64 simd128 wasm32)
dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")/cross

. ci/debian_rust.sh
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc

aarch64() {
    build golden aarch64 aarch64-unknown-linux-gnu --bin golden -Zbuild-std=std
    qemu-aarch64 -L /usr/aarch64-linux-gnu \
        "$dir/aarch64/aarch64-unknown-linux-gnu/release/golden" "$steps"
}

simd128() {
    RUSTFLAGS=-Ctarget-feature=+simd128 in_node simd128
}

# Without vectors: the scalar reference alone.
wasm32() {
    in_node wasm32
}

in_node() {
    build golden "$1" wasm32-unknown-unknown --lib -Zbuild-std=std,panic_abort
    node ci/golden/run.mjs "$dir/$1/wasm32-unknown-unknown/release/golden.wasm" \
        "$steps" tests/golden/hashes.txt tests/golden/nav.txt
}

tools gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
for kind in "${kinds[@]}"; do
    begin=$SECONDS
    printf -- '--- %s\n' "$kind"
    "$kind"
    printf -- '--- %s: %d s\n' "$kind" "$((SECONDS - begin))"
done
