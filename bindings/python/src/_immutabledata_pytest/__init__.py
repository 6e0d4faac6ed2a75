"""The plugin of immutabledata for pytest.

It is a package of its own, because pytest imports it in every project: immutabledata itself is
imported by the first test that uses a fixture.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from immutabledata.testing import TestStore


@pytest.fixture
def test_store(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Makes test stores, which are closed after the test: test_store(reduce, state, rule=ask).

    It takes what immutabledata.testing.TestStore does. If the test has passed, nothing may be left
    over in the stores.
    """
    from immutabledata.testing import TestStore

    made: list[TestStore[Any, Any]] = []

    def make(*arguments: Any, **options: Any) -> TestStore[Any, Any]:
        store: TestStore[Any, Any] = TestStore(*arguments, **options)
        made.append(store)
        return store

    failed = request.session.testsfailed
    yield make
    has_failed = request.session.testsfailed > failed
    try:
        for store in made:
            if not has_failed:
                store.close()
    finally:
        for store in made:
            store.abandon()


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explains an assertion that a Value equals other data: where they differ."""
    value: Any = getattr(sys.modules.get("immutabledata"), "Value", ())
    if op != "==" or not (isinstance(left, value) or isinstance(right, value)):
        return None
    from immutabledata.testing.differences import differences, listing, shown

    try:
        found = listing(differences(left, right), ("left", "right"))
    except Exception:  # Of an object that is no JSON; pytest shows the assertion without them.
        return None
    return [f"{shown(left)} == {shown(right)}", *found.split("\n")[1:]]
