"""The HTTP server: who may ask, what the page asks, and values that mean harm."""

import json
import socket
import threading

import pytest
from browser_client import Browser
from waiting import committed, wait_until

import immutabledata as imd
from immutabledata._inspector import server as server_module
from immutabledata._inspector.server import InspectorServer, page_files


# ---- Who may ask ---------------------------------------------------------------------------------


def test_the_page_and_its_headers(browser):
    for name, kind in (("", "html"), ("main.js", "javascript"), ("style.css", "css")):
        status, headers, body = browser.page(name)
        assert (status, headers["Content-Type"]) == (200, f"text/{kind}; charset=utf-8")
        assert body == browser.server.pages[name or "index.html"]
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert "'unsafe-inline'" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Access-Control-Allow-Origin"] is None
    assert "Python" not in str(headers)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/{token}",
        "/{token}x/",
        "/x{token}/api/program",
        "//",
        "/{token}/none.js",
        "/{token}/../server.py",
        "/{token}/%2e%2e/server.py",
        "/{token}//etc/passwd",
        "/favicon.ico",
    ],
)
def test_any_other_path_is_empty(browser, path):
    status, _, body = browser.send("GET", path.format(token=browser.server.token))
    assert (status, body) == (404, b"")
    body = b"{}"
    if "api" not in path:
        path = path.format(token=browser.server.token)
        assert browser.send("POST", path, body)[::2] == (404, b"")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},
        {"Host": "127.0.0.1"},
        {"Host": None},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_other_sites_get_nothing(browser, program, headers):
    port = browser.server.port
    given = {name: text and text.format(port=port) for name, text in headers.items()}
    for method, path in (("GET", "api/program"), ("GET", ""), ("POST", "api/stores/1/undo")):
        body = b"{}" if method == "POST" else None
        answer = browser.send(method, f"/{browser.server.token}/{path}", body, **given)
        assert (answer[0], answer[2]) == (403, b"")
    assert "undo" not in [method for method, _ in program.requests]


def test_the_page_may_be_called_localhost(browser):
    host = f"localhost:{browser.server.port}"
    path = f"/{browser.server.token}/api/program"
    headers = {"Host": host, "Origin": f"http://{host}", "Sec_Fetch_Site": "same-origin"}
    assert browser.send("GET", path, **headers)[0] == 200
    assert browser.send("GET", path, Host=browser.host, Origin=f"http://{host}")[0] == 403


def test_a_link_of_another_site_opens_only_the_page(browser):
    headers = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    page = f"/{browser.server.token}/"
    assert browser.send("GET", page, **headers, Sec_Fetch_Dest="document")[0] == 200
    for path in ("api/program", "main.js", "?", "api/"):
        answer = browser.send("GET", page + path, **headers, Sec_Fetch_Dest="document")
        assert answer[::2] == (403, b"")
    for destination in ("iframe", "object", "empty"):
        assert browser.send("GET", page, **headers, Sec_Fetch_Dest=destination)[0] == 403
    headers["Sec_Fetch_Mode"] = "no-cors"
    assert browser.send("GET", page, **headers, Sec_Fetch_Dest="document")[0] == 403


def test_each_server_has_another_token(browser, live):
    other = InspectorServer(live)
    assert other.token != browser.server.token
    assert len(other.token) >= 40
    other._server.server_close()


@pytest.mark.parametrize(
    ("body", "headers", "status", "message"),
    [
        (b"{}", {"Content_Type": "text/plain"}, 415, "application/json"),
        (b"{}", {"Content_Type": "application/x-www-form-urlencoded"}, 415, "application/json"),
        (b"{}", {"Content_Length": str((1 << 20) + 1)}, 413, "at most 1 MiB"),
        (b"{}", {"Content_Length": "9" * 30}, 413, "at most 1 MiB"),
        (b"{}", {"Content_Length": "-1"}, 411, "length"),
        (b"[]", {}, 400, "must be an object"),
        (b"nonsense", {}, 400, "is not JSON"),
        (b"[" * 5000, {}, 413, "nest"),
    ],
)
def test_wrong_bodies(browser, body, headers, status, message):
    answer = browser.send("POST", f"/{browser.server.token}/api/stores/1/undo", body, **headers)
    assert answer[0] == status
    assert message in json.loads(answer[2])["error"]["message"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "nonsense"])
