#!/bin/sh
# Builds and runs the benchmarks of collections, and writes their results to a page.
#
#     run.sh PYTHON [quick]
#
# Writes docs/collections.md. With quick, measures small collections in a few seconds, and writes to
# .build-benchmarks-collections/quick.md instead.
set -eu

python=$1
quick=${2:-}
collections=$(dirname "$0")
build=$PWD/.build-benchmarks-collections
page=docs/collections.md
results=$build/results

rm -rf "$results"
mkdir -p "$results"
if [ "$quick" ]; then
  export BENCHMARK_QUICK=1
  cp "$page" "$build/quick.md"
  page=$build/quick.md
fi

swift package --package-path "$collections" --scratch-path "$build" benchmark \
  --format jmh --path "$results" --no-progress >"$build/log" 2>&1 || { cat "$build/log" >&2; exit 1; }
"$python" "$collections/page.py" "$results/Current_run.jmh.json" "$collections/guide.json" "$page"
echo "wrote $page"
