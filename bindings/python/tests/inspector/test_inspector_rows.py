"""The rows of the list: what was rejected, optimistic updates, and searches."""

import json

from waiting import committed, wait_until

import immutabledata as imd
from immutabledata._inspector import first_true
from immutabledata._inspector.text import to_json


def test_the_list_by_changed_path(browser, program):
    states = [{"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, {"a": [5, {"b": 3}]}, {"a": 0, "z": 0}]
    for n, state in enumerate(states):
        committed(browser, program, {"type": f"a{n}", "payload": "/a/1/b"}, state)

    def types(search):
        return [row["type"] for row in browser.ok("stores/1/commits", search=search)["rows"]]

    assert types("path:/a/1/b") == ["a0", "a1", "a3"]
    assert types("path:/a/0") == ["a0", "a2", "a3"]
    assert types("path:/z") == ["a3"]
    assert types("path:/a/1/bb") == ["a0", "a3"]
    assert types("path:") == ["a0", "a1", "a2", "a3"]
    assert browser.get("stores/1/commits", search="path:a")[0] == 400
    deep = imd.from_json('{"a":' * 1500 + "0" + "}" * 1500)
    committed(browser, program, {"type": "deep"}, {"z": deep})
    assert types("path:/z/a/a") == ["a3", "deep"]


def rejected(program, given, **members):
    """A dispatch is rejected."""
    program.notify("trace", {"store": 1, "line": rejection(given, **members)})


def rejection(given, **members):
    line = {"trace": "rejected", "time": 1764500000003, "code": "reducerFailed", "message": "no"}
    return {**line, "action": given, **members}


def rejected_batch(program, given):
    line = rejection(None, code="limit")
    del line["action"]
    program.notify("trace", {"store": 1, "line": {**line, "actions": given}})


def test_rejected_actions_are_rows(browser, program):
    events = browser.events()
    next(events)
    program.wait_for("attach", 2)
    committed(browser, program, {"type": "a"}, {"n": 1})
    rejected(program, {"type": "b", "payload": 7}, message="ValueError: 7 is wrong")
    rejected_batch(program, [{"type": "c"}, {"type": "d"}])
    committed(browser, program, {"type": "e"}, {"n": 2})
    answer = browser.ok("stores/1/commits")
    assert [(row["commit"], row["type"]) for row in answer["rows"]] == [
        (3, "a"),
        (3, "b"),
        (3, "c"),
        (4, "e"),
    ]
    assert [row.get("rejected") for row in answer["rows"]] == [
        None,
        "reducerFailed: ValueError: 7 is wrong",
        "limit: no",
        None,
    ]
    assert [row["preview"] for row in answer["rows"]] == ["", "7", "a batch of 2 actions", ""]
    assert browser.ok("stores/1/commits", search="is:rejected", type="b")["total"] == 1
    assert browser.ok("stores/1/commits", commit=4, count=2)["row"] == 3
    described = browser.ok("program")["stores"][0]
    assert (described["commits"], described["first"], described["last"]) == (4, 3, 4)
    details = browser.ok("stores/1/commit/3")["rejected"]
    assert [each["action"] for each in details] == [
        {"type": "b", "payload": 7},
        [{"type": "c"}, {"type": "d"}],
    ]
    assert "rejected" not in browser.ok("stores/1/commit/4")
    assert browser.ok("stores/1/state", commit=4)["members"][0]["preview"] == "2"
    _, _, text = browser.page("api/stores/1/export?format=jsonl")
    assert json.loads(text.splitlines()[1])["rejected"] == "reducerFailed: ValueError: 7 is wrong"
    _, _, text = browser.page("api/stores/1/export?format=devtools")
    exported = json.loads(text)
    assert exported["stagedActionIds"] == [0, 1, 2]
    assert len(exported["computedStates"]) == 3
    events.close()


def test_a_rejected_action_is_between_the_commits_of_its_time(browser, program):
    events = browser.events()
    next(events)
    program.wait_for("attach", 2)
    notifications = [
        ("trace", {"store": 1, "line": rejection({"type": kind}, time=1764500000000 + time)})
        for kind, time in (("late", 4), ("later", 9))
    ]
    # As the library sends them together: the lines of the trace first.
    notifications += [
        ("commit", program.stores[1].next({"type": f"a{n}"}, {"n": n})) for n in range(3)
    ]
    lines = [
        to_json({"jsonrpc": "2.0", "method": method, "params": params})
        for method, params in notifications
    ]
    program.send_raw("".join(f"{line}\n" for line in lines).encode())
    committed(browser, program, {"type": "last"}, {"n": 9}, time=1764500000099)
    rows = browser.ok("stores/1/commits")["rows"]
    assert [row["type"] for row in rows] == ["a0", "a1", "late", "a2", "later", "last"]
    events.close()


def test_rejected_texts_that_are_no_actions(browser, program):
    events = browser.events()
    next(events)
    program.wait_for("attach", 2)
    for given in (7, "text", [], [1], {"type": 5}):
        rejected(program, given, code="invalidAction")
    for given in ([], [7]):
        rejected_batch(program, given)
    committed(browser, program, {"type": "a"}, {"n": 1}, time=1764500000099)
    rows = browser.ok("stores/1/commits", search="is:rejected")["rows"]
    assert [row["type"] for row in rows] == [""] * 7
    assert [row["preview"] for row in rows[:2]] == ["7", '"text"']
    assert [row["preview"] for row in rows[5:]] == ["a batch of 0 actions", "a batch of 1 actions"]
    events.close()


def test_a_rejected_action_that_no_commit_follows(browser, program):
    events = browser.events()
    next(events)
    program.wait_for("attach", 2)
    rejected(program, {"type": "b"}, time=1764500000099)
    live = browser.server.source
    wait_until(live, lambda: len(live.records[1].commits) == 1)
    assert browser.ok("stores/1/commits")["rows"][0]["type"] == "b"
    events.close()


def test_rejected_before_all_commits(browser, program):
    events = browser.events()
    next(events)
    program.wait_for("attach", 2)
    rejected(program, {"type": "b"}, time=1)
    committed(browser, program, {"type": "a"}, {"n": 1})
    rows = browser.ok("stores/1/commits")["rows"]
    assert [(row["commit"], row["type"]) for row in rows] == [(2, "b"), (3, "a")]
    assert browser.get("stores/1/commit/2")[0] == 404
    events.close()


def optimistic(**update):
    return {"type": "renamed", "meta": {"optimistic": update}}


def test_what_became_of_optimistic_updates(browser, program):
    def marks():
        rows = browser.ok("stores/1/commits", search="is:optimistic")["rows"]
        return [(row["commit"], row["optimistic"]) for row in rows]

    actions = [optimistic(begin=key) for key in ("1", "2", "2", "3")]
    for action in [*actions, optimistic(succeed="1"), optimistic(fail="2")]:
        committed(browser, program, action, {"n": 1})
    assert marks() == [(3, "confirmed"), (4, "rolled back"), (5, "pending"), (6, "pending")]
    for n in range(1021):
        program.commit({"type": "a"}, {"n": n})
    committed(browser, program, {"type": "a"}, {"n": 0})
    assert marks()[2:] == [(5, "confirmed"), (6, "confirmed")]
    committed(browser, program, optimistic(begin="4"), {"n": 1})
    committed(browser, program, {"type": "@@history/rolledBack"}, {"n": 1})
    assert marks()[-1] == (1031, "rolled back")


def test_the_first_commit_where_an_expression_is_true(browser, program, monkeypatch):
    def first(expression, **more):
        body = {"expression": expression, **more}
        answer = {"next": None}
        for calls in range(1, 100):
            status, answer = browser.post("stores/1/first", body)
            assert status == 200, answer
            if answer["next"] is None:
                return answer["commit"], answer["skipped"], calls
            body["from"] = answer["next"]

    for n in [1, 5, 2, 5]:
        committed(browser, program, {"type": "set"}, {"n": n, "list": [n][n - 5 :]})
    assert first("n > `1`")[:2] == (4, 0)
    assert first("n > `1`", **{"from": 5})[:2] == (5, 0)
    assert first("n == $m", arguments={"m": 2})[:2] == (5, 0)
    assert first("n == `7`")[:2] == (None, 0)
    assert first("list")[:2] == (3, 0)
    assert browser.post("stores/1/first", {"expression": "n["})[0] == 400
    assert browser.post("stores/1/first", {"expression": 1})[0] == 400
    assert browser.post("stores/1/first", {"expression": "n", "from": -1})[0] == 400
    monkeypatch.setattr(first_true, "_SECONDS", 0)
    assert first("n == `2`") == (5, 0, 4)


def test_the_first_commit_beyond_a_gap(browser, program):
    committed(browser, program, {"type": "a"}, {"n": 1})
    program.drop(3, {"type": "b"}, {"n": 2})
    live = browser.server.source
    wait_until(live, lambda: live.records[1].last == 7)
    assert browser.ok("stores/1/state")["members"][0]["preview"] == "2"
    status, answer = browser.post("stores/1/first", {"expression": "n == `2`"})
    assert (status, answer["commit"], answer["next"], answer["skipped"]) == (200, 7, None, 3)


def test_an_expression_that_cannot_be_evaluated_everywhere(browser, program):
    committed(browser, program, {"type": "a"}, {"n": None})
    committed(browser, program, {"type": "a"}, {"n": [7]})
    _, answer = browser.post("stores/1/first", {"expression": "length(n) == `1`"})
    assert (answer["commit"], answer["failed"]) == (4, 2)
    assert answer["problem"].startswith("argument 1 of length() must be")
