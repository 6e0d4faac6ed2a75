"""The sessions in README.md and docs, blocks of the language console, show what a terminal shows.

A block of code whose first line names a file is that file. A block without a name and without a text
block behind it replaces the last paragraph of the last file of its language. Lines behind a prompt of
imd are typed in a real terminal.
"""

import contextlib
import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from compiling import LIBRARY
from shell_session import screen_after, typed_lines

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if "```console" in page.read_text()
]


def blocks_of(page: Path) -> list[tuple[str, str]]:
    """The languages and texts of the blocks of a page."""
    return re.findall(r"^```(\w+)\n(.*?)^```", page.read_text(), re.M | re.S)


def files_of(blocks: list[tuple[str, str]]) -> Iterator[tuple[int, str, str]]:
    """The files of a page: the number of the block, the name, and the text."""
    names: dict[str, str] = {}
    texts: dict[str, str] = {}
    for number, (language, code) in enumerate(blocks):
        if language not in ("c", "python"):
            continue
        named = re.match(r"(?:# |/\* )(\w+\.(?:c|py))(?: \*/)?$", code, re.M)
        if named:
            names[language] = named[1]
            texts[named[1]] = code
        elif language in names and blocks[number + 1][0] != "text":
            texts[names[language]] = texts[names[language]].rpartition("\n\n")[0] + "\n\n" + code
        else:
            continue
        yield number, names[language], texts[names[language]]


@pytest.fixture
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Programs find this Python as python, and the library that it uses by pkg-config."""
    folder = tmp_path_factory.mktemp("system")
    for name in ("libimmutabledata.so", "libimmutabledata.so.0.1"):
        (folder / name).symlink_to(LIBRARY)
    flags = f"-Wall -Wextra -Werror -I{ROOT / 'include'} -L{folder} -limmutabledata -Wl,-rpath,{folder}"
    for name, command in (
        ("pkg-config", f"echo {flags}"),
        ("python", f'exec "{sys.executable}" "$@"'),
        ("imd", f'exec "{sys.executable}" -m immutabledata "$@"'),
    ):
        (folder / name).write_text(f"#!/bin/sh\n{command}\n")
        (folder / name).chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "XDG_STATE_HOME": str(folder / "state")}


def comparable(shown: str) -> str:
    """A text without the digits of times, and without sizes and widths, which depend on them."""
    times = r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d(\.\d+)?"
    return re.sub(" +", " ", re.sub(rf"{times}|[\d.]+ K?B\b", "0", shown))


def output_on_terminal(command: str, environment: dict[str, str], folder: Path) -> str:
    """What a command writes to a terminal, without colours."""
    # readline, which pytest imports, sets a size in the environment, which would win.
    omitted = {"LINES", "COLUMNS"}
    variables = {name: text for name, text in environment.items() if name not in omitted}
    reader, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 100, 100, 0, 0))
    process = subprocess.Popen(
        command,
        shell=True,
        cwd=folder,
        env={**variables, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    with open(reader, "rb", buffering=0) as file:
        output = b""
        # Linux reports the end of a terminal as an error.
        with contextlib.suppress(OSError):
            while part := file.read(1 << 16):
                output += part
    process.wait()
    return output.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_sessions(
    page: Path,
    environment: dict[str, str],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    blocks = blocks_of(page)
    files = {number: (name, text) for number, name, text in files_of(blocks)}
    for number, (language, session) in enumerate(blocks):
        if number in files:
            name, text = files[number]
            (tmp_path / name).write_text(text)
        if language != "console":
            continue
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.M):
            lines = typed_lines(shown)
            if lines:
                variables = [f"{name}={environment[name]}" for name in ("PATH", "XDG_STATE_HOME")]
                program = ["env", f"--chdir={tmp_path}", *variables, *command.split()]
                screen = screen_after(tmp_path_factory.mktemp("terminal"), program, lines)
                assert comparable(screen) == comparable(shown), command
                continue
            if command.rpartition("| ")[2].startswith("imd "):
                screen = output_on_terminal(command, environment, tmp_path)
                assert comparable(screen) == comparable(shown), command
                continue
            result = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env=environment,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            assert result.stdout == shown, command
