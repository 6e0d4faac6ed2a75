"""The commands of imd for logs on a server, with this driver."""

import os
import subprocess
import sys

import pytest
from driver import DONE, LIBRARY, ROOT

PACKAGE = ROOT / "drivers/postgresql/python/src"


def imd(*arguments):
    """Runs imd with the Python package of the driver; returns the code and the output."""
    run = subprocess.run(
        [sys.executable, "-m", "immutabledata", *arguments],
        env={
            **os.environ,
            "PYTHONPATH": str(PACKAGE),
            "IMMUTABLEDATA_POSTGRESQL_LIBRARY": LIBRARY,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return run.returncode, run.stdout


def test_init(server):
    server.sql("create database fresh", database="postgres")
    address = server.address("fresh", log="x")
    code, out = imd("log", "trim", address)
    assert (code, "run: imd log init postgresql://" in out) == (3, True)
    assert imd("log", "init", address) == (0, "imd: the server is ready for logs\n")
    assert imd("log", "init", address) == (0, "imd: the server is ready for logs\n")
    code, out = imd("log", "trim", address)
    assert (code, "No such file or directory" in out) == (3, True)
    code, out = imd("log", "init", address, "--print")
    assert (code, "create or replace function immutabledata.append(" in out) == (0, True)
    code, out = imd("log", "init", server.address("absent"))
    assert (code, 'database "absent" does not exist' in out) == (3, True)


def test_trim(server, open_log, name):
    log = open_log()
    head = log.append(*[b"%d" % i for i in range(1, 11)]).head
    log.append(b"11")
    assert imd("log", "trim", server.address(log=name)) == (0, '{"number":0}\n')
    assert log.put_snapshot(0, head, b"ten").outcome == DONE
    assert imd("log", "trim", server.address(log=name)) == (0, '{"number":10}\n')
    assert [entry.text for entry in log.read(head).entries] == [b"11"]
    trimmed = f"select trimmed_number from immutabledata.log where name='{name}'"
    assert server.sql(trimmed) == "10"


@pytest.mark.parametrize(
    "options", [[], ["--library", LIBRARY, "--symbol", "imd_postgresql_driver"]]
)
def test_check(server, options):
    code, out = imd("log", "check", server.address(log="{log}"), *options)
    assert code == 0, out
    lines = out.splitlines()
    assert len(lines) > 30
    assert all(line.startswith(("1..", "ok ")) for line in lines)
    assert "SKIP" not in out
