"""A to-do board: reads actions, and prints the resulting board.

    python board.py [--log FILE] [--project ID] [--tag TAG] [--text TEXT] [--open] [--json] [FILE]

FILE, or standard input, contains JSON Lines: a line is an action, an array of actions to be
dispatched as a batch, "undo" or "redo". A refused line is reported and changes nothing; the exit
status is then 1. --log keeps the board in a file: the next run continues with it, and can undo what
this one has done. --project, --tag, --text and --open change the filter after all lines have been
read.

board/board.h describes the state. The program there does the same in C, with the same output.
"""

from __future__ import annotations

import argparse
import io
import itertools
import sys
from collections.abc import Iterable
from typing import Any

import immutabledata as imd

# ---- Reducer -------------------------------------------------------------------------------------

projects = imd.Slice("projects", {})
tasks = imd.Slice("tasks", {})
shown = imd.Slice("filter", {})

KINDS = {str: "a string", bool: "a boolean", imd.ArrayValue: "an array"}


def member(action: Any, name: str, kind: type) -> Any:
    """Returns a member of the payload. The error raised by at() says what is missing, and where."""
    data = action.at(f"/payload/{name}")
    if not isinstance(data, kind):
        raise ValueError(f'expected {KINDS[kind]} at "/payload/{name}"')
    return data


def has(action: Any, name: str) -> bool:
    """Whether the payload has this member, and it is not null."""
    try:
        return action.at(f"/payload/{name}") is not None
    except imd.NotFoundError:
        return False


def change(draft: Any, action: Any, name: str, kind: type) -> None:
    """Copies a member of the payload, if it exists; null removes it."""
    if has(action, name):
        draft[name] = member(action, name, kind)
    elif name in action.get("payload", {}):
        draft.pop(name, None)


def new_id(draft: Any, action: Any, kind: str) -> str:
    id: str = member(action, "id", str)
    if id in draft:
        raise ValueError(f'there is a {kind} "{id}" already')
    return id


def known_id(records: Any, action: Any, kind: str, name: str = "id") -> str:
    id: str = member(action, name, str)
    if id not in records:
        raise LookupError(f'there is no {kind} "{id}"')
    return id


@projects.on("added")
def project_added(draft: Any, action: Any) -> None:
    id = new_id(draft, action, "project")
    draft[id] = {"id": id, "name": member(action, "name", str)}


@projects.on("removed")
def project_removed(draft: Any, action: Any) -> None:
    del draft[known_id(draft, action, "project")]


@tasks.on_type("projects/removed")
def tasks_removed(draft: Any, action: Any) -> None:
    # Iterating over a Value does not make a draft of each task.
    for id, task in imd.value(draft).items():
        if task["project"] == action["payload"]["id"]:
            del draft[id]


@tasks.on("added")
def task_added(draft: Any, action: Any) -> None:
    id = new_id(draft, action, "task")
    project = member(action, "project", str)
    task = {"id": id, "title": member(action, "title", str), "tags": [], "done": False}
    change(task, action, "due", str)
    if has(action, "tags"):
        for tag in member(action, "tags", imd.ArrayValue):
            add_tag(task["tags"], tag)
    draft[id] = {**task, "project": project, "order": make_place(draft, action, project)}


@tasks.on("moved")
def task_moved(draft: Any, action: Any) -> None:
    task = draft[known_id(draft, action, "task")]
    project = action["payload"]["project"] if has(action, "project") else task["project"]
    task["order"] = make_place(draft, action, project)
    task["project"] = project


@tasks.on("removed")
def task_removed(draft: Any, action: Any) -> None:
    del draft[known_id(draft, action, "task")]


@tasks.on("edited")
def task_edited(draft: Any, action: Any) -> None:
    task = draft[known_id(draft, action, "task")]
    if has(action, "title"):
        task["title"] = member(action, "title", str)
    change(task, action, "due", str)


@tasks.on("tagged")
def task_tagged(draft: Any, action: Any) -> None:
    add_tag(draft[known_id(draft, action, "task")]["tags"], action.at("/payload/tag"))


@tasks.on("untagged")
def task_untagged(draft: Any, action: Any) -> None:
    tags = draft[known_id(draft, action, "task")]["tags"]
    tag = action.at("/payload/tag")
    if tag in tags:
        tags.remove(tag)


