"""Compares the exchange of logs with Redux DevTools with Redux itself, in Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import immutabledata as imd

REDUX = Path("/usr/share/nodejs/redux/dist/redux.js")  # Debian's node-redux

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not REDUX.exists(), reason="needs nodejs and node-redux"
)

# Reduces actions in Redux, and writes what its DevTools export.
SCRIPT = """
const { createStore } = require(process.argv[1]);
const actions = JSON.parse(process.argv[2]);

function reducer(state = { items: {}, count: 0 }, action) {
  switch (action.type) {
    case 'items/set': {
      const { id, value } = action.payload;
      return { ...state, items: { ...state.items, [id]: value } };
    }
    case 'items/removed': {
      const { [action.payload]: removed, ...items } = state.items;
      return { ...state, items };
    }
    case 'counted': return { ...state, count: state.count + action.payload };
    default: return state;
  }
}

const store = createStore(reducer);
const lifted = { actionsById: {}, computedStates: [], skippedActionIds: [], stagedActionIds: [] };
function add(action, timestamp) {
  const id = lifted.computedStates.length;
  lifted.actionsById[id] = { type: 'PERFORM_ACTION', action, timestamp };
  lifted.stagedActionIds.push(id);
  lifted.computedStates.push({ state: store.getState() });
}
add({ type: '@@INIT' }, 0);
actions.forEach((action, index) => { store.dispatch(action); add(action, 1000 + index); });
lifted.currentStateIndex = actions.length;
lifted.nextActionId = actions.length + 1;
console.log(JSON.stringify(lifted));
"""

ACTIONS = [
    {"type": "items/set", "payload": {"id": "a", "value": 1.5}},
    {"type": "items/set", "payload": {"id": "ä", "value": ["x", None]}},
    {"type": "counted", "payload": 2},
    {"type": "items/removed", "payload": "a"},
    {"type": "unknown", "meta": {"by": "test"}},
    {"type": "counted", "payload": -0.5},
]


def reduce(state, action):
    payload = action["payload"] if "payload" in action else None
    if action["type"] == "items/set":
        return state.set(f"/items/{payload['id']}", payload["value"])
    if action["type"] == "items/removed":
        return state.remove(f"/items/{payload}")
    if action["type"] == "counted":
        return state.set("/count", state["count"] + payload)
    return state


def in_redux(actions):
    command = ["node", "-e", SCRIPT, str(REDUX), json.dumps(actions)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def test_what_redux_exports_is_imported(tmp_path):
    exported = in_redux(ACTIONS)
    path = tmp_path / "redux.imd"
    imd.log.import_(path, json.dumps(exported), reduce)
    with imd.Store(reduce, state={}, log=path) as store:
        assert store.state.to_python() == exported["computedStates"][-1]["state"]
    assert json.loads(imd.log.export(path, reduce)) == exported


def test_what_is_exported_is_what_redux_computes(tmp_path):
    path = tmp_path / "own.imd"
    with imd.Store(reduce, state={"items": {}, "count": 0}, log=path) as store:
        for action in ACTIONS:
            store.dispatch(action)
    exported = json.loads(imd.log.export(path, reduce))
    assert exported["computedStates"] == in_redux(ACTIONS)["computedStates"]
