#!/bin/bash
# Runs the C and C++ tests and the library with a sanitizer.
#
#     test-sanitizer.sh address|thread TOOLCHAIN-BIN [ACTIONS [FORKS]]
#
# ACTIONS: how many actions the threads of the observer test dispatch together. FORKS: how often
# each fork test forks.
set -euo pipefail

cmake -S . -B ".build-$1" -DCMAKE_BUILD_TYPE=Debug -DIMD_SANITIZE="$1" \
  -DIMD_TEST_ACTIONS="${3:-20000}" -DIMD_TEST_DISPATCHES=1000 \
  -DIMD_TEST_ATTACHES=50 \
  -DIMD_TEST_CANCELS=500 -DIMD_TEST_REQUESTS=1000 \
  -DIMD_TEST_FORKS="${4:-20}" -DIMD_TEST_STORES=200 -DIMD_PARSE_TEXTS=30000 \
  -DIMD_MODEL_CALLS=2000 -DIMD_MODEL_ROUNDS=60 -DIMD_GROWTH_ACTIONS=5000 -DIMD_GROWTH_OPENED=1000 \
  -DCMAKE_C_COMPILER="$2/clang" -DCMAKE_CXX_COMPILER="$2/clang++" >/dev/null
cmake --build ".build-$1" --parallel 2
ctest --test-dir ".build-$1" --output-on-failure --parallel 2 \
  ${REPORTS:+--output-junit "$REPORTS/ctest.xml"}
