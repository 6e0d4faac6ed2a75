"""The server of a generated feed."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .faults import FAULTS, send
from .feed import RANGES, Feed


class FeedServer:
    """Serves the feeds on a thread of its own. A context manager that stops it.

    Setting fault, even to the same fault, lets the slow responses in progress continue.

    GET /all_hour.geojson, all_day, all_week and all_month answer with a feed. With the name of a
    fault before it, as in /html/all_hour.geojson, the response has this fault.

    POST /control takes a JSON object: "fault", the name of the fault of all responses, or null;
    "changed", "new" and "gone", percentages of the quakes to change before the next feed. It
    answers with the number of quakes in each.
    """

    def __init__(self, feed: Feed, port: int = 0) -> None:
        """Listens on a port of 127.0.0.1; 0 selects a free one. Raises OSError."""
        self.feed = feed
        self.requests: list[str] = []
        """The paths of the requests for feeds so far."""
        self._lock = threading.Lock()
        self._fault: str | None = None
        self._resumed = threading.Event()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def url(self) -> str:
        """The base address of the feeds."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def fault(self) -> str | None:
        """The name of the fault of all responses; None for none."""
        return self._fault

    @fault.setter
    def fault(self, name: str | None) -> None:
        if name is not None and name not in FAULTS:
            raise ValueError(f"unknown fault {name!r}; expected one of: {', '.join(FAULTS)}")
        with self._lock:
            self._fault = name
            self._resume()

    def _resume(self) -> None:
        """Lets the slow responses continue; those of later requests wait again."""
        self._resumed.set()
        self._resumed = threading.Event()

    def close(self) -> None:
        """Stops listening. Later connections to the port are refused."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        with self._lock:
            self._resume()

    def __enter__(self) -> FeedServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answers a request for a feed."""
        *prefix, name = handler.path.strip("/").split("/")
        with self._lock:
            fault, resumed = self._fault, self._resumed
        if prefix:
            fault = prefix[0]
        feed, _, ending = name.partition(".")
        if feed not in RANGES or ending != "geojson" or len(prefix) > 1:
            return handler.send_error(404)
        if fault is not None and fault not in FAULTS:
            return handler.send_error(404)
        with self._lock:
            self.requests.append(handler.path)
            body = self.feed.body(feed)
        if fault is None:
            send(handler, body)
        else:
            FAULTS[fault](handler, body, resumed)

    def control(self, command: dict[str, Any]) -> dict[str, int]:
        """Performs the command of POST /control. Raises ValueError."""
        unknown = command.keys() - {"fault", "changed", "new", "gone"}
        if unknown:
            raise ValueError(f"unknown command {min(unknown)!r}")
        if "fault" in command:
            self.fault = command["fault"]
        kinds = ("changed", "new", "gone")
        with self._lock:
            counts = {kind: round(len(self.feed) * command.get(kind, 0) / 100) for kind in kinds}
            if command.keys() & set(kinds):
                self.feed.change(**counts)
        return counts


class _Handler(BaseHTTPRequestHandler):
    owner: FeedServer

    def do_GET(self) -> None:
        # The client may close the connection, as after its timeout.
        with contextlib.suppress(ConnectionError):
            self.owner.answer(self)

    def do_POST(self) -> None:
        if self.path != "/control":
            return self.send_error(404)
        try:
            length = int(self.headers.get("Content-Length", 0))
            command = json.loads(self.rfile.read(length))
            if not isinstance(command, dict):
                raise ValueError("a command is a JSON object")
            done = self.owner.control(command)
        except (TypeError, ValueError) as error:
            return send(self, json.dumps({"error": str(error)}).encode(), status=400)
        send(self, json.dumps(done).encode())

    def log_message(self, format: str, *arguments: object) -> None:
        """Writes nothing: a terminal application may run in the same terminal."""
