"""Tests of reducers, rules and effects, without waiting.

    from immutabledata.testing import TestStore

    with TestStore(reduce, {"todos": []}) as store:
        store.send("added", {"title": "Write"}, changes={"/todos/0": {"title": "Write"}})

TestStore is a store whose time and effects the test controls. StoreMachine dispatches random
actions, with Hypothesis, and finds the shortest list of them that fails. replay_test makes a test
of a log. The wheel also has a plugin for pytest, with the fixture test_store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .captured_effect import CapturedEffect
from .expectation import Changes
from .replaying import replay_test
from .store import TestStore

if TYPE_CHECKING:
    from .machine import StoreMachine

__all__ = ["CapturedEffect", "Changes", "StoreMachine", "TestStore", "replay_test"]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    # Imported when first used: only StoreMachine needs Hypothesis.
    if name == "StoreMachine":
        from .machine import StoreMachine

        return StoreMachine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
