"""The command line, and the store that it opens."""

import subprocess
import sys
from pathlib import Path

import immutabledata as imd
import pytest
from immutabledata_terminal import command_line

from immutabledata_quakes.__main__ import main, make_app, parse
from immutabledata_quakes.time_zone import TimeZone

SCRIPT = Path(sys.executable).with_name("immutabledata-quakes")


@pytest.fixture
def opened(monkeypatch):
    """The arguments of the calls of imd.open."""
    calls = []

    def open(domain, /, **options):
        calls.append((domain, options))
        return original("quakes")  # in memory

    original = imd.open
    monkeypatch.setattr("immutabledata.open", open)
    return calls


def check(arguments, options, title, zone, opened):
    parsed = parse(arguments)
    app = make_app(parsed, TimeZone(parsed.time_zone))
    app.store.close()
    assert opened == [("quakes", options)]
    assert (app.sub_title, app.zone.name) == (title, zone)


def test_options(opened):
    arguments = ["--store", "folder/q.db", "--feed", "http://h:1", "--time-zone", "Asia/Tokyo"]
    options = {"store": "folder/q.db", "feed": "http://h:1"}
    check(arguments, options, "q.db", "Asia/Tokyo", opened)


def test_defaults(opened, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "data/immutabledata/quakes.sqlite"
    check([], {"store": str(path)}, "quakes.sqlite", None, opened)
    assert path.parent.is_dir()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (
            ["--time-zone", "Mars/Base"],
            'there is no time zone "Mars/Base" here; expected a name such as Europe/Berlin',
        ),
        (["--feed", "earth"], 'options/feed: "earth" is not a valid URL'),
        (["--store", "."], 'cannot open "."'),
        (["--store", ""], "a path cannot be empty"),
    ],
)
def test_errors(monkeypatch, capsys, tmp_path, arguments, error):
    monkeypatch.setattr(command_line, "redirected_stream", lambda: None)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(arguments) == 1
    assert capsys.readouterr().err.startswith(f"immutabledata-quakes: {error}")


def test_help():
    for command in ([SCRIPT], [sys.executable, "-m", "immutabledata_quakes"]):
        result = subprocess.run([*command, "--help"], capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")
        assert all(option in result.stdout for option in ("--store", "--feed", "--time-zone"))


def test_version():
    result = subprocess.run([SCRIPT, "--version"], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "immutabledata-quakes 0.1.0\n")
