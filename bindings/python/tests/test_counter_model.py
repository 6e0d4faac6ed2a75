"""Random calls of a counter, compared with an integer."""

from hypothesis import given
from hypothesis import strategies as st
from json_data import json_values

import immutabledata as imd

STEPS = {"didTapIncrementButton": 1, "didTapDecrementButton": -1}

action = st.sampled_from(sorted(STEPS))
refused = st.just("didTapNothing")
call = st.one_of(
    action,
    st.lists(action, max_size=5),
    st.tuples(st.lists(action, max_size=3), refused, st.lists(action, max_size=3)),
)


@given(start=st.integers(-(2**62), 2**62), calls=st.lists(call, max_size=30))
def test_a_counter_behaves_like_an_integer(start, calls):
    with imd.open("counter", state={"value": start}) as store:
        value = start
        for call in calls:
            if isinstance(call, str):
                store.dispatch(call)
                value += STEPS[call]
            elif isinstance(call, list):
                store.dispatch_batch(call)
                value += sum(STEPS[action] for action in call)
            else:
                before, wrong, after = call
                try:
                    store.dispatch_batch([*before, wrong, *after])
                except imd.InvalidActionError:
                    pass
                else:
                    raise AssertionError("a batch with an unknown action was accepted")
            assert store.select("selectValue") == value


@given(meta=json_values)
def test_meta_may_be_any_json(meta):
    with imd.open("counter") as store:
        store.dispatch("didTapIncrementButton", meta=meta)
        assert store.select("selectValue") == 1
