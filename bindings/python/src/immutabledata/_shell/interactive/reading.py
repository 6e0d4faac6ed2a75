"""Commands that read the store: .state, .select, .query, .schema, .stats, .domains and .last."""

from __future__ import annotations

import immutabledata as imd

from ..failure import did_you_mean
from .arguments import no_argument, required
from .results import Note, Result, Rows, Shown
from .session import Session
from .words import LineError, parse_words, to_members


def state(session: Session, text: str, start: int) -> Result:
    return Shown(session.at(text[start:].strip()))


def select(session: Session, text: str, start: int) -> Result:
    if not text[start:].strip():
        return _selectors(session)
    name = text[start:].split()[0]
    shape = session.vocabulary.selectors.get(name)
    words = parse_words(text, start + len(name))
    arguments = to_members(text, words, shape, "argument")
    return Shown(session.store.select(name, arguments=arguments))


def query(session: Session, text: str, start: int) -> Result:
    return session.query(required(text, start, "the expression"))


def schema(session: Session, text: str, start: int) -> Result:
    name = text[start:].strip()
    vocabulary = session.vocabulary
    description = session.opened.describe()
    described = {each["type"]: each for each in description.get("actions", ())}
    described.update((each["name"], each) for each in description["selectors"])
    if name in described:
        return Shown(described[name])
    if name and name not in vocabulary.actions:
        hint = did_you_mean(name, [*vocabulary.actions, *described]) or ".schema lists all"
        raise LineError(f'there is no action or selector "{name}"; {hint}', start)
    rows = []
    for action in vocabulary.actions.values():
        if name in ("", action.name):
            row = {"type": action.name, **described.get(action.name, {})}
            rows.append({**row, "action": action.usage, "summary": action.summary})
    for selector in [] if name else vocabulary.selectors.values():
        row = described.get(selector.name, {})
        rows.append({**row, "selector": selector.usage, "summary": selector.summary})
    if not rows:
        return Note("the program does not describe its actions; .schema lists those that you type")
    columns = ["action", "selector", "summary"]
    used = [each for each in columns if any(row.get(each) for row in rows)]
    members = ["type", "name", "summary", "payload", "arguments", "output", "expression"]
    return Rows(used, rows, wraps="summary" in used, members=members)


def _selectors(session: Session) -> Result:
    selectors = session.vocabulary.selectors.values()
    if not selectors:
        return Note("the store has no selectors; an expression such as length(@) is a query")
    rows = [{"selector": each.usage, "summary": each.summary} for each in selectors]
    return Rows(["selector", "summary"], rows, wraps=True)


def stats(session: Session, text: str, start: int) -> Result:
    no_argument(text, start)
    return Shown(imd.value(session.store.statistics()))


def domains(session: Session, text: str, start: int) -> Result:
    no_argument(text, start)
    described = session.opened.library.domains()
    rows = [{"domain": each["name"], "summary": each["summary"]} for each in described]
    return Rows(["domain", "summary"], rows, ".open DOMAIN opens one", wraps=True)


def last(session: Session, text: str, start: int) -> Result | None:
    no_argument(text, start)
    if session.last is None:
        return Note("there is no result yet")
    session.printer.show(session.last, is_whole=True)
    return None
