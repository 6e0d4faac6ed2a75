"""imd inspect: what it lists, opens and serves."""

import json
import os
import signal
from pathlib import Path

import pytest
from fake_program import FakeProgram, FakeStore
from imd_command import environment, start

import immutabledata as imd
from immutabledata._shell import inspecting

PROGRAM = """
import immutabledata as imd

@imd.drafting
def reduce(draft, action):
    draft["n"] += 1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = tmp_path / "immutabledata"
    folder.mkdir(mode=0o700)
    return folder


class Inspector:
    """imd inspect in a process of its own, from its address on."""

    def __init__(self, *arguments, **options):
        self.process = start("inspect", *arguments, **options)
        line = self.process.stdout.readline()
        self.announced = json.loads(line) if line else None

    def get(self, path):
        import urllib.request

        address = f"{self.announced['address']}api/{path}"
        with urllib.request.urlopen(address, timeout=30) as response:
            return json.load(response)

    def wait_for(self, store, **members):
        """Waits until a store has some members, which the events of the server announce."""
        import urllib.request

        with urllib.request.urlopen(f"{self.announced['address']}api/events", timeout=30) as events:
            for _ in events:
                (described,) = self.get("program")["stores"]
                if all(described[name] == each for name, each in members.items()):
                    return described
        raise AssertionError("the events have ended")

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors.decode()


def test_the_only_program_is_opened(folder):
    with FakeProgram(folder / "board-12.sock", FakeStore(1, {"n": 5}), process=12):
        inspector = Inspector("--no-browser")
        assert inspector.announced["process"] == 12
        assert inspector.announced["address"].startswith("http://127.0.0.1:")
        assert inspector.get("program")["program"] == "board"
        assert inspector.get("stores/1/value")["value"] == {"n": 5}
        assert inspector.end() == (0, "")


@pytest.mark.parametrize("by", ["process", "socket"])
def test_a_program_that_is_named(folder, by):
    with FakeProgram(folder / "board-12.sock", FakeStore(1, {"n": 5}), process=12) as program:
        with FakeProgram(folder / "other-13.sock", process=13):
            inspector = Inspector("12" if by == "process" else program.path, "--no-browser")
            assert inspector.announced["process"] == 12
            assert inspector.end(signal.SIGTERM) == (128 + signal.SIGTERM, "")


def test_several_programs_are_listed(folder, run_imd):
    stores = FakeStore(1, name="a\x1b[31m"), FakeStore(2, name="todos")
    with FakeProgram(folder / "board-12.sock", *stores, process=12, program="board"):
        with FakeProgram(folder / "other-13.sock", process=13, program="other"):
            for command in ("inspect", "attach"):
                run = run_imd(command)
                assert (run.code, run.err) == (0, "")
                first, second = map(json.loads, run.out.splitlines())
                assert first == {
                    "process": 12,
                    "program": "board",
                    "stores": ["a\x1b[31m", "todos"],
                    "socket": str(folder / "board-12.sock"),
                }
                assert second["process"] == 13


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        ([], "no program can be inspected; start one with IMMUTABLEDATA_INSPECT=1", 3),
        (["12"], "process 12 cannot be inspected; a program opts in with", 3),
        (["none.imd"], "there is no file none.imd", 3),
        (["none.sock"], "none.sock: No such file", 3),
        (["a.txt"], "a.txt is no log of a store", 3),
        (["12", "app.py:reduce"], "app.py:reduce is for a log; 12 is a program", 2),
        (["postgresql:///app?log=a"], "imd inspect is for files", 2),
        (["12", "--port", "70000"], "a port is a number up to 65535", 2),
    ],
)
def test_mistakes(folder, run_imd, arguments, message, code):
    Path("a.txt").write_text("text")
    run = run_imd("inspect", *arguments)
    assert (run.code, run.out) == (code, "")
    assert message in run.err


def test_a_log_with_its_reducer(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("app.py").write_text(PROGRAM)
    scope = {}
    exec(PROGRAM, scope)
    with imd.Store(scope["reduce"], {"n": 0}, log="a.imd") as store:
        for _ in range(20):
            store.dispatch("ticked")
    inspector = Inspector("a.imd", "app.py:reduce", "--no-browser")
    inspector.wait_for(1, commits=20)
    assert inspector.get("stores/1/value?commit=7")["value"] == {"n": 7}
    assert inspector.end() == (0, "")
    inspector = Inspector("a.imd", "--no-browser")
    assert inspector.wait_for(1, commits=20)["patches"] is False
    assert inspector.get("stores/1/value?commit=0")["value"] == {"n": 0}
    code, errors = inspector.end()
    assert code == 0
    assert errors == (
        "imd: a.imd: actions only; their states need the reducer of the program: "
        "imd inspect a.imd app.py:reduce\n"
    )


def test_the_log_of_a_domain_needs_no_reducer(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with imd.open("counter", log="counter.imd") as store:
        store.dispatch("didTapIncrementButton")
    inspector = Inspector("counter.imd", "--no-browser")
    assert inspector.wait_for(1, commits=1)["domain"] == "counter"
    assert inspector.get("stores/1/value?commit=1")["value"] == {"value": 1}
    assert inspector.end() == (0, "")


def test_a_port_that_is_taken(folder, run_imd):
    with FakeProgram(folder / "board-12.sock", process=12):
        inspector = Inspector("--no-browser")
        port = inspector.announced["address"].split(":")[2].partition("/")[0]
        run = run_imd("inspect", "--no-browser", "--port", port)
        assert run.code == 3
        assert run.err.startswith(f"imd: port {port}: Address already in use")
        assert inspector.end()[0] == 0


def test_the_browser_gets_the_address_by_a_file(folder, tmp_path):
    """The arguments of a process are not secret."""
    seen = tmp_path / "seen"
    os.mkfifo(seen)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\n{{ echo "$1"; cat "${{1#file://}}"; }} > {seen}\n')
    browser.chmod(0o700)
    with FakeProgram(folder / "board-12.sock", process=12):
        inspector = Inspector(env=environment(BROWSER=f"{browser} %s", DISPLAY=":0"))
        address = inspector.announced["address"]
        given, _, page = seen.read_text().partition("\n")
        assert inspector.end()[0] == 0
    assert given.startswith("file:///")
    assert address not in given
    assert address in page
    assert not Path(given.removeprefix("file://")).parent.exists()


@pytest.mark.parametrize(
    ("variables", "expected"),
    [({}, False), ({"DISPLAY": ":0"}, True), ({"WAYLAND_DISPLAY": "wayland-0"}, True)],
)
def test_a_browser_needs_a_window(monkeypatch, variables, expected):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    assert inspecting._has_browser() is expected


def test_nothing_is_left_of_a_process_that_is_killed(folder, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    env = environment(TMPDIR=str(temporary), SQLITE_TMPDIR=str(temporary))
    with FakeProgram(folder / "board-12.sock", process=12):
        inspector = Inspector("--no-browser", env=env)
        inspector.get("program")
        inspector.process.kill()
        inspector.process.communicate()
    assert list(temporary.iterdir()) == []
