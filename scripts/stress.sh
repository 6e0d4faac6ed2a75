#!/bin/bash
# Runs the model test, the memory growth test and the kill test on the installed library, for many
# minutes.
#
#     stress.sh CALLS [SEED ...]
#
# CALLS: the calls of the model test, which the other numbers follow. Without seeds, uses random ones.
# A failing run prints its seed.
set -euo pipefail

calls=$1
shift
seeds=${*:-$(od -An -N12 -tu4 /dev/urandom)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake -S . -B .build-cmake -DBUILD_TESTING=OFF >/dev/null
cmake --build .build-cmake
cmake --install .build-cmake --prefix "$work/prefix" >/dev/null

cmake -S Tests/C -B "$work/tests" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release \
  "-DIMD_MODEL_SEEDS=$(echo $seeds | tr ' ' ';')" -DIMD_MODEL_CALLS="$calls" \
  -DIMD_MODEL_ROUNDS=$((calls / 50)) -DIMD_GROWTH_ACTIONS=$((calls * 10)) \
  -DIMD_GROWTH_OPENED=$((calls / 5)) -DIMD_TEST_KILLS=$((calls / 1000)) >/dev/null
cmake --build "$work/tests" --target model growth test_kill
ctest --test-dir "$work/tests" --output-on-failure --timeout 3600 --tests-regex '^((model|growth)_|kill$)' \
  ${REPORTS:+--output-junit "$REPORTS/ctest.xml"}
