#!/bin/bash
# Runs the C programs with a sanitizer, in the library too.
#
#     test-sanitizer.sh address|thread TOOLCHAIN-BIN
set -euo pipefail

cmake -S . -B ".build-$1" -DCMAKE_BUILD_TYPE=Debug -DIMD_SANITIZE="$1" \
  -DCMAKE_C_COMPILER="$2/clang" -DCMAKE_CXX_COMPILER="$2/clang++" >/dev/null
cmake --build ".build-$1"
ctest --test-dir ".build-$1" --output-on-failure
