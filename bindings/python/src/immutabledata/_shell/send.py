"""imd send: one action, from a script or a cron job."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from typing import Any

import immutabledata as imd

from .failure import REFUSED, USAGE, CommandError, explain
from .header import read_header
from .output import Output
from .outputs import Outputs
from .programs import is_program, with_place
from .stores import OpenedStore, needs_reducer, open_log


def run(arguments: argparse.Namespace) -> int:
    """Dispatches one action to the store of a log, and prints outputs."""
    reducer, action = _reducer_and_action(arguments)
    try:
        opened = open_log(
            arguments.file,
            reducer,
            arguments.library,
            "send",
            author=arguments.author,
            operands=" TYPE",
        )
    except imd.StorageError as error:
        if "read-only" not in str(error):
            raise
        message = f"{explain(error)}; or imd share lets several programs write it"
        raise CommandError(message) from error
    try:
        outputs = Outputs(opened, arguments.outputs)
        _dispatch(opened, action)
        output = Output(as_json=True)
        for read in outputs:
            output.line(read())
    except BaseException:
        with suppress(imd.StorageError):  # What failed first is reported.
            opened.close()
        raise
    opened.close()
    return 0


def _dispatch(opened: OpenedStore, action: dict[str, Any]) -> None:
    """Dispatches an action. When it returns, effects have ended, and all is on the disk.

    Raises CommandError: the action is refused.
    Raises StorageError, TimedOutError: the log cannot be written.
    """
    try:
        opened.refuse_ignored([action])
        opened.store.dispatch(action)
    except (CommandError, imd.StorageError, imd.TimedOutError):
        raise
    except Exception as error:
        raise CommandError(with_place(error), REFUSED) from error
    opened.store.settle()
    opened.store.flush()
    opened.store.sync()


def _reducer_and_action(arguments: argparse.Namespace) -> tuple[str | None, dict[str, Any]]:
    """The reducer, which only the log of a program needs, and the action.

    Raises CommandError: a word is missing, or one is too many.
    """
    path = arguments.file
    given = arguments.reducer, arguments.type, arguments.payload
    words = [word for word in given if word is not None]
    # Without a reducer, the parser takes the type for one.
    reducer = None
    if len(words) > 1 and (needs_reducer(path) or words[0] == read_header(path).domain):
        reducer = words.pop(0)
    if len(words) > 2:
        if is_program(words[0]):
            reducer = words.pop(0)  # Opening the log says that it needs none.
        else:
            raise CommandError(
                f"{path} needs no reducer: a type and one payload follow it, not {len(words)} words; "
                "put a payload of several words into quotes",
                USAGE,
            )
    action = {"type": words[0]}
    if len(words) > 1:
        action["payload"] = _payload(words[1])
    return reducer, action


def _payload(text: str) -> Any:
    """A payload: JSON, or else the text itself; that of standard input for a dash."""
    if text == "-":
        try:
            text = sys.stdin.buffer.read().decode()
        except UnicodeDecodeError:
            raise CommandError("standard input is not valid UTF-8", USAGE) from None
        text = text[:-1] if text.endswith("\n") else text
    try:
        return imd.from_json(text)
    except imd.InvalidJSONError:
        return text
