import itertools
import os
import subprocess
from pathlib import Path

import pytest
from driver import LIBRARY, ROOT, Log, initialize
from server import BIN, Server

ENGINE = os.environ.get("IMMUTABLEDATA_LIBRARY", str(ROOT / ".build-cmake/libimmutabledata.so"))


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


@pytest.fixture(scope="session")
def compile_program(tmp_path_factory):
    """Builds a program of this folder that uses the library and the driver."""
    if not Path(ENGINE).exists():
        pytest.skip("the library is not built: run make build")
    folders = [Path(ENGINE).parent, Path(LIBRARY).parent]
    includes = [ROOT / "include", ROOT / "drivers/postgresql/include"]

    def compile_program(source):
        program = tmp_path_factory.mktemp("program") / Path(source).stem
        subprocess.run(
            ["cc", "-std=c11", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror", "-pthread"]
            + [f"-I{folder}" for folder in includes]
            + [Path(__file__).with_name(source), ENGINE, LIBRARY, "-o", program]
            + [f"-Wl,-rpath,{folder}" for folder in folders],
            check=True,
        )
        return program

    return compile_program
