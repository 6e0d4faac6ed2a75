#!/bin/sh
# Installs the library to .build-benchmarks-prefix, and builds the jobs in .build-instructions.
#
#     build.sh BUILD
#
# BUILD is the build folder of the library.
set -eu

prefix=$PWD/.build-benchmarks-prefix
cmake --install "$1" --prefix "$prefix" >/dev/null
cmake -S "$(dirname "$0")" -B .build-instructions -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build .build-instructions >/dev/null
