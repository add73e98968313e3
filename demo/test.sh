#!/usr/bin/env bash
# Builds the demo if it is not built, and tries it in Debian's chromium. Leaves pictures in out/demo.
#
#   demo/test.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
[ -x /usr/bin/chromium ] || missing+=(chromium)
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

[ -f demo/dist/carom.wasm ] || demo/build.sh
(cd demo/test && npm install --no-package-lock --no-audit --no-fund --silent)
rm -rf out/demo
node demo/test/run.mjs
printf 'demo tried: %d s\n' "$SECONDS"
