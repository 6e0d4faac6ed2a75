"""examples/animals_curl.c follows a server: what it shows changes when the server tells so."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Callable

SOURCE = Path(__file__).parents[2] / "examples/animals_curl.c"


def owl(name: str) -> dict:
    return {"animalId": "Owl", "categoryId": "Bird", "diet": "Carnivore", "name": name}


class Handler(BaseHTTPRequestHandler):
    """Has an owl that gets another name once it was fetched, and sends that change.

    A client that fetches again, because it connected after its first fetch, gets the new name.
    """

    protocol_version = "HTTP/1.1"
    was_fetched = threading.Event()

    def log_message(self, *arguments: object) -> None:
        pass

    def begin(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        name = "Barn owl" if self.was_fetched.is_set() else "Owl"
        body = json.dumps({"query": [{"animals": {"animals": [owl(name)]}}]}).encode()
        self.begin("application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.was_fetched.set()

    def do_GET(self) -> None:
        self.begin("text/event-stream")
        self.end_headers()
        self.was_fetched.wait()
        change = json.dumps({"updateAnimal": {"animal": owl("Barn owl")}})
        self.wfile.write(f"id: 1\nevent: change\ndata: {change}\n\n".encode())
        self.close_connection = True


def test_it_follows_a_server(compile: Callable) -> None:
    run = compile([SOURCE], "-lcurl", "-pthread")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        result = run(f"http://127.0.0.1:{server.server_port}", "Bird", 2, timeout=60)
        server.shutdown()
    assert (result.stdout, result.stderr, result.returncode) == ("Owl\nBarn owl\n", "", 0)


def test_it_says_how_it_is_used(compile: Callable) -> None:
    result = compile([SOURCE], "-lcurl", "-pthread")()
    assert result.returncode == 2
    assert "ADDRESS CATEGORY" in result.stderr
