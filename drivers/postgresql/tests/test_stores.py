"""Stores of the library, whose log the driver keeps."""

import subprocess

import pytest


@pytest.fixture(scope="module")
def stores(compile_program):
    """Starts a program with some stores that dispatch some actions each."""
    program = compile_program("stores.c")

    def start(address, stores, actions):
        return subprocess.Popen(
            [program, address, str(stores), str(actions)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def end(process):
    """What a program has printed."""
    output, errors = process.communicate(timeout=300)
    assert (process.returncode, errors) == (0, "")
    return int(output)


def test_programs(server, stores, name):
    """No action is lost, and none counts twice."""
    address = server.address(log=name)
    programs = [stores(address, 3, 30) for _ in range(3)]
    sums = [end(program) for program in programs]
    assert max(sums) == 270
    assert end(stores(address, 1, 1)) == 271
    texts = server.sql(
        "select convert_from(text, 'UTF8')::jsonb from immutabledata.entry e "
        f"join immutabledata.log l on e.log = l.key where l.name = '{name}'"
    )
    assert len(texts.splitlines()) == 271 + 10  # also each store that has opened it


def test_killed_server(own_server, stores):
    """The programs go on after the server was killed and started again."""
    address = own_server.address(log="stores")
    programs = [stores(address, 2, 150) for _ in range(2)]
    count = "select coalesce(max(number), 0) from immutabledata.log where name = 'stores'"
    for least in [40, 200, 400]:
        while int(own_server.sql(count)) < least:
            pass
        own_server.stop("immediate")
        own_server.start()
    assert max(end(program) for program in programs) == 600


def test_killed_programs(server, stores, name):
    """What a program that was killed has appended stays; others are not kept from appending."""
    address = server.address(log=name)
    killed = stores(address, 2, 100000)
    count = f"select coalesce(max(number), 0) from immutabledata.log where name = '{name}'"
    while int(server.sql(count)) < 50:
        pass
    killed.kill()
    killed.communicate()
    assert killed.returncode == -9
    before = end(stores(address, 1, 1)) - 1
    assert before >= 50 - 2
    assert end(stores(address, 2, 20)) == before + 1 + 40
