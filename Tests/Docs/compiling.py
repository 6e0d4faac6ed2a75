"""Builds programs in C and C++ with the headers of this checkout and the library of the package."""

import os
import subprocess
from pathlib import Path

import immutabledata

ROOT = Path(__file__).parents[2]
LIBRARY = Path(
    os.environ.get("IMMUTABLEDATA_LIBRARY")
    or Path(immutabledata.__file__).with_name("libimmutabledata.so")
)


def build(sources: list[Path], folder: Path, *flags: str) -> Path:
    """Builds a program in a folder, which has no program yet, and returns its path."""
    for name in ("libimmutabledata.so", "libimmutabledata.so.0.1"):
        (folder / name).symlink_to(LIBRARY)
    program = folder / "program"
    is_cpp = sources[0].suffix == ".cpp"
    compiler = ["c++", "-std=c++17"] if is_cpp else ["cc", "-std=c11"]
    subprocess.run(
        [*compiler, "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", program]
        + [f"-I{ROOT / 'include'}", *sources, f"-L{folder}", "-limmutabledata"]
        + [f"-Wl,-rpath,{folder}", *flags],
        check=True,
    )
    return program
