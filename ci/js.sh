#!/usr/bin/env bash
# The npm package: generated files, the modules and their sizes, tests in Node, types, the packed package in Chromium and
# by bundlers. Installs its tools by apt and npm. Two arguments, both optional: how many random calls,
# and "race" for a short race of engines besides, whose packages npm installs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
calls=${1:-200000}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
package=bindings/js

say() { printf '\n--- %s (%d s)\n' "$1" "$SECONDS"; }

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
[ -x /usr/bin/chromium ] || missing+=(chromium)
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 16) ? 0 : 1)'; then
    echo "js.sh: node is $(node --version), 20.16 or newer is needed" >&2
    exit 1
fi
npm_install() { npm install --no-package-lock --no-audit --no-fund --silent; }

say "generated files, formatting of Rust"
python3 bindings/generate.py --check
cargo fmt --check --manifest-path $package/wasm/Cargo.toml
cargo fmt --check --manifest-path $package/golden/Cargo.toml

say "modules; beside them packages of the tests, lints, and native hashes"
(
    cd $package/test/apps
    npm_install
    cd ../../wasm
    CARGO_TARGET_DIR=$target/npm-clippy nice -n 5 cargo clippy --quiet --locked -- -D warnings
    cd ../golden
    CARGO_TARGET_DIR=$target/npm-golden nice -n 5 cargo run --quiet --release --locked -- "$target/npm-recordings" 500
) &
beside=$!
CARGO_TARGET_DIR=$target $package/build.sh
wait "$beside"

say "tests in Node"
(
    cd $package
    CAROM_GOLDEN=$target/npm-recordings CALLS=$calls node --test --test-reporter=spec test/*.test.mjs
)

say "types"
(cd $package && node test/apps/node_modules/typescript/bin/tsc -p test/types)

say "Chromium, a worker, Vite, webpack, esbuild, samples"
node $package/test/apps/run.mjs
node $package/bench/rollback.mjs

if [ "${2:-}" = race ]; then
    say "a short race"
    (cd $package/bench && npm_install && node race.mjs --share 0.1)
fi
say "done"