@tasks.on("completed")
def task_completed(draft: Any, action: Any) -> None:
    draft[known_id(draft, action, "task")]["done"] = True


@tasks.on("reopened")
def task_reopened(draft: Any, action: Any) -> None:
    draft[known_id(draft, action, "task")]["done"] = False


def add_tag(tags: Any, tag: Any) -> None:
    if not isinstance(tag, str):
        raise ValueError("a tag is a string")
    if tag not in tags:
        tags.append(tag)


def make_place(draft: Any, action: Any, project: str) -> int:
    """Makes a place for a task in a project, and returns its order: after the last task, or in the
    place of the one that the payload names as "before". That task and all after it move down."""
    every = imd.value(draft).items()
    orders: dict[str, int] = {id: task["order"] for id, task in every if task["project"] == project}
    if not has(action, "before"):
        return max(orders.values(), default=0) + 1
    before = known_id(draft, action, "task", "before")
    if before not in orders:
        raise ValueError(f'the task "{before}" is not in the project "{project}"')
    for id, order in orders.items():
        if order >= orders[before]:
            draft[id]["order"] = order + 1
    return orders[before]


@shown.on("changed")
def filter_changed(draft: Any, action: Any) -> None:
    for name, kind in {"project": str, "tag": str, "text": str, "done": bool}.items():
        change(draft, action, name, kind)


@shown.on_type("projects/removed")
def filter_project_removed(draft: Any, action: Any) -> None:
    if draft.get("project") == action["payload"]["id"]:
        del draft["project"]


slices = imd.combine(projects=projects, tasks=tasks, filter=shown)

# A slice sees only its own part. These actions name a project, so the whole board checks them.
NAMING_A_PROJECT = {
    tasks.actions.added.type,
    tasks.actions.moved.type,
    shown.actions.changed.type,
}


def reduce(board: Any, action: Any) -> Any:
    """Reduces the whole board."""
    if action["type"] in NAMING_A_PROJECT and has(action, "project"):
        known_id(board["projects"], action, "project", "project")
    return slices(board, action)


# ---- Selectors -----------------------------------------------------------------------------------

SELECTORS = {
    # The number of all tasks, and of open tasks.
    "totals": "{all: length(tasks.*), open: length(tasks.* | [?!done])}",
    # The same for each project, in order of name.
    "projects": """
        let $tasks = tasks.* in sort_by(projects.*, &name)[].{id: id, name: name,
          all: let $id = id in length($tasks[?project == $id]),
          open: let $id = id in length($tasks[?project == $id && !done])}
    """,
    # The tasks of a project that match the filter, in order.
    "shownTasks": """
        let $filter = filter in sort_by(tasks.* | [?project == $project
          && (!$filter.project || project == $filter.project)
          && (!$filter.tag || contains(tags, $filter.tag))
          && (!$filter.text || contains(title, $filter.text))
          && ($filter.done == `null` || done == $filter.done)], &order)
        [].{id: id, title: title, due: due || '', tags: join(', ', tags), done: done}
    """,
    # A description of the filter; empty if every task matches.
    "shown": """
        filter | join(', ', [done && 'done', done == `false` && 'open',
          project && join(' ', ['project', project]), tag && join(' ', ['tag', tag]),
          text && join(' ', ['text', text])][?@])
    """,
    # The tags of open tasks, sorted; a tag occurs once for each of its tasks.
    "openTags": "sort(tasks.* | [?!done].tags[])",
}

# ---- Printing ------------------------------------------------------------------------------------

WIDTH = 80


def cut(text: str, width: int) -> str:
    """Cuts text to a number of columns, and replaces control characters with spaces."""
    text = "".join(" " if c < " " or c == "\x7f" else c for c in text)
    return text if len(text) <= width else text[: width - 1] + "…"


def line(*cells: tuple[int, int, str]) -> str:
    """Lays out cells (column, width, text) in one line."""
    made = ""
    for column, width, text in cells:
        if text:
            made = made.ljust(column) + cut(text, width)
    return made


def progress(counts: Any) -> tuple[int, int, str]:
    text = f"{counts['open']} of {counts['all']} open"
    return WIDTH - len(text), len(text), text


