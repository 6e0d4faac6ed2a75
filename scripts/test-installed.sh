#!/bin/bash
# Installs the library to a temporary prefix, moves that prefix, and runs the C and C++
# tests against it.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/moved

cmake -S . -B .build-cmake -DBUILD_TESTING=OFF >/dev/null
cmake --build .build-cmake --parallel 2
cmake --install .build-cmake --prefix "$work/first" >/dev/null
mv "$work/first" "$prefix"

cmake -S Tests/C -B "$work/tests" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/tests" --parallel 2
ctest --test-dir "$work/tests" --output-on-failure --parallel 2 \
  ${REPORTS:+--output-junit "$REPORTS/ctest.xml"}
