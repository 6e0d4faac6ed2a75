"""The stages of the migration: what each prints in Python, and what their parts promise.

Tests/C/migration.cmake compares the stages in C with the same texts.
"""

import difflib
import logging
import random
import re
import subprocess
import sys
from pathlib import Path

import immutabledata as imd
import pytest

FOLDER = Path(__file__).parents[2] / "examples/migration"
STAGES = range(7)
FROM_THE_MODEL = {  # the screens that still use the model's interface at each stage
    0: {"orders", "truck", "donuts"},
    1: {"orders", "truck", "donuts"},
    2: {"truck", "donuts"},
    3: {"truck", "donuts"},
    4: {"truck", "donuts"},
    5: {"donuts"},
    6: {"donuts"},
}

sys.path.insert(0, str(FOLDER / "python"))

from legacy import DonutsScreen, FoodTruckModel, OrdersScreen, Sessions, Taps, Till, TruckScreen
from moved.actions import TAP_ADD, TAP_COMPLETE, TAP_STATUS, StoreListener, StoreTaps
from moved.mirror import DID_RECEIVE_DONUTS, DID_RECEIVE_ORDERS, EMPTY, mirror, reduce
from moved.orders_screen import StoreOrdersScreen
from moved.sessions import follow_sessions
from moved.store_model import DID_PLACE_ORDER, StoreModel, encode, state_of
from moved.store_model import reduce as reduce_all
from moved.truck_screen import StoreTruckScreen


def expected(stage):
    return (FOLDER / f"stage{stage}.txt").read_text(encoding="utf-8")


def lines(stage, *titles):
    """The lines of some screens; the steps are lines, too."""
    starts = ("==", *(f"{title:<8}|" for title in titles))
    return [line for line in expected(stage).splitlines() if line.startswith(starts)]


def rows(stage, title):
    return [line for line in expected(stage).splitlines() if line.startswith(title)]


# ---- The programs --------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_in_python(stage):
    command = [sys.executable, FOLDER / f"python/stage{stage}.py"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.stdout, result.stderr, result.returncode) == (expected(stage), "", 0)


# ---- What changes from stage to stage ------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES[1:])
def test_the_screens_of_the_model_show_the_same(stage):
    for screen in FROM_THE_MODEL[stage]:
        assert lines(stage, screen) == lines(0, screen)


@pytest.mark.parametrize("stage", [1, 3, 4, 5, 6])
def test_the_moved_screens_show_the_same(stage):
    assert lines(stage, "orders", "truck", "donuts") == lines(0, "orders", "truck", "donuts")


def test_stage_2_shows_the_old_name_of_a_donut():
    renamed = {line for line in rows(0, "orders") if "Unicorn" in line}
    assert len(renamed) == 2
    stale = [line.replace("Unicorn", "Rainbow") for line in rows(0, "orders")]
    assert rows(2, "orders") == stale
    assert lines(2, "donuts") == lines(0, "donuts")
    assert any("Unicorn" in line for line in lines(2, "donuts"))


@pytest.mark.parametrize("stage", STAGES)
def test_a_session_begins_once_and_ends_once_from_stage_4_on(stage):
    begins, ends = "session | #1201 begins", "session | #1201 ends"
    assert rows(stage, "session") == ([begins, ends] if stage >= 4 else [begins])


@pytest.mark.parametrize("stage", STAGES)
def test_a_moved_screen_builds_only_the_rows_that_changed(stage):
    built = re.findall(r"^built   \| orders (\d+)", expected(stage), re.M)
    if stage < 2:
        assert built == ["6", "3", "3", "3", "4", "0"]
    elif stage == 2:
        assert built == ["3", "1", "1", "0", "1", "0"]
    else:
        assert built == ["3", "1", "1", "2", "1", "0"]