def board_lines(store: imd.Store) -> Iterable[str]:
    description = store.select("shown")
    yield line((0, WIDTH, "TO DO"), progress(store.select("totals")))
    if description:
        yield line((0, WIDTH, "Shown:"), (7, WIDTH - 7, description))
    for project in store.select("projects"):
        listed = store.select("shownTasks", project=project["id"])
        if listed or not description:
            yield ""
            yield line((0, 60, project["name"]), progress(project))
            yield "-" * WIDTH
            yield from map(task_line, listed)
    yield from tag_lines(store.select("openTags"))
    yield from history_lines(store.select("@@history"))


def task_line(task: Any) -> str:
    return line(
        (2, 3, "[x]" if task["done"] else "[ ]"),
        (6, 5, task["id"]),
        (12, 36, task["title"]),
        (50, 10, task["due"]),
        (62, 18, task["tags"]),
    )


def tag_lines(tags: list[str]) -> Iterable[str]:
    if tags:
        yield ""
        yield "Tags of open tasks"
        yield "-" * WIDTH
    for tag, run in itertools.groupby(tags):
        yield line((2, 18, tag), (21, 10, f"{len(list(run)):3}"))


def history_lines(history: Any) -> Iterable[str]:
    undo, redo = history["undoType"], history["redoType"]
    unsaved = "" if history["clean"] else "Unsaved changes"
    if undo or redo or unsaved:
        yield ""
        yield line(
            (0, 5, "Undo:" if undo else ""),
            (6, 20, undo or ""),
            (28, 5, "Redo:" if redo else ""),
            (34, 20, redo or ""),
            (56, 24, unsaved),
        )


# ---- Program -------------------------------------------------------------------------------------


def replay(store: imd.Store, lines: Iterable[bytes]) -> bool:
    """Dispatches each line. Returns whether the store accepted all of them."""
    is_good = True
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            actions = imd.from_json(text)
            if isinstance(actions, imd.ArrayValue):
                store.dispatch_batch(actions)
            elif actions == "undo":
                store.undo()
            elif actions == "redo":
                store.redo()
            elif isinstance(actions, str):
                raise ValueError('expected an action, an array, "undo" or "redo"')
            else:
                store.dispatch(actions)
        except (imd.Error, LookupError, TypeError, ValueError) as error:
            print(f"line {number}: {error}", file=sys.stderr)
            is_good = False
    return is_good


def open_store(log: str | None) -> imd.Store:
    # Neighbouring actions with an equal "drag" in their meta are undone together.
    store = imd.Store(
        reduce, state=slices.initial_state, history={"group": {"meta": "drag"}}, log=log
    )
    for name, expression in SELECTORS.items():
        store.define(name, expression)
    return store


def main() -> int:
    parser = argparse.ArgumentParser(prog="board", description="Prints a to-do board.")
    parser.add_argument("--log", metavar="FILE", help="keep the board in this file")
    parser.add_argument("--project", metavar="ID", help="show only this project")
    parser.add_argument("--tag", help="show only tasks with this tag")
    parser.add_argument("--text", help="show only tasks whose title contains this text")
    parser.add_argument("--open", action="store_true", help="show only open tasks")
    parser.add_argument("--json", action="store_true", help="print the state as JSON")
    parser.add_argument("file", metavar="FILE", nargs="?", help="the actions, as JSON Lines")
    options = parser.parse_args()

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    with open_store(options.log) as store:
        if options.file is None:
            is_good = replay(store, sys.stdin.buffer)
        else:
            with open(options.file, "rb") as file:
                is_good = replay(store, file)
        wanted = {name: getattr(options, name) for name in ("project", "tag", "text")}
        wanted = {name: text for name, text in wanted.items() if text is not None}
        if options.open:
            wanted["done"] = False
        if wanted:
            store.dispatch(shown.actions.changed(wanted))
        if options.log is not None:
            store.mark_clean()  # The log has all changes.
            store.sync()
        if options.json:
            print(store.state.to_json())
        else:
            print(*board_lines(store), sep="\n")
    return 0 if is_good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (imd.Error, LookupError, OSError, TypeError, ValueError) as error:
        print(f"board: {error}", file=sys.stderr)
        sys.exit(2)
