#!/usr/bin/env bash
# The golden hashes at every level of optimisation: the program of `ci/golden`, built at 1, 2, 3 and s, plays all scenes to the end.
#
#   [STEPS=500] ci/opt_levels.sh [LEVEL …]     2,000 steps unless others are asked for
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
levels=("$@")
[ ${#levels[@]} -gt 0 ] || levels=(1 2 3 s)
dir=${CARGO_TARGET_DIR:-target}/opt-levels

for level in "${levels[@]}"; do
    printf 'opt-level %s:\n' "$level"
    CARGO_TARGET_DIR=$dir CARGO_PROFILE_RELEASE_OPT_LEVEL=$level cargo run --quiet --release -p golden --bin golden -- "${STEPS:-2000}"
done
