import os
import subprocess
from pathlib import Path
from typing import Callable

import immutabledata
import pytest
from workspace import Workspace

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def compile(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Callable]:
    """Builds C or C++ sources with the headers of this checkout and the library in the wheel.

    Returns a function that runs the program, as subprocess.run does.
    """

    def compile(sources: list[Path], *flags: str) -> Callable:
        folder = tmp_path_factory.mktemp("program")
        library = Path(immutabledata.__file__).with_name("libimmutabledata.so")
        (folder / "libimmutabledata.so.0.1").symlink_to(library)
        program = folder / "program"
        is_cpp = sources[0].suffix == ".cpp"
        compiler = ["c++", "-std=c++17"] if is_cpp else ["cc", "-std=c11"]
        subprocess.run(
            [*compiler, "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", program]
            + [f"-I{ROOT / 'include'}", *sources, library, *flags],
            check=True,
        )
        environment = {**os.environ, "LD_LIBRARY_PATH": str(folder)}

        def run(*arguments: object, **options: object) -> subprocess.CompletedProcess:
            return subprocess.run(
                [program, *map(str, arguments)],
                capture_output=True,
                text=True,
                env=environment,
                **options,
            )

        return run

    return compile


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("swift"))
