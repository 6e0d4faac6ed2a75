import subprocess
import sys
from pathlib import Path
from typing import Callable

from recipes import Running

PAGE = "two-programs.md"


def test_both_change_the_state(folder: Path, build_c: Callable[..., Path]) -> None:
    def target(*words: str) -> str:
        command = [sys.executable, "target.py", *words]
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True).stdout

    with Running([build_c(folder / "heater.c")], cwd=folder) as heater:
        assert heater.read() == ["off"]
        assert target("21.5") == '{"celsius":20,"target":21.5}\n'
        assert heater.read() == ["on"]
        heater.write("21")
        heater.write("22.25")
        assert heater.read() == ["off"]
        assert target() == '{"celsius":22.25,"target":21.5}\n'
        heater.write("19")
        assert heater.read() == ["on"]
        assert heater.end() == ""
