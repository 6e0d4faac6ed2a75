import subprocess
import sys
from pathlib import Path
from typing import Callable

from recipes import Running

PAGE = "watched.md"


def test_attach(folder: Path, build_c: Callable[..., Path]) -> None:
    def attach(line: str) -> str:
        command = [sys.executable, "-m", "immutabledata", "attach", "sum.sock", "-c", line]
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")
        return result.stdout

    with Running([build_c(folder / "sum.c")], cwd=folder) as program:
        assert program.read() == ["0"]
        program.write("2", "0.5")
        assert program.read(2) == ["2", "2.5"]
        assert attach("state /sum") == "2.5\n"
        attach("dispatch added 5")
        assert program.read() == ["7.5"]
        assert attach("state") == '{"count":3,"sum":7.5}\n'
        attach("undo")
        assert program.read() == ["2.5"]
        assert program.end() == ""
