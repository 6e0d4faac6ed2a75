"""The library as it is installed, and the Python package."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest
from driver import LIBRARY, ROOT

PACKAGE = ROOT / "drivers/postgresql/python"
PROGRAM = """
#include <immutabledata_postgresql.h>
#include <stdio.h>
int main(void) {
  imd_error error;
  if (imd_postgresql_driver()->size != sizeof(imd_log_driver)) return 1;
  if (imd_postgresql_initialize("no address", 1000, &error) != IMD_INVALID_ARGUMENT) return 2;
  if (imd_postgresql_initialize(NULL, 1000, NULL) != IMD_INVALID_ARGUMENT) return 3;
  puts(error.message);
  return imd_postgresql_schema()[0] == 0;
}
"""


@pytest.mark.parametrize(
    ("suffix", "compiler"), [(".c", ["cc", "-std=c99"]), (".cpp", ["c++", "-std=c++17"])]
)
def test_installed(tmp_path, suffix, compiler):
    """The header is C99 and C++, and pkg-config finds what is installed, also if it was moved."""
    prefix = tmp_path / "moved"
    install = ["cmake", "--install", Path(LIBRARY).parent, "--prefix", prefix]
    subprocess.run(install, check=True, capture_output=True)
    (tmp_path / f"program{suffix}").write_text(PROGRAM)
    [folder] = [path.parent for path in prefix.rglob("*.pc")]
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "immutabledata-postgresql"],
        env={**os.environ, "PKG_CONFIG_PATH": str(folder)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    warnings = ["-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{ROOT / 'include'}"]
    program = tmp_path / "program"
    subprocess.run(
        [*compiler, *warnings, tmp_path / f"program{suffix}", "-o", program, *flags], check=True
    )
    result = subprocess.run(
        [program],
        env={"LD_LIBRARY_PATH": str(folder.parent)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert result.stdout.startswith("the address does not begin with postgresql://; ")


def test_symbols():
    """Only the functions of the header are exported; only libpq and the C library are needed."""
    symbols = subprocess.run(
        ["nm", "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True
    )
    assert [line.split()[-1] for line in symbols.stdout.splitlines()] == [
        "imd_postgresql_driver",
        "imd_postgresql_initialize",
        "imd_postgresql_schema",
    ]
    needed = subprocess.run(
        ["readelf", "-d", LIBRARY], check=True, capture_output=True, text=True
    ).stdout
    libraries = [line.split("[")[1][:-1] for line in needed.splitlines() if "(NEEDED)" in line]
    assert [name for name in libraries if "san" not in name] == ["libpq.so.5", "libc.so.6"]


@pytest.fixture
def package(monkeypatch):
    """The Python package, with the library that the other tests use."""
    monkeypatch.setenv("IMMUTABLEDATA_POSTGRESQL_LIBRARY", LIBRARY)
    monkeypatch.syspath_prepend(str(PACKAGE / "src"))
    import immutabledata_postgresql

    return immutabledata_postgresql


def test_python(package, server):
    assert sorted(package.__all__) == ["__version__", "driver", "initialize", "schema"]
    assert ctypes.c_size_t.from_address(package.driver()).value == 9 * ctypes.sizeof(
        ctypes.c_void_p
    )
    assert "create or replace function immutabledata.append(" in package.schema()
    assert package.initialize(server.address()) is None
    assert package.initialize(server.address(), timeout=float("inf")) is None
    with pytest.raises(ValueError, match="does not begin with postgresql://"):
        package.initialize("app")
    with pytest.raises(ValueError, match="NUL"):
        package.initialize("postgresql://host/app\0")
    with pytest.raises(OSError, match='database "absent" does not exist'):
        package.initialize(server.address("absent"))
    with pytest.raises(OSError, match="did not answer in time"):
        package.initialize(server.address(), timeout=-1)


def test_python_without_library(tmp_path):
    """The message of the error has all places that were tried."""
    code = "import immutabledata_postgresql"
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={
            "PYTHONPATH": str(PACKAGE / "src"),
            "IMMUTABLEDATA_POSTGRESQL_LIBRARY": str(tmp_path / "absent.so"),
        },
        capture_output=True,
        text=True,
    )
    assert "cannot load libimmutabledata-postgresql; tried" in result.stderr
    assert str(tmp_path / "absent.so") in result.stderr
    assert "libimmutabledata-postgresql.so.0.1" in result.stderr


def test_types():
    subprocess.run([sys.executable, "-m", "mypy"], cwd=PACKAGE, check=True)
