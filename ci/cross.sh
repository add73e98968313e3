#!/usr/bin/env bash
# The golden hashes on machines of other kinds: aarch64 under qemu, and wasm32 with simd128 in node.
#
#   ci/cross.sh [STEPS] [KIND …]     steps, 500 at first; kinds: aarch64 simd128, both at first
#
# With Debian's Rust compiler, see `debian_rust.sh`. Optimised a little only: the lanes of wasm32 take LLVM minutes even so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
steps=${1:-500}
kinds=("${@:2}")
[ ${#kinds[@]} -gt 0 ] || kinds=(aarch64 simd128)
dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")/cross

. ci/debian_rust.sh
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc

aarch64() {
    build golden aarch64 aarch64-unknown-linux-gnu --bin golden -Zbuild-std=std
    qemu-aarch64 -L /usr/aarch64-linux-gnu "$dir/aarch64/aarch64-unknown-linux-gnu/release/golden" "$steps"
}

# Without simd128, LLVM 19 was not through the kernels after 12 minutes of computing at opt-level 3, nor after 8 at 1.
simd128() {
    RUSTFLAGS=-Ctarget-feature=+simd128 build golden simd128 wasm32-unknown-unknown --lib -Zbuild-std=std,panic_abort
    node ci/golden/run.mjs "$dir/simd128/wasm32-unknown-unknown/release/golden.wasm" tests/golden/hashes.txt "$steps"
}

tools rustc-web cargo-web rust-web-src lld gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
copies
for kind in "${kinds[@]}"; do
    begin=$SECONDS
    printf -- '--- %s\n' "$kind"
    "$kind"
    printf -- '--- %s: %d s\n' "$kind" "$((SECONDS - begin))"
done
