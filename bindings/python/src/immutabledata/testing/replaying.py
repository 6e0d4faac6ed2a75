"""Tests that repeat a log."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from typing import Any, Callable

import immutabledata as imd

from .._values import JSON, Reducer
from ..errors import warn
from .differences import ABSENT, differences, listing, shown


def replay_test(
    path: str | os.PathLike[str],
    reducer: Reducer[Any],
    /,
    *,
    state: JSON = ABSENT,
    **options: Any,
) -> Callable[[], None]:
    """Makes a test of a log: the reducer repeats it, and comes to the same states.

        test_bug = replay_test("bug.imd", reduce, state={"todos": []})

    The test fails if the file is damaged, if the reducer rejects an action of it, or if it comes to
    another state than the one expected, or than those in the snapshot, bug.imd-snapshot. Without
    both there is nothing to compare with, since the entries of a log have no states: a
    LikelyMistakeWarning says so, and so does one of a last line that is not whole. The test works
    with a copy, so the file does not change.

    path: the file; a relative path begins in the folder of the module that calls replay_test.
    state: the state that is expected at the end.
    options: those of the Store that reads the log, such as optimistic and history.

    The test raises AssertionError: a state differs; the message has the patch between the two.
    The test raises what Store and Store.replay do for its log, such as ReducerFailedError.
    """
    if "log" in options:
        raise TypeError("replay_test takes no log: its first argument is the file that is repeated")
    folder = os.path.dirname(sys._getframe(1).f_globals.get("__file__", ""))
    file = os.path.join(folder, os.fspath(path))

    def test() -> None:
        __tracebackhide__ = True
        with tempfile.TemporaryDirectory() as copies:
            _replay(file, _copied(file, copies), reducer, state, options)

    test.__doc__ = f"The reducer repeats {os.fspath(path)}, and comes to the same states."
    return test


def _copied(file: str, folder: str) -> str:
    copy = os.path.join(folder, os.path.basename(file))
    shutil.copyfile(file, copy)
    if os.path.exists(f"{file}-snapshot"):
        shutil.copyfile(f"{file}-snapshot", f"{copy}-snapshot")
    return copy


def _replay(
    file: str, copy: str, reducer: Reducer[Any], expected: JSON, options: dict[str, Any]
) -> None:
    __tracebackhide__ = True
    unfinished = imd.log.verify(copy)["unfinishedBytes"]
    if unfinished:
        warn(
            f"{file} ends with {unfinished} bytes of an unfinished line, as after a crash, or after "
            "the file was cut: actions may be missing"
        )
    is_compared = expected is not ABSENT or os.path.exists(f"{copy}-snapshot")
    # Opening checks no schema, except for the state that a new file would begin with.
    options = {"schema": {"state": {}}, **options}
    with imd.Store(reducer, imd.log.snapshot(copy).state, log=copy, **options) as store:
        difference = store.replay()["difference"]
        found = store.state
    if difference is not None:
        raise AssertionError(
            f"the reducer repeats {file} with other states, from commit {difference['number']} "
            f"on; what turns the state of the file into the repeated one: "
            f"{shown(difference['patch'])}"
        )
    if expected is not ABSENT:
        listed = listing(differences(expected, found), ("expected", "found"))
        if listed:
            raise AssertionError(f"the reducer repeats {file} with another last state:{listed}")
    if not is_compared:
        warn(
            f"{file} has no snapshot, so its replay finds only actions that the reducer rejects; "
            "give replay_test the state=… that is expected, or put the file with the suffix "
            "-snapshot beside it"
        )
