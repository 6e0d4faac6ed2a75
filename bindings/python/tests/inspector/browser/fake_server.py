"""A small server of the inspector's page for its tests and for working on the page.

Run it to look at the page: `python3 fake_server.py [COMMITS]` prints its address.
"""

import json
import queue
import secrets
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from generated_program import BEGIN, HostileStore, Store, kind, preview, resolve

from immutabledata._inspector.overview import LIMITS, groups

PAGE = Path(__file__).parents[3] / "src" / "immutabledata" / "_inspector" / "page"
MEDIA_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
ITEM = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "size", "urgent"],
    "properties": {
        "name": {"type": "string", "description": "What it is called.", "minLength": 1},
        "size": {"enum": ["small", "large"]},
        "urgent": {"type": "boolean"},
        "price": {"type": "number"},
        "owner": {"$ref": "#/$defs/Owner"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}
DESCRIPTION = {
    "actions": [
        {"type": "items/added", "summary": "Adds an item.", "payload": ITEM},
        {"type": "items/cleared", "summary": "Removes all items."},
        {"type": "count/set", "payload": {"type": "integer", "minimum": 0}},
    ],
    "$defs": {
        "Owner": {
            "type": "object",
            "required": ["login"],
            "properties": {"login": {"type": "string"}, "age": {"type": ["integer", "null"]}},
        }
    },
    "selectors": [
        {
            "name": "expensive",
            "arguments": {"type": "object", "required": ["least"], "properties": {"least": {}}},
            "expression": "items[?price > $least]",
            "incremental": True,
            "runs": {"count": 1_200, "changed": 7, "microseconds": 6_000, "longest": 90},
            "calls": {"count": 7, "changed": 0, "microseconds": 21_000, "longest": 4_000},
        },
        {
            "name": "sorted",
            "arguments": {"type": "object", "properties": {}},
            "expression": "sort_by(items, &name)",
            "incremental": False,
            "because": "sort_by reads all elements",
        },
        {"name": "total", "arguments": {}, "inputs": ["expensive"], "each": "items"},
    ],
}
STATISTICS = {
    "selects": 41_200,
    "evaluations": 3_300,
    "observations": 12,
    "visits": 88_000,
    "deliveries": 52_000,
    "overruns": 0,
    "optimisticUpdates": 3,
    "effects": 310,
    "effectsInFlight": 12,
    "failedEffects": 2,
    "incremental": {"expressions": 4, "bytes": 1_310_720, "evaluations": 900, "elements": 12_000},
    "log": {"entries": 5_000, "bytes": 9_437_184, "unsyncedBytes": 0, "problem": None},
    "process": {"values": 120_000, "bytes": 64_000_000},
}


class Refused(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.answer = {"error": {"code": code, "message": message}}
        self.status = status


class FakeServer(ThreadingHTTPServer):
    """Serves the page and the API. `hold` makes requests wait until `release`."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, commits=500):
        super().__init__(("127.0.0.1", 0), Handler)
        self.token = secrets.token_urlsafe(16)
        self.connected = True
        hostile = HostileStore(2, "hostile", 40, control=False, history=False)
        self.stores = {1: Store(1, "board", commits), 2: hostile}
        self.requests = []
        self.listeners = []
        self.lock = threading.Lock()
        self.held, self.gate = None, threading.Event()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"

    def handle_error(self, request, client_address):
        """A browser may leave before its answer."""

    def start(self):
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def stop(self):
        self.release()
        self.send(None, None)
        self.shutdown()
        self.server_close()

    def hold(self, part):
        """Lets requests whose path contains `part` wait."""
        self.gate.clear()
        self.held = part

    def release(self):
        self.held = None
        self.gate.set()

    def send(self, event, data):
        with self.lock:
            for listener in self.listeners:
                listener.put((event, data))

    def program(self):
        stores = [store.describe_store() for store in self.stores.values()]
        return {
            "program": "todo-service",
            "process": 4711,
            "library": "0.1.0",
            "connected": self.connected,
            "source": "live",
            "stores": stores,
            "memory": {"server": 88_000_000, "database": 12_000_000},
            "limits": LIMITS,
        }

    def connect(self, connected):
        self.connected = connected
        self.send("connection", {"connected": connected})
        self.send("program", self.program())

    def commit(self, number, action=None):
        """Adds a commit to a store, and tells the page."""
        store = self.stores[number]
        store.commits += 1
        if action is not None:
            store.dispatched[store.commits] = action
        last = store.commits
        self.send("commits", {"store": number, "total": last, "first": 1, "last": last})
        return store.commits


class Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True
    server: FakeServer

    def log_message(self, format, *arguments):
        pass

    def do_GET(self):
        self.answer(self.get)

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        self.answer(lambda path, _: self.post(path, body))

    def answer(self, handle):
        url = urlsplit(self.path)
        prefix = f"/{self.server.token}/"
        if not url.path.startswith(prefix):
            return self.reply(404, b"", "text/plain")
        path = url.path[len(prefix) :]
        if not path.startswith("api/"):
            return self.file(path or "index.html")
        path = path[4:]
        self.server.requests.append(self.path)
        if path == "events":
            return self.events(url.query)
        held = self.server.held
        if held and held in path:
            self.server.gate.wait(30)
        status = 200
        try:
            answer = handle(path, dict(parse_qsl(url.query, keep_blank_values=True)))
        except Refused as refused:
            status, answer = refused.status, refused.answer
        except (AttributeError, KeyError, IndexError, ValueError):
            status, answer = 404, {"error": {"code": "notFound", "message": "no such value"}}
        if isinstance(answer, bytes):
            return self.reply(200, answer, "application/jsonl", download="actions.jsonl")
        return self.reply(status, json.dumps(answer).encode(), "application/json")

    def reply(self, status, body, media_type, download=None):
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        if download:
            self.send_header("Content-Disposition", f'attachment; filename="{download}"')
        self.end_headers()
        self.wfile.write(body)

    def file(self, name):
        path = PAGE / name
        if "/" in name or path.suffix not in MEDIA_TYPES or not path.is_file():
            return self.reply(404, b"", "text/plain")
        return self.reply(200, path.read_bytes(), MEDIA_TYPES[path.suffix] + "; charset=utf-8")

    def events(self, query):
        listener = queue.Queue()
        wants_trace = query != "trace=0"
        with self.server.lock:
            listener.put(("program", self.server.program()))
            self.server.listeners.append(listener)
        self.send_response(200)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            self.wfile.write(b": open\n\n")
            while True:
                event, data = listener.get()
                if event is None:
                    break
                if event == "trace" and not wants_trace:
                    continue
                self.wfile.write(f"event: {event}\ndata: {json.dumps(data)}\n\n".encode())
        except OSError:
            pass
        finally:
            with self.server.lock:
                self.server.listeners.remove(listener)

    def get(self, path, query):
        if path == "program":
            return self.server.program()
        _, number, what, *rest = path.split("/")
        store = self.server.stores[int(number)]
        return getattr(self, "get_" + what)(store, query, *rest)

    def get_commits(self, store, query):
        matching = store.matching(query)
        count, found = int(query["count"]), {}
        if count > 500:
            raise Refused(400, "limit", "count is at most 500")
        if "commit" in query:
            row = self.row_of(matching, int(query["commit"]))
            found = {"row": row, "from": row - row % count}
        begin = found.get("from", int(query.get("from", 0)))
        rows = range(max(0, begin), min(len(matching), begin + count))
        shown = [store.row(row, matching[row]) for row in rows]
        return {"total": len(matching), "rows": shown, **found}

    def row_of(self, matching, wanted):
        low, high = 0, len(matching)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if matching[middle] < wanted else (low, middle)
        return max(0, min(low, len(matching) - 1))

    def get_commit(self, store, query, number):
        commit = int(number)
        row = store.row(0, commit)
        members = ("commit", "time", "microseconds", "writer")
        action = {"action": store.action(commit), "patch": store.patch(commit)}
        return {**{name: row[name] for name in members}, **action, **store.commit_members}

    def get_state(self, store, query):
        commit = int(query["commit"]) if query["commit"] != "latest" else store.commits
        path, begin, count = query["path"], int(query["from"]), int(query["count"])
        value = resolve(store.state(commit), path)
        touched = [operation["path"] + "/" for operation in store.patch(commit)]
        answer = {"commit": commit, "path": path, "kind": kind(value), "preview": preview(value)}
        if answer["kind"] not in ("object", "array"):
            return answer
        keys = list(value) if isinstance(value, dict) else range(len(value))
        members = []
        for key in keys[begin : begin + count]:
            inner = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}/"
            member = value[key]
            changed = any(t.startswith(inner) or inner.startswith(t) for t in touched)
            described = {"key": key, "kind": kind(member), "preview": preview(member)}
            if described["kind"] in ("object", "array"):
                described["count"] = len(member)
            members.append({**described, "changed": changed})
        return {**answer, "count": len(value), "members": members}

    def get_value(self, store, query):
        value = resolve(store.state(int(query["commit"])), query["path"])
        if kind(value) == "array":
            value = list(value)
        if isinstance(value, dict) and "records" in value:
            raise Refused(413, "limit", "the value has more than 4 MiB of text")
        return {"commit": int(query["commit"]), "value": value}

    def get_compare(self, store, query):
        before, after = store.state(int(query["from"])), store.state(int(query["to"]))
        patch = [{"op": "replace", "path": "/count", "value": after["count"]}]
        for index, (old, new) in enumerate(zip(before["items"], after["items"])):
            if old != new:
                path = f"/items/{index}/name"
                patch.append({"op": "replace", "path": path, "value": new["name"]})
        return {"patch": patch, "truncated": False}

    def get_blame(self, store, query):
        last, commits = int(query["before"]), []
        for commit in range(last, max(0, last - 100), -1):
            touching = [o for o in store.patch(commit) if o["path"].startswith(query["path"])]
            if touching and len(commits) < 20:
                row = store.row(0, commit)
                entry = {name: row[name] for name in ("commit", "time", "type")}
                commits.append({**entry, "operations": touching})
        return {"commits": commits}

    def get_describe(self, store, query):
        return DESCRIPTION

    def get_statistics(self, store, query):
        return groups(STATISTICS)

    def get_history(self, store, query):
        entries = [
            {
                "number": number,
                "time": BEGIN + number * 37,
                "type": store.type(number),
                "actions": 1,
            }
            for number in range(max(1, store.commits - 10), store.commits + 1)
        ]
        present = entries[-1]["number"] if entries else 0
        return {"present": present, "undo": len(entries), "redo": 0, "entries": entries}

    def get_export(self, store, query):
        lines = [json.dumps(store.action(commit)) for commit in range(1, 11)]
        return "\n".join(lines).encode()

    def post(self, path, body):
        _, number, what = path.split("/")
        store = self.server.stores[int(number)]
        if what == "select":
            return self.select(store, body)
        if what == "first":
            return self.first(store, body)
        if not store.describe_store()["control"]:
            raise Refused(403, "notControlled", "the program does not allow it to be controlled")
        if what == "dispatch":
            action = body["action"]
            if action.get("type") == "fail":
                raise Refused(409, "reducerFailed", "ValueError: the price of 'milk' is missing")
            return {"commit": self.server.commit(store.number, action)}
        if what == "travel":
            self.server.commit(store.number, {"type": "@@history/traveled", "payload": {"number": body["step"]}})
            return {}
        named = {"undo": "undone", "redo": "redone"}[what]
        step = {"number": store.commits - 1}
        self.server.commit(store.number, {"type": f"@@history/{named}", "payload": step})
        return {"steps": 1}

    def first(self, store, body):
        """Where the count is what the expression says; looks at 100 states at once."""
        begin = body.get("from") or 0
        if body["expression"] == "items[":
            raise Refused(400, "invalidSelector", "the expression ends after '['")
        wanted = int(body["expression"])
        if begin <= wanted < min(begin + 100, store.commits + 1):
            return {"commit": wanted, "next": None, "skipped": 0, "failed": 0, "problem": None}
        following = begin + 100 if begin + 100 <= store.commits else None
        lost = {"skipped": 1, "failed": 2, "problem": "no number"} if begin == 0 else {}
        return {"commit": None, "next": following, "skipped": 0, "failed": 0, "problem": None, **lost}

    def select(self, store, body):
        state = store.state(store.commits)
        expression = body.get("expression") or body["selector"]
        if expression == "items[":
            raise Refused(400, "invalidSelector", "the expression ends after '['")
        if expression == "expensive":
            least = body.get("arguments", {}).get("least", 0)
            value = [item for item in state["items"] if item["price"] > least]
        else:
            value = state.get(expression)
        return {"commit": store.commits, "value": value}


if __name__ == "__main__":
    with FakeServer(int(sys.argv[1]) if len(sys.argv) > 1 else 500) as server:
        print(server.address, flush=True)
        server.serve_forever()
