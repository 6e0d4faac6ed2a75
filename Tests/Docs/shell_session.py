"""Runs the shell imd in a real terminal."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "apps/terminal/src/immutabledata_terminal/testing"))
from terminal import Terminal  # noqa: E402

PROMPT = re.compile(r"^[\w.:-]+>(?: |$)", re.M)


def typed_lines(shown: str) -> list[str]:
    """The lines behind the prompts of a session."""
    return [line[found.end() :] for line in shown.splitlines() if (found := PROMPT.match(line))]


def screen_after(folder: Path, program: Sequence[str], lines: Sequence[str]) -> str:
    """What a terminal shows after lines were typed, without the last prompt.

    The folder is for the sockets of the terminal.
    """
    with Terminal(folder, program, size=(100, 100)) as terminal:

        def wait_for_prompt(number: int) -> str:
            def is_there(screen: str) -> bool:
                prompts = PROMPT.findall(screen.rstrip())
                return len(prompts) == number and screen.rstrip().endswith(prompts[-1].rstrip())

            return terminal.wait_until(is_there, f"prompt {number}")

        shown = wait_for_prompt(1)
        for number, line in enumerate(lines, 2):
            terminal.type(line)
            terminal.press("Enter")
            shown = wait_for_prompt(number)
    screen = [line.rstrip() for line in shown.rstrip().splitlines()]
    return "\n".join(screen[:-1]) + "\n"
