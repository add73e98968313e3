#!/usr/bin/env bash
# The golden hashes on machines of other kinds: aarch64 under qemu, and wasm32 with simd128 in node.
#
#   ci/cross.sh [STEPS] [KIND …]     steps, 500 at first; kinds: aarch64 simd128, both at first
#
# Takes Debian's Rust compiler, whose packages bring the source of the standard library; installs what is missing by apt. It is
# older than the one that carom asks for, so what has become stable in between is switched on by name, and three things
# that names cannot switch on are mended in copies below the target directory: see `copies`. No machine code of carom's own comes from
# those. Optimised a little only: the lanes of wasm32 take LLVM minutes even so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
steps=${1:-500}
kinds=("${@:2}")
[ ${#kinds[@]} -gt 0 ] || kinds=(aarch64 simd128)
dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")/cross

export PATH=/usr/bin:$PATH RUSTC_BOOTSTRAP=1 CARGO_PROFILE_RELEASE_OPT_LEVEL=1
unset RUSTC CARGO RUSTUP_TOOLCHAIN
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
# The root of the standard library's source, for -Zbuild-std.
export __CARGO_TESTS_ONLY_SRC_ROOT=$dir/library

tools() {
    local packages=(rustc-web cargo-web rust-web-src lld gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user) missing=() name
    command -v node >/dev/null || packages+=(nodejs)
    for name in "${packages[@]}"; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        apt-get update -q
        DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
    fi
    rustc --version
}

# fearless_simd's own source, with intrinsics called as unsafe functions, which they were before 1.87; the standard library's, with a
# function of 1.88 that tells the optimiser something, and is a plain choice here.
copies() {
    local fearless
    fearless=$(cargo metadata --quiet --format-version 1 | python3 -c '
import json, os, sys
packages = json.load(sys.stdin)["packages"]
print(next(os.path.dirname(p["manifest_path"]) for p in packages if p["name"] == "fearless_simd"))
')
    local made_of
    made_of="$(rustc --version), $fearless"
    [ "$(cat "$dir/made-of" 2>/dev/null)" != "$made_of" ] || return 0
    rm -rf "$dir/library" "$dir/fearless_simd"
    mkdir -p "$dir"
    cp -rL "$(rustc --print sysroot)/lib/rustlib/src/rust/library" "$dir/library"
    cp -r "$fearless" "$dir/fearless_simd"
    rm -f "$dir/fearless_simd/.cargo-ok"
    # shellcheck disable=SC2016
    sed -i 's/^\( *\)\$(\$kernel_body)\*$/\1#[allow(unused_unsafe, reason = "…")] unsafe { $($kernel_body)* }/' \
        "$dir/fearless_simd/src/kernel_macros.rs"
    cat >>"$dir/library/core/src/hint.rs" <<'END'

#[inline(always)]
#[stable(feature = "select_unpredictable", since = "1.88.0")]
#[allow(missing_docs)]
pub fn select_unpredictable<T>(condition: bool, true_val: T, false_val: T) -> T {
    if condition { true_val } else { false_val }
}
END
    printf '%s\n' "$made_of" >"$dir/made-of"
}

# features <package> <feature, …>: what a package needs that was not stable yet.
features() {
    printf -- '--config=profile.release.package.%s.rustflags=["-Zcrate-attr=feature(%s)", "-Awarnings"]\n' "$1" "$2"
}

# build <kind> <target> <argument …>
build() {
    CARGO_TARGET_DIR=$dir/$1 cargo build --quiet --release -p golden --target "$2" "${@:3}" \
        --ignore-rust-version -Zprofile-rustflags --config "patch.crates-io.fearless_simd.path=\"$dir/fearless_simd\"" \
        "$(features fearless_simd 'integer_sign_cast, target_feature_11, slice_as_chunks, float_next_up_down')" \
        "$(features carom 'let_chains, cfg_boolean_literals, slice_as_chunks, unsigned_is_multiple_of, float_next_up_down, target_feature_11')" \
        "$(features golden 'let_chains, unsigned_is_multiple_of')"
}

aarch64() {
    build aarch64 aarch64-unknown-linux-gnu --bin golden -Zbuild-std=std
    qemu-aarch64 -L /usr/aarch64-linux-gnu "$dir/aarch64/aarch64-unknown-linux-gnu/release/golden" "$steps"
}

# Without simd128, LLVM 19 was not through the kernels after 12 minutes of computing at opt-level 3, nor after 8 at 1.
simd128() {
    RUSTFLAGS=-Ctarget-feature=+simd128 build simd128 wasm32-unknown-unknown --lib -Zbuild-std=std,panic_abort
    node ci/golden/run.mjs "$dir/simd128/wasm32-unknown-unknown/release/golden.wasm" tests/golden/hashes.txt "$steps"
}

tools
copies
for kind in "${kinds[@]}"; do
    begin=$SECONDS
    printf -- '--- %s\n' "$kind"
    "$kind"
    printf -- '--- %s: %d s\n' "$kind" "$((SECONDS - begin))"
done
