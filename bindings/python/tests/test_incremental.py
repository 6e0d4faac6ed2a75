"""Expressions over collections, evaluated after each of many changes, compared with jmespath."""

import random

import jmespath_peer
import pytest
from jmespath_peer import PeerError
from json_data import canonical

import immutabledata as imd

EXPRESSIONS = [
    "sum(recs.*.a)",
    "avg(recs.*.a)",
    "length(recs.* | [?a > `3`])",
    "max_by(recs.*, &a).b",
    "min(nums)",
    "sort_by(recs.*, &a)[-5:].[a, b]",
    "sort_by(recs.* | [?a], &b) | reverse(@)[:4]",
    "keys(recs) | [:3]",
    "map(&a, values(recs)) | [?@ == `2`]",
    "recs.*.tags[] | sort(@)[:6]",
    "nums[?@ > `5`] | {n: length(@), top: max(@), sum: sum(@)}",
    "recs.* | [?a == `7`].b",
    "nums[3:] | [2]",
]


def record(chance):
    """Rarely one that makes sums and sorts fail."""
    a = "text" if chance.random() < 0.001 else chance.choice([1, 2, 3, 0.5, 1e16, -1e16, 7])
    tags = chance.choices("pqr", k=chance.randint(0, 2))
    record = {"a": a, "b": chance.choice("xyz"), "tags": tags}
    if chance.random() < 0.1:
        del record["a"]
    return record


def change(state, chance):
    recs, nums = state["recs"], state["nums"]
    for _ in range(chance.randint(1, 3)):
        key, index = f"k{chance.randint(0, 900)}", chance.randrange(len(nums))
        recs[key] = record(chance)
        if chance.random() < 0.3:
            del recs[chance.choice(sorted(recs))]
        nums[index] = chance.randint(0, 9)
        if chance.random() < 0.3:
            nums.insert(index, nums.pop())


def mine(store, expression):
    try:
        return store.query_json(expression)
    except imd.InvalidSelectorError:
        return "failed"


def peers(state, expression):
    try:
        return canonical(jmespath_peer.search(expression, state))
    except PeerError:
        return "failed"


@pytest.mark.parametrize("seed", range(2))
def test_changes(seed):
    chance = random.Random(seed)
    recs = {f"k{number}": record(chance) for number in range(600)}
    state = {"recs": recs, "nums": [chance.randint(0, 9) for _ in range(600)]}

    def reduce(draft, action):
        change(draft, random.Random(action["payload"]))

    with imd.Store(imd.drafting(reduce), state=state) as store:
        for number in range(60):
            change(state, random.Random(number))
            store.dispatch("change", payload=number)
            for expression in EXPRESSIONS:
                assert mine(store, expression) == peers(state, expression), expression
        assert store.statistics()["incremental"]["evaluations"] > 200
