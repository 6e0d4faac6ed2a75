"""Reducers that several tests share; see the fixtures app and counter."""


def reduce(state, action):
    """Merges the payload into the state."""
    if action["type"] == "fail":
        raise LookupError("refused")
    return state.merge(action["payload"]) if "payload" in action else state


def merge(store, **members):
    store.dispatch("merge", payload=members)


def count(state, action):
    if action["type"] == "add":
        return state.set("/n", state["n"] + action["payload"])
    return state
