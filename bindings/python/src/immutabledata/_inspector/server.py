"""The server of the page: only for a browser of this computer that was given its address."""

from __future__ import annotations

import hmac
import secrets
import sqlite3
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import immutabledata as imd

from .api import Api, Download, Source
from .failures import InspectorError
from .text import to_json

LONGEST_BODY = 1 << 20
"""How many bytes a request may have after its head."""

# How many connections are served at once; further ones are closed.
_MOST_CONNECTIONS = 64
# Seconds between comments of a stream of events, and between events of commits.
_HEARTBEAT, _PAUSE = 15.0, 0.05
# Seconds until the end of the server is noticed.
_POLL = 0.1

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css"}


class InspectorServer:
    """Serves a page that shows a source, at an address that only its user knows."""

    def __init__(self, source: Source, port: int = 0) -> None:
        """Listens on a port; 0 for any. Raises OSError: it is not free."""
        self.token = secrets.token_urlsafe()
        self.api = Api(source)
        self.source = source
        self.pages = page_files()
        self._server = _Server(("127.0.0.1", port), self)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_POLL,), name="imd inspect", daemon=True
        )
        self._traced = 0
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self.token}/"

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Ends all connections, and the source."""
        self.source.close()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def trace(self, change: int) -> None:
        """Begins the trace with the first reader, and ends it with the last."""
        with self._lock:
            before, self._traced = self._traced, self._traced + change
        if not before or not before + change:
            self.source.set_trace(bool(before + change))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = _MOST_CONNECTIONS
    block_on_close = False

    def __init__(self, address: tuple[str, int], inspector: InspectorServer) -> None:
        self.inspector = inspector
        self._slots = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._slots.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Reports a mistake in the inspector; but a browser may end a connection at any time."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _RefusedError(Exception):
    """A request from elsewhere. It learns nothing but a status."""

    def __init__(self, status: int) -> None:
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "imd"
    sys_version = ""
    # The head of an answer and its body are two segments; the second must not wait for the browser.
    disable_nagle_algorithm = True
    # Seconds that a connection may say nothing: until its first request with the token, and then.
    timeout = 5
    known_timeout = 60

    @property
    def _inspector(self) -> InspectorServer:
        server: Any = self.server
        inspector: InspectorServer = server.inspector
        return inspector

    def log_message(self, format: str, *arguments: Any) -> None:
        """Standard error is for people."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the base class finds wrong, such as a malformed line."""
        self.close_connection = True
        self._answer(code, b"", "text/plain")

    def do_GET(self) -> None:
        self._handle(self._get)

    def do_POST(self) -> None:
        self._handle(self._post)

    def _handle(self, answer: Any) -> None:
        try:
            path, query = self._admitted()
            answer(path, query)
        except _RefusedError as refusal:
            self.close_connection = True
            self._answer(refusal.status, b"", "text/plain")
        except InspectorError as error:
            self._fail(error.status, error.code, str(error))
        except sqlite3.ProgrammingError:  # The database was closed.
            self._fail(503, "gone", "the program has ended")
        except imd.LimitError as error:
            self._fail(413, "limit", str(error))
        except imd.Error as error:
            self._fail(400, "invalid", str(error))
        except OSError:
            raise
        except Exception:
            traceback.print_exc()
            self._fail(500, "internal", "the inspector has failed; its terminal shows why")

    # ---- Who may ask -----------------------------------------------------------------------------

    def _admitted(self) -> tuple[list[str], dict[str, str]]:
        """The path below the token, and the query, of a request of the page.

        A page of another site, also one whose name leads to this computer, is refused.
        """
        port = self._inspector.port
        hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site")
        host = self.headers.get_all("Host", [])
        if len(host) != 1 or host[0] not in hosts:
            raise _RefusedError(403)
        if origin is not None and origin != f"http://{host[0]}":
            raise _RefusedError(403)
        if site not in (None, "none", "same-origin") and not self._opens_the_page():
            raise _RefusedError(403)
        parts = urlsplit(self.path)
        _, token, *path = parts.path.split("/")
        if not hmac.compare_digest(token.encode(), self._inspector.token.encode()) or not path:
            raise _RefusedError(404)
        self.connection.settimeout(self.known_timeout)
        query = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=20)
        return [unquote(each) for each in path], dict(query)

    def _opens_the_page(self) -> bool:
        """Whether a link leads a user to the page, such as that which imd opens in a browser."""
        mode, destination = self.headers.get("Sec-Fetch-Mode"), self.headers.get("Sec-Fetch-Dest")
        is_page = urlsplit(self.path).path.count("/") == 2 and self.path.endswith("/")
        return (self.command, mode, destination) == ("GET", "navigate", "document") and is_page

    # ---- Answers ---------------------------------------------------------------------------------

    def _get(self, path: list[str], query: dict[str, str]) -> None:
        if path[0] != "api":
            return self._send_file("/".join(path) or "index.html")
        if path[1:] == ["events"]:
            return self._send_events(query.get("trace") != "0")
        answer = self._inspector.api.get(path[1:], query)
        if isinstance(answer, Download):
            self._send_download(answer)
        else:
            self._send_json(200, answer)

    def _post(self, path: list[str], query: dict[str, str]) -> None:
        body = self._body()
        if path[0] != "api":
            raise _RefusedError(404)
        self._send_json(200, self._inspector.api.post(path[1:], body))

    def _body(self) -> Any:
        """The body of a request: an object."""
        closes = self.close_connection
        self.close_connection = True  # Unless the body is read to its end.
        if self.headers.get_content_type() != "application/json":
            raise InspectorError("invalid", "the body must be application/json", 415)
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            raise InspectorError("invalid", "the length of the body is missing", 411)
        if len(length) > 9 or int(length) > LONGEST_BODY:
            raise InspectorError("limit", "a body has at most 1 MiB", 413)
        body = imd.from_json(self.rfile.read(int(length)))
        self.close_connection = closes
        if not isinstance(body, imd.ObjectValue):
            raise InspectorError("invalid", "the body must be an object")
        return body

    def _send_file(self, name: str) -> None:
        content = self._inspector.pages.get(name)
        if content is None:
            raise _RefusedError(404)
        kind = _TYPES[name.rpartition(".")[2]]
        self._answer(200, content, f"{kind}; charset=utf-8")

    def _send_json(self, status: int, data: Any) -> None:
        self._answer(status, to_json(data).encode(), "application/json")

    def _fail(self, status: int, code: str, message: str) -> None:
        self._send_json(status, {"error": {"code": code, "message": message}})

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self._begin(status, kind, {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def _begin(self, status: int, kind: str, more: dict[str, str]) -> None:
        self.send_response_only(status)
        headers = {"Content-Type": kind, **_HEADERS, **more}
        if self.close_connection:
            headers["Connection"] = "close"
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()

    def _send_download(self, download: Download) -> None:
        """Sends a file in pieces, as nobody knows yet how long it is."""
        disposition = f'attachment; filename="{download.name}"'
        more = {"Content-Disposition": disposition, "Transfer-Encoding": "chunked"}
        self._begin(200, download.type, more)
        for piece in _joined(download.pieces):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    # ---- Events ----------------------------------------------------------------------------------

    def _send_events(self, wants_trace: bool) -> None:
        """Sends what happens until the browser or the server ends the connection."""
        self.close_connection = True
        self._begin(200, "text/event-stream", {})
        inspector = self._inspector
        with inspector.source.events.subscribed(wants_trace) as subscriber, suppress(OSError):
            if wants_trace:
                inspector.trace(1)
            try:
                subscriber.add(connection=True, program=True)
                while True:
                    news = subscriber.wait(_HEARTBEAT)
                    if news is None:
                        return
                    events = list(_events(inspector.api, news)) or [":\n\n"]
                    self.wfile.write("".join(events).encode())
                    subscriber.pause(_PAUSE)
            finally:
                if wants_trace:
                    inspector.trace(-1)


def _events(api: Api, news: Any) -> Iterator[str]:
    if news.connection:
        connected = api.source.describe()["connected"]
        yield _event("connection", {"connected": connected})
    if news.program:
        yield _event("program", api.program())
    for store in news.stores:
        data = api.commits_event(store)
        if data is not None:
            yield _event("commits", data)
    for store, line in news.trace:
        yield _event("trace", {"store": store, "line": line})


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {to_json(data)}\n\n"


def _joined(pieces: Iterator[str]) -> Iterator[bytes]:
    """Texts in pieces of at least 64 KB."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece.encode())
        size += len(waiting[-1])
        if size >= 1 << 16:
            yield b"".join(waiting)
            waiting, size = [], 0
    if size:
        yield b"".join(waiting)


def page_files() -> dict[str, bytes]:
    """The files of the page, by their names."""
    folder = resources.files(__name__.rpartition(".")[0]) / "page"
    if not folder.is_dir():
        return {}
    return {
        each.name: each.read_bytes()
        for each in folder.iterdir()
        if each.name.rpartition(".")[2] in _TYPES
    }
