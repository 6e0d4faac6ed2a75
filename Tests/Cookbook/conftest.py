import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Callable

import pytest
from recipes import FOLDER, TIMEOUT, programs_of

sys.path.append(str(Path(__file__).parents[1] / "Docs"))
from compiling import build  # noqa: E402


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with the programs of the page that a module of tests names."""
    for name, text in programs_of(FOLDER / request.module.PAGE).items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def act(folder: Path) -> Callable[..., str]:
    """Runs a script that imports the program and does what a user does. Returns what it prints."""

    def act(script: str, **variables: str) -> str:
        (folder / "user.py").write_text(script)
        result = subprocess.run(
            [sys.executable, "user.py"],
            cwd=folder,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        assert (result.returncode, result.stderr) == (0, ""), result.stderr
        return result.stdout

    return act


@pytest.fixture
def build_c(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Builds a program in C."""
    return lambda *sources, flags=(): build([*sources], tmp_path_factory.mktemp("build"), *flags)


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a display without a screen."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, **pipes) as server:
        yield f":{server.stdout.readline().strip()}"
        server.terminate()