def test_other_methods(browser, method):
    status, headers, body = browser.send(method, f"/{browser.server.token}/api/program")
    assert (status, body) == (501, b"")
    assert headers["Access-Control-Allow-Methods"] is None


def test_malformed_requests(browser):
    for request in (b"nonsense\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", browser.server.port)) as client:
            client.sendall(request)
            assert browser.server.token.encode() not in client.recv(10_000)
    assert browser.ok("program")["connected"]


def test_too_many_connections_are_closed(browser, monkeypatch):
    clients = [socket.create_connection(("127.0.0.1", browser.server.port)) for _ in range(64)]
    request = f"GET /{browser.server.token}/api/program HTTP/1.1\r\nHost: {browser.host}\r\n\r\n"
    for client in clients:
        client.sendall(request.encode())
        assert client.recv(100).startswith(b"HTTP/1.1 200")
    with socket.create_connection(("127.0.0.1", browser.server.port)) as client:
        client.settimeout(30)
        assert client.recv(100) == b""
    for client in clients:
        client.close()


# ---- What the page asks --------------------------------------------------------------------------


def test_the_program(browser):
    answer = browser.ok("program")
    assert (answer["program"], answer["connected"], answer["source"]) == ("board", True, "live")
    (store,) = answer["stores"]
    assert (store["name"], store["control"], store["patches"]) == ("store 1", True, True)
    assert (store["commits"], store["first"], store["last"]) == (0, 2, 2)
    assert answer["memory"]["server"] > 1 << 20
    assert answer["memory"]["database"] > 0


def test_the_list_of_commits(browser, program):
    for n in range(30):
        kind = "todos/added" if n % 3 == 0 else "todos/removed"
        committed(browser, program, {"type": kind, "payload": {"n": n}}, {"n": n})
    answer = browser.ok("stores/1/commits", **{"from": 10, "count": 5})
    assert answer["total"] == 30
    assert [row["commit"] for row in answer["rows"]] == [13, 14, 15, 16, 17]
    assert answer["rows"][0] == {
        "row": 10,
        "commit": 13,
        "time": 1764500000013,
        "type": "todos/removed",
        "preview": '{"n":10}',
        "microseconds": 1.5,
        "changes": 1,
    }
    added = browser.ok("stores/1/commits", type="todos/a*")
    assert [row["commit"] for row in added["rows"]] == list(range(3, 33, 3))
    assert [row["row"] for row in added["rows"]] == list(range(10))
    found = browser.ok("stores/1/commits", search='"N":1', type="*removed")
    assert [row["commit"] for row in found["rows"]] == [4, 13, 14, 16, 17, 19, 20, 22]
    assert browser.ok("stores/1/commits", search="%")["total"] == 0
    assert browser.ok("stores/1/commits", search="'; DROP TABLE commits_0; --")["total"] == 0

    def page_of(commit, **filters):
        found = browser.ok("stores/1/commits", commit=commit, count=3, **filters)
        return found["row"], found["from"], [row["commit"] for row in found["rows"]]

    assert page_of(15) == (12, 12, [15, 16, 17])
    assert page_of(15, type="*added") == (4, 3, [12, 15, 18])
    assert page_of(16, type="*added") == (5, 3, [12, 15, 18])
    assert page_of(15, type="nothing") == (0, 0, [])
    assert browser.ok("stores/1/commits", commit=15, count=0)["rows"] == []
    committed(browser, program, {"type": "todos/added"}, {"n": 99})
    assert browser.ok("stores/1/commits", type="todos/a*")["total"] == 11


def test_the_list_within_bounds(browser, program):
    for n in range(6):
        members = {"writer": 1 + n % 2, "microseconds": 10.5 * n}
        number = committed(browser, program, {"type": f"a{n}"}, {"n": n}, **members)

    def types(**bounds):
        return [row["type"] for row in browser.ok("stores/1/commits", **bounds)["rows"]]

    last = 1764500000000 + number
    assert types(after=last - 1) == ["a4", "a5"]
    assert types(before=last - 4) == ["a0", "a1"]
    assert types(after=last - 3, before=last - 2) == ["a2", "a3"]
    assert types(writer=2) == ["a1", "a3", "a5"]
    assert types(slower=42) == ["a4", "a5"]
    assert types(slower=20, writer=1, type="a[0-2]") == ["a2"]
    assert browser.get("stores/1/commits", writer="x")[0] == 400