PAGE = (FOLDER.parents[1] / "docs/migration.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"^```diff\n(.*?)^```", PAGE, re.M | re.S))
def test_the_page_shows_the_differences(block):
    """A difference that occurs after several steps is shown once; that of "built" is not shown."""
    names, shown = block.splitlines()[:2], block.splitlines()[2:]
    old, new = [(FOLDER / name[4:]).read_text(encoding="utf-8").splitlines() for name in names]
    changes = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    lines = [line for line in changes if not line.startswith("@@") and line[1:6] != "built"]
    assert list(dict.fromkeys(lines)) == shown


# ---- The mirror ----------------------------------------------------------------------------------

NAIVE = "get(orders, $id).{status: status, donuts: donuts[].name}"
JOIN = "let $donuts = donuts in get(orders, $id).{status: status, donuts: donuts[].%s.name}"


def orders(count, **changed):
    """Orders by id, some with another status."""
    ids = [f"#{number}" for number in range(count)]
    donuts = [{"id": "lemon", "name": "Super Lemon"}]
    return {id: {"id": id, "status": changed.get(id, "placed"), "donuts": donuts} for id in ids}


def publication(orders):
    """What the model listener dispatches for orders by id."""
    return {"ids": list(orders), "orders": orders}


def test_unchanged_orders_keep_their_identity():
    with imd.Store(reduce, state=EMPTY) as store:
        store.dispatch(DID_RECEIVE_ORDERS, payload=publication(orders(1000)))
        calls = []
        store.define("order", "get(orders, $id)")
        for number in range(1000):
            id = f"#{number}"
            store.observe(
                "order", lambda order, id=id: calls.append(id), arguments={"id": id}, initial=False
            )
        before, visits = store.state, store.statistics()["visits"]
        payload = publication(orders(1000, **{"#7": "preparing"}))
        store.dispatch(DID_RECEIVE_ORDERS, payload=payload)
        assert calls == ["#7"]
        assert store.statistics()["visits"] - visits == 1
        after = store.state
        pairs = zip(before["orders"].values(), after["orders"].values())
        assert sum(old.is_identical(new) for old, new in pairs) == 999
        store.dispatch(DID_RECEIVE_ORDERS, payload=payload)
        assert store.state.is_identical(after)


def test_orders_keep_the_order_of_the_list():
    """Whatever the order in which the ids sort."""
    with imd.Store(reduce, state=EMPTY) as store:
        screen = StoreOrdersScreen(store, NAIVE)
        for ids in (["#9", "#10"], ["#10", "#2", "#9"], ["#9", "#2", "#10"], ["#2"]):
            records = {id: order for id, order in orders(11).items() if id in ids}
            store.dispatch(DID_RECEIVE_ORDERS, payload={"ids": ids, "orders": records})
            assert screen.rows == [f"{id} placed     Super Lemon" for id in ids]
        assert screen.built == 3


def test_orders_that_are_gone_leave_the_state():
    with imd.Store(reduce, state=EMPTY) as store:
        store.dispatch(DID_RECEIVE_ORDERS, payload=publication(orders(3)))
        screen = StoreOrdersScreen(store, NAIVE)
        assert len(screen.rows) == 3
        last_two = {id: order for id, order in orders(3).items() if id != "#0"}
        store.dispatch(DID_RECEIVE_ORDERS, payload=publication(last_two))
        assert list(store.state["orders"]) == ["#1", "#2"]
        assert screen.rows == ["#1 placed     Super Lemon", "#2 placed     Super Lemon"]


def test_a_refused_publication_leaves_the_program_working(caplog):
    """The store keeps the last publication that it accepted, and the screens of the model go on."""
    model = FoodTruckModel(Till(1202))  # the next order is a second #1203
    with imd.Store(reduce, state=EMPTY) as store:
        mirror(model, store)
        screen = OrdersScreen(model)
        before = store.state
        with caplog.at_level(logging.ERROR):
            model.add_order()
        assert [record.getMessage() for record in caplog.records] == [
            "the store did not receive the orders"
        ]
        assert "two records have the same id" in caplog.text
        assert len(screen.rows) == 4
        assert store.state.is_identical(before)


# ---- Both directions -----------------------------------------------------------------------------


def test_an_observer_may_change_the_model():
    """The model publishes inside the observer, and observers are called for it afterwards."""
    model = FoodTruckModel(Till())
    with imd.Store(reduce, state=EMPTY) as store:
        mirror(model, store)
        store.define("statuses", "orders.*.status")
        seen = []

        def finish(statuses):
            seen.append(statuses.to_python())
            if statuses[0] == "preparing":
                model.mark_order_as_completed("#1201")
                assert store.state["orders"]["#1201"]["status"] == "completed"
                assert len(seen) == 2

        store.observe("statuses", finish)
        model.mark_order_as_next_step("#1201")
        assert [statuses[0] for statuses in seen] == ["placed", "preparing", "completed"]


def test_a_reducer_may_not_change_the_model():
    model = FoodTruckModel(Till())

    def impure(state, action):
        if action["type"] == TAP_ADD:
            model.add_order()
        return reduce(state, action)

    with imd.Store(impure, state=EMPTY) as store:
        model.on_orders(lambda orders: store.dispatch("changed"))
        with pytest.raises(imd.ReentrantError):
            store.dispatch(TAP_ADD)


def test_actions_reach_the_model_once_and_in_order():
    with imd.Store(reduce, state=EMPTY) as store:
        calls = []
        listener = StoreListener(
            store,
            {
                TAP_STATUS: lambda payload: calls.append(payload["orderID"]),
                TAP_ADD: lambda payload: calls.append(payload),
            },
        )
        taps = StoreTaps(store)
        taps.status("#2")
        taps.add()
        taps.status("#1")
        taps.complete("#1")  # without a function
        assert calls == []
        listener.forward()
        listener.forward()
        assert calls == ["#2", None, "#1"]


@pytest.mark.parametrize("seed", range(5))
def test_sessions_follow_the_orders(seed):
    """A session begins and ends once for each order, whichever button changes the model."""
    rng = random.Random(seed)
    model, sessions = FoodTruckModel(Till()), Sessions()
    taps = Taps(model, Sessions())
    with imd.Store(reduce, state=EMPTY) as store:
        mirror(model, store)
        follow_sessions(store, sessions)
        history = []
        statuses = {order.id: order.status for order in model.orders}
        for _ in range(100):
            tap = rng.choice([taps.status, taps.complete, None])
            taps.add() if tap is None else tap(rng.choice(model.orders).id)
            for order in model.orders:
                was, statuses[order.id] = statuses.get(order.id), order.status
                if (was == "preparing") != (order.status == "preparing"):
                    event = "begins" if order.status == "preparing" else "ends"
                    history.append(f"{order.id} {event}")
        assert sessions.events == history
        assert len(history) > 10


def test_an_order_that_is_being_prepared_at_first_has_a_session():
    sessions = Sessions()
    with imd.Store(reduce, state=EMPTY) as store:
        preparing = orders(3, **{"#1": "preparing"})
        store.dispatch(DID_RECEIVE_ORDERS, payload=publication(preparing))
        follow_sessions(store, sessions)
        assert sessions.events == []
        store.dispatch(DID_RECEIVE_ORDERS, payload=publication(orders(1)))  # "#1" is gone
        assert sessions.events == ["#1 ends"]


# ---- The last stage ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_the_reducer_does_what_the_model_did(seed):
    """Random taps on the legacy program and on the last stage show the same after each tap."""
    rng = random.Random(seed)
    model, till = FoodTruckModel(Till()), Till()
    legacy = [OrdersScreen(model), TruckScreen(model), DonutsScreen(model)]
    with imd.Store(reduce_all, state=state_of(FoodTruckModel(till))) as store:
        view = StoreModel(store)
        moved = [
            StoreOrdersScreen(store, JOIN % "get($donuts, @)"),
            StoreTruckScreen(store),
            DonutsScreen(view),
        ]
        for _ in range(100):
            tap = rng.choice([TAP_STATUS, TAP_COMPLETE, TAP_ADD, "rename"])
            id = rng.choice([*(order.id for order in model.orders), "#9999"])
            if tap == TAP_STATUS:
                model.mark_order_as_next_step(id)
                store.dispatch(tap, payload={"orderID": id})
            elif tap == TAP_COMPLETE:
                model.mark_order_as_completed(id)
                store.dispatch(tap, payload={"orderID": id})
            elif tap == TAP_ADD:
                model.add_order()
                order = till.next_order(view.donuts)
                store.dispatch(DID_PLACE_ORDER, payload={"order": encode(order)})
            else:
                donut = rng.choice(["classic", "lemon", "none"])
                name = rng.choice(["Plum", "Lime", "Fig"])
                model.rename_donut(donut, name)
                view.rename_donut(donut, name)
            assert [screen.rows for screen in moved] == [screen.rows for screen in legacy]


def test_an_order_is_placed_once():
    with imd.Store(reduce_all, state=state_of(FoodTruckModel(Till()))) as store:
        order = {"id": "#1201", "status": "placed", "donuts": []}
        with pytest.raises(ValueError, match='there is an order "#1201" already'):
            store.dispatch(DID_PLACE_ORDER, payload={"order": order})


def test_the_legacy_interface_hands_out_copies():
    with imd.Store(reduce_all, state=state_of(FoodTruckModel(Till()))) as store:
        model, received = StoreModel(store), []
        model.on_orders(received.append)
        received[0][-1].status = "lost"
        received[0][-1].donuts[0].name = "Lost"
        assert store.state["orders"]["#1201"]["status"] == "placed"
        assert model.donuts[1].name == "The Classic"


def test_the_screens_of_the_old_interface_follow_an_undo():
    """An older state is restored by an action: all screens show it."""

    def restoring(state, action):
        return action["payload"] if action["type"] == "restored" else reduce_all(state, action)

    with imd.Store(restoring, state=state_of(FoodTruckModel(Till()))) as store:
        model = StoreModel(store)
        orders, donuts = StoreOrdersScreen(store, JOIN % "get($donuts, @)"), DonutsScreen(model)
        before, shown = store.state, (orders.rows, donuts.rows)
        model.rename_donut("rainbow", "Unicorn")
        assert "Unicorn: 2" in donuts.rows
        store.dispatch("restored", payload=before)
        assert (orders.rows, donuts.rows) == shown


def test_a_donut_that_is_missing_is_left_out():
    with imd.Store(reduce, state=EMPTY) as store:
        store.dispatch(DID_RECEIVE_ORDERS, payload=publication(orders(1)))
        screen = StoreOrdersScreen(store, JOIN % "get($donuts, id)")
        assert screen.rows == ["#0 placed     "]
        lemon = {"lemon": {"id": "lemon", "name": "Super Lemon"}}
        store.dispatch(DID_RECEIVE_DONUTS, payload={"ids": ["lemon"], "donuts": lemon})
        assert screen.rows == ["#0 placed     Super Lemon"]
