#!/bin/bash
# Runs lanes of stages side by side. A stage is a target of the Makefile; the stages of a lane run one
# after the other, also after a failure. A stage that takes half an hour is stopped, and fails.
#
#     test.sh [--continue] "STAGE ..." ["STAGE ..."]
#
# Prints a line for each stage with its time and its tests, then the ends of the logs of stages that
# failed, the slowest tests, and the number of tests. The logs are in .build-logs; with --continue, the
# earlier ones stay, and count. A stage writes its reports, in JUnit XML, to the folder REPORTS.
set -uo pipefail

logs=.build-logs
[ "$1" = --continue ] && shift || rm -rf "$logs"
mkdir -p "$logs"

# Matches the lines in which the test runners report a failed test.
failure='^(FAILED|ERROR|E  ) |^✘ |\(Failed\)$|\(Timeout\)$|: error: |^FAIL|^==[0-9]+==ERROR'

run_lane() { # STAGE ...
  for stage in "$@"; do
    begin=$SECONDS
    status=0
    rm -rf "${logs:?}/$stage"
    mkdir "$logs/$stage"
    REPORTS=$PWD/$logs/$stage timeout --kill-after=10 1800 \
      make "$stage" >"$logs/$stage.log" 2>&1 </dev/null || status=$?
    echo "$status $((SECONDS - begin))" >"$logs/$stage.status"
    python3 scripts/test-summary.py "$logs/$stage.log"
  done
}

for lane in "$@"; do
  # shellcheck disable=SC2086
  run_lane $lane &
done
wait

failed=0
for stage in $*; do
  case $(cat "$logs/$stage.status") in "0 "*) continue ;; esac
  failed=1
  printf '\n==== failed: %s (%s)\n' "$stage" "$logs/$stage.log"
  grep -E "$failure" "$logs/$stage.log" | cut -c -300 | tail -n 15
  # A stage that fails before its tests, as in a build, explains itself in its last lines.
  tail -n 15 "$logs/$stage.log" | cut -c -300
done

printf '\n'
python3 scripts/test-summary.py --total "$logs"/*.log || failed=1
exit $failed
