"""The page of the benchmarks of collections."""

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks/collections"
METRICS = {
    "Time (wall clock)": 2.5,
    "Records": 65536,
    "Operations": 1,
    "Allocations": 3,
    "Allocated bytes": 1500,
    "Collection bytes": 8 * 65536,
    "Memory (resident peak)": 41e6,
}


def element(name: str, **metrics: float) -> dict[str, object]:
    """What the package benchmark exports for a benchmark, with the same value in each percentile."""
    percentiles = ["0.0", "50.0", "90.0", "99.0", "100.0"]
    return {
        "benchmark": f"package.benchmark.CollectionBenchmarks.{name.replace(' ', '_')}",
        "measurementIterations": 100,
        "secondaryMetrics": {
            metric: {"scorePercentiles": dict.fromkeys(percentiles, value)}
            for metric, value in {**METRICS, **metrics}.items()
        },
    }


def write(folder: Path, page: str) -> "subprocess.CompletedProcess[str]":
    operations = ["insert", "update", "delete", "sort"]
    elements = [element(f"{operation}: Array, boxed") for operation in operations]
    elements.append(element("read: Array, boxed", Operations=1000))
    (folder / "results.json").write_text(json.dumps(elements))
    (folder / "page.md").write_text(page)
    arguments = [folder / "results.json", FOLDER / "guide.json", folder / "page.md"]
    return subprocess.run(
        [sys.executable, FOLDER / "page.py", *arguments], capture_output=True, text=True
    )


def test_results(tmp_path: Path) -> None:
    done = write(tmp_path, "before\n<!-- results -->\nold\n<!-- end of results -->\nafter\n")
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "page.md").read_text()
    assert page.startswith("before\n<!-- results -->\n\nMeasured with 65,536 records on ")
    assert page.endswith("\n\n<!-- end of results -->\nafter\n")
    assert "old" not in page
    rows = [
        "| Array, boxed |  | 2.5 ns | 2.5 µs | 2.5 µs | 2.5 µs | 2.5 µs |  |",
        "| Dictionary | 1 µs | 1 µs | 933 µs | 957 µs | 931 µs |  | 328 ms |",
        "| Array, boxed |  | 0.003 | 3 | 3 | 3 | 3 |  |",
        "| Array, boxed | 8 B | 1.5 KB | 1.5 KB | 1.5 KB | 41 MB | 41 MB | 41 MB |",
    ]
    for row in rows:
        assert f"\n{row}\n" in page, row


def test_a_page_without_the_comments(tmp_path: Path) -> None:
    done = write(tmp_path, "before\n")
    assert done.returncode == 1
    assert done.stderr == (
        f'{tmp_path / "page.md"}: the comments "<!-- results -->" and "<!-- end of results -->" '
        "are missing\n"
    )
    assert (tmp_path / "page.md").read_text() == "before\n"
