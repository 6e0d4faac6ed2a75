"""Starting an application in a terminal."""

import os
import sys
from pathlib import Path

import immutabledata as imd
import pytest

from immutabledata_terminal import command_line
from immutabledata_terminal.command_line import default_path, held, prepare_default_path, run, screen


def test_the_default_file(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "data/immutabledata/trees.sqlite"
    assert default_path("trees.sqlite") == path
    assert not path.parent.exists()
    assert prepare_default_path("trees.sqlite") == path
    assert path.parent.is_dir()


def test_the_default_file_without_xdg(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", "")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert default_path("trees.sqlite") == tmp_path / ".local/share/immutabledata/trees.sqlite"


@pytest.mark.parametrize("stream", ["input", "output"])
def test_a_redirected_stream(monkeypatch, capsys, stream):
    def make_app():
        raise AssertionError("it must not open a store")

    monkeypatch.setattr(command_line, "redirected_stream", lambda: stream)
    assert run("trees", make_app) == 1
    expected = f"trees: standard {stream} is not a terminal; start the program in a terminal\n"
    assert capsys.readouterr() == ("", expected)


def test_the_screen_is_standard_output(capfd):
    original = sys.__stderr__
    with screen():
        sys.__stderr__.write("drawn")
        os.write(2, b"a warning")
    assert capfd.readouterr() == ("drawn", "a warning")
    assert sys.__stderr__ is original


def test_what_is_written_meanwhile_is_held_back(capfd):
    with held(2):
        os.write(2, b"a warning\n")
        assert capfd.readouterr().err == ""
    assert capfd.readouterr().err == "a warning\n"


@pytest.mark.parametrize("error", [imd.InvalidArgumentError("no"), OSError("no")])
def test_an_error_of_opening(monkeypatch, capsys, error):
    def make_app():
        raise error

    monkeypatch.setattr(command_line, "redirected_stream", lambda: None)
    assert run("trees", make_app) == 1
    assert capsys.readouterr() == ("", "trees: no\n")


def test_the_status_of_the_application(monkeypatch):
    class App:
        return_code = 3

        def run(self):
            self.has_run = True

    app = App()
    monkeypatch.setattr(command_line, "redirected_stream", lambda: None)
    assert run("trees", lambda: app) == 3
    assert app.has_run
