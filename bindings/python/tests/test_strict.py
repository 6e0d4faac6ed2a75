"""The option strict: reducers and selectors that are not pure."""

from __future__ import annotations

import datetime
import itertools
import random
import time
import uuid
import warnings
from typing import Any, Callable

import pytest

import immutabledata as imd


def dispatch(reducer: Callable[[Any, Any], Any], state: Any = 0) -> list[str]:
    """The warnings of two dispatches with a reducer."""
    with imd.Store(reducer, state=state, strict=True) as store:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            store.dispatch("a")
            store.dispatch("a")
    return [str(warning.message) for warning in caught]


def test_an_impure_reducer_fails() -> None:
    numbers = itertools.count(1)
    with imd.Store(lambda state, action: {"id": next(numbers)}, state={}, strict=True) as store:
        with pytest.raises(imd.ReducerFailedError, match='at "/id" and, called again, 2'):
            store.dispatch("added")
        assert store.state == {}


def test_an_impure_selector_fails() -> None:
    numbers = itertools.count(1)
    with imd.Store(lambda state, action: state, state=0, strict=True) as store:
        store.define("impure", lambda state: next(numbers), inputs=["@"])
        with pytest.raises(imd.Error, match="it returned 1 and, called again, 2"):
            store.select("impure")


# What a reducer calls, and its name in the warning.
CALLS: list[tuple[Callable[[], Any], str]] = [
    (lambda: time.time() < 0, "time.time"),
    (lambda: time.monotonic() < 0, "time.monotonic"),
    (lambda: random.random() < 0, "random.random"),
    (lambda: random.randint(1, 1), "random.randint"),
    (lambda: datetime.datetime.now().year < 0, "datetime.now"),
    (lambda: datetime.date.today().year < 0, "date.today"),
    (lambda: open("/dev/null").close(), "open"),
    (lambda: str(uuid.uuid4()) < "", "uuid.uuid4"),
]


@pytest.mark.parametrize(("call", "name"), CALLS, ids=[name for _, name in CALLS])
def test_an_impure_call_is_named_once(call: Callable[[], Any], name: str) -> None:
    def reduce(state: Any, action: Any) -> Any:
        call()
        return state

    (message,) = dispatch(reduce)
    assert message.startswith(f"the reducer calls {name} at test_strict.py:")


def test_a_warning_names_the_line_of_the_dispatch() -> None:
    with imd.Store(lambda state, action: time.time() * 0, state=0.0, strict=True) as store:
        with pytest.warns(imd.LikelyMistakeWarning) as caught:
            store.dispatch("a")
    assert [warning.filename for warning in caught] == [__file__]


def test_ids_that_follow_from_their_arguments_are_pure() -> None:
    text = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    namespace = uuid.UUID(text)
    assert dispatch(lambda state, action: state + len(str(uuid.uuid5(namespace, "a"))) * 0) == []


def test_a_generator_that_the_reducer_makes_is_pure() -> None:
    assert dispatch(lambda state, action: random.Random(7).randint(1, 6)) == []


def test_a_dropped_result_is_named() -> None:
    def append(state: Any, action: Any) -> Any:
        state["items"].append(1)
        return state

    def update(state: Any, action: Any) -> Any:
        state.update(count=1)
        return state

    def keep(state: Any, action: Any) -> Any:
        items = state["items"].append(1)
        return state.update(items=items)

    state = {"items": [], "count": 0}
    (message,) = dispatch(append, state)
    assert message.startswith("the reducer drops the result of append at test_strict.py:")
    (message,) = dispatch(update, state)
    assert message.startswith("the reducer drops the result of update at test_strict.py:")
    assert dispatch(keep, state) == []


def test_a_draft_is_changed_in_place() -> None:
    @imd.drafting
    def reduce(draft: Any, action: Any) -> None:
        draft["items"].append(1)

    assert dispatch(reduce, {"items": []}) == []


def test_the_profile_function_of_the_program_remains() -> None:
    import sys

    def profile(frame: Any, event: str, argument: Any) -> None:
        pass

    sys.setprofile(profile)
    try:
        dispatch(lambda state, action: state)
        assert sys.getprofile() is profile
    finally:
        sys.setprofile(None)


def test_a_wrong_option() -> None:
    with pytest.raises(TypeError, match="strict must be a bool or StrictOptions"):
        imd.Store(lambda state, action: state, state=0, strict="yes")  # type: ignore[arg-type]
    with pytest.raises(imd.InvalidArgumentError, match="options/strict/slow"):
        imd.Store(lambda state, action: state, state=0, strict={"slow": 0})


def test_a_slow_function_is_named_once(capfd: pytest.CaptureFixture[str]) -> None:
    def reduce(state: Any, action: Any) -> Any:
        end = time.monotonic() + 0.01
        while time.monotonic() < end:
            pass
        return state

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with imd.Store(reduce, state=0, strict={"slow": 1}) as store:
            store.dispatch("a")
            store.dispatch("a")
    assert capfd.readouterr().err.count("the reducer took ") == 1
