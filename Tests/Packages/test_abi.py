"""The changelog declares each change of the ABI; and the comparison finds every kind of change."""

from pathlib import Path

import abi
import pytest
from conftest import ROOT


def test_every_change_is_declared(capsys: pytest.CaptureFixture) -> None:
    failed = abi.main()
    assert not failed, capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "replacement", "added", "changed"),
    [
        ("const char *imd_version(void);", "", set(), {"imd_version"}),
        ("const char *imd_version(void);", "int imd_version(void);", set(), {"imd_version"}),
        ("void imd_free(void *text);", "void imd_free(void *text, int n);", set(), {"imd_free"}),
        ("/* Why a call failed.", "int imd_x(int n);\n/* Why a call", {"imd_x"}, set()),
        ("  int column;", "  long column;", set(), {"imd_error"}),
        ("  char message[256];", "  char message[256];\n  int n;", set(), {"imd_error"}),
        ("  IMD_OUTDATED = 19 ", "  IMD_OUTDATED = 19, IMD_X = 20 ", set(), {"imd_status"}),
        ("  IMD_OUTDATED = 19 ", "  IMD_OUTDATED = 20 ", set(), {"imd_status"}),
        (
            "(*imd_observer)(void *context,",
            "(*imd_observer)(",
            set(),
            {"imd_observer_functions", "imd_store_observe"},
        ),
    ],
)
def test_a_change_is_found(
    text: str, replacement: str, added: set[str], changed: set[str], tmp_path: Path
) -> None:
    for name in abi.HEADERS:
        header = (ROOT / "include" / name).read_text()
        (tmp_path / name).write_text(header.replace(text, replacement))
    assert abi.compare(abi.BASELINE, abi.describe(tmp_path))[1:] == (added, changed)


CHANGELOG = """# Changelog

## [0.2.0]

- Functions: `imd_new`.
- ABI: `imd_changed` has another
  parameter; removed `imd_removed`.
- Fixed: `imd_other`.

## [0.1.0]

- ABI: `imd_older`.
"""


@pytest.mark.parametrize(
    ("added", "changed", "missing"),
    [
        ({"imd_new"}, {"imd_changed", "imd_removed"}, []),
        ({"imd_older"}, set(), ["imd_older"]),
        (set(), {"imd_new", "imd_older", "imd_other"}, ["imd_new", "imd_older", "imd_other"]),
    ],
)
def test_declarations(added: set[str], changed: set[str], missing: list[str]) -> None:
    assert abi.undeclared(added, changed, CHANGELOG) == missing
