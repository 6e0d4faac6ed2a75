"""States after commits: keyframes, gaps, and what is removed; compared with all states kept."""

import random

import pytest

import immutabledata as imd
from immutabledata._inspector import states as states_module
from immutabledata._inspector.failures import UnknownStateError
from immutabledata._inspector.states import States


class Model:
    """Keeps all states of commits, and has their patches for States."""

    def __init__(self, state, most=128):
        self.states = {0: imd.value(state)}
        self.patches = {}
        self.known = States(self.read, most)
        self.known.anchor(0, self.states[0])

    def read(self, after, to):
        numbers = (each for each in sorted(self.patches) if after < each <= to)
        return ((each, self.patches[each]) for each in numbers)

    @property
    def last(self):
        return max(self.states)

    def commit(self, state, is_known=True):
        before, number = self.states[self.last], self.last + 1
        self.states[number] = state
        patch = imd.value(before.diff(state)).to_json() if is_known else None
        self.patches[number] = patch
        self.known.add(number, patch)

    def change(self, rng):
        state = self.states[self.last]
        kind = rng.randrange(4)
        if kind == 0:
            return state.set(("records", f"k{rng.randrange(50)}"), {"n": rng.randrange(9)})
        if kind == 1:
            return state.insert(f"/list/{rng.randrange(len(state['list']) + 1)}", rng.random())
        if kind == 2 and len(state["list"]):
            return state.remove(f"/list/{rng.randrange(len(state['list']))}")
        return state.set("/n", rng.randrange(3))

    def check(self, number):
        assert self.known.at(number).has_same_json(self.states[number])


@pytest.fixture
def model():
    return Model({"records": {}, "list": [], "n": 0})


@pytest.mark.parametrize("most", [4, 128])
def test_any_state_is_that_which_was(most):
    rng = random.Random(most)
    model = Model({"records": {}, "list": [], "n": 0}, most)
    for count in range(3000):
        model.commit(model.change(rng))
        if count % 50 == 0:
            model.check(rng.randrange(model.last + 1))
    for _ in range(100):
        model.check(rng.randrange(model.last + 1))
    assert 2 <= model.known.keyframes <= most
    number, newest = model.known.newest()
    assert number == 3000
    assert newest.has_same_json(model.states[3000])


def test_a_gap_ends_the_states_until_one_is_read(model):
    for n in range(10):
        model.commit(model.states[n].set("/n", n))
    model.known.end()
    model.states[11] = model.states[10]  # It was dropped.
    model.commit(model.states[11].set("/n", 12))
    assert model.known.is_broken
    model.check(10)
    with pytest.raises(UnknownStateError, match="after commit 12 is not known"):
        model.known.at(12)
    with pytest.raises(UnknownStateError):
        model.known.newest()
    model.known.anchor(13, model.states[12])
    model.states[13] = model.states[12]
    model.commit(model.states[13].set("/n", 99))
    for number in (14, 13, 5):
        model.check(number)
    with pytest.raises(UnknownStateError):
        model.known.at(12)


def test_a_commit_without_a_patch_is_a_gap(model):
    model.commit(model.states[0].set("/n", 1))
    model.commit(model.states[1].set("/n", 2), is_known=False)
    assert model.known.is_broken
    model.commit(model.states[2].set("/n", 3))
    model.check(1)
    for number in (2, 3):
        with pytest.raises(UnknownStateError):
            model.known.at(number)


def test_commits_that_a_state_has_are_ignored(model):
    model.known.anchor(2, model.states[0].set("/n", 2))
    model.states[2] = model.states[0].set("/n", 2)
    model.known.add(1, '[{"op":"replace","path":"/n","value":1}]')
    model.known.add(2, '[{"op":"replace","path":"/n","value":2}]')
    model.commit(model.states[2].insert("/list/0", 1))
    model.check(3)
    model.check(2)


def test_a_wrong_patch_is_a_gap(model):
    model.commit(model.states[0].set("/n", 1))
    model.known.add(2, '[{"op":"remove","path":"/none"}]')
    model.patches[2] = '[{"op":"remove","path":"/none"}]'
    with pytest.raises(UnknownStateError):
        model.known.newest()
    assert model.known.is_broken
    model.check(1)
    with pytest.raises(UnknownStateError):
        model.known.at(2)


def test_states_of_one_scalar():
    patches = {
        1: '[{"op":"replace","path":"","value":5}]',
        2: '[{"op":"replace","path":"","value":{}}]',
        3: '[{"op":"add","path":"/a","value":[]}]',
    }
    known = States(lambda after, to: [(each, patches[each]) for each in range(after + 1, to + 1)])
    known.anchor(0, None)
    for number, patch in patches.items():
        known.add(number, patch)
    assert [known.at(number) for number in range(4)] == [None, 5, {}, {"a": []}]


def test_more_than_one_budget_of_work(model, monkeypatch):
    for n in range(300):
        model.commit(model.states[n].set(("records", f"k{n}"), n))
    monkeypatch.setattr(imd.limits, "work", 600)
    model.check(255)
    model.check(254)


def test_forgotten_states(model):
    for n in range(1000):
        model.commit(model.states[n].set("/n", n))
    model.known.forget_before(700)
    for number in list(model.patches):
        if number <= 700:
            del model.patches[number]
    for number in (700, 701, 900, 1000):
        model.check(number)
    with pytest.raises(UnknownStateError):
        model.known.at(699)


def test_large_patches_are_thinned_out(monkeypatch):
    monkeypatch.setattr(states_module, "MOST_BYTES", 1 << 20)
    monkeypatch.setattr(states_module, "_DISTANCE_IN_BYTES", 1 << 16)
    model = Model({"text": ""})
    for n in range(200):
        model.commit(model.states[n].set("/text", f"{n} {'a' * 40_000}"))
    assert model.known.keyframes < 60
    for number in (0, 1, 77, 150, 200):
        model.check(number)
