#!/usr/bin/env bash
# Plays the game in its window, from start to flag, under a virtual display. Leaves pictures in out/play, to be looked at.
#
#   play/test.sh
#
# Needs Debian or a system like it; apt installs what is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing=()
command -v Xvfb >/dev/null || missing+=(xvfb xauth)
for library in libgl1 libgl1-mesa-dri libx11-6 libxi6 libxkbcommon0; do
    dpkg -s "$library" >/dev/null 2>&1 || missing+=("$library")
done
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

cargo build --release -p carom-play
rm -rf out/play
mkdir -p out/play
said=$(xvfb-run -a -s "-screen 0 1200x675x24" "${CARGO_TARGET_DIR:-target}/release/carom-play" tour out/play)
printf '%s\n' "$said"
fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}
grep -q Won <<<"$said" || fail "the flag was not reached"
# A picture in which next to nothing is drawn is smaller.
pictures=$(find out/play -name '*.png' -size +12k | wc -l)
[ "$pictures" -ge 12 ] || fail "only $pictures pictures show something"
printf '%d pictures in out/play\n' "$pictures"
