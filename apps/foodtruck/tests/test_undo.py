"""Undo, which changes the model back."""

import pytest

from immutabledata_foodtruck.legacy import FoodTruckModel
from immutabledata_foodtruck.migration import ModelHistory


async def test_changes_of_orders_are_undone_and_redone(run, model):
    async with run() as user:
        assert user.keys["Undo"] is user.keys["Redo"] is False
        await user.choose("Order#1217")
        await user.tap("n")
        await user.tap("c")
        await user.tap("a")
        assert "Order#1217  completed" in user.order
        assert len(model.orders) == 25
        for status, count in (("completed", 24), ("preparing", 24), ("placed", 24)):
            assert user.keys["Undo"]
            await user.tap("u")
            assert f"Order#1217  {status}" in user.order
            assert len(model.orders) == len(user.ids) == count
        assert not user.keys["Undo"]
        await user.tap("U", "ctrl+y", "ctrl+y")
        assert model.order("Order#1217").status == "completed"
        assert len(model.orders) == 25
        assert not user.keys["Redo"]
        # A new change drops what was undone.
        await user.tap("ctrl+z", "ctrl+z")
        assert user.keys["Redo"]
        await user.tap("a")
        assert not user.keys["Redo"]


async def test_activities_follow_an_undo(run):
    async with run() as user:
        await user.choose("Order#1217")
        await user.tap("n", "n", "u", "u")
        assert user.banner is None
        expected = ["start", "end", "start", "end"]
        assert user.activities == [(kind, "Order#1217") for kind in expected]


@pytest.fixture
def history():
    model = FoodTruckModel(now=lambda: 1_795_356_000_000)
    history = ModelHistory(lambda: None)
    history.listen(model)
    return history


def test_what_changes_nothing_is_no_step(history):
    model = history._model
    history.undo()
    history.redo()
    model.publish_orders()
    model.publish_donuts()
    assert not history.can_undo
    model.mark_order_as_completed("Order#1201")
    history.undo()
    model.publish_orders()
    assert history.can_redo
    assert not history.can_undo


def test_edits_of_several_donuts_are_several_steps(history):
    model = history._model
    names = [donut.name for donut in model.donuts[:2]]
    for index, name in ((0, "A"), (0, "AB"), (1, "C"), (0, "D")):
        model.donuts[index].name = name
        model.publish_donuts()
    model.add_order()
    model.donuts[0].name = "E"
    model.publish_donuts()
    shown = []
    while history.can_undo:
        history.undo()
        shown.append((*(donut.name for donut in model.donuts[:2]), len(model.orders)))
    assert shown == [
        ("D", "C", 25),
        ("D", "C", 24),
        ("AB", "C", 24),
        ("AB", names[1], 24),
        (*names, 24),
    ]
