#!/usr/bin/env bash
# The package for Python: its lints; the wheel, built in a virtual environment, and its size; pytest, mypy and stubtest on the
# wheel. Needs cargo, and a Python of 3.11 or newer with venv and pip, which may install from a registry; says so and leaves
# where there is none. Two arguments, both optional: a scratch folder, and a folder for the results of cargo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../py"

# Bytes of the largest wheel. Two million are the aim; py/Cargo.toml says what smaller code would cost.
limit=2550000

python=${PYTHON:-python3}
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "python.sh: there is no Python of 3.11 or newer with venv and pip here; nothing was tested" >&2
    # Where all is to be tested, that is a failure: install python3-venv.
    [ -z "${CI:-}" ] && exit 0 || exit 1
fi

scratch=${1:-}
if [ -z "$scratch" ]; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
fi
mkdir -p "$scratch"
export CARGO_TARGET_DIR=${2:-${CARGO_TARGET_DIR:-$PWD/target}}

cargo fmt --check
cargo clippy --quiet --all-targets -- -D warnings

# torch has some gigabytes with all that it needs: the test of Stable-Baselines3 runs where both are installed already, and
# is skipped elsewhere.
shared=()
if "$python" -c 'import torch, stable_baselines3' 2>/dev/null; then shared=(--system-site-packages); fi
"$python" -m venv "${shared[@]}" "$scratch/env"
pip() { "$scratch/env/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
pip install 'maturin>=1.9,<2' pytest hypothesis mypy numpy matplotlib pygame-ce gymnasium \
    nbclient ipykernel joblib
# Not every Python has wheels of these: tests beside Gymnasium's own environments, and of two workers of Ray, are skipped
# without them.
for optional in box2d ray; do
    pip install --only-binary :all: "$optional" || echo "python.sh: no wheel of $optional here; its tests are skipped" >&2
done

rm -rf "$scratch/wheels"
"$scratch/env/bin/maturin" build --release --compression-level 9 --out "$scratch/wheels" --interpreter "$scratch/env/bin/python" --quiet
wheel=$(ls "$scratch"/wheels/*.whl)
size=$(wc -c <"$wheel")
echo "the wheel has $size bytes: $(basename "$wheel")"
if [ "$size" -gt "$limit" ]; then
    echo "python.sh: the wheel is larger than $limit bytes" >&2
    exit 1
fi
pip install --force-reinstall --no-deps "$wheel"

# What is tested is the wheel, from a folder in which the sources of the package are not.
cp -r tests pyproject.toml stubtest-allow.txt "$scratch/"
export CAROM_GOLDEN=$PWD/../tests/golden/hashes.txt CAROM_EXAMPLES=$PWD/examples
cd "$scratch"
"$scratch/env/bin/python" -m pytest --quiet -p no:cacheprovider tests
"$scratch/env/bin/python" -m mypy --strict --no-error-summary -p carom
"$scratch/env/bin/python" -m mypy --strict tests
"$scratch/env/bin/python" -m mypy.stubtest carom --allowlist stubtest-allow.txt --ignore-unused-allowlist
