"""imd log init and imd log trim, with modules in place of the packages of drivers."""

import os
import sys
import types
from pathlib import Path

import pytest
from imd_command import environment, start

import immutabledata as imd

MODULE = """
from memory_logs import MemoryLogs, Place

class Trimmed(MemoryLogs):
    def open(self, opening):
        opened = super().open(opening._replace(base=b"{}"))
        opened.log.content.snapshot = opened.log.content.snapshot._replace(place=Place(NUMBER))
        return opened

driver = Trimmed
"""

INITIALIZE = """
def initialize(address):
    if address.endswith("down"):
        raise OSError("the server is down")
    if address.endswith("wrong"):
        raise ValueError("no database is named")

def schema():
    return "create schema;\\n"
"""


@pytest.fixture
def run(tmp_path):
    """Runs imd in a process of its own, in a folder that has the modules of two schemes."""
    (tmp_path / "immutabledata_kept.py").write_text(MODULE.replace("NUMBER", "1200"))
    (tmp_path / "immutabledata_new_x.py").write_text(MODULE.replace("NUMBER", "0") + INITIALIZE)
    paths = os.pathsep.join([str(tmp_path), str(Path(__file__).parent)])

    def run(*arguments):
        process = start(*arguments, env=environment(PYTHONPATH=paths), cwd=tmp_path)
        out, err = process.communicate()
        return process.returncode, out.decode(), err.decode()

    return run


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["init", "new+x://host"], (0, "", "imd: the server is ready for logs\n")),
        (["init", "new+x://host", "--print"], (0, "create schema;\n", "")),
        (["init", "kept://host"], (0, "", "imd: logs of kept:// need nothing to be made\n")),
        (["init", "kept://h", "--print"], (0, "", "imd: logs of kept:// need nothing to be made\n")),
        (["init", "new+x://down"], (3, "", "imd: the server is down\n")),
        (["init", "new+x://wrong"], (3, "", "imd: no database is named\n")),
        (["trim", "kept://host/board"], (0, '{"number":1200}\n', "")),
        (["trim", "new+x://host/board"], (0, '{"number":0}\n', "")),
    ],
)
def test_a_server(run, arguments, expected):
    assert run("log", *arguments) == expected


@pytest.mark.parametrize("command", ["init", "trim"])
def test_no_driver(run_imd, command, monkeypatch):
    monkeypatch.setitem(sys.modules, "immutabledata_no_where", None)
    run = run_imd("log", command, "no-where://ann:secret@host")
    assert (run.code, run.out) == (3, "")
    assert "no driver for no-where://: there is no module immutabledata_no_where;" in run.err
    assert "secret" not in run.err


@pytest.mark.parametrize("made", [None, "x", 5, True])
def test_a_module_whose_driver_is_none(run_imd, monkeypatch, made):
    module = types.ModuleType("immutabledata_wrong")
    module.driver = lambda: made
    monkeypatch.setitem(sys.modules, module.__name__, module)
    run = run_imd("log", "check", "wrong://host/{log}")
    assert (run.code, run.out) == (3, "")
    assert "driver() of immutabledata_wrong must return an object" in run.err
    assert repr(made) in run.err


@pytest.mark.parametrize("name", ["init", "trim"])
def test_a_file_with_the_name_of_a_command(run_imd, name):
    with imd.open("counter", log=f"./{name}") as store:
        store.dispatch("didTapIncrementButton")
    for arguments in ([f"./{name}"], ["--", name], ["--last", "1", name]):
        run = run_imd("log", *arguments)
        assert (run.code, run.err) == (0, "")
        assert "didTapIncrementButton" in run.out


def test_open_of_an_address(run_imd):
    run = run_imd("-c", ".open kept://ann:secret@host")
    assert (run.code, run.out) == (1, "")
    assert "kept:// is the address of a log on a server, and .open is for files" in run.err
    assert "secret" not in run.err
