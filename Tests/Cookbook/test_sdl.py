import os
import subprocess
from pathlib import Path
from typing import Callable

from recipes import TIMEOUT

PAGE = "sdl.md"
FLAGS = subprocess.run(["pkg-config", "--cflags", "--libs", "sdl2"], capture_output=True, text=True)


def test_frames(folder: Path, build_c: Callable[..., Path], display: str) -> None:
    user = Path(__file__).with_name("sdl_user.c")
    program = build_c(user, flags=(f"-I{folder}", "-Wno-unused-parameter", *FLAGS.stdout.split()))
    shown = subprocess.run(
        [program],
        env={**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11"},
        stdout=subprocess.PIPE,
        text=True,
        timeout=TIMEOUT,
        check=True,
    ).stdout
    assert [line.split("  ")[:-1] for line in shown.splitlines()] == [
        ["300,0 20", "280,450 80"],
        ["300,100 20", "280,450 80"],
        ["300,125 20", "330,450 80"],
        ["370,0 20", "330,450 70"],  # missed
        ["240,0 20", "330,450 80"],  # caught
        ["570,0 20", "0,450 70"],
    ]
