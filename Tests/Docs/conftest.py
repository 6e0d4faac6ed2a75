import subprocess
from pathlib import Path
from typing import Callable

import pytest
from compiling import build
from workspace import Workspace


@pytest.fixture(scope="session")
def compile(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Callable]:
    """Builds C or C++ sources. Returns a function that runs the program, as subprocess.run does."""

    def compile(sources: list[Path], *flags: str) -> Callable:
        program = build(sources, tmp_path_factory.mktemp("program"), *flags)

        def run(*arguments: object, **options: object) -> subprocess.CompletedProcess:
            command = [program, *map(str, arguments)]
            return subprocess.run(command, capture_output=True, text=True, **options)

        return run

    return compile


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("swift"))