def test_a_commit(browser, program):
    number = committed(browser, program, {"type": "set", "payload": [1]}, {"items": []}, writer=2)
    answer = browser.ok(f"stores/1/commit/{number}")
    assert answer["action"] == {"type": "set", "payload": [1]}
    assert answer["writer"] == 2
    assert answer["patch"] == [
        {"op": "remove", "path": "/deep", "old": '{"n":2}'},
        {"op": "remove", "path": "/items/0", "old": '"a"'},
    ]
    number = committed(browser, program, {"type": "set"}, {}, problem="too much")
    answer = browser.ok(f"stores/1/commit/{number}")
    assert (answer["patch"], answer["problem"]) == (None, "too much")


def test_a_large_patch_is_cut(browser, program):
    number = committed(browser, program, {"type": "long"}, {"text": "x" * 100_000, "short": 1})
    answer = browser.ok(f"stores/1/commit/{number}")
    shown = {each["path"]: each for each in answer["patch"]}
    assert shown["/short"]["value"] == 1
    assert len(shown["/text"]["preview"]) == 120
    assert "value" not in shown["/text"]
    many = {f"k{n}": n for n in range(2000)}
    number = committed(browser, program, {"type": "many"}, {**program.stores[1].state, **many})
    answer = browser.ok(f"stores/1/commit/{number}")
    assert (len(answer["patch"]), answer["patchTruncated"]) == (1000, True)


def test_levels_of_a_state(browser, program):
    state = {"items": ["a", "b"], "deep": {"n": {"m": 1}}, "text": "é", "a/b": None, "no": False}
    first = committed(browser, program, {"type": "set"}, state)
    second = committed(browser, program, {"type": "set"}, {**state, "deep": {"n": {"m": 2}}})
    answer = browser.ok("stores/1/state")
    assert (answer["commit"], answer["kind"], answer["count"]) == (second, "object", 5)
    members = {each["key"]: each for each in answer["members"]}
    assert members["deep"] == {
        "key": "deep",
        "kind": "object",
        "count": 1,
        "preview": '{"n":{"m":2}}',
        "changed": True,
    }
    assert members["text"] == {"key": "text", "kind": "string", "preview": '"é"', "changed": False}
    assert (members["a/b"]["kind"], members["no"]["kind"]) == ("null", "boolean")
    assert browser.ok("stores/1/state", path="/deep/n")["members"][0]["changed"]
    assert browser.ok("stores/1/state", path="/deep/n/m", commit=first)["preview"] == "1"
    assert browser.ok("stores/1/state", path="/a~1b")["kind"] == "null"
    items = browser.ok("stores/1/state", path="/items", **{"from": 1, "count": 5})
    assert items["members"] == [
        {"key": 1, "kind": "string", "preview": '"b"', "changed": False},
    ]
    assert browser.ok("stores/1/value", path="/deep")["value"] == {"n": {"m": 2}}
    assert browser.ok("stores/1/value", path="/deep", commit=first)["value"] == {"n": {"m": 1}}


