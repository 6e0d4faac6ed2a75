"""The trace of a store."""

import json
import os
import subprocess
import sys
import threading

import pytest

import immutabledata as imd


def reducer(state, action):
    if action["type"] == "refused":
        raise ValueError(f"the pin {action['payload']['pin']} is wrong")
    return state.set("/user", action["payload"])


def shown(line):
    """A line without the members that differ from run to run."""
    return {
        name: content
        for name, content in line.items()
        if name not in {"microseconds", "store", "time"}
    }


@pytest.fixture
def lines():
    return []


def test_a_function_gets_each_line(lines):
    with imd.Store(reducer, state={}) as store:
        store.set_trace(lambda line: lines.append(shown(line)))
        store.dispatch("named", {"name": "Ada"})
        assert store.query("user.name") == "Ada"
        with pytest.raises(ValueError):
            store.dispatch("refused", {"pin": 1234})
        store.set_trace(None)
        store.dispatch("named", {"name": "Bob"})
    assert lines == [
        {
            "trace": "action",
            "number": 1,
            "action": {"type": "named", "payload": {"name": "Ada"}},
            "changes": [{"op": "add", "path": "/user", "value": {"name": "Ada"}}],
        },
        {"trace": "selector", "expression": "user.name", "changed": True},
        {
            "trace": "rejected",
            "action": {"type": "refused", "payload": {"pin": 1234}},
            "code": "reducerFailed",
            "message": "ValueError: the pin 1234 is wrong",
        },
    ]


def test_a_file_gets_json_lines_without_what_is_redacted(tmp_path):
    path = tmp_path / "trace"
    options = {"show": ("changes",), "file": path, "redact": iter(["/payload/pin", "/user/pin"])}
    with imd.Store(reducer, state={}, trace=options) as store:
        store.dispatch("named", {"name": "Ada", "pin": 1234})
        with pytest.raises(ValueError):
            store.dispatch("refused", {"pin": 1234})
    assert "1234" not in path.read_text()
    action, rejected = map(json.loads, path.read_text().splitlines())
    assert action["action"]["payload"] == {"name": "Ada", "pin": "[redacted]"}
    assert action["changes"][0]["value"] == {"name": "Ada", "pin": "[redacted]"}
    assert rejected["message"] == "[redacted]"


def test_a_function_may_read_the_store_but_not_dispatch(lines):
    with imd.open("counter") as store:

        def trace(line):
            lines.append(store.select("selectValue"))
            store.dispatch("didTapIncrementButton")

        store.set_trace(trace)
        errors = []
        store.on_error = lambda error, callback: errors.append((type(error), callback))
        store.dispatch("didTapIncrementButton")
        assert store.select("selectValue") == 1
    assert lines[0] == 1
    assert set(errors) == {(imd.ReentrantError, trace)}


def test_threads(lines):
    with imd.open("counter", trace={"show": ["actions"], "file": None}) as store:
        store.set_trace(lines.append)
        threads = [
            threading.Thread(
                target=lambda: [store.dispatch("didTapIncrementButton") for _ in range(100)]
            )
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [line["number"] for line in lines] == list(range(1, 201))


@pytest.mark.parametrize(
    ("trace", "error", "message"),
    [
        ("actions", TypeError, "trace must be an iterable of str, not str"),
        (1, TypeError, "trace must be an iterable of str, not int"),
        (
            ["action"],
            imd.InvalidArgumentError,
            'options/trace/0: invalid value "action"; did you mean "actions"?',
        ),
        (
            {"file": "/none/trace"},
            imd.StorageError,
            'the trace "/none/trace" cannot be opened: No such file or directory',
        ),
    ],
)
def test_a_wrong_option(trace, error, message):
    for make in (
        lambda: imd.open("counter", trace=trace),
        lambda: imd.Store(reducer, state={}, trace=trace),
    ):
        with pytest.raises(error) as caught:
            make()
        assert str(caught.value) == message


def test_a_wrong_function():
    with imd.open("counter") as store, pytest.raises(TypeError) as caught:
        store.set_trace(lambda: None)
    assert "a function that takes a dict, or None" in str(caught.value)


def test_the_environment():
    program = """
import immutabledata as imd
with imd.open("counter") as store:
    store.dispatch("didTapIncrementButton")
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(sys.path), "IMMUTABLEDATA_TRACE": "changes"}
        | {name: value for name, value in os.environ.items() if name.startswith("IMMUTABLEDATA")},
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = done.stderr.splitlines()
    assert first.startswith("[counter 1] #1 didTapIncrementButton ")
    assert second == "    = /value 1"
