"""examples/animals_curl.c follows a server: it prints each change that the server sends."""

from pathlib import Path
from typing import Callable

from owl_server import serve

SOURCE = Path(__file__).parents[2] / "examples/animals_curl.c"


def test_it_follows_a_server(compile: Callable) -> None:
    run = compile([SOURCE], "-lcurl", "-pthread")
    # The example fetches again if it connects after its first fetch; it then gets the new name.
    with serve(renames_after_fetch=True) as server:
        result = run(server.address, "Bird", 2, timeout=60)
    assert (result.stdout, result.stderr, result.returncode) == ("Owl\nBarn owl\n", "", 0)


def test_it_prints_its_usage(compile: Callable) -> None:
    result = compile([SOURCE], "-lcurl", "-pthread")()
    assert result.returncode == 2
    assert "ADDRESS CATEGORY" in result.stderr
