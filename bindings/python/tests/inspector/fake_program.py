"""A program that can be inspected: it speaks the protocol of docs/inspector-protocol.md.

Its stores have a list of commits. What a test needs, such as dropped commits, it does when told to.
"""

import json
import os
import socket
import threading
from contextlib import suppress

import immutabledata as imd
from immutabledata._inspector.text import to_json


class FakeStore:
    """A store whose state a test sets, commit by commit."""

    def __init__(self, number=1, state=None, reducer=None, **description):
        self.number = number
        self.state = imd.value({} if state is None else state)
        self.reducer = reducer
        self.last = 0
        self.commits = []
        self.description = {
            "store": number,
            "name": f"store {number}",
            "domain": None,
            "control": reducer is not None,
            "history": False,
            "log": None,
            "readOnly": False,
            "patches": True,
            **description,
        }

    def next(self, action, state, **members):
        """The notification of a commit that leads to a state."""
        before, self.state = self.state, imd.value(state)
        self.last += 1
        commit = {
            "action": action,
            "commit": self.last,
            "microseconds": 1.5,
            "store": self.number,
            "time": 1764500000000 + self.last,
            **members,
        }
        if self.description["patches"] and "problem" not in members:
            commit["patch"] = [{"op": "replace", "path": "", "value": self.state}]
            if isinstance(before, imd.Value) and isinstance(self.state, imd.Value):
                with suppress(imd.LimitError):  # It nests too deep for Python.
                    commit["patch"] = before.diff(self.state)
        self.commits.append(commit)
        return commit


class FakeProgram:
    """Listens on a socket, and answers each connection on a thread."""

    def __init__(self, path, *stores, program="board", process=None, protocol=1):
        self.path = str(path)
        self.stores = {store.number: store for store in stores or (FakeStore(),)}
        self.program = program
        self.process = process or os.getpid()
        self.protocol = protocol
        self.selectors = []
        self.requests = []
        """The methods and params that were asked for."""
        self.lock = threading.RLock()
        self.connections = []
        self.heard = threading.Condition(self.lock)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(16)
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self, unlink=True):
        """Ends as a program does that exits, or one that was killed."""
        if self.listener.fileno() < 0:
            return  # It has ended.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()
        with self.lock:
            connections = list(self.connections)
        for connection in connections:
            connection.close()
        if unlink:
            os.unlink(self.path)

    def commit(self, action, state, store=1, **members):
        """Commits, and notifies those who are attached."""
        with self.lock:
            self.notify("commit", self.stores[store].next(action, state, **members))

    def drop(self, count, action, state, store=1):
        """Makes commits of which no one hears, and then one of which all do."""
        with self.lock:
            for _ in range(count):
                self.stores[store].next({"type": "dropped"}, state)
            self.notify("dropped", {"store": store, "commits": count})
            self.commit(action, state, store)

    def open(self, store):
        with self.lock:
            self.stores[store.number] = store
            self.notify("opened", store.description)

    def notify(self, method, params):
        number = params["store"]
        with self.lock:
            for connection in self.connections:
                if method in ("opened", "closed") or number in connection.attached:
                    if method != "trace" or connection.attached[number]:
                        connection.send({"method": method, "params": params})

    def send_raw(self, line):
        """Sends anything to all."""
        with self.lock:
            for connection in self.connections:
                connection.send_bytes(line)

    def wait_for(self, method, count=1, seconds=30):
        """Waits until something was asked for some times."""
        with self.heard:
            assert self.heard.wait_for(
                lambda: [name for name, _ in self.requests].count(method) >= count, seconds
            )

    def wait_for_nobody(self, seconds=30):
        """Waits until all connections have ended."""
        with self.heard:
            assert self.heard.wait_for(lambda: not self.connections, seconds)

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.connections.append(_Connection(self, client))


class RefusedError(Exception):
    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.error = {"code": code, "message": message, **({"data": data} if data else {})}


class _Connection:
    def __init__(self, program, client):
        self.program = program
        self.client = client
        self.attached = {}
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def close(self):
        try:
            self.client.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.thread.join()

    def send(self, message):
        text = to_json({"jsonrpc": "2.0", **message})  # A Value may nest too deep to be inside one.
        self.send_bytes(text.encode() + b"\n")

    def send_bytes(self, line):
        try:
            self.client.sendall(line)
        except OSError:
            pass

    def _serve(self):
        with self.client, self.client.makefile("rb") as lines:
            try:
                for line in lines:
                    self._answer(json.loads(line))
            except OSError:
                pass
        with self.program.lock:
            self.program.connections.remove(self)
            self.program.heard.notify_all()

    def _answer(self, request):
        program = self.program
        with program.lock:
            try:
                method, params = request["method"], request["params"]
                answer = {"result": getattr(self, f"_{method}")(params)}
            except RefusedError as refusal:
                answer = {"error": refusal.error}
            program.requests.append((method, params))
            self.send({"id": request["id"], **answer})
            program.heard.notify_all()

    def _store(self, params, control=False):
        store = self.program.stores.get(params["store"])
        if store is None:
            raise RefusedError(-32001, "there is no such store")
        if control and not store.description["control"]:
            raise RefusedError(-32002, "the program does not allow it to be controlled")
        return store

    def _stores(self, params):
        program = self.program
        return {
            "protocol": program.protocol,
            "library": "0.1.0",
            "program": program.program,
            "process": program.process,
            "stores": [store.description for store in program.stores.values()],
        }

    def _attach(self, params):
        store = self._store(params)
        self.attached[store.number] = params.get("trace", False)
        return {"commit": store.last}

    def _detach(self, params):
        del self.attached[self._store(params).number]
        return {}

    def _state(self, params):
        store = self._store(params)
        path = params.get("path", "")
        try:
            return {"commit": store.last, "value": store.state.at(path) if path else store.state}
        except imd.Error as error:
            raise RefusedError(-32000, str(error), {"code": "notFound"}) from None

    def _select(self, params):
        store = self._store(params)
        with imd.Store(lambda state, action: state, store.state) as evaluated:
            try:
                output = evaluated.query(params["expression"])
            except imd.Error as error:
                raise RefusedError(-32000, str(error), {"code": "invalidSelector"}) from None
        return {"commit": store.last, "value": output}

    def _describe(self, params):
        self._store(params)
        return {"selectors": self.program.selectors, "actions": [{"type": "set"}]}

    def _statistics(self, params):
        self._store(params)
        return {"observations": 2, "process": {"stores": 1}}

    def _history(self, params):
        self._store(params)
        return {"steps": []}

    def _dispatch(self, params):
        store = self._store(params, control=True)
        try:
            state = store.reducer(store.state, params["action"])
        except Exception as error:
            raise RefusedError(-32000, str(error), {"code": "reducerFailed"}) from None
        self.program.commit(params["action"], state, store.number)
        return {"commit": store.last}

    def _undo(self, params):
        self._store(params, control=True)
        return {"steps": params.get("steps", 1)}

    _redo = _undo

    def _travel(self, params):
        self._store(params, control=True)
        return {}
