"""Adds up the results in the logs of test runners: one line for each log, and the total.

    test-summary.py LOG [LOG ...]

Exits with 1 if a test failed, or if a log reports no test at all.
"""

import re
import sys
from pathlib import Path

# The summary line of each runner. (Swift Testing prints "N tests" and whether the run passed, and
# reports each failed test.)
SWIFT = re.compile(r"Test run with (\d+) tests? .*?(passed|failed) after")
SWIFT_FAILED = re.compile(r"^✘ Test \S.* failed after", re.MULTILINE)
CTEST = re.compile(r"(\d+) tests? failed out of (\d+)")
FUZZ = re.compile(r"^stat::number_of_executed_units: [1-9]", re.MULTILINE)
PYTEST = re.compile(r"^=+ (.*) in [\d.]+s.*=+$", re.MULTILINE)


def count(text: str) -> tuple[int, int]:
    passed = failed = 0
    for total, outcome in SWIFT.findall(text):
        bad = max(len(SWIFT_FAILED.findall(text)), 1) if outcome == "failed" else 0
        passed, failed = passed + int(total) - bad, failed + bad
    for bad, total in CTEST.findall(text):
        passed, failed = passed + int(total) - int(bad), failed + int(bad)
    passed += len(FUZZ.findall(text))
    for summary in PYTEST.findall(text):
        numbers = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", summary)}
        passed += numbers.get("passed", 0)
        failed += numbers.get("failed", 0) + numbers.get("error", 0) + numbers.get("errors", 0)
    return passed, failed


def main() -> int:
    passed = failed = 0
    silent = []
    for log in sys.argv[1:]:
        path = Path(log)
        counts = count(path.read_text(errors="replace"))
        print(f"{path.stem:12} {counts[0]:5} passed {counts[1]:5} failed")
        passed, failed = passed + counts[0], failed + counts[1]
        if sum(counts) == 0:
            silent.append(path.stem)
    if silent:
        print(f"no test was run by: {', '.join(silent)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or silent else 0


if __name__ == "__main__":
    sys.exit(main())
