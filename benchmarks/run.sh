#!/bin/sh
# Builds the benchmarks, runs them one after the other, and prints one table.
#
#     run.sh BUILD PYTHON
#
# BUILD is the build folder of the library, PYTHON a Python with the package installed.
set -eu

build=$1
python=$2
benchmarks=$(dirname "$0")
prefix=$PWD/.build-benchmarks-prefix

if ! pkg-config --exists sqlite3; then
  echo "SQLite is missing (Debian: libsqlite3-dev); install it and try again" >&2
  exit 1
fi

# If they cannot be installed, the table lacks their rows.
scripts/dependencies.sh benchmark >&2 || true

log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() { # prints the output only on failure
  "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
}
quietly cmake --install "$build" --prefix "$prefix"
quietly cmake -S "$benchmarks/c" -B .build-benchmarks-c -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build .build-benchmarks-c
quietly swift build --package-path "$benchmarks/swift" --scratch-path .build-benchmarks-swift \
  --configuration release
quietly "$python" -m pip install --disable-pip-version-check pyrsistent jmespath orjson

{
  .build-benchmarks-c/benchmark
  .build-benchmarks-swift/release/benchmark
  "$python" "$benchmarks/python/benchmark.py"
  "$python" "$benchmarks/python/bombs.py"
} | "$python" "$benchmarks/table.py"
