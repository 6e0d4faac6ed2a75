"""A server for the examples that follow the changes of a server."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class OwlServer(ThreadingHTTPServer):
    """An animals server with one owl. It renames the owl once `rename` is set, and sends the change.

    With `renames_after_fetch`, it sets `rename` itself after the first request.
    """

    daemon_threads = True

    def __init__(self, renames_after_fetch: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.renames_after_fetch = renames_after_fetch
        self.rename = threading.Event()

    def owl(self) -> dict:
        name = "Barn owl" if self.rename.is_set() else "Owl"
        return {"animalId": "Owl", "categoryId": "Bird", "diet": "Carnivore", "name": name}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: OwlServer

    def log_message(self, *arguments: object) -> None:
        pass

    def begin(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"query": [{"animals": {"animals": [self.server.owl()]}}]}).encode()
        self.begin("application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if self.server.renames_after_fetch:
            self.server.rename.set()

    def do_GET(self) -> None:
        self.begin("text/event-stream")
        self.end_headers()
        self.server.rename.wait()
        change = json.dumps({"updateAnimal": {"animal": self.server.owl()}})
        self.wfile.write(f"id: 1\nevent: change\ndata: {change}\n\n".encode())
        self.close_connection = True


@contextmanager
def serve(renames_after_fetch: bool = False) -> Iterator[OwlServer]:
    """Runs an OwlServer during a with statement."""
    with OwlServer(renames_after_fetch) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
