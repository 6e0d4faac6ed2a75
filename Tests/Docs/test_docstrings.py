"""The examples in the docstrings of the Python package run. The reference shows them.

Those that load another library are left out; Tests/Domains runs one like them.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import random
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import immutabledata as imd
import pytest
from hypothesis.stateful import invariant
from immutabledata import testing

PACKAGE = Path(__file__).parents[2] / "bindings/python/src/immutabledata"


def examples() -> Iterator[tuple[str, str]]:
    """The programs in the docstrings, each with its file; other indented text explains parameters."""
    for file in sorted(PACKAGE.rglob("*.py")):
        texts = [node.value for node in ast.walk(ast.parse(file.read_text())) if is_docstring(node)]
        for text in texts:
            for block in re.findall(r"\n((?:\n {4}.*|\n)+)", inspect.cleandoc(text.value)):
                code = textwrap.dedent(block).strip()
                if is_program(code):
                    yield str(file.relative_to(PACKAGE)), code


def is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def is_program(code: str) -> bool:
    try:
        tree = compile(code, "", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return False
    return bool(tree.body)


EXAMPLES = [each for each in examples() if "imd.load(" not in each[1]]


def ended_stream() -> imd.Stream:
    with imd.Store(lambda state, action: state, state=1) as store:
        return store.stream()


def reduce(state: Any, action: Any) -> Any:
    return state.change("/todos/0/title", lambda title: title + 1)


def names(file: str) -> dict[str, Any]:
    """What the example of a file refers to."""
    todos = imd.entities()
    state: Any = {"total": 3, "open": ["Sleep"], "prices": [1, 2], "rate": 2}
    if file == "_toolkit/entity_table.py":
        state["todos"] = todos.initial_state([{"id": 7}])
    else:
        state["todos"] = [{"owner": "Ada", "done": False}]
    store: Any = imd.Store(lambda state, action: state, state=state)
    store.define("total", "total")
    store.define("open", "open")
    log = store.listener()(lambda action, old, new: None)
    if file == "_stores/history.py":
        store = imd.Store(reduce, state={"todos": [{"title": 0}]}, history=True)
        store.dispatch("moved")
    if file == "_stores/log.py":
        store = imd.Store(reduce, state={"todos": [{"title": 0}]}, log="store.imd")
    if file == "_stores/log_file.py":
        with imd.Store(reduce, state={"todos": [{"title": 0}]}, log="board.imd") as kept:
            kept.dispatch("user/named")
    if file == "_stores/stream.py":
        store = SimpleNamespace(stream=ended_stream)
    sys.path.append(str(PACKAGE.parents[1] / "tests"))
    from memory_logs import MemoryLogs

    return {
        "MemoryLogs": MemoryLogs,
        "imd": imd,
        "random": random,
        "reduce": reduce,
        "store": store,
        "log": log,
        "commit": imd.Commit({"type": "counted"}, {"n": 1}, {"n": 2}),
        "state": imd.value({"count": 1, "todos": []}),
        "todo": "Sleep",
        "mirror": {"count": 1},
        "patch": [{"op": "replace", "path": "/count", "value": 2}],
        "Todo": str,
        "todos": todos,
        "show": print,
    }


def names_of_tests(file: str) -> dict[str, Any]:
    """What the example of a file with helpers for tests refers to."""

    @imd.drafting
    def reduce(draft: Any, action: Any) -> None:
        if action["type"] == "added":
            draft["todos"].append(action["payload"])
        elif action["type"] == "saved":
            draft["version"] = action["payload"]["version"]

    def ask(action: Any, old: Any, new: Any) -> Any:
        save = {"effect": "save", "arguments": {"id": 7}, "success": "saved", "failure": "failed"}
        return [save] if action["type"] == "closed" else None

    state: Any = {"todos": [], "version": 1}
    store = testing.TestStore(reduce, state, rule=ask, exhaustive=False)
    for _ in range(2):
        store.send("closed")
    store.request("save").succeed({"version": 2})
    if file == "testing/replaying.py":
        with imd.Store(reduce, state=state, log="bug.imd") as logged:
            logged.dispatch("added", {"title": "Write"})
    title = {"type": "string", "minLength": 1}
    todo = {"type": "object", "properties": {"title": title}, "required": ["title"]}
    return {
        "SCHEMA": {"actions": {"added": todo}},
        "StoreMachine": testing.StoreMachine,
        "TestStore": testing.TestStore,
        "ask": ask,
        "invariant": invariant,
        "reduce": reduce,
        "replay_test": testing.replay_test,
        "store": store,
    }


@pytest.mark.parametrize(("file", "code"), EXAMPLES)
def test_example(
    file: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # Some write files.

    async def main() -> None:
        scope = names_of_tests(file) if file.startswith("testing/") else names(file)
        if "outputs(" in code:  # The loop ends with its store.
            asyncio.get_running_loop().call_soon(scope["store"].close)
        run = eval(compile(code, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), scope)
        if run is not None:
            await run

    asyncio.run(main())


def test_the_examples_are_found() -> None:
    """An example with a mistake in its syntax would look like an explanation."""
    assert len(EXAMPLES) >= 15
