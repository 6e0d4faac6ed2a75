import itertools

import pytest
from driver import Log, initialize
from server import BIN, Server


@pytest.fixture(scope="session")
def server():
    """A server with a database "app" that has the schema."""
    if not BIN:
        pytest.skip("PostgreSQL is not installed: install the Debian package postgresql-15")
    server = Server()
    try:
        server.sql("create database app", database="postgres")
        assert initialize(server.address()) == (0, "")
        yield server
    finally:
        server.remove()


@pytest.fixture
def own_server(server):
    """A server that the test may stop: a copy of the other."""
    server.sql("checkpoint")
    server.stop()
    own = Server(copy_of=server)
    server.start()
    yield own
    own.remove()


names = (f"log-{i}" for i in itertools.count())


@pytest.fixture
def name():
    return next(names)


@pytest.fixture
def open_log(server, name):
    """Opens the log of the test; each call is another program."""
    logs = []

    def open_log(**keywords):
        parameters = keywords.pop("parameters", {})
        logs.append(Log(server.address(log=name, **parameters), **keywords))
        return logs[-1]

    yield open_log
    for log in logs:
        log.close()
