"""Runs imd, in this process or in another one."""

import io
import os
import subprocess
import sys
from typing import NamedTuple

from immutabledata._shell import main

COMMAND = [sys.executable, "-m", "immutabledata"]


class Run(NamedTuple):
    code: int
    out: str
    err: str


class Imd:
    """Calls main in this process, as a pipe would."""

    def __init__(self, capsys, monkeypatch):
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments, stdin=b""):
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        self._capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Run(code, *self._capsys.readouterr())


def start(*arguments, **options):
    """Starts imd in a process of its own, with pipes."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.Popen(command, **{**pipes, **options})


def environment(**variables):
    """The environment of this process without what changes colour, and with other variables."""
    # readline, which pytest imports, sets a size in the environment, which would win.
    omitted = {"NO_COLOR", "LINES", "COLUMNS"}
    rest = {name: text for name, text in os.environ.items() if name not in omitted}
    return {**rest, "TERM": "xterm", **variables}
