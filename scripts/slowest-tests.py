"""Prints the ten slowest tests in the logs of swift test, ctest and pytest --durations.

    slowest-tests.py LOG [LOG ...]

Without --no-parallel, Swift Testing starts all tests together, and the time of a test includes that
of the tests that it waits for.
"""

import re
import sys
from pathlib import Path

SECONDS = r"(?P<seconds>[\d.]+)"
LINES = [
    re.compile(rf"^✔ Test (?P<test>\w\S*\)).* passed after {SECONDS} seconds", re.MULTILINE),
    re.compile(rf"^ *\d+/\d+ Test +#\d+: (?P<test>\S+) \.* +Passed +{SECONDS} sec", re.MULTILINE),
    re.compile(rf"^{SECONDS}s (?:call|setup|teardown) +(?P<test>\S.*)", re.MULTILINE),
]


def main() -> None:
    found = []
    for log in map(Path, sys.argv[1:]):
        text = log.read_text(errors="replace")
        for line in LINES:
            for match in line.finditer(text):
                found.append((float(match["seconds"]), log.stem, match["test"]))
    for seconds, stage, test in sorted(found, reverse=True)[:10]:
        print(f"{seconds:8.1f} s  {stage}: {test}")


if __name__ == "__main__":
    main()
