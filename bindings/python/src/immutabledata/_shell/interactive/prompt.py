"""The prompt: lines from a terminal, with completion and history."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, ThreadedCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from ..output import one_line
from .commands import COMMANDS
from .completion import Surroundings, complete
from .execution import execute
from .lines import split_lines
from .session import Session

_STYLE = Style.from_dict(
    {
        "prompt": "bold",
        "completion-menu": "bg:#303030 #d0d0d0",
        "completion-menu.completion.current": "bg:#005f87 #ffffff",
        "completion-menu.meta.completion": "bg:#262626 #9e9e9e",
        "completion-menu.meta.completion.current": "bg:#004f6f #ffffff",
    }
)


def run(session: Session) -> None:
    """Reads lines and executes them, until Ctrl+D or .quit."""
    lines = _prompt_session(session)
    while not session.ended:
        try:
            # What observers print meanwhile appears above the prompt.
            with patch_stdout(raw=True) if sys.stdout.isatty() else nullcontext():
                text = lines.prompt(_prompt(session))
        except KeyboardInterrupt:
            continue
        except EOFError:
            session.ended = session.may_discard()
            continue
        for line in _lines(text, session):
            try:
                execute(session, line)
            except KeyboardInterrupt:
                session.printer.fail("interrupted")
                break
            sys.stdout.flush()  # It may be a pipe.


def _lines(text: str, session: Session) -> list[str]:
    """The lines of a text that was pasted, perhaps with prompts."""
    prompt = f"{_name(session)}> "
    lines = split_lines(text)
    return [line[len(prompt) :] if line.startswith(prompt) else line for line in lines]


def _name(session: Session) -> str:
    return one_line(os.path.basename(session.opened.name))


def _prompt(session: Session) -> FormattedText:
    return FormattedText([("class:prompt", f"{_name(session)}> ")])


def _prompt_session(session: Session) -> PromptSession[str]:
    is_plain = bool(os.environ.get("NO_COLOR"))
    options: dict[str, Any] = {}
    if not sys.stdout.isatty():
        options["output"] = create_output(sys.stderr)
    if is_plain:
        options["color_depth"] = ColorDepth.DEPTH_1_BIT
    return PromptSession(
        history=_history(session),
        completer=ThreadedCompleter(_SessionCompleter(session)),
        auto_suggest=AutoSuggestFromHistory(),
        complete_while_typing=True,
        enable_history_search=False,
        enable_suspend=True,
        reserve_space_for_menu=6,
        style=_STYLE,
        **options,
    )


class _SessionCompleter(Completer):
    def __init__(self, session: Session) -> None:
        self._session = session

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        text = document.text_before_cursor
        for candidate in complete(text, surroundings(self._session)):
            yield Completion(
                candidate.text, candidate.start - len(text), display_meta=candidate.meta
            )


def surroundings(session: Session) -> Surroundings:
    """What completion knows now."""
    commands = {each.name: (each.argument, each.summary) for each in COMMANDS}
    return Surroundings(session.vocabulary, session.store.state, commands, session.choices)


# ---- History -------------------------------------------------------------------------------------


def history_path() -> str:
    """The file of the lines that were typed."""
    folder = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(folder, "imd", "history")


def _history(session: Session) -> History:
    path = history_path()
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        session.printer.warn(f"the lines you type are not kept: {path}: {error.strerror}")
        return InMemoryHistory()
    return FileHistory(path)
