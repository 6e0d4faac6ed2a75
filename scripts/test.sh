#!/bin/bash
# Runs the named test stages (targets test-NAME of the Makefile). Continues after a failing stage,
# and prints the failures and the number of tests at the end.
set -uo pipefail

logs=.build-logs
rm -rf "$logs" && mkdir -p "$logs"

# Matches the lines in which the test runners report a failed test.
failure='^(FAILED|ERROR|E  ) |^✘ |\(Failed\)$|\(Timeout\)$|: error: |^FAIL|^==[0-9]+==ERROR'

failed=
for stage in "$@"; do
  printf '\n==== %s\n' "$stage"
  make "test-$stage" 2>&1 | tee "$logs/$stage.log" || failed="$failed $stage"
done

for stage in $failed; do
  printf '\n==== failed: %s\n' "$stage"
  grep -E "$failure" "$logs/$stage.log" | cut -c -300 | tail -n 15
  # A stage that fails before its tests, as in a build, explains itself in its last lines.
  tail -n 10 "$logs/$stage.log" | cut -c -300
done

printf '\n==== summary\n'
[ -z "$failed" ] || echo "failed:$failed"
python3 scripts/test-summary.py $(printf "$logs/%s.log " "$@") || exit 1
[ -z "$failed" ]
