#!/bin/bash
# Runs the test stages that are named (targets test-NAME of the Makefile) to the end, whichever
# fail, and closes with a plain count of the tests.
set -uo pipefail

logs=.build-logs
rm -rf "$logs" && mkdir -p "$logs"

failed=
for stage in "$@"; do
  printf '\n==== %s\n' "$stage"
  make "test-$stage" 2>&1 | tee "$logs/$stage.log" || failed="$failed $stage"
done

printf '\n==== summary\n'
[ -z "$failed" ] || echo "failed:$failed"
python3 scripts/count.py $(printf "$logs/%s.log " "$@") || exit 1
[ -z "$failed" ]
