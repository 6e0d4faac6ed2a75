"""Commands for the history: .undo, .redo, .travel, .history, .diff and .blame."""

from __future__ import annotations

from typing import Any, Callable

from ..failure import CommandError
from .arguments import numbers, required
from .results import Changed, Changes, Note, Result, Rows, Typed
from .session import Session
from .values import difference
from .words import LineError

_STEPS = 20


def undo(session: Session, text: str, start: int) -> Result | None:
    return _jump(session, session.store.undo, text, start, "undo")


def redo(session: Session, text: str, start: int) -> Result | None:
    return _jump(session, session.store.redo, text, start, "redo")


def _jump(
    session: Session, jump: Callable[[int], int], text: str, start: int, verb: str
) -> Result | None:
    steps = (numbers(text, start, 1) or [1])[0]
    taken = 0

    def call() -> None:
        nonlocal taken
        taken = jump(steps)

    changed = session.changed_by(call)
    if 0 < taken < steps and session.is_interactive:
        session.printer.warn(f"there was only {taken} to {verb}")
    return changed if taken else Note(f"there is nothing to {verb}")


def travel(session: Session, text: str, start: int) -> Result | None:
    number = numbers(required_number(text, start), start, 1)[0]
    return session.changed_by(lambda: session.store.travel(number))


def required_number(text: str, start: int) -> str:
    required(text, start, "the number of a step, as .history shows it,")
    return text


def history(session: Session, text: str, start: int) -> Result:
    count = (numbers(text, start, 1) or [_STEPS])[0]
    steps = session.store.history
    if not steps:
        return Note("there are no steps yet")
    present = steps.present
    rows = []
    for step in steps.read(-count, actions=True) if count else []:
        row: dict[str, Any] = {
            "number": step.number,
            "time": step.time,
            "when": step.when,
            "type": step.type,
        }
        action = (step.actions or ({},))[0]
        if step.count > 1:
            row["actions"] = step.count
        elif "payload" in action:
            row["payload"] = action["payload"]
        row["action"] = _typed(session, step.type, row)
        if step.number == present:
            row["at"] = "present"
        elif step.undone:
            row["at"] = "undone"
        rows.append(row)
    columns = ["number", "when", "action", "actions", "at"]
    used = [each for each in columns if any(each in row for row in rows)]
    earlier = len(steps) - len(rows)
    note = f"{earlier:,} earlier: .history {len(steps)}" if earlier > 0 else ""
    members = ["number", "time", "type", "actions", "payload", "at"]
    return Rows(used, rows, note, members=members)


def _typed(session: Session, kind: str, row: dict[str, Any]) -> Typed:
    shape = session.vocabulary.actions.get(kind)
    names = [] if shape is None or shape.is_seen else shape.required
    return Typed(kind, row.get("payload"), "payload" in row, names)


def diff(session: Session, text: str, start: int) -> Result:
    places = numbers(text, start, 2)
    if not places:
        return _last_change(session)
    if session.opened.path is None:
        return _steps_between(session, *places)
    before = _state_at(session, places[0])
    after = session.store.state
    if len(places) == 2:
        after = _state_at(session, places[1])
    patch = difference(before, after)
    return Changes(patch, before) if patch else Note("the states are equal")


def _last_change(session: Session) -> Result:
    steps = session.store.history
    done = steps.undo
    if not done:
        return Note("there are no steps yet, or all are undone")
    (step,) = steps.read(done - 1, done, patches=True)
    return Changes(step.patch or [])


def _steps_between(session: Session, first: int, last: int | None = None) -> Result:
    """The changes of all steps after one, up to another, as the history has them."""
    steps = session.store.history
    if last is None:
        last = steps.present
    if last < first:
        raise CommandError(f"step {last} is before step {first}, and no log has its state")
    patch: list[dict[str, Any]] = []
    for step in steps.read(patches=True):
        if first < step.number <= last:
            patch += step.patch or []
    return Changes(patch) if patch else Note("nothing has changed")


def _state_at(session: Session, number: int) -> Any:
    """The state after a commit, as the log has it."""
    opened = session.opened
    opened.store.sync()
    return opened.library.log.state_at(opened.path, number, opened.reducer)


def blame(session: Session, text: str, start: int) -> Result:
    pointer = required(text, start, "a JSON Pointer, such as /todos/0,")
    count = _STEPS
    path, _, last = pointer.rpartition(" ")
    if path and last.isdecimal():
        pointer, count = path.rstrip(), int(last[:9])
    if not pointer.startswith("/"):
        raise LineError(f'a JSON Pointer begins with "/": /{pointer}', start)
    changes = session.store.blame(pointer, count=count + 1)
    if not changes:
        session.at(pointer)  # Says that nothing is there.
        return Note(f"no action in the history has changed {pointer}")
    rows = []
    for change in changes[:count]:
        row: dict[str, Any] = {
            "number": change.number,
            "time": change.time,
            "when": change.when,
            "type": change.type,
            "change": Changed(change.op, change.before, change.after),
        }
        if change.op != "add":
            row["before"] = change.before
        if change.op != "remove":
            row["after"] = change.after
        rows.append(row)
    note = f"and earlier ones: .blame {pointer} {10 * count}" if len(changes) > count else ""
    members = ["number", "time", "type", "before", "after"]
    return Rows(["number", "when", "type", "change"], rows, note, members=members)
