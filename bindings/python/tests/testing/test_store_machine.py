"""StoreMachine: random actions, the shortest list that fails, and its log."""

import subprocess
import sys
from dataclasses import dataclass
from typing import TypedDict, Union

import pytest
from hypothesis import Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

import immutabledata as imd
from immutabledata.testing import StoreMachine

QUICK = settings(
    max_examples=60,
    stateful_step_count=6,
    database=None,
    phases=(Phase.generate, Phase.shrink),
)


class Board(TypedDict):
    titles: "dict[str, str]"
    count: int


@dataclass(frozen=True)
class Added:
    id: str
    title: str


@dataclass(frozen=True)
class Removed:
    id: str


@imd.drafting
def reduce(draft: Board, action: Union[Added, Removed]) -> None:
    if isinstance(action, Added):
        draft["count"] += action.id not in draft["titles"]
        draft["titles"][action.id] = action.title
    else:
        del draft["titles"][action.id]
        draft["count"] -= 1


@imd.drafting
def reduce_with_a_bug(draft: Board, action: Union[Added, Removed]) -> None:
    if isinstance(action, Added):
        draft["count"] += 1
        draft["titles"][action.id] = action.title
    else:
        reduce(draft, action)


class BoardMachine(StoreMachine):
    reducer = reduce
    initial_state = {"titles": {}, "count": 0}
    refusals = (KeyError,)

    @invariant()
    def the_count_is_right(self):
        assert self.state["count"] == len(self.state["titles"])
        assert self.store.state == self.state


def fail(machine, folder, monkeypatch, capsys, settings=QUICK):
    """Runs a machine that fails; returns what is printed and the actions in the log."""
    monkeypatch.setattr(machine, "log_folder", str(folder), raising=False)
    with pytest.raises((AssertionError, KeyError, imd.Error)) as raised:
        run_state_machine_as_test(machine, settings=settings)
    notes = "\n".join(getattr(raised.value, "__notes__", ())) + capsys.readouterr().out
    path = folder / f"{machine.__name__}.imd"
    actions = [action.to_python() for entry in imd.log.entries(path) for action in entry.actions]
    return raised.value, notes, actions


def test_a_reducer_without_bugs():
    run_state_machine_as_test(BoardMachine, settings=QUICK)


def test_the_shortest_actions_that_fail(tmp_path, monkeypatch, capsys):
    class Buggy(BoardMachine):
        reducer = reduce_with_a_bug

    error, notes, actions = fail(Buggy, tmp_path, monkeypatch, capsys)
    assert isinstance(error, AssertionError)
    added = {"type": "Added", "payload": {"id": "a", "title": "a"}}
    assert actions == [added, added]
    assert f"imd log {tmp_path / 'Buggy.imd'}, " in notes
    assert f"imd shell {tmp_path / 'Buggy.imd'} " in notes
    assert "test_store_machine.py:reduce_with_a_bug" in notes


@dataclass(frozen=True)
class Toggled:
    id: str


class Todos(TypedDict):
    is_done: "dict[str, bool]"
    open: int


@imd.drafting
def reduce_todos(draft: Todos, action: Union[Added, Toggled, Removed]) -> None:
    is_done, id = draft["is_done"], action.id
    if isinstance(action, Added):
        if id in is_done:
            raise KeyError(id)
        is_done[id] = False
        draft["open"] += 1
    elif isinstance(action, Toggled):
        is_done[id] = not is_done[id]
        draft["open"] += -1 if is_done[id] else 1
    else:
        del is_done[id]
        draft["open"] -= 1  # Wrong for one that is done.


@pytest.mark.parametrize("number", range(3))
def test_actions_that_are_not_needed_are_removed(number, tmp_path, monkeypatch, capsys):
    @seed(number)
    class Buggy(StoreMachine):
        reducer = reduce_todos
        initial_state = {"is_done": {}, "open": 0}
        refusals = (KeyError,)

        @invariant()
        def open_is_right(self):
            assert self.state["open"] == list(self.state["is_done"].values()).count(False)

    many = settings(QUICK, stateful_step_count=30)
    _, notes, actions = fail(Buggy, tmp_path, monkeypatch, capsys, many)
    assert [action["type"] for action in actions] == ["Added", "Toggled", "Removed"]
    assert notes.count("state.dispatch(") == 3


def test_a_reducer_that_raises(tmp_path, monkeypatch, capsys):
    class Strict(BoardMachine):
        refusals = ()

    error, notes, actions = fail(Strict, tmp_path, monkeypatch, capsys)
    assert isinstance(error, KeyError)
    assert actions == []
    assert "'payload': {'id': 'a'}" in notes


def test_a_state_that_does_not_fit(tmp_path, monkeypatch, capsys):
    @imd.drafting
    def leave(draft, action):
        draft["count"] -= 1

    class Negative(StoreMachine):
        reducer = leave
        initial_state = {"count": 2}
        schema = {
            "actions": {"left": {}},
            "state": {"properties": {"count": {"type": "integer", "minimum": 0}}},
        }

    error, _, actions = fail(Negative, tmp_path, monkeypatch, capsys)
    assert isinstance(error, imd.ReducerFailedError)
    assert actions == [{"type": "left"}] * 2


def test_the_log_opens_with_the_reducer(tmp_path, monkeypatch, capsys):
    class Strict(BoardMachine):
        reducer = reduce_with_a_bug

    for _ in range(2):  # It takes the place of the one before.
        fail(Strict, tmp_path, monkeypatch, capsys)
    with imd.Store(reduce_with_a_bug, BoardMachine.initial_state, log=tmp_path / "Strict.imd") as s:
        assert s.state == {"count": 2, "titles": {"a": "a"}}


def test_payloads_rules_and_options_of_the_test():
    class Wide(BoardMachine):
        options = {"history": True}
        payloads = {"Added": st.just({"id": "only", "title": "this"})}

        @rule()
        def undo_and_redo(self):
            before = self.state
            assert self.store.undo() == self.store.redo()
            assert self.state == before

        @invariant()
        def ids_are_known(self):
            assert set(self.state["titles"]) <= {"only"}

    run_state_machine_as_test(Wide, settings=QUICK)


@pytest.mark.parametrize("schema", [None, {}, {"actions": {}}])
def test_a_reducer_without_a_schema(schema):
    with pytest.raises(TypeError, match="Unknown knows no actions: annotate"):
        type(
            "Unknown",
            (StoreMachine,),
            {"reducer": staticmethod(lambda state, action: state), "schema": schema},
        )


def test_hypothesis_is_optional():
    program = """
import sys
sys.modules["hypothesis"] = None
import immutabledata.testing as testing
testing.TestStore
try:
    testing.StoreMachine
except ImportError as error:
    print(error)
"""
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert output.startswith("StoreMachine needs the package hypothesis: pip install hypothesis (")
