"""Tests that repeat a log."""

from dataclasses import dataclass
from typing import TypedDict

import pytest

import immutabledata as imd
from immutabledata.testing import replay_test


class Total(TypedDict):
    total: int


@dataclass(frozen=True)
class Added:
    n: int


@imd.drafting
def reduce(draft: Total, action: Added) -> None:
    draft["total"] += action.n


@imd.drafting
def reduce_wrongly(draft: Total, action: Added) -> None:
    draft["total"] += 2 * action.n


@imd.drafting
def refuse(draft: Total, action: Added) -> None:
    raise ValueError("no")


class Named(TypedDict):
    name: str


@imd.drafting
def reduce_another_state(draft: Named, action: Added) -> None:
    draft["total"] += action.n  # type: ignore[typeddict-item]


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A log that is long enough for a snapshot, and a snapshot beside it."""
    path = tmp_path_factory.mktemp("log") / "bug.imd"
    with imd.Store(reduce, {"total": 0}, log={"path": path, "durability": "none"}) as store:
        for _ in range(20_000):
            store.dispatch(Added(1))
    assert path.with_name("bug.imd-snapshot").exists()
    return path


def files(log):
    return {path.name: path.read_bytes() for path in log.parent.iterdir()}


def test_the_reducer_of_a_log(log):
    before = files(log)
    replay_test(log, reduce)()
    assert files(log) == before


def test_a_reducer_with_other_states(log):
    with pytest.raises(AssertionError) as raised:
        replay_test(log, reduce_wrongly)()
    assert str(raised.value) == (
        f"the reducer repeats {log} with other states, from commit 20000 on; what turns the state "
        "of the file into the repeated one: "
        "[{'op': 'replace', 'path': '/total', 'value': 40000}]"
    )


def test_a_reducer_that_refuses_an_action(log):
    with pytest.raises(imd.ReducerFailedError) as raised:
        replay_test(log, refuse)()
    assert str(raised.value.__cause__) == "no"


@pytest.fixture
def small_log(tmp_path):
    """A log without a snapshot."""
    with imd.Store(reduce, {"total": 0}, log=tmp_path / "bug.imd", history=True) as store:
        store.dispatch(Added(1))
        store.dispatch(Added(1))
        store.undo()
    return tmp_path / "bug.imd"


def test_a_log_without_states_to_compare(small_log):
    with pytest.warns(imd.LikelyMistakeWarning) as caught:
        replay_test(small_log, reduce_wrongly)()
    assert [str(warning.message) for warning in caught] == [
        f"{small_log} has no snapshot, so its replay finds only actions that the reducer rejects; "
        "give replay_test the state=… that is expected, or put the file with the suffix -snapshot "
        "beside it"
    ]


def test_a_log_that_was_cut(small_log, tmp_path):
    cut = tmp_path / "cut.imd"
    cut.write_bytes(small_log.read_bytes()[:-10])
    with pytest.warns(imd.LikelyMistakeWarning, match="ends with .* bytes of an unfinished line"):
        replay_test(cut, reduce, state={"total": 1}, history=True)()


def test_the_state_that_is_expected(small_log):
    expected = {"total": 1}
    replay_test(small_log, reduce, state=expected, history=True)()
    with pytest.raises(AssertionError) as raised:
        replay_test(small_log, reduce_wrongly, state=expected, history=True)()
    assert str(raised.value) == (
        f"the reducer repeats {small_log} with another last state:\n"
        "  '/total': expected 1, found 2"
    )


@pytest.mark.filterwarnings("error")
def test_a_log_with_a_snapshot_gives_no_warning(log):
    replay_test(log, reduce)()


def test_a_stricter_schema_is_no_failure(log):
    replay_test(log, reduce_another_state)()


def test_a_damaged_file(tmp_path):
    path = tmp_path / "bug.imd"
    path.write_text("x")
    with pytest.raises(imd.CorruptError):
        replay_test(path, reduce)()


def test_a_relative_path_begins_beside_the_module(tmp_path, monkeypatch):
    with imd.Store(reduce, {"total": 0}, log=tmp_path / "bug.imd") as store:
        store.dispatch(Added(1))
    monkeypatch.setitem(globals(), "__file__", str(tmp_path / "test_bug.py"))
    test = replay_test("bug.imd", reduce, state={"total": 1})
    test()
    assert test.__doc__ == "The reducer repeats bug.imd, and comes to the same states."


def test_a_log_among_the_options():
    with pytest.raises(TypeError, match="replay_test takes no log: its first argument is the file"):
        replay_test("bug.imd", reduce, log="other.imd")
