"""What the inspector calls a program."""

import subprocess
import sys

import pytest

from immutabledata._inspector.program_name import program_name

SCRIPT = "import sys; print(flush=True); sys.stdin.read()"


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["shop.py", "--fast"], "shop.py"),
        (["-B", "shop.py"], "shop.py"),
        (["-m", "shop", "x"], "shop"),
        (["-c", SCRIPT], "python3"),
    ],
)
def test_an_interpreter_is_called_as_its_program(tmp_path, arguments, expected):
    (tmp_path / "shop.py").write_text(SCRIPT)
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as program:
        program.stdout.readline()
        assert program_name("python3", program.pid) == expected
        assert program_name("shop", program.pid) == "shop"
    assert program_name("python3", program.pid) == "python3"
