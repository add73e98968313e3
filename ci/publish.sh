#!/usr/bin/env bash
# Packs each published package, unpacks it into an empty folder, and builds and tests it there, as a user of the registry
# gets it. Uploads nothing.
#
#   ci/publish.sh pack      packs, and looks at the archives alone: seconds, nothing is compiled
#   ci/publish.sh           builds and tests them too: needs Rust 1.95, for Bevy
#
# The archives name each other by version, and none of these versions need be in the registry: a workspace around the
# unpacked folders patches them to each other, with the lock file of this repository. Tests that need `testkit` are not in
# the archives, as it is not published: what runs are the unit tests and the examples of the documentation.
# DIRTY=1 packs a tree with changes that are not committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# In the order in which they depend on each other.
packages=(carom carom-nav carom-maps bevy_carom)
# Bytes of an archive at most: half more than when this was written, and a tenth of what the registry takes.
limit=1500000

names=()
for package in "${packages[@]}"; do
    names+=(-p "$package")
done

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cargo package --no-verify ${DIRTY:+--allow-dirty} "${names[@]}"

members=()
patches=()
for package in "${packages[@]}"; do
    version=$(cargo pkgid -p "$package" | sed 's/.*[#@]//')
    archive=$target/package/$package-$version.crate
    bytes=$(stat -c %s "$archive")
    [ "$bytes" -le "$limit" ] || fail "$archive has $bytes bytes, the limit is $limit"
    tar -xzf "$archive" -C "$scratch"
    folder=$package-$version
    for file in README.md LICENSE-MIT LICENSE-APACHE src/lib.rs; do
        [ -s "$scratch/$folder/$file" ] || fail "$archive has no $file"
    done
    for field in description license repository documentation readme keywords categories rust-version; do
        grep -q "^$field = " "$scratch/$folder/Cargo.toml" || fail "$archive has no $field"
    done
    ! grep -n '^path = "\.\.' "$scratch/$folder/Cargo.toml" || fail "$archive depends on a path"
    members+=("\"$folder\"")
    patches+=("$package = { path = \"$folder\" }")
    printf '%s: %d bytes, %d files\n' "$folder" "$bytes" "$(find "$scratch/$folder" -type f | wc -l)"
done
[ "${1:-}" != pack ] || exit 0

cp Cargo.lock "$scratch/"
{
    printf '[workspace]\nresolver = "3"\nmembers = [%s]\n' "$(IFS=,; printf '%s' "${members[*]}")"
    printf '[patch.crates-io]\n'
    printf '%s\n' "${patches[@]}"
    # Without a little optimisation the tests take ten times as long.
    printf '[profile.dev]\nopt-level = 1\ndebug = false\n[profile.dev.package."*"]\nopt-level = 0\n'
} >"$scratch/Cargo.toml"

export CARGO_TARGET_DIR=$target/publish
cd "$scratch"
for package in "${packages[@]}"; do
    begin=$SECONDS
    printf '\n--- %s\n' "$package"
    cargo build -p "$package"
    cargo test -p "$package"
    printf -- '--- %s: %d s\n' "$package" "$((SECONDS - begin))"
done
