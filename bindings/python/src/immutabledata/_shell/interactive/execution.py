"""The execution of a line."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import immutabledata as imd

from ..failure import CommandError, did_you_mean, explain
from ..programs import with_place
from .commands import COMMANDS, find_command
from .lines import ActionLine, CommandLine, ExpressionLine, Line, parse_line
from .printing import Printer
from .results import Note, Result, Shown
from .session import Session
from .termination import Terminated
from .values import to_plain
from .words import LineError

# How near an action must be for a name to be none of a member that is missing.
_SURE = 0.8


def execute(session: Session, text: str) -> bool:
    """Executes a line and shows its result, or what is wrong. Returns whether all went well."""
    line: Line | None = None
    try:
        text.encode()
        with _warnings(session.printer):
            line = parse_line(text, session.vocabulary)
            result = None if line is None else _run(session, text, line)
    except LineError as error:
        session.printer.fail(error.message, text, error.offset)
    except (BrokenPipeError, KeyboardInterrupt, Terminated):
        raise
    except CommandError as error:
        session.printer.fail(str(error))
    except (imd.Error, OSError) as error:
        session.printer.fail(_explained(session, error, line))
    except UnicodeEncodeError:
        session.printer.fail("the line is not valid UTF-8")
    except (Exception, GeneratorExit, SystemExit) as error:  # A program may raise anything.
        session.printer.fail(with_place(error))
    else:
        if result is not None:
            session.show(result)
        return True
    return False


def _run(session: Session, text: str, line: Line) -> Result | None:
    if isinstance(line, CommandLine):
        command = find_command(line.name, text.index("."))
        return command.run(session, text, line.start)
    if isinstance(line, ActionLine):
        return _dispatch(session, line)
    if isinstance(line, ExpressionLine):
        return _evaluate(session, line.expression)
    return Shown(session.at(line.pointer))


def _dispatch(session: Session, line: ActionLine) -> Result | None:
    store = session.store
    actions = list(line.actions)
    session.opened.refuse_ignored(actions)
    if session.opened.library is not imd:
        actions = [to_plain(action) for action in actions]
    if line.is_batch:
        result = session.changed_by(lambda: store.dispatch_batch(actions))
    else:
        result = session.changed_by(lambda: store.dispatch(actions[0]))
    session.has_dispatched()
    if not isinstance(result, Note):  # Otherwise the type may be misspelled.
        session.vocabulary.learn(line.actions)
    return result


def _evaluate(session: Session, expression: str) -> Result:
    state = session.store.state
    is_member = isinstance(state, Mapping) and expression in state
    if expression.isidentifier() and not is_member:
        hint = _hint(session, expression, _SURE)
        if hint:
            raise CommandError(f'"{expression}" is no member of the state, and no action; {hint}')
    return session.query(expression)


@contextmanager
def _warnings(printer: Printer) -> Iterator[None]:
    """Shows the warnings of the package, each of them every time."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        printer.warn(str(warning.message))


def _explained(session: Session, error: BaseException, line: Line | None) -> str:
    """The message, and what the line was taken for if that may not be what was meant."""
    message = explain(error)
    if isinstance(line, ExpressionLine) and isinstance(error, imd.InvalidSelectorError):
        if '"=" is not an operator' in message:
            return f"an expression changes nothing; {_assignment(session, line.expression)}"
        word, *others = line.expression.split()
        if others and word.isidentifier():
            hint = _hint(session, word)
            message += f'\n"{word}" is no known action, so this was read as an expression'
            message += "; " + (hint or f'an action of any type is JSON: {{"type":"{word}"}}')
    return message


def _assignment(session: Session, expression: str) -> str:
    """The action that was meant by an assignment."""
    path, _, value = (part.strip() for part in expression.partition("="))
    is_path = re.fullmatch(r"[A-Za-z_]\w*(\.\w+|\[\d+\])*", path) is not None
    if not is_path or not value or not session.opened.is_scratch:
        return "an action does; .schema lists them"
    pointer = re.sub(r"[.\[]", "/", path).replace("]", "")
    return f"an action does, such as: set /{pointer} {value}"


def _hint(session: Session, word: str, cutoff: float = 0.6) -> str:
    """The command that was meant, if its dot is missing, or the action that is near."""
    word = "quit" if word == "exit" else word
    if any(each.name == word for each in COMMANDS):
        return f"did you mean .{word}?"
    return did_you_mean(word, session.vocabulary.actions, cutoff)
