"""What is typed before the prompt is there waits for it."""

from __future__ import annotations

import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def kept_for_the_prompt() -> Iterator[None]:
    """Keeps the terminal from showing, or interpreting, what is typed while a line is executed.

    The prompt would be drawn over it, and Ctrl+D would be lost.
    """
    descriptor = sys.stdin.fileno()
    settings = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, settings)
