"""A store that asks for effects, for several tests; see the fixture asking."""

import immutabledata as imd


@imd.drafting
def log(draft, action):
    if action["type"] == "refused":
        raise ValueError("no")
    draft.append(action)


def ask_for_payload(action, old, new):
    assert len(new) == len(old) + 1
    return action["payload"] if action["type"] == "ask" else None


def ask(store, *names, **members):
    store.dispatch(
        "ask",
        payload=[
            {"effect": name, "success": "done", "failure": "failed", **members} for name in names
        ],
    )


def outcomes(store):
    return [
        (action["type"], action["payload"])
        for action in store.state.to_python()
        if action["type"] in ("done", "failed")
    ]
