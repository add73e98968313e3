#!/usr/bin/env bash
# Builds the demo if it is not built or older than its sources, and tries it in Debian's chromium. Leaves pictures in out/demo.
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

# What the demo is made of, if it is newer than what was built of it.
newer() {
    [ -f demo/dist/carom.wasm.lzma ] || return 0
    local sources=(src nav/src testkit/src demo/src demo/shell demo/nav demo/film demo/web demo/list.mjs demo/build.sh)
    [ -n "$(find "${sources[@]}" -newer demo/dist/carom.wasm.lzma -print -quit)" ]
}

if newer; then demo/build.sh; fi
(cd demo/test && npm install --no-package-lock --no-audit --no-fund --silent)
rm -rf out/demo
node demo/test/run.mjs
printf 'demo tried: %d s\n' "$SECONDS"
