"""The comparison and the filter of an observer."""

import gc
import weakref

import pytest
from reducers import merge

import immutabledata as imd


def is_far(delivered, output):
    return abs(output - delivered) >= 2


def test_small_steps_add_up(app):
    seen = []
    app.observe("a", seen.append, did_change=is_far)
    for a in range(1, 6):
        merge(app, a=a)
    assert seen == [0, 2, 4]


def test_a_filter(app):
    seen, calls = [], []

    def passes(action, old, new):
        calls.append((action["type"], old["a"], new["a"]))
        return action["type"] == "keep"

    app.observe("a", seen.append, filter=passes)
    app.dispatch("skip", payload={"a": 1})
    app.dispatch("keep", payload={"list": []})
    app.dispatch_batch([{"type": "skip", "payload": {"a": 2}}, {"type": "keep"}])
    app.dispatch("skip", payload={"list": [1]})
    assert seen == [0, 1, 2]
    assert calls == [("skip", 0, 1), ("keep", 1, 1), ("skip", 1, 2), ("keep", 2, 2)]


def test_what_a_filter_keeps_outlives_the_store(app):
    kept = []
    app.observe("a", lambda a: None, filter=lambda *values: kept.append(values) or True)
    merge(app, a=1)
    app.close()
    ((action, old, new),) = kept
    assert action == {"type": "merge", "payload": {"a": 1}}
    assert (old["a"], new["a"]) == (0, 1)


def test_a_named_filter():
    animal = {"animalId": "Dog", "name": "Dog", "diet": "Carnivore", "categoryId": "Mammal"}
    with imd.open("animals") as store:
        seen = []
        mammals = {"categoryId": "Mammal"}
        store.observe(
            "selectAnimalsValues", seen.append, filter="filterAnimals", arguments=mammals
        )
        added = "data/persistentSession/didAddAnimal"
        for category in ("Bird", "Mammal"):
            animal = {**animal, "animalId": category, "categoryId": category}
            result = {"success": {"animal": animal}}
            store.dispatch(added, payload={"id": category, "result": result})
        assert [len(animals) for animals in seen] == [0, 1]
        with pytest.raises(imd.InvalidArgumentError) as raised:
            store.observe("selectAnimalsStatus", print, filter="filterAnimal")
        assert str(raised.value) == (
            'options/filter: unknown filter "filterAnimal"; did you mean "filterAnimals"?'
        )
        with pytest.raises(imd.InvalidArgumentError) as raised:
            store.observe("selectAnimalsStatus", print, filter=lambda action, old, new: True)
        assert str(raised.value) == (
            "a filter function needs a store with your own reducer; choose one of the domain with "
            'the option "filter": "filterAnimals", "filterCategories"'
        )


def test_domains_describe_their_filters():
    filters = {domain["name"]: domain.get("filters", []) for domain in imd.domains()}
    names = {name: [each["name"] for each in filters[name]] for name in filters}
    assert names["animals"] == ["filterCategories", "filterAnimals"]
    assert names["quakes"] == ["filterQuakes"]
    assert names["foodtruck"] == ["filterOrders"]
    assert names["counter"] == []


def test_an_exception_goes_to_on_error_and_nothing_is_lost(app):
    seen, errors = [], []

    def compare(delivered, output):
        raise KeyError(output)

    def passes(action, old, new):
        raise ValueError(action["type"])

    app.on_error = lambda error, function: errors.append((type(error), function))
    app.observe("a", seen.append, did_change=compare, filter=passes)
    merge(app, a=1)
    assert seen == [0, 1]
    assert errors == [(ValueError, passes), (KeyError, compare)]


@pytest.mark.parametrize(
    ("label", "role"),
    [(None, 'the comparison of the observer "a"'), ("price", 'the comparison "price"')],
)
def test_the_hook_names_the_comparison(app, unraisable, label, role):
    def compare(delivered, output):
        raise LookupError

    app.observe("a", lambda a: None, did_change=compare, label=label)
    merge(app, a=1)
    ((error, where),) = unraisable
    assert type(error) is LookupError
    assert where.endswith(f" {role} in {app!r}: {compare!r}")


def test_a_dispatch_inside(app):
    seen, errors = [], []
    app.on_error = lambda error, function: errors.append(str(error))

    def dispatch(*values):
        merge(app, a=9)

    app.observe("a", seen.append, did_change=dispatch, filter=dispatch)
    merge(app, a=1)
    assert seen == [0, 1]
    assert app.state["a"] == 1
    assert errors == [
        f"the {kind} of an observer dispatched an action; dispatch in the observer instead"
        for kind in ("filter", "comparison")
    ]


def test_cancel_inside(app):
    seen = []

    def compare(delivered, output):
        observation.cancel()
        return True

    observation = app.observe("a", seen.append, did_change=compare)
    merge(app, a=1)
    assert seen == [0]
    assert observation.cancelled
    assert app.statistics()["observations"] == 0


def test_close_inside(app):
    seen = []
    app.observe("a", seen.append, did_change=lambda old, new: app.close() is None)
    merge(app, a=1)
    assert seen == [0]
    assert app.closed


@pytest.mark.parametrize("option", ["did_change", "filter"])
def test_wrong_functions(app, option):
    expected = {
        "did_change": "did_change must be a function that takes the delivered and the new output",
        "filter": (
            "filter must be a function that takes the action, the old state and the new state"
        ),
    }[option]
    for function in (5, lambda: True):
        with pytest.raises(TypeError, match=expected):
            app.observe("a", print, **{option: function})

    async def compare(*values):
        return True

    with pytest.raises(TypeError, match="must not be an async function; use a plain function"):
        app.observe("a", print, **{option: compare})
    app.observe("a", print, **{option: None}).cancel()


def test_a_filter_name_for_an_own_reducer(app):
    with pytest.raises(imd.InvalidArgumentError, match="pass a filter function instead"):
        app.observe("a", print, filter="filterAnimals")


def test_a_cancelled_observation_releases_its_functions(app):
    class Comparison:
        def __call__(self, *values):
            return True

    compare, passes = Comparison(), Comparison()
    references = weakref.ref(compare), weakref.ref(passes)
    observation = app.observe("a", lambda a: None, did_change=compare, filter=passes)
    del compare, passes
    gc.collect()
    assert None not in (references[0](), references[1]())
    observation.cancel()
    gc.collect()
    assert (references[0](), references[1]()) == (None, None)
