# Debian's Rust compiler, for targets that rustup's standard library is not installed for. To be sourced, from the root of the
# checkout, with `dir` set to a folder of its own.
#
# Its packages bring the source of the standard library. It is older than the one that carom asks for, so what has become stable
# in between is switched on by name, and three things that names cannot switch on are mended in copies in `dir`: see `copies`.
# No machine code of carom's own comes from those.

export PATH=/usr/bin:$PATH RUSTC_BOOTSTRAP=1
unset RUSTC CARGO RUSTUP_TOOLCHAIN
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
# The root of the standard library's source, for -Zbuild-std.
export __CARGO_TESTS_ONLY_SRC_ROOT=$dir/library

# tools <package …>: installs what is missing of these, and node.
tools() {
    local packages=("$@") missing=() name
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
    # From 1.96 on the library has it.
    grep -q 'fn select_unpredictable' "$dir/library/core/src/hint.rs" || cat >>"$dir/library/core/src/hint.rs" <<'END'

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

# build <package> <kind> <target> <argument …>
build() {
    CARGO_TARGET_DIR=$dir/$2 cargo build --quiet --release -p "$1" --target "$3" "${@:4}" \
        --ignore-rust-version -Zprofile-rustflags --config "patch.crates-io.fearless_simd.path=\"$dir/fearless_simd\"" \
        "$(features fearless_simd 'integer_sign_cast, target_feature_11, slice_as_chunks, float_next_up_down')" \
        "$(features carom 'let_chains, cfg_boolean_literals, slice_as_chunks, unsigned_is_multiple_of, float_next_up_down, target_feature_11')" \
        "$(features testkit 'let_chains, unsigned_is_multiple_of')" \
        "$(features "$1" 'let_chains, unsigned_is_multiple_of')"
}
