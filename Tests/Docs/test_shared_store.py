"""The example of a store that Python and C use in one process."""

import subprocess
import sys
from pathlib import Path

from compiling import LIBRARY

ROOT = Path(__file__).parents[2]


def test_python_and_c_use_one_store(tmp_path: Path) -> None:
    # Python has loaded the library, so the dynamic linker finds it by its SONAME. The example is
    # linked with pkg-config instead.
    functions = tmp_path / "libshared_store.so"
    subprocess.run(
        ["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-shared", "-fPIC"]
        + ["-o", functions, f"-I{ROOT / 'include'}", ROOT / "examples/shared_store.c", LIBRARY],
        check=True,
    )
    result = subprocess.run(
        [sys.executable, ROOT / "examples/shared_store.py", functions],
        capture_output=True,
        text=True,
    )
    assert (result.stdout, result.stderr) == ("0\n1\n2\n3\n2\n", "")
