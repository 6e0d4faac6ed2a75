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
    over in the stores; if it has failed or was skipped, anything may.
    """
    from immutabledata.testing import TestStore

    made: list[TestStore[Any, Any]] = []

    def make(*arguments: Any, **options: Any) -> TestStore[Any, Any]:
        store: TestStore[Any, Any] = TestStore(*arguments, **options)
        made.append(store)
        return store

    yield make
    errors: list[Exception] = []
    try:
        for store in made:
            if request.node.stash.get(_HAS_PASSED, False):
                try:
                    store.close()
                except Exception as error:
                    errors.append(error)
    finally:
        for store in made:
            store.abandon()
    _raise(errors)


_HAS_PASSED = pytest.StashKey[bool]()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Notes whether the test has passed, for the end of its fixtures."""
    outcome: Any = yield
    report = outcome.get_result()
    if report.when in ("setup", "call"):
        item.stash[_HAS_PASSED] = report.when == "call" and report.passed


def _raise(errors: list[Exception]) -> None:
    """Raises the exceptions of several stores as one."""
    __tracebackhide__ = True
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise AssertionError("\n".join(map(_described, errors)))


def _described(error: Exception) -> str:
    return str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"


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
