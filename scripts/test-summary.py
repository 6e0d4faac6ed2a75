"""Adds up the JUnit XML reports of stages, which scripts/test.sh has run.

    test-summary.py LOG              prints a line about the stage: its result, time and tests
    test-summary.py --total LOG ...  prints the slowest tests and the number of tests of all stages

Beside each LOG are a file with the exit status of the stage and its seconds, and a folder with its
reports. Exits with 1 if a stage failed.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree


class Stage:
    def __init__(self, log: Path) -> None:
        self.name = log.stem
        status, seconds = log.with_suffix(".status").read_text().split()
        self.seconds = int(seconds)
        reports = list(log.with_suffix("").glob("*.xml"))
        cases = [case for each in reports for case in ElementTree.parse(each).iter("testcase")]
        self.tests = [case for case in cases if case.find("skipped") is None]
        failures = [test for test in self.tests if {"failure", "error"} & {part.tag for part in test}]
        self.failed = len(failures)
        self.passed = len(self.tests) - self.failed
        must_test = self.name.startswith("test-")
        if must_test and not reports and status == "0":
            self.passed = 1  # The fuzzers and the simulation write no report.
        if status != "0" or (must_test and not self.passed):
            self.failed = self.failed or 1

    def line(self) -> str:
        tests = f"{self.passed:6} passed" if self.passed or self.failed else ""
        tests += f"{self.failed:4} failed" if self.failed else ""
        result = "FAILED" if self.failed else "ok"
        return f"{self.name:16} {result:6} {self.seconds:5} s {tests}".rstrip()


def print_slowest(stages: list[Stage]) -> None:
    tests = [(float(test.get("time", 0)), stage, test) for stage in stages for test in stage.tests]
    for seconds, stage, test in sorted(tests, key=lambda each: each[0], reverse=True)[:10]:
        print(f"{seconds:8.1f} s  {stage.name}: {test.get('classname')}.{test.get('name')}")


def main() -> int:
    stages = [Stage(Path(path)) for path in sys.argv[1:] if path != "--total"]
    passed, failed = sum(stage.passed for stage in stages), sum(stage.failed for stage in stages)
    if sys.argv[1] == "--total":
        print("slowest tests")
        print_slowest(stages)
        failures = [stage.name for stage in stages if stage.failed]
        print(*(["\nfailed:", *failures] if failures else []))
        print(f"{passed} passed, {failed} failed")
    else:
        print(*(stage.line() for stage in stages), sep="\n", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
