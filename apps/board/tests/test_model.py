"""Random actions, beside a simple model of the board."""

import immutabledata as imd
from conftest import columns_of
from hypothesis import given, settings
from hypothesis import strategies as st

from immutabledata_board import reduce

IDS = st.sampled_from(["a", "b", "c", "d"])
COLUMNS = st.sampled_from(["todo", "doing", "done", "x"])
BEFORE = st.none() | IDS

ACTIONS = st.one_of(
    st.tuples(st.sampled_from(["added", "moved"]), IDS, COLUMNS, BEFORE),
    st.tuples(st.just("removed"), IDS),
    st.tuples(st.just("columnAdded"), COLUMNS, st.none() | COLUMNS),
    st.tuples(st.just("columnRemoved"), COLUMNS),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
)


class Model:
    """Lists of cards by column. It does what a reducer does, in plain Python."""

    def __init__(self):
        self.columns = {"todo": [], "doing": [], "done": []}

    def perform(self, name, id, *arguments):
        """Returns whether the action is accepted. If not, the columns may have changed."""
        return getattr(self, name)(id, *arguments)

    def added(self, id, column, before):
        if any(id in cards for cards in self.columns.values()):
            return False
        return self.place(id, column, before)

    def moved(self, id, column, before):
        return self.removed(id) and self.place(id, column, before)

    def place(self, id, column, before):
        cards = self.columns.get(column)
        if cards is None or (before is not None and before not in cards):
            return False
        cards.insert(len(cards) if before is None else cards.index(before), id)
        return True

    def removed(self, id):
        for cards in self.columns.values():
            if id in cards:
                cards.remove(id)
                return True
        return False

    def columnAdded(self, id, before):
        ids = list(self.columns)
        if id in ids or (before is not None and before not in ids):
            return False
        ids.insert(len(ids) if before is None else ids.index(before), id)
        self.columns = {each: self.columns.get(each, []) for each in ids}
        return True

    def columnRemoved(self, id):
        if self.columns.get(id) != [] or len(self.columns) == 1:
            return False
        del self.columns[id]
        return True


def payload(name, id, *arguments):
    members = {
        "added": ("column", "before"),
        "moved": ("column", "before"),
        "columnAdded": ("before",),
    }
    return {"id": id, "title": id, **dict(zip(members.get(name, ()), arguments))}


@settings(max_examples=200, deadline=None)
@given(st.lists(ACTIONS, max_size=30))
def test_no_card_is_lost_or_doubled(actions):
    with imd.Store(reduce, history=True) as store:
        past, future, columns = [], [], Model().columns
        for name, *arguments in actions:
            if name in ("undo", "redo"):
                source, target = (past, future) if name == "undo" else (future, past)
                assert getattr(store, name)() == (1 if source else 0)
                if source:
                    target.append(columns)
                    columns = source.pop()
            else:
                model = Model()
                model.columns = {id: list(cards) for id, cards in columns.items()}
                accepted = model.perform(name, *arguments)
                try:
                    store.dispatch(f"board/{name}", payload(name, *arguments))
                except imd.ReducerFailedError:
                    assert not accepted
                else:
                    assert accepted
                    if list(model.columns.items()) != list(columns.items()):
                        past.append(columns)
                        future.clear()
                        columns = model.columns
            assert list(columns_of(store).items()) == list(columns.items())
            cards = [card for cards in columns_of(store).values() for card in cards]
            assert sorted(cards) == sorted(store.state["cards"])
