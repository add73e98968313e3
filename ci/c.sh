#!/usr/bin/env bash
# The C library: what is generated is fresh, all of it compiles without warnings, and every test
# and sample runs. On two free cores it takes less than five minutes.
#
#   ci/c.sh [CALLS] [VALGRIND]    random calls: 1000000 in all, 20000 under valgrind, unless told
#
# Needs cargo and python3; installs gcc, clang, cmake, pkg-config and valgrind by apt if missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
calls=${1:-1000000}
checked=${2:-20000}
export CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")/c
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

say() {
    printf -- '--- %s (%d s)\n' "$1" "$SECONDS"
}

tools() {
    local missing=() tool
    for tool in gcc g++ clang cmake make pkg-config valgrind; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    [ ${#missing[@]} -eq 0 ] && return
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        libc6-dev "${missing[@]}"
}

say "tools"
tools

say "api.json: what is generated is fresh, and what is left out has its reason"
python3 bindings/generate.py --check
python3 bindings/generate.py --left-out

crate=bindings/c
say "the library"
prefix=$out/prefix
$crate/install.sh "$prefix"
built=$CARGO_TARGET_DIR/release
python3 bindings/generate.py --library "$prefix/lib/libcarom_c.so"
printf 'libcarom_c.so: %d bytes, stripped; libcarom_c.a: %d bytes\n' \
    "$(stat -c %s "$prefix/lib/libcarom_c.so")" "$(stat -c %s "$prefix/lib/libcarom_c.a")"

say "C and C++, gcc and clang, all warnings as errors"
python3 bindings/generate.py --tests "$out/tests"
warnings=(-Wall -Wextra -Wpedantic -Werror)
flags=("${warnings[@]}" -I"$prefix/include" -I"$crate/tests")
tests=("$crate"/tests/{main,world,queries,games,snapshots,navigation}.c "$out/tests/layout.c")
shared=(-L"$prefix/lib" -lcarom_c -lm -Wl,-rpath,"$prefix/lib")
static=("$prefix/lib/libcarom_c.a" -lpthread -ldl -lm)
gcc -std=c11 "${flags[@]}" "${tests[@]}" -o "$out/c-gcc" "${shared[@]}"
clang -std=c11 "${flags[@]}" "${tests[@]}" -o "$out/c-clang" "${static[@]}"
g++ -x c++ -std=c++17 "${flags[@]}" "${tests[@]}" -x none -o "$out/cpp-g++" "${shared[@]}"
clang++ -x c++ -std=c++17 "${flags[@]}" "${tests[@]}" -x none -o "$out/cpp-clang++" \
    "${static[@]}"
for program in c-gcc c-clang cpp-g++ cpp-clang++; do
    printf '%s: ' "$program"
    "$out/$program"
done
for compiler in g++ clang++; do
    "$compiler" -std=c++17 "${flags[@]}" $crate/tests/wrapper.cpp -o "$out/wrapper" \
        "${shared[@]}"
    "$out/wrapper"
    "$compiler" -std=c++17 "${flags[@]}" $crate/examples/tower.cpp -o "$out/tower" \
        "${shared[@]}"
done
"$out/tower"

say "random calls: plain, under AddressSanitizer, under valgrind"
random=("$crate/tests/random.c" "$out/tests/random_calls.c")
gcc -std=c11 -O1 -g "${flags[@]}" "${random[@]}" -o "$out/random" "${shared[@]}"
gcc -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
    "${flags[@]}" "${random[@]}" -o "$out/random-asan" "${static[@]}"
"$out/random" "$calls" 1
"$out/random-asan" "$calls" 2
valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite "$out/random" "$checked" 3
valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite "$out/c-gcc"

say "hello by one command, by pkg-config, by CMake; and from Python"
gcc $crate/examples/hello.c -I"$prefix/include" "${static[@]}" -o "$out/hello"
"$out/hello" | tee "$out/heights"
python3 - "$crate/README.md" >"$out/readme.c" <<'PYTHON'
import re, sys
print(re.search(r"```c\n(.*?)```", open(sys.argv[1]).read(), re.DOTALL)[1])
PYTHON
gcc "$out/readme.c" -I"$prefix/include" "${static[@]}" -o "$out/readme"
"$out/readme"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
# shellcheck disable=SC2046
gcc $crate/examples/hello.c $(pkg-config --cflags --libs carom) -Wl,-rpath,"$prefix/lib" \
    -o "$out/hello-pc"
"$out/hello-pc" | diff - "$out/heights"
cmake -S $crate/examples/cmake -B "$out/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
    >"$out/cmake.log"
cmake --build "$out/cmake" >>"$out/cmake.log"
"$out/cmake/hello" | diff - "$out/heights"
"$out/cmake/hello_static" | diff - "$out/heights"
cmake -S $crate -B "$out/cmake-cargo" >>"$out/cmake.log"
cmake --build "$out/cmake-cargo" >>"$out/cmake.log" 2>&1
"$out/cmake-cargo/hello" | diff - "$out/heights"
python3 $crate/examples/hello.py "$prefix/lib/libcarom_c.so" | tee "$out/python"
grep -v refused "$out/python" | diff - <(grep -v hit "$out/heights")

say "Rust: formatting, lints, hashes of both sides, cost of a call"
(
    cd $crate
    cargo fmt --check
    cargo clippy --all-targets -- -D warnings
    cargo test
    cargo bench --bench calls -- "$prefix/lib/libcarom_c.so"
)
say "done"
