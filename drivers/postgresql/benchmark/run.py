"""Runs a program beside a PostgreSQL server of its own, whose address becomes its first argument:

run.py PROGRAM [ARGUMENT ...]
"""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server import BIN, Server

program = Path(sys.argv[1]).resolve()
if not BIN:
    sys.exit("PostgreSQL is not installed: install the Debian package postgresql")
server = Server()
try:
    server.sql("create database app", database="postgres")
    from driver import initialize

    status, message = initialize(server.address())
    if status != 0:
        sys.exit(message)
    command = [sys.executable, program] if program.suffix == ".py" else [program]
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        [*command, server.address(), *sys.argv[2:]], env={**os.environ, "PATH": path}
    )
    sys.exit(result.returncode)
finally:
    server.remove()
