"""Adds up the results in the logs of stages, which scripts/test.sh has run.

    test-summary.py LOG          prints a line about the stage: its result, time and tests
    test-summary.py --total LOG ...
                                 prints the number of tests of all stages

Each LOG is beside a file with the exit status of the stage and its seconds. A stage whose name begins
with "test-" must run a test. Exits with 1 if a stage failed.
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
SIMULATION = re.compile(r"^\d+ seeds, (\d+) fail", re.MULTILINE)
PYTEST = re.compile(r"^=+ (.*) in [\d.]+s.*=+$", re.MULTILINE)


def count(text: str) -> tuple[int, int]:
    passed = failed = 0
    for total, outcome in SWIFT.findall(text):
        bad = max(len(SWIFT_FAILED.findall(text)), 1) if outcome == "failed" else 0
        passed, failed = passed + int(total) - bad, failed + bad
    for bad, total in CTEST.findall(text):
        passed, failed = passed + int(total) - int(bad), failed + int(bad)
    passed += len(FUZZ.findall(text))
    for bad in SIMULATION.findall(text):
        passed, failed = passed + (bad == "0"), failed + (bad != "0")
    for summary in PYTEST.findall(text):
        numbers = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", summary)}
        passed += numbers.get("passed", 0)
        failed += numbers.get("failed", 0) + numbers.get("error", 0) + numbers.get("errors", 0)
    return passed, failed


class Stage:
    def __init__(self, log: Path) -> None:
        self.name = log.stem
        self.passed, self.failed = count(log.read_text(errors="replace"))
        status, seconds = log.with_suffix(".status").read_text().split()
        self.seconds = int(seconds)
        is_silent = self.name.startswith("test-") and not self.passed
        self.is_ok = status == "0" and not self.failed and not is_silent

    def line(self) -> str:
        tests = f"{self.passed:6} passed" if self.passed or self.failed else ""
        tests += f"{self.failed:4} failed" if self.failed else ""
        result = "ok" if self.is_ok else "FAILED"
        return f"{self.name:16} {result:6} {self.seconds:5} s {tests}".rstrip()


def main() -> int:
    stages = [Stage(Path(path)) for path in sys.argv[1:] if path != "--total"]
    if sys.argv[1] == "--total":
        failed = [stage for stage in stages if not stage.is_ok]
        if failed:
            print("failed:", *(stage.name for stage in failed))
        print(f"{sum(s.passed for s in stages)} passed, {sum(s.failed for s in stages)} failed")
    else:
        print(*(stage.line() for stage in stages), sep="\n", flush=True)
    return 0 if all(stage.is_ok for stage in stages) else 1


if __name__ == "__main__":
    sys.exit(main())
