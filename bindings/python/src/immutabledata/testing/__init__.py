"""Tests of reducers, rules and effects, without waiting.

    from immutabledata.testing import TestStore

    with TestStore(reduce, {"n": 0}) as store:
        store.send("added", 2, changes={"/n": 2})

TestStore is a store whose time and effects the test controls. replay_test makes a test of a log.
"""

from __future__ import annotations

from .captured_effect import CapturedEffect
from .expectation import Changes
from .replaying import replay_test
from .store import TestStore

__all__ = ["CapturedEffect", "Changes", "TestStore", "replay_test"]
