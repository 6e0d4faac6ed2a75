"""What a program is called: for an interpreter of Python, its script or module."""

from __future__ import annotations

import os
from pathlib import Path


def program_name(program: str, process: int) -> str:
    """The name to show of a program that says that it is called program."""
    if not program.startswith("python"):
        return program
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[1:]
    except OSError:
        return program
    arguments = [word.decode("utf-8", "replace") for word in words]
    for index, argument in enumerate(arguments):
        if argument == "-m":
            return arguments[index + 1] if index + 1 < len(arguments) else program
        if argument == "-c":
            return program
        if argument and not argument.startswith("-"):
            return os.path.basename(argument)
    return program
