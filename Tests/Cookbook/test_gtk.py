import os
import subprocess
from pathlib import Path
from typing import Callable

from recipes import TIMEOUT

PAGE = "gtk.md"
FLAGS = subprocess.run(["pkg-config", "--cflags", "--libs", "gtk4"], capture_output=True, text=True)


def test_list(folder: Path, build_c: Callable[..., Path], display: str) -> None:
    user = Path(__file__).with_name("gtk_user.c")
    program = build_c(user, flags=(f"-I{folder}", "-Wno-unused-parameter", *FLAGS.stdout.split()))
    variables = {"DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo"}
    environment = {**os.environ, **variables, "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory"}
    subprocess.run([program], cwd=folder, env=environment, timeout=TIMEOUT, check=True)
