"""Rules: functions that ask for effects after actions."""

import pytest
from effects import ask

import immutabledata as imd


def test_an_async_rule(asking):
    async def rule(action, old, new):
        return []

    advice = "only the function of an effect can be async: see set_effect"
    with pytest.raises(TypeError) as caught:
        asking.set_rule(rule)
    assert str(caught.value) == f"a rule must not be an async function; {advice}"
    errors = []
    asking.on_error = lambda error, callback: errors.append((str(error), callback))
    hidden = asking.set_rule(lambda action, old, new: rule(action, None, None))
    asking.dispatch("a")
    asking.settle(10)
    assert errors == [(f"the rule returned a coroutine; {advice}", hidden)]


@pytest.mark.parametrize("returned", [True, 0, 1.5])
def test_a_rule_that_returns_a_scalar(asking, returned):
    errors = []
    asking.on_error = lambda error, callback: errors.append(str(error))
    asking.set_rule(lambda action, old, new: returned)
    asking.dispatch("a")
    asking.settle(10)
    assert [error.partition(" such as")[0] for error in errors] == [
        "a rule returns an array of effects"
    ]


def test_meta_reaches_the_reducer(asking):
    asking.set_effect("timer", lambda arguments: None)
    ask(asking, "timer", success={"type": "done", "meta": {"id": 7}})
    asking.settle(10)
    assert asking.state[1] == {"type": "done", "payload": None, "meta": {"id": 7}}


def test_a_rule_that_dispatches(asking):
    errors = []
    asking.on_error = lambda error, callback: errors.append((type(error), callback))

    @asking.set_rule
    def rule(action, old, new):
        asking.dispatch("another")

    asking.dispatch("a")
    asking.settle(10)
    assert errors == [(imd.ReentrantError, rule)]
    assert len(asking.state) == 1


def test_a_rule_sees_each_action_of_a_batch():
    seen = []
    with imd.Store(lambda state, action: state + 1, state=0) as store:
        store.set_rule(lambda action, old, new: seen.append((action["type"], old, new)))
        store.dispatch_batch(["a", "b"])
        store.set_rule(None)
        store.dispatch("c")
    assert seen == [("a", 0, 1), ("b", 1, 2)]
