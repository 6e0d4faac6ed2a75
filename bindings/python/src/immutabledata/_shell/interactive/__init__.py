"""The shell: only it needs prompt_toolkit and rich."""

from __future__ import annotations

import argparse
import importlib.util

from ..failure import USAGE, CommandError


def run(arguments: argparse.Namespace) -> int:
    """Runs the shell: imd and imd shell.

    Raises CommandError: it cannot open the store, or something is not installed.
    """
    missing = [name for name in ("prompt_toolkit", "rich") if not importlib.util.find_spec(name)]
    if missing:
        raise CommandError(
            f"the shell needs {' and '.join(missing)}: pip install 'immutabledata[shell]', or on "
            "Debian: apt install python3-prompt-toolkit python3-rich. The other commands do not; "
            "see imd --help",
            USAGE,
        )
    raise CommandError("the shell is not there yet")
