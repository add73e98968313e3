# Debian's Rust compiler, for targets that rustup's standard library is not installed for. To be
# sourced from the root of the checkout, with `dir` set to a folder for what is built.
#
# The packages bring the source of the standard library with all that it needs, and cargo builds it
# with -Zbuild-std. The compiler must be as new as `rust-version` in Cargo.toml says, 1.89; where
# Debian has an older one installed, `tools` brings the newest. Written with 1.96.

export PATH=/usr/bin:$PATH RUSTC_BOOTSTRAP=1
unset RUSTC CARGO RUSTUP_TOOLCHAIN

# tools <package …>: installs by apt the compiler, its linker for wasm32, node, and these packages.
tools() {
    local rust=(rustc-web cargo-web rust-web-src) least name missing=()
    least=$(sed -n '/^rust-version = /{s/.*"\(.*\)"/\1/p;q}' Cargo.toml)
    for name in "${rust[@]}"; do
        dpkg --compare-versions "$(version_of "$name")" ge "$least" || missing+=("$name")
    done
    bring "${missing[@]}"
    rustc --version

    # The linker of the same LLVM as the compiler's knows all that the compiler writes.
    local llvm
    llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-$llvm

    missing=()
    command -v node >/dev/null || missing+=(nodejs)
    for name in "lld-$llvm" "$@"; do
        [ -n "$(version_of "$name")" ] || missing+=("$name")
    done
    bring "${missing[@]}"
}

# The version of an installed package, or nothing.
version_of() {
    dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null | sed -n 's/^installed //p'
}

# bring <package …>: installs packages by apt.
bring() {
    [ $# -gt 0 ] || return 0
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

# understands <flag …>: whether the compiler knows these flags.
understands() {
    rustc "$@" --print cfg >/dev/null 2>&1
}

# build <package> <kind> <target> <argument …>: into $dir/<kind>.
build() {
    CARGO_TARGET_DIR=$dir/$2 cargo build --quiet --release -p "$1" --target "$3" "${@:4}"
}
