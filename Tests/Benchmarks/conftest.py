"""Adds the folders with modules of the benchmarks to the path, because they are not packages."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "benchmarks/instructions"), str(ROOT / "benchmarks/report")]
