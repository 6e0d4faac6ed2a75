"""The list of what can be undone and redone."""

import pytest

from immutabledata_terminal import Step, UndoList


def step(name, key="", id="a"):
    return Step(key, {"type": name, "payload": {"id": id}})


def take(steps, take, reverse):
    """Undoes or redoes a step, whose reverse becomes known when it succeeds."""
    taken = take()
    if taken is not None:
        steps.succeeded(taken.key, step(reverse))
    return taken and taken.action["type"]


@pytest.fixture
def steps():
    steps = UndoList()
    for number in (1, 2):
        steps.succeeded("", step(f"undo {number}"))
    return steps


def can(steps):
    return steps.can_undo, steps.can_redo


def test_undo_and_redo(steps):
    assert can(steps) == (True, False)
    assert take(steps, steps.redo, "") is None
    assert take(steps, steps.undo, "redo 2") == "undo 2"
    assert can(steps) == (True, True)
    assert take(steps, steps.undo, "redo 1") == "undo 1"
    assert can(steps) == (False, True)
    assert take(steps, steps.undo, "") is None
    assert take(steps, steps.redo, "undo 1") == "redo 1"
    assert take(steps, steps.redo, "undo 2") == "redo 2"
    assert can(steps) == (True, False)
    assert take(steps, steps.undo, "redo 2") == "undo 2"


def test_a_new_change_drops_what_was_undone(steps):
    take(steps, steps.undo, "redo 2")
    steps.succeeded("", step("undo 3"))
    assert can(steps) == (True, False)
    assert take(steps, steps.undo, "redo 3") == "undo 3"
    assert take(steps, steps.undo, "redo 1") == "undo 1"


def test_one_at_a_time():
    steps = UndoList()
    for key in "ab":
        steps.succeeded(key, step(f"undo {key}", key))
    begun = steps.undo()
    assert begun.key == "b"
    assert steps.begun("b") is begun
    assert steps.begun("a") is None
    assert can(steps) == (False, False)
    assert steps.undo() is steps.redo() is None
    # The outcomes of other changes do not end it.
    steps.failed("c")
    steps.succeeded("c", step("undo c", "c"))
    assert can(steps) == (False, False)
    steps.succeeded("b", step("redo b", "b"))
    assert can(steps) == (True, True)
    assert steps.undo().key == "c"


def test_what_failed_can_be_tried_again(steps):
    begun = steps.undo()
    steps.failed("")
    assert can(steps) == (True, False)
    assert steps.undo() is begun
    steps.succeeded("", step("redo 2"))
    begun = steps.redo()
    steps.failed("")
    assert steps.redo() is begun


def test_what_is_rejected_is_dropped(steps):
    steps.undo()
    steps.rejected()
    assert can(steps) == (True, False)
    assert take(steps, steps.undo, "redo 1") == "undo 1"
    assert take(steps, steps.undo, "") is None


def test_a_record_with_another_id():
    steps = UndoList()
    for id in "aba":
        steps.succeeded(id, step("undo", id, id))
    begun = steps.undo()
    steps.succeeded(begun.key, step("redo", "a", "a"))
    steps.rename("id", "a", "c")
    found = []
    while (taken := steps.redo()) or (taken := steps.undo()):
        found.append((taken.key, taken.action["payload"]["id"]))
        steps.rejected()
    assert found == [("c", "c"), ("b", "b"), ("c", "c")]


def test_clear(steps):
    take(steps, steps.undo, "redo 2")
    steps.undo()
    steps.clear()
    assert can(steps) == (False, False)
