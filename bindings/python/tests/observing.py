"""What the tests of observation share; their store is the fixture app."""


def reduce(state, action):
    """Merges payloads into the state."""
    if action["type"] == "fail":
        raise LookupError("refused")
    return state.merge(action["payload"]) if "payload" in action else state


def merge(store, **members):
    store.dispatch("merge", payload=members)
