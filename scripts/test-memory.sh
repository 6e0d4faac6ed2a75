#!/bin/bash
# Runs the C and C++ tests under valgrind's memcheck; fails on any error or leak.
set -euo pipefail

# With symbols: the suppressions for the Swift runtime match function names.
cmake -S . -B .build-memory -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  "-DIMD_SCRATCH=$PWD/.build-cmake/.build" -DIMD_TEST_INCREMENTS=200 \
  -DIMD_TEST_ACTIONS=400 -DIMD_TEST_DISPATCHES=50 -DIMD_TEST_ATTACHES=10 \
  -DIMD_TEST_CANCELS=50 -DIMD_TEST_REQUESTS=100 \
  -DIMD_TEST_FORKS=5 -DIMD_PARSE_TEXTS=300 -DIMD_TEST_STORES=20 \
  -DIMD_MODEL_SEEDS=1 -DIMD_MODEL_CALLS=150 -DIMD_MODEL_ROUNDS=20 \
  "-DIMD_TEST_LAUNCHER=valgrind;--quiet;--fair-sched=yes;--error-exitcode=1;--leak-check=full;\
--errors-for-leak-kinds=definite,indirect,possible;\
--suppressions=$PWD/Tests/C/swift-runtime.supp" >/dev/null
cmake --build .build-memory --parallel 2
ctest --test-dir .build-memory --output-on-failure --parallel 2 \
  ${REPORTS:+--output-junit "$REPORTS/ctest.xml"}
