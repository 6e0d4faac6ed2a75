"""examples/zoo shows and changes the animals of a database, and follows a server."""

import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from owl_server import serve
from workspace import ROOT, Workspace


@pytest.fixture(scope="module")
def zoo(workspace: Workspace) -> Path:
    return workspace.build(ROOT / "examples/zoo") / "zoo"


def run(zoo: Path, *arguments: object) -> tuple[int, str, str]:
    result = subprocess.run(
        [zoo, *map(str, arguments)], capture_output=True, text=True, timeout=60
    )
    return result.returncode, result.stdout, result.stderr


def test_it_changes_a_database(zoo: Path, tmp_path: Path) -> None:
    sparrow = "House sparrow (Omnivore)"
    missing = 'zoo: no animal "Owl" in the category "Bird"\n'
    for arguments, status, shown, log in [
        ("list Bird", 0, f"{sparrow}\n", ""),
        ("add Bird Eagle Carnivore", 0, f"Eagle (Carnivore), {sparrow}\n", "added Eagle\n"),
        ("rename Bird Eagle Owl", 0, f"{sparrow}, Owl (Carnivore)\n", "changed Eagle to Owl\n"),
        ("delete Bird Owl", 0, f"{sparrow}\n", "deleted Owl\n"),
        ("delete Bird Owl", 1, "", missing),
        ("watch Bird 1", 0, f"{sparrow}\n", ""),
    ]:
        assert run(zoo, tmp_path / "zoo.sqlite", *arguments.split()) == (status, shown, log)


def test_it_says_what_is_wrong(zoo: Path, tmp_path: Path) -> None:
    reason = 'zoo: cannot open "/missing/zoo.sqlite": the directory "/missing" does not exist\n'
    assert run(zoo, "/missing/zoo.sqlite", "list", "Bird") == (1, "", reason)
    reason = 'zoo: address: "ftp://host" is not a valid URL; expected, for example, '
    reason += "http://127.0.0.1:8080\n"
    assert run(zoo, "ftp://host", "list", "Bird") == (1, "", reason)
    for arguments in [[], ["list"], ["add", "Bird", "Owl", "Grass"], ["watch", "Bird", "twice"]]:
        status, text, usage = run(zoo, tmp_path / "zoo.sqlite", *arguments)
        assert (status, text, usage[:16]) == (2, "", "usage: zoo SOURC")


def test_it_follows_no_redirect(zoo: Path) -> None:
    with serve() as server:
        redirecting = HTTPServer(("127.0.0.1", 0), redirect_to(server.address))
        thread = threading.Thread(target=redirecting.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{redirecting.server_port}"
            status, shown, message = run(zoo, address, "list", "Bird")
        finally:
            redirecting.shutdown()
            thread.join()
            redirecting.server_close()
    assert (status, shown) == (1, "")
    assert message.startswith(f"zoo: {address} redirects (307")


def redirect_to(address: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(307)
            self.send_header("Location", address + self.path)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    return Handler


def test_it_follows_a_server(zoo: Path) -> None:
    with serve() as server:
        process = subprocess.Popen(
            [zoo, server.address, "watch", "Bird", "2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        watchdog = threading.Timer(60, process.kill)
        watchdog.start()
        try:
            assert process.stdout.readline() == "Owl (Carnivore)\n"
            server.rename.set()
            assert process.communicate() == (
                "Barn owl (Carnivore)\n",
                "changed Owl to Barn owl\n",
            )
            assert process.returncode == 0
        finally:
            watchdog.cancel()
            process.kill()