def test_comparisons_and_blame(browser, program):
    numbers = [
        committed(browser, program, {"type": f"a{n}"}, {"list": [{"n": n, "m": n // 2}]})
        for n in range(5)
    ]
    first, *_, last = numbers
    answer = browser.ok("stores/1/compare", **{"from": first, "to": last})
    assert answer["patch"] == [
        {"op": "replace", "path": "/list/0/m", "value": 2},
        {"op": "replace", "path": "/list/0/n", "value": 4},
    ]
    assert not answer["truncated"]
    assert browser.ok("stores/1/compare", **{"from": last, "to": last})["patch"] == []
    found = browser.ok("stores/1/blame", path="/list/0/m")["commits"]
    assert [each["type"] for each in found] == ["a4", "a2", "a0"]
    assert found[0]["operations"] == [{"op": "replace", "path": "/list/0/m", "value": 2}]
    found = browser.ok("stores/1/blame", path="/list/0/m", before=numbers[3], count=1)["commits"]
    assert [each["type"] for each in found] == ["a2"]
    assert browser.ok("stores/1/blame", path="")["commits"][0]["type"] == "a4"
    assert browser.ok("stores/1/blame", path="/list/0/none")["commits"][0]["type"] == "a0"


def test_what_the_program_answers(browser, program):
    assert browser.ok("stores/1/describe")["actions"] == [{"type": "set"}]
    assert browser.ok("stores/1/statistics") == [
        {"title": "Observers", "facts": [{"label": "observations", "value": 2}]},
        {"title": "Memory of the program", "facts": [{"label": "stores", "value": 1}]},
    ]
    assert browser.ok("stores/1/history", count=5) == {"steps": []}
    assert program.requests[-1] == ("history", {"store": 1, "count": 5})
    answer = browser.post("stores/1/select", {"expression": "length(items)"})
    assert answer == (200, {"commit": 2, "value": 1})
    status, answer = browser.post("stores/1/select", {"expression": "["})
    assert (status, answer["error"]["code"]) == (409, "invalidSelector")


def test_control(browser, program):
    action = {"type": "set", "payload": ["/deep/n", 7]}
    assert browser.post("stores/1/dispatch", {"action": action}) == (200, {"commit": 3})
    assert program.stores[1].state["deep"]["n"] == 7
    status, answer = browser.post("stores/1/dispatch", {"action": {"type": "no"}})
    assert (status, answer["error"]["code"]) == (409, "reducerFailed")
    assert browser.post("stores/1/undo", {"steps": 2}) == (200, {"steps": 2})
    assert browser.post("stores/1/redo", {}) == (200, {"steps": 1})
    assert browser.post("stores/1/travel", {"step": 3}) == (200, {})
    assert program.requests[-1] == ("travel", {"store": 1, "step": 3})
    program.stores[1].description["control"] = False
    status, answer = browser.post("stores/1/dispatch", {"action": action})
    assert (status, answer["error"]["code"]) == (403, "notControlled")


@pytest.mark.parametrize(
    ("path", "query", "status", "code"),
    [
        ("none", {}, 404, "notFound"),
        ("stores/9/commits", {}, 404, "notFound"),
        ("stores/x/commits", {}, 400, "invalid"),
        ("stores/1/none", {}, 404, "notFound"),
        ("stores/1/commit/999", {}, 404, "notFound"),
        ("stores/1/commit/-1", {}, 400, "invalid"),
        ("stores/1/commits", {"from": "9" * 30}, 400, "invalid"),
        ("stores/1/commits", {"count": "x"}, 400, "invalid"),
        ("stores/1/state", {"commit": "999"}, 404, "unknownState"),
        ("stores/1/state", {"path": "x"}, 400, "invalid"),
        ("stores/1/state", {"path": "/none"}, 404, "notFound"),
        ("stores/1/state", {"path": "/items/x"}, 400, "invalid"),
        ("stores/1/blame", {"path": "x"}, 400, "invalid"),
        ("stores/1/export", {"format": "xml"}, 400, "invalid"),
        ("stores/1/dispatch", {}, 404, "notFound"),
    ],
)
def test_wrong_questions(browser, path, query, status, code):
    answer = browser.get(path, **query)
    assert (answer[0], answer[1]["error"]["code"]) == (status, code)
    assert answer[1]["error"]["message"]


def test_a_mistake_in_the_inspector_is_reported(browser, monkeypatch, capfd):
    def fails(*arguments):
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(browser.server.api, "program", fails)
    status, answer = browser.get("program")
    assert (status, answer["error"]["code"]) == (500, "internal")
    assert browser.ok("stores/1/describe")
    assert "ZeroDivisionError: a mistake" in capfd.readouterr().err


def test_the_program_has_ended(browser, program):
    number = committed(browser, program, {"type": "set"}, {"n": 1})
    program.close()
    live = browser.server.source
    wait_until(live, lambda: not live.describe()["connected"])
    status, answer = browser.get("stores/1/describe")
    assert (status, answer["error"]["code"]) == (503, "gone")
    assert browser.ok("stores/1/value", commit=number)["value"] == {"n": 1}
    assert not browser.ok("program")["connected"]


def test_exports(browser, program):
    for n in range(600):
        committed(browser, program, {"type": "set", "payload": n}, {"n": n})
    status, headers, body = browser.page("api/stores/1/export?format=jsonl")
    assert status == 200
    assert headers["Content-Disposition"] == 'attachment; filename="store-1.jsonl"'
    lines = [json.loads(line) for line in body.splitlines()]
    assert len(lines) == 600
    assert lines[7]["action"] == {"type": "set", "payload": 7}
    assert lines[7]["patch"] == [{"op": "replace", "path": "/n", "value": 7}]
    exported = json.loads(browser.page("api/stores/1/export?format=devtools")[2])
    assert [each["state"] for each in exported["computedStates"][1:]] == [
        {"n": n} for n in range(600)
    ]
    assert exported["computedStates"][0]["state"] == {"items": ["a"], "deep": {"n": 2}}
    assert exported["actionsById"]["3"]["action"] == {"type": "set", "payload": 2}
    assert len(exported["stagedActionIds"]) == 601
    assert exported["currentStateIndex"] == 600


def test_states_too_large_for_the_devtools(browser, program, monkeypatch):
    monkeypatch.setattr("immutabledata._inspector.exports._LONGEST_STATES", 1000)
    committed(browser, program, {"type": "set"}, {"text": "x" * 2000})
    status, answer = browser.get("stores/1/export", format="devtools")
    assert (status, answer["error"]["code"]) == (413, "limit")


# ---- Events --------------------------------------------------------------------------------------


def test_events(browser, program):
    events = browser.events()
    assert next(events) == ("connection", {"connected": True})
    name, data = next(events)
    assert (name, data["stores"][0]["last"]) == ("program", 2)
    program.commit({"type": "set"}, {"n": 1})
    assert next(events) == ("commits", {"store": 1, "total": 1, "first": 3, "last": 3})
    program.notify("trace", {"store": 1, "line": {"trace": "selector", "name": "a\nb"}})
    assert next(events) == ("trace", {"store": 1, "line": {"trace": "selector", "name": "a\nb"}})
    program.close()
    assert next(events) == ("connection", {"connected": False})
    assert next(events)[0] == "program"
    events.close()


def test_how_often_selectors_ran(browser, program):
    events = browser.events()
    assert [next(events)[0], next(events)[0]] == ["connection", "program"]
    program.wait_for("attach", 2)
    for time, changed in ((2.5, True), (0.5, False)):
        line = {"trace": "selector", "name": "open", "microseconds": time, "changed": changed}
        program.notify("trace", {"store": 1, "line": line})
        assert next(events)[0] == "trace"
    for kind in ("effect", "observer"):
        line = {"trace": kind, "name": "open", "microseconds": 40}
        program.notify("trace", {"store": 1, "line": line})
        assert next(events)[0] == "trace"
    program.selectors = [{"name": "open"}, {"name": "closed"}]
    answer = browser.ok("stores/1/describe")
    runs = {"count": 2, "changed": 1, "microseconds": 3, "longest": 2.5}
    calls = {"count": 1, "changed": 0, "microseconds": 40, "longest": 40}
    shown = {"name": "open", "runs": runs, "calls": calls}
    assert answer["selectors"] == [shown, {"name": "closed"}]
    events.close()


def test_trace_costs_nothing_without_a_reader(browser, program):
    attached = [params for method, params in program.requests if method == "attach"]
    assert attached == [{"store": 1, "trace": False}]
    events = browser.events("?trace=0")
    next(events)
    assert not browser.server.source.events.trace_is_wanted
    events.close()


def test_many_commits_are_few_events(browser, program):
    events = browser.events()
    next(events), next(events)
    for n in range(5000):
        program.commit({"type": "set"}, {"n": n})
    seen = [next(events)]
    while seen[-1][1].get("total") != 5000:
        seen.append(next(events))
    assert len(seen) < 500
    events.close()


def test_closing_ends_streams_of_events(live, monkeypatch):
    monkeypatch.setattr(server_module, "page_files", dict)
    server = InspectorServer(live)
    server.start()
    events = Browser(server).events()
    next(events)
    names = []
    thread = threading.Thread(target=lambda: names.extend(name for name, _ in events))
    thread.start()
    server.close()
    thread.join(30)
    assert not thread.is_alive()


# ---- Values that mean harm -----------------------------------------------------------------------


def test_hostile_values(browser, program):
    script = "</script><script>alert(1)</script>"
    deep = imd.from_json("[" * 2040 + "]" * 2040)
    state = {script: script, "\u202e\x1b[31m": "\x00\ud7ff\u2028", "deep": deep}
    state["long"] = "x" * 3_000_000
    number = committed(browser, program, {"type": script, "payload": script}, state)
    row = browser.ok("stores/1/commits")["rows"][0]
    assert (row["type"], row["preview"]) == (script, json.dumps(script))
    answer = browser.ok("stores/1/state")
    members = {each["key"]: each for each in answer["members"]}
    assert members[script]["preview"] == json.dumps(script)
    assert len(members["long"]["preview"]) <= 120
    assert members["deep"]["preview"] == "[" * 119 + "…"
    assert browser.ok("stores/1/value", path="/long")["value"] == "x" * 3_000_000
    path = "/deep" + "/0" * 2000
    assert browser.ok("stores/1/state", path=path)["kind"] == "array"
    _, _, body = browser.page("api/stores/1/value?path=/deep")
    assert body.count(b"[") == 2040
    _, headers, body = browser.page(f"api/stores/1/commit/{number}")
    assert headers["Content-Type"] == "application/json"
    assert b"\x1b" not in body
    assert b"\xe2\x80\xa8" not in body


def test_a_value_that_is_too_large(browser, program):
    committed(browser, program, {"type": "set"}, {"a": ["x" * 1_500_000] * 3, "b": 1})
    status, answer = browser.get("stores/1/value", path="/a")
    assert (status, answer["error"]["code"]) == (413, "limit")
    assert browser.ok("stores/1/value", path="/a/1")["value"] == "x" * 1_500_000
    assert len(browser.ok("stores/1/state", path="/a")["members"]) == 3


def test_the_files_of_the_page():
    files = page_files()
    if not files:
        pytest.skip("the page is not in this package")
    assert b'<script type="module" src="main.js">' in files["index.html"]
    for name, content in files.items():
        assert b"http://" not in content.replace(b"http://www.w3.org/", b""), name


# ---- Past states ---------------------------------------------------------------------------------


def test_expressions_about_past_states(browser, program):
    numbers = [committed(browser, program, {"type": "set"}, {"n": n, "list": [n]}) for n in range(5)]

    def evaluated(**body):
        return browser.post("stores/1/select", body)

    for n, number in enumerate(numbers):
        answer = {"commit": number, "value": n}
        assert evaluated(expression="n", commit=number) == (200, answer)
    assert evaluated(expression="list[0]", commit=numbers[2]) == (
        200,
        {"commit": numbers[2], "value": 2},
    )
    arguments = {"x": 3}
    answer = evaluated(expression="[n, $x]", arguments=arguments, commit=numbers[1])
    assert answer == (200, {"commit": numbers[1], "value": [1, 3]})
    assert evaluated(expression="n ==", commit=numbers[1])[0] == 400
    assert evaluated(expression="n", commit=999)[0] == 404
    assert evaluated(expression="n", arguments=[1], commit=numbers[1])[0] == 400
    assert program.requests[-1][0] != "select"


def test_what_a_commit_replaced(browser, program):
    committed(browser, program, {"type": "set"}, {"list": [1, {"a": "b"}, 3], "n": 1})
    number = committed(browser, program, {"type": "set"}, {"list": [1], "n": 2, "new": 5})
    patch = browser.ok(f"stores/1/commit/{number}")["patch"]
    old = {(each["op"], each["path"], each.get("old")) for each in patch}
    assert old == {
        ("remove", "/list/1", '{"a":"b"}'),
        ("remove", "/list/1", "3"),
        ("replace", "/n", "1"),
        ("add", "/new", None),
    }
