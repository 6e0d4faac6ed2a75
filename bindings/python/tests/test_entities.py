"""Entities: records by id, and their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import immutabledata as imd

EAGLE = {"id": 1, "name": "Eagle", "rank": 3}
BEAR = {"id": 2, "name": "Bear", "rank": 1}
CAT = {"id": 3, "name": "Cat", "rank": 2}

plain = imd.entities()
by_name = imd.entities(sort_by="name")


def listed(entities, state):
    """The names in order; checks that ids and entities agree."""
    assert {str(id) for id in state["ids"]} == set(state["entities"])
    assert len(state["ids"]) == len(state["entities"])
    return [item["name"] for item in entities.select_all(state)]


@pytest.mark.parametrize(
    ("change", "unsorted", "ordered"),
    [
        (lambda e, s: s, ["Eagle", "Bear"], ["Bear", "Eagle"]),
        (lambda e, s: e.add_one(s, CAT), ["Eagle", "Bear", "Cat"], ["Bear", "Cat", "Eagle"]),
        (lambda e, s: e.add_one(s, {**BEAR, "name": "Z"}), ["Eagle", "Bear"], ["Bear", "Eagle"]),
        (lambda e, s: e.add_many(s, [CAT, CAT, BEAR]), ["Eagle", "Bear", "Cat"],
         ["Bear", "Cat", "Eagle"]),
        (lambda e, s: e.set_one(s, {"id": 2, "name": "Z"}), ["Eagle", "Z"], ["Eagle", "Z"]),
        (lambda e, s: e.set_many(s, [CAT, {"id": 1, "name": "A"}]), ["A", "Bear", "Cat"],
         ["A", "Bear", "Cat"]),
        (lambda e, s: e.set_all(s, [CAT, BEAR]), ["Cat", "Bear"], ["Bear", "Cat"]),
        (lambda e, s: e.set_all(s, [CAT, {"id": 3, "name": "A"}]), ["A"], ["A"]),
        (lambda e, s: e.update_one(s, 2, {"name": "Z"}), ["Eagle", "Z"], ["Eagle", "Z"]),
        (lambda e, s: e.update_one(s, "2", {"rank": 9}), ["Eagle", "Bear"], ["Bear", "Eagle"]),
        (lambda e, s: e.update_one(s, 9, {"name": "Z"}), ["Eagle", "Bear"], ["Bear", "Eagle"]),
        (lambda e, s: e.update_many(s, {1: {"name": "A"}, 2: {"name": "B"}}), ["A", "B"],
         ["A", "B"]),
        (lambda e, s: e.upsert_one(s, {"id": 1, "name": "A"}), ["A", "Bear"], ["A", "Bear"]),
        (lambda e, s: e.upsert_many(s, [CAT, {"id": 2, "name": "Z"}]), ["Eagle", "Z", "Cat"],
         ["Cat", "Eagle", "Z"]),
        (lambda e, s: e.remove_one(s, 1), ["Bear"], ["Bear"]),
        (lambda e, s: e.remove_one(s, 9), ["Eagle", "Bear"], ["Bear", "Eagle"]),
        (lambda e, s: e.remove_many(s, [2, 9, "1", 1]), [], []),
        (lambda e, s: e.remove_all(s), [], []),
    ],
)  # fmt: skip
def test_changes(change, unsorted, ordered):
    for entities, expected in ((plain, unsorted), (by_name, ordered)):
        before = entities.initial_state([EAGLE, BEAR], more={"kept": True})
        after = change(entities, before)
        assert listed(entities, after) == expected
        assert after["more"].is_identical(before["more"])
        assert len(before["ids"]) == 2

        @imd.drafting
        def reduce(draft, action):
            change(entities, draft)  # noqa: B023

        assert reduce(before, None) == after

        @imd.drafting
        def reduce_part(draft, action):
            change(entities, draft["in"])  # noqa: B023

        assert reduce_part({"in": before}, None) == {"in": after}


def test_an_upsert_keeps_other_members():
    state = plain.upsert_one(plain.initial_state([EAGLE]), {"id": 1, "name": "A"})
    assert plain.select_by_id(state, 1) == {"id": 1, "name": "A", "rank": 3}
    state = plain.set_one(state, {"id": 1, "name": "B"})
    assert plain.select_by_id(state, 1) == {"id": 1, "name": "B"}


def test_reads():
    state = by_name.initial_state([EAGLE, BEAR])
    assert state == {"ids": [2, 1], "entities": {"1": EAGLE, "2": BEAR}}
    assert by_name.select_by_id(state, 2) == by_name.select_by_id(state, "2") == BEAR
    assert by_name.select_by_id(state, 9) is None
    assert by_name.select_all(state.to_python()) == [BEAR, EAGLE]
    assert by_name.initial_state() == {"ids": [], "entities": {}}


def test_id_and_order_by_functions():
    entities = imd.entities(id=lambda e: e["key"]["of"], sort_by=lambda e: -e["rank"])
    items = [{"key": {"of": name}, "rank": rank} for name, rank in [("a", 1), ("b", 2), ("c", 1)]]
    state = entities.initial_state(items)
    assert state["ids"] == ["b", "a", "c"]
    state = entities.update_one(state, "b", {"rank": 1})
    assert state["ids"] == ["a", "b", "c"]
    assert entities.remove_one(state, "b")["ids"] == ["a", "c"]


def test_without_a_change_the_result_is_the_state_itself():
    for entities in (plain, by_name):
        state = entities.initial_state([EAGLE, BEAR])
        assert entities.add_one(state, BEAR) is state
        assert entities.update_one(state, 1, {"name": "Eagle"}) is state
        assert entities.set_one(state, BEAR) is state
        assert entities.remove_many(state, [7]) is state


def test_unchanged_parts_are_shared():
    state = plain.initial_state([EAGLE, BEAR])
    after = plain.update_one(state, 1, {"name": "A"})
    assert after["entities"]["2"].is_identical(state["entities"]["2"])
    assert after["ids"].is_identical(state["ids"])


@pytest.mark.parametrize(
    ("change", "kind", "part"),
    [
        (lambda s: plain.add_one(s, {"id": None}), imd.InvalidArgumentError, "not None"),
        (lambda s: plain.add_one(s, {"id": True}), imd.InvalidArgumentError, "not True"),
        (lambda s: plain.add_one(s, {"id": 1.5}), imd.InvalidArgumentError, "not 1.5"),
        (lambda s: plain.add_one(s, {"name": "x"}), imd.InvalidArgumentError,
         'an entity has no member "id", which is its id: <immutabledata.Value {"name":"x"}>'),
        (lambda s: plain.update_one(s, 1, {"id": 2}), imd.InvalidArgumentError, "1 to 2"),
        (lambda s: plain.update_one(s, "1", {"id": "1"}), imd.InvalidArgumentError, "1 to '1'"),
        (lambda s: plain.update_one(s, None, {}), imd.InvalidArgumentError, "not None"),
        (lambda s: plain.update_one(s, EAGLE, {}), imd.InvalidArgumentError, "not {'id': 1"),
        (lambda s: plain.remove_one(s, 1.0), imd.InvalidArgumentError, "not 1.0"),
        (lambda s: by_name.add_one(s, {"id": 5}), imd.InvalidArgumentError,
         'an entity has no member "name", which is its sort_by'),
        (lambda s: by_name.add_one(s, {"id": 5, "name": 3}), TypeError, "not supported"),
        (lambda s: plain.add_one(s, [CAT]), TypeError, "an entity must be a Mapping, not list"),
        (lambda s: plain.add_many(s, CAT), TypeError,
         "the entities must be an iterable of entities, not dict; for one entity, use add_one"),
        (lambda s: plain.set_many(s, CAT), TypeError, "use set_one"),
        (lambda s: plain.upsert_many(s, CAT), TypeError, "use upsert_one"),
        (lambda s: plain.set_all(s, CAT), TypeError, "an iterable of entities, not dict$"),
        (lambda s: plain.set_all(s, None), TypeError, "an iterable of entities, not None"),
        (lambda s: plain.add_many(s, ["Cat"]), TypeError, "an entity must be a Mapping, not str"),
        (lambda s: plain.update_one(s, 9, "x"), TypeError,
         "the changes of an entity must be a Mapping, not str"),
        (lambda s: plain.update_many(s, [CAT]), TypeError,
         "the changes must be a Mapping from ids to changed members, not list"),
        (lambda s: plain.remove_many(s, "1"), TypeError, "the ids must be an iterable of ids"),
    ],
)
def test_mistakes(change, kind, part):
    state = plain.initial_state([EAGLE])
    with pytest.raises(kind, match=part):
        change(state)
    assert listed(plain, state) == ["Eagle"]


@pytest.mark.parametrize("change", ["add", "set", "upsert"])
def test_ids_of_the_same_text(change):
    expected = "the ids 1 and '1' are the same key; write both as a str or as an int"
    other = {"id": "1", "name": "Other"}
    for entities in (plain, by_name):
        state = entities.initial_state([EAGLE])
        for name, before, argument in (
            (f"{change}_one", state, other),
            (f"{change}_many", state, [BEAR, other]),
            (f"{change}_many", entities.initial_state(), [EAGLE, other]),
            ("set_all", state, [EAGLE, other]),
        ):
            with pytest.raises(imd.InvalidArgumentError) as caught:
                getattr(entities, name)(before, argument)
            assert str(caught.value) == expected
        assert entities.set_all(state, [other])["ids"] == ["1"]


@pytest.mark.parametrize(
    "state",
    [{}, [], None, "text", {"ids": []}, {"ids": {}, "entities": {}}, {"ids": [], "entities": []}],
)
def test_a_state_that_is_no_collection(state):
    expected = (
        "the state must be a collection of entities, as initial_state returns it: an object with "
        f'an array "ids" and an object "entities", not {imd.value(state)!r}'
    )
    calls = [("add_one", CAT), ("set_many", [CAT]), ("upsert_one", CAT)]
    if state != {"ids": {}, "entities": {}}:
        calls += [("select_by_id", 1)]
    if "entities" not in (state or ()):
        calls += [("select_all",), ("update_one", 1, {}), ("remove_many", [1])]
    for entities in (plain, by_name):
        for name, *arguments in calls:
            with pytest.raises(imd.InvalidArgumentError) as caught:
                getattr(entities, name)(state, *arguments)
            assert str(caught.value) == expected
            assert caught.value.__suppress_context__


def test_in_a_slice():
    animals = imd.Slice("animals", by_name.initial_state())
    animals.on("added")(lambda draft, action: by_name.add_one(draft, action["payload"]))
    animals.on("removed")(lambda draft, action: by_name.remove_one(draft, action["payload"]))
    with imd.Store(imd.combine(animals=animals)) as store:
        store.dispatch_batch([animals.actions.added(item) for item in (EAGLE, BEAR, CAT)])
        store.dispatch(animals.actions.removed(3))
        assert listed(by_name, store.state["animals"]) == ["Bear", "Eagle"]


ids = st.integers(0, 8)
change = st.tuples(
    st.sampled_from(["add_one", "set_one", "upsert_one", "update_one", "remove_one"]),
    ids,
    st.text("abc", max_size=2),
)


@given(changes=st.lists(change, max_size=20))
def test_random_changes(changes):
    states = {entities: entities.initial_state() for entities in (plain, by_name)}
    model = {}
    for name, id, text in changes:
        item = {"id": id, "name": text}
        arguments = {"update_one": (id, {"name": text}), "remove_one": (id,)}.get(name, (item,))
        for entities, state in states.items():
            states[entities] = getattr(entities, name)(state, *arguments)
        if name == "remove_one":
            model.pop(id, None)
        elif name in ("set_one", "upsert_one") or (name == "update_one") is (id in model):
            model[id] = item
    assert plain.select_all(states[plain]) == list(model.values())
    ranked = sorted(model.values(), key=lambda item: (item["name"], str(item["id"])))
    assert by_name.select_all(states[by_name]) == ranked


# ---- Functions that raise ------------------------------------------------------------------------


def several(*items):
    yield from items
    raise LookupError("no more")


@pytest.mark.parametrize(
    "use",
    [
        lambda e, d: e.add_many(d, several(CAT)),
        lambda e, d: e.add_many(d, [CAT, {"name": "no id"}]),
        lambda e, d: e.add_one(d, {"id": 9}),
        lambda e, d: e.add_one(d, {"id": 9, "name": 5}),
        lambda e, d: e.add_one(d, 5),
        lambda e, d: e.set_many(d, several({"id": 1, "name": "Z"}, CAT)),
        lambda e, d: e.set_one(d, {"id": 1, "name": 5}),
        lambda e, d: e.set_all(d, several(CAT)),
        lambda e, d: e.update_one(d, 1, {"name": 5}),
        lambda e, d: e.update_one(d, 1, {"name": "Z", 7: 1}),
        lambda e, d: e.update_one(d, 1, {"name": "Z", "other": object()}),
        lambda e, d: e.update_many(d, {1: {"name": "Z"}, 2: 5}),
        lambda e, d: e.update_many(d, {3: {"name": "A"}, 2: {"id": 9}}),
        lambda e, d: e.upsert_many(d, several({"id": 2, "name": "Z"}, CAT)),
        lambda e, d: e.remove_many(d, several(1)),
        lambda e, d: e.remove_many(d, [1, None]),
    ],
)
def test_a_change_of_a_draft_that_raises_leaves_it_as_it_was(use):
    @imd.drafting
    def reduce(draft, is_changed):
        if is_changed:
            by_name.add_one(draft, {**CAT, "id": 3})
            by_name.update_one(draft, 2, {"rank": 7})
        try:
            use(by_name, draft)
        except (imd.Error, TypeError, LookupError):
            return
        pytest.fail("it raises nothing")

    state = by_name.initial_state([EAGLE, BEAR])
    assert reduce(state, False).is_identical(state)
    expected = by_name.initial_state([EAGLE, {**BEAR, "rank": 7}, CAT])
    assert reduce(state, True) == expected
