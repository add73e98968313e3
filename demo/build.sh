#!/usr/bin/env bash
# Builds the browser demo into demo/dist, for any static server.
#
#   demo/build.sh
#
# With Debian's Rust compiler, see ci/debian_rust.sh; installs by apt what is missing. Most of the time LLVM works on the lanes.
# binaryen's wasm-opt -Oz takes 3 to 6 % off, and minutes; link-time optimisation, a quarter of an hour: neither is worth it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")/cross
. ci/debian_rust.sh

export CARGO_PROFILE_RELEASE_OPT_LEVEL=3 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_PANIC=abort
# Vectors that LLVM finds by itself, and calls that it inlines on its own account, cost room and gain nothing measurable: what counts
# has lanes and `#[inline(always)]` already.
export RUSTFLAGS="-Ctarget-feature=+simd128 -Clink-arg=--strip-all -Cno-vectorize-loops -Cno-vectorize-slp
    -Cllvm-args=-inline-threshold=50 -Cllvm-args=-inlinehint-threshold=100"
RUSTFLAGS=$(printf '%s' "$RUSTFLAGS" | tr -s ' \n' ' ')

tools rustc-web cargo-web rust-web-src lld
copies
build demo demo wasm32-unknown-unknown --lib -Zbuild-std=std,panic_abort \
    -Zbuild-std-features=panic_immediate_abort,optimize_for_size

rm -rf demo/dist
mkdir -p demo/dist
cp demo/web/* demo/dist/
cp "$dir/demo/wasm32-unknown-unknown/release/demo.wasm" demo/dist/carom.wasm
node --input-type=module -e '
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
const module = readFileSync("demo/dist/carom.wasm");
const sent = brotliCompressSync(module).length;
console.log(`carom.wasm: ${module.length} bytes, ${gzipSync(module, { level: 9 }).length} in gzip, ${sent} in brotli`);
if (sent >= 400_000) {
  console.error("error: carom.wasm has to stay below 400,000 bytes in brotli");
  process.exit(1);
}
'
printf 'demo/dist: %d s\n' "$SECONDS"
