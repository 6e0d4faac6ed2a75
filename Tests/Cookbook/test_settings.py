import subprocess
import sys
from pathlib import Path

import immutabledata as imd
import pytest

PAGE = "settings.md"


def run(folder: Path, *words: str) -> tuple[int, str]:
    command = [sys.executable, "settings.py", *words]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def version1(folder: Path) -> imd.Store:
    settings = imd.Slice("settings", {"dark": False, "size": 12})

    @settings.on("set")
    def change(draft, action):
        draft.update(action["payload"])

    log = {"path": folder / "settings.imd", "application": "example", "version": 1}
    return imd.Store(imd.combine(settings=settings), log=log)


def test_a_new_file(folder: Path) -> None:
    assert run(folder, "theme", "dark") == (0, '{"font":"Sans","size":12,"theme":"dark"}\n')
    assert run(folder, "size", "14") == (0, '{"font":"Sans","size":14,"theme":"dark"}\n')
    assert run(folder, "font", "Mono") == (0, '{"font":"Mono","size":14,"theme":"dark"}\n')
    assert run(folder) == (0, '{"font":"Mono","size":14,"theme":"dark"}\n')


def test_a_file_of_version_1(folder: Path) -> None:
    with version1(folder) as store:
        store.dispatch("settings/set", {"dark": True})
        store.dispatch("settings/set", {"size": 18})
    assert run(folder) == (0, '{"font":"Sans","size":18,"theme":"dark"}\n')
    assert run(folder, "size", "20") == (0, '{"font":"Sans","size":20,"theme":"dark"}\n')
    assert (folder / "settings.imd-v1").exists()
    with pytest.raises(imd.InvalidArgumentError):
        version1(folder)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("theme", "red", '"settings/theme": payload/value: invalid value "red"; '),
        ("size", "5", "a size must be from 6 to 72"),
        ("size", "big", '"settings/size": payload/value: expected an integer, found a string'),
        ("color", "red", "there is no setting color"),
    ],
)
def test_wrong_settings(folder: Path, name: str, text: str, message: str) -> None:
    code, shown = run(folder, name, text)
    assert code == 1
    assert message in shown
