"""Finds the modules of the benchmarks, which are programs and no packages."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "benchmarks/instructions"), str(ROOT / "benchmarks/report")]
