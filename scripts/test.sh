#!/bin/bash
# Runs the test stages that are named (targets test-NAME of the Makefile) to the end, whichever
# fail, and closes with what failed and a plain count of the tests.
set -uo pipefail

logs=.build-logs
rm -rf "$logs" && mkdir -p "$logs"

# The lines by which the runners name a test that failed, and why.
failure='^(FAILED|ERROR|E  ) |^✘ |\(Failed\)$|\(Timeout\)$|: error: |^FAIL|^==[0-9]+==ERROR'

failed=
for stage in "$@"; do
  printf '\n==== %s\n' "$stage"
  make "test-$stage" 2>&1 | tee "$logs/$stage.log" || failed="$failed $stage"
done

for stage in $failed; do
  printf '\n==== failed: %s\n' "$stage"
  grep -E "$failure" "$logs/$stage.log" | cut -c -300 | tail -n 15
done

printf '\n==== summary\n'
[ -z "$failed" ] || echo "failed:$failed"
python3 scripts/count.py $(printf "$logs/%s.log " "$@") || exit 1
[ -z "$failed" ]
