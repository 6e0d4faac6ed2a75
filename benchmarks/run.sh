#!/bin/bash
# Builds the benchmarks, and runs them one after the other.
#
#     run.sh BUILD PYTHON [quick | shared | logs]
#
# BUILD is the build folder of the library, and PYTHON a Python with the packages of
# requirements.txt. Writes docs/benchmarks.md, docs/benchmarks and the table in README.md. With quick,
# measures less, writes to .build-benchmarks-quick instead, and leaves out Swift and bombs.py. With
# shared or logs, measures only shared logs, or those of one writer, and prints a table.
set -euo pipefail

build=$1
python=$2
mode=${3:-}
benchmarks=$(dirname "$0")
prefix=$PWD/.build-benchmarks-prefix

if ! pkg-config --exists sqlite3; then
  echo "SQLite is missing (Debian: libsqlite3-dev); install it and try again" >&2
  exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() { # prints the output only on failure
  "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
}
quietly cmake --install "$build" --prefix "$prefix"
quietly cmake -S "$benchmarks/c" -B .build-benchmarks-c -DCMAKE_PREFIX_PATH="$prefix" \
  -DYYJSON_SOURCE="$("$benchmarks/fetch-yyjson.sh" "$python")"
quietly cmake --build .build-benchmarks-c
if [ "$mode" = shared ] || [ "$mode" = logs ]; then
  .build-benchmarks-c/benchmark "$mode" | "$python" "$benchmarks/report/table.py"
  exit
fi
[ "$mode" ] || quietly swift build --package-path "$benchmarks/swift" \
  --scratch-path .build-benchmarks-swift --configuration release

# Python uses the same library as C.
export IMMUTABLEDATA_LIBRARY="$prefix/lib/libimmutabledata.so" PYTHONPATH=bindings/python/src
redux=/usr/share/nodejs/redux/dist/redux.js

run() {
  .build-benchmarks-c/benchmark
  if [ -f $redux ] && command -v node >/dev/null; then
    node --expose-gc "$benchmarks/node/redux.js"
  else
    printf 'note\tNot measured: Redux, because Node or %s is missing.\n' $redux
  fi
  [ "$mode" ] || .build-benchmarks-swift/release/benchmark
  "$python" "$benchmarks/python/benchmark.py"
  "$python" "$benchmarks/python/shell.py"
  [ "$mode" ] || "$python" "$benchmarks/python/bombs.py"
}

if [ "$mode" = quick ]; then
  export BENCHMARK_QUICK=1
  {
    printf 'note\tMeasured once, and with less data than the names of the jobs state.\n'
    run
  } | "$python" "$benchmarks/report/report.py" .build-benchmarks-quick
else
  run | "$python" "$benchmarks/report/report.py" docs --readme README.md
fi
