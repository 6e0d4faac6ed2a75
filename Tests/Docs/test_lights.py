"""examples/lights is a library with a domain of its own, which a C program uses by name."""

import os
import subprocess
from pathlib import Path

from workspace import ROOT, Workspace


def test_a_c_program_uses_a_domain_of_another_library(workspace: Workspace, tmp_path: Path) -> None:
    package = workspace.clone / "examples/lights"
    folder = workspace.build(package, "lights").parent
    program = tmp_path / "lights"
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", program]
    command += [f"-I{ROOT / 'include'}", package / "lights.c", f"-L{folder}", "-llights"]
    # The linker need not find the Swift runtime, which the library finds itself.
    subprocess.run([*command, "-Wl,--unresolved-symbols=ignore-in-shared-libs"], check=True)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
    result = subprocess.run([program], capture_output=True, text=True, env=environment)
    assert (result.stdout, result.stderr, result.returncode) == ("true\n", "", 0)
