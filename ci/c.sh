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
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

say() {
    printf -- '--- %s (%d s)\n' "$1" "$SECONDS"
}

tools() {
    local missing=() tool
    for tool in gcc:gcc g++:g++ clang:clang cmake:cmake make:make pkg-config:pkg-config valgrind:valgrind nm:binutils; do
        command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
    done
    [ ${#missing[@]} -eq 0 ] && return
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" libc6-dev
}

say "tools"
tools

say "api.json: what is generated is fresh, and what is left out has its reason"
python3 bindings/generate.py --check
python3 bindings/generate.py --left-out

crate=bindings/c
say "the library"
prefix=$scratch/prefix
$crate/install.sh "$prefix"
built=$CARGO_TARGET_DIR/release
python3 bindings/generate.py --library "$prefix/lib/libcarom_c.so"
printf 'libcarom_c.so: %d bytes, stripped; libcarom_c.a: %d bytes\n' \
    "$(stat -c %s "$prefix/lib/libcarom_c.so")" "$(stat -c %s "$prefix/lib/libcarom_c.a")"

say "C and C++, gcc and clang, all warnings as errors"
python3 bindings/generate.py --tests "$scratch/tests"
warnings=(-Wall -Wextra -Wpedantic -Werror)
flags=("${warnings[@]}" -I"$prefix/include" -I"$crate/tests")
tests=("$crate"/tests/{main,world,queries,games,snapshots,navigation}.c "$scratch/tests/layout.c")
shared=(-L"$prefix/lib" -lcarom_c -lm -Wl,-rpath,"$prefix/lib")
static=("$prefix/lib/libcarom_c.a" -lpthread -ldl -lm)
gcc -std=c11 "${flags[@]}" "${tests[@]}" -o "$scratch/c-gcc" "${shared[@]}"
clang -std=c11 "${flags[@]}" "${tests[@]}" -o "$scratch/c-clang" "${static[@]}"
g++ -x c++ -std=c++17 "${flags[@]}" "${tests[@]}" -x none -o "$scratch/cpp-g++" "${shared[@]}"
clang++ -x c++ -std=c++17 "${flags[@]}" "${tests[@]}" -x none -o "$scratch/cpp-clang++" "${static[@]}"
for program in c-gcc c-clang cpp-g++ cpp-clang++; do
    printf '%s: ' "$program"
    "$scratch/$program"
done
for compiler in g++ clang++; do
    "$compiler" -std=c++17 "${flags[@]}" $crate/tests/wrapper.cpp -o "$scratch/wrapper" "${shared[@]}"
    "$scratch/wrapper"
    "$compiler" -std=c++17 "${flags[@]}" $crate/examples/tower.cpp -o "$scratch/tower" "${shared[@]}"
done
"$scratch/tower"

say "random calls: plain, under AddressSanitizer, under valgrind"
random=("$crate/tests/random.c" "$scratch/tests/random_calls.c")
gcc -std=c11 -O1 -g "${flags[@]}" "${random[@]}" -o "$scratch/random" "${shared[@]}"
gcc -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all "${flags[@]}" "${random[@]}" \
    -o "$scratch/random-asan" "${static[@]}"
"$scratch/random" "$calls" 1
"$scratch/random-asan" "$((calls / 5))" 2
valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite "$scratch/random" "$checked" 3
valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite "$scratch/c-gcc"

say "hello by one command, by pkg-config, by CMake; and from Python"
gcc $crate/examples/hello.c -I"$prefix/include" "$prefix/lib/libcarom_c.a" -lpthread -ldl -lm -o "$scratch/hello"
"$scratch/hello" | tee "$scratch/heights"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
# shellcheck disable=SC2046
gcc $crate/examples/hello.c $(pkg-config --cflags --libs carom) -Wl,-rpath,"$prefix/lib" -o "$scratch/hello-pc"
"$scratch/hello-pc" | diff - "$scratch/heights"
cmake -S $crate/examples/cmake -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/cmake.log"
cmake --build "$scratch/cmake" >>"$scratch/cmake.log"
"$scratch/cmake/hello" | diff - "$scratch/heights"
"$scratch/cmake/hello_static" | diff - "$scratch/heights"
cmake -S $crate -B "$scratch/cmake-cargo" >>"$scratch/cmake.log"
cmake --build "$scratch/cmake-cargo" >>"$scratch/cmake.log" 2>&1
"$scratch/cmake-cargo/hello" | diff - "$scratch/heights"
python3 $crate/examples/hello.py "$prefix/lib/libcarom_c.so" | tee "$scratch/python"
grep -v refused "$scratch/python" | diff - <(grep -v hit "$scratch/heights")

say "Rust: formatting, lints, hashes of both sides, cost of a call"
(
    cd $crate
    cargo fmt --check
    cargo clippy --release --all-targets -- -D warnings
    cargo test --release
    cargo bench --bench calls
)
say "done"
