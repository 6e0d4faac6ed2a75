"""How the package finds the library."""

import _ctypes
import os
import subprocess
import sys

import pytest

from immutabledata._ffi import library, loader


def import_with(path):
    """Imports the package in another process, with the environment variable set."""
    return subprocess.run(
        [sys.executable, "-c", "import immutabledata as imd; print(imd.open('counter'))"],
        env={**os.environ, loader.VARIABLE: path},
        capture_output=True,
        text=True,
    )


def test_the_environment_variable_selects_the_library():
    done = import_with(library.LIBRARY._name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "<immutabledata.Store 'counter' open>\n"


def test_an_empty_environment_variable_is_ignored():
    if library.LIBRARY._name != str(loader.PACKAGED):
        pytest.skip("the package has no library of its own")
    assert import_with("").returncode == 0


def test_the_environment_variable_has_no_fallback():
    done = import_with("/nonexistent")
    assert done.returncode == 1
    assert done.stderr.endswith(
        "ImportError: libimmutabledata could not be loaded. Tried:\n"
        "  the environment variable IMMUTABLEDATA_LIBRARY: /nonexistent: cannot open shared object "
        "file: No such file or directory\n"
        "Install a wheel of immutabledata for this platform, or set the environment variable "
        "IMMUTABLEDATA_LIBRARY to the path of the library.\n"
    )


@pytest.mark.skipif(not hasattr(_ctypes, "__file__"), reason="there is no other library at hand")
def test_another_library_is_rejected():
    done = import_with(_ctypes.__file__)
    assert done.returncode == 1
    assert f"ImportError: {_ctypes.__file__} has no function imd_version" in done.stderr


IMPORT_IN_SUBINTERPRETER = """
import sys

# Not isolated: there ctypes itself may not be imported.
if sys.version_info >= (3, 13):
    import _interpreters as interpreters

    interpreter = interpreters.create("legacy")
else:
    import _xxsubinterpreters as interpreters

    options = {"isolated": False} if sys.version_info >= (3, 12) else {}
    interpreter = interpreters.create(**options)

interpreters.run_string(interpreter, '''
try:
    import immutabledata
except ImportError as error:
    print(error, flush=True)
''')
"""


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="there are no subinterpreters")
def test_a_subinterpreter_is_refused():
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_IN_SUBINTERPRETER], capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout == (
        "immutabledata cannot be imported in a subinterpreter, because ctypes calls all callbacks, "
        "such as reducers, in the main interpreter; import it there\n"
    )


def test_the_error_lists_every_place(monkeypatch, tmp_path):
    monkeypatch.delenv(loader.VARIABLE, raising=False)
    monkeypatch.setattr(loader, "PACKAGED", tmp_path / "absent.so")
    monkeypatch.setattr(loader, "SYSTEM", "libabsent.so.0.1")
    with pytest.raises(ImportError) as caught:
        loader.load()
    lines = str(caught.value).splitlines()
    assert lines[1].startswith(f"  the package: {tmp_path / 'absent.so'}: cannot open")
    assert lines[2].startswith("  the system: libabsent.so.0.1: cannot open")
    assert len(lines) == 4
