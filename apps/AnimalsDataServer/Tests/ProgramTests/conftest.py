from collections.abc import Iterator
from pathlib import Path

import pytest
from animals_server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A server with a database in memory."""
    with Server() as server:
        yield server


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "animals.sqlite"
