#!/usr/bin/env bash
# One job of continuous integration by its name: a line of .github/workflows/ci.yml, and a step of .ci/run where that has it.
#
#   ci/job.sh JOB
#
#   format     layout of the code                      test       what `cargo test` covers
#   lint       clippy without warnings                 full       the same at full size, optimised
#   docs       rustdoc without warnings                bevy       the plugin, with each feature
#   docsrs     as docs.rs builds it: needs nightly     maps       readers of maps
#   features   carom with each feature alone           play       the game, without its window
#   pages      links, widths and lengths of pages      nav-versus the race of path finders builds
#   minimum    published packages with the oldest Rust
#   deny       licences and advisories                 semver     what broke since the last release
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_INCREMENTAL=0

# Packages of the workspace that bring many crates, and have jobs of their own.
apart=(--exclude bevy_carom --exclude carom-play --exclude carom-maps)

format() { cargo fmt --all --check; }

lint() { cargo clippy --workspace "${apart[@]}" --all-targets --all-features -- -D warnings; }

docs() { RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --all-features; }

docsrs() {
    RUSTDOCFLAGS="-D warnings --cfg docsrs" cargo +nightly doc --no-deps -p carom -p carom-nav -p carom-maps -p bevy_carom \
        --features carom/approx,carom/mint,carom/parallel,carom/serde,bevy_carom/gizmos,bevy_carom/nav
}

features() {
    local feature
    for feature in "" breaking draw game record parallel serde approx mint; do
        RUSTFLAGS="-D warnings" cargo check --quiet -p carom --no-default-features --features "$feature"
    done
}

pages() { python3 ci/pages.py; }

test_all() { cargo test; }

full() { cargo test --release; }

bevy() {
    cargo clippy -p bevy_carom --all-targets --all-features -- -D warnings
    cargo test -p bevy_carom --features nav
}

maps() {
    cargo clippy -p carom-maps --all-targets -- -D warnings
    cargo test -p carom-maps
}

play() {
    cargo clippy -p carom-play --all-targets -- -D warnings
    cargo test -p carom-play
}

nav_versus() { cargo check -p nav-versus; }

# `rust-version` of each package that says which Rust it needs at the least: that of the workspace, and that of Bevy.
minimum() {
    local rust bevy
    rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    bevy=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' bevy/Cargo.toml)
    rustup toolchain install --profile minimal "$rust" "$bevy"
    cargo "+$rust" check -p carom --features approx,mint,parallel,serde
    cargo "+$rust" check -p carom-nav
    cargo "+$rust" check -p carom-maps
    cargo "+$bevy" check -p bevy_carom --all-features
}

deny() {
    command -v cargo-deny >/dev/null || cargo install --locked cargo-deny
    cargo deny check
}

# Against the newest tag; before the first release there is nothing to compare with.
semver() {
    local tag
    tag=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null) || { echo "no release to compare with"; return; }
    command -v cargo-semver-checks >/dev/null || cargo install --locked cargo-semver-checks
    cargo semver-checks --baseline-rev "$tag" -p carom -p carom-nav -p carom-maps -p bevy_carom
}

case ${1:-} in
format | lint | docs | docsrs | features | pages | full | bevy | maps | play | minimum | deny | semver) "$1" ;;
test) test_all ;;
nav-versus) nav_versus ;;
*)
    sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
