"""The command line, and the store that it opens."""

import os
import subprocess
import sys
from pathlib import Path

import immutabledata as imd
import pytest
from immutabledata_terminal import command_line

from immutabledata_animals.__main__ import main, make_app, parse

SCRIPT = Path(sys.executable).with_name("immutabledata-animals")


@pytest.fixture
def in_terminal(monkeypatch):
    monkeypatch.setattr(command_line, "redirected_stream", lambda: None)


@pytest.fixture
def opened(monkeypatch):
    """The arguments of the calls of imd.open."""
    calls = []

    def open(domain, /, **options):
        calls.append((domain, options))
        return original("animals")  # in memory

    original = imd.open
    monkeypatch.setattr("immutabledata.open", open)
    return calls


def check(arguments, options, title, opened):
    app = make_app(parse(arguments))
    app.store.close()
    assert opened == [("animals", options)]
    assert app.sub_title == title


def test_a_file(opened):
    check(["--store", "folder/zoo.db"], {"store": "folder/zoo.db"}, "zoo.db", opened)


def test_a_server(opened):
    check(["--remote", "http://h:1"], {"remote": "http://h:1"}, "http://h:1", opened)


def test_a_token(opened, monkeypatch, tmp_path):
    (tmp_path / "token").write_text("s3cret\nmore\n")
    arguments = ["--remote", "http://h:1", "--token-file", str(tmp_path / "token")]
    check(arguments, {"remote": "http://h:1", "token": "s3cret"}, "http://h:1", opened)
    opened.clear()
    monkeypatch.setenv("IMMUTABLEDATA_ANIMALS_TOKEN", "other")
    check(arguments[:2], {"remote": "http://h:1", "token": "other"}, "http://h:1", opened)
    opened.clear()
    check(["--store", "zoo.db"], {"store": "zoo.db"}, "zoo.db", opened)


@pytest.mark.usefixtures("in_terminal")
def test_invalid_tokens_and_paths(tmp_path, capsys):
    path = str(tmp_path / "none")
    assert main(["--remote", "http://h:1", "--token-file", path]) == 1
    error = f'cannot read the token file "{path}": No such file or directory'
    assert capsys.readouterr().err == f"immutabledata-animals: {error}\n"
    assert main(["--store", ""]) == 1
    assert "a path cannot be empty" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--token-file", path])
    (tmp_path / "token").write_text("s3 cret")
    assert main(["--remote", "http://h:1", "--token-file", str(tmp_path / "token")]) == 1
    error = capsys.readouterr().err
    assert "options/token" in error
    assert "cret" not in error


def test_the_default_file(opened, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "data/immutabledata/animals.sqlite"
    check([], {"store": str(path)}, "animals.sqlite", opened)
    assert path.parent.is_dir()


def test_the_default_file_without_xdg(opened, monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    path = tmp_path / ".local/share/immutabledata/animals.sqlite"
    check([], {"store": str(path)}, "animals.sqlite", opened)


@pytest.mark.usefixtures("in_terminal")
def test_an_error_of_opening(monkeypatch, capsys):
    def open(domain, /, **options):
        raise imd.InvalidArgumentError("no store here")

    monkeypatch.setattr("immutabledata.open", open)
    assert main(["--store", "x"]) == 1
    assert capsys.readouterr() == ("", "immutabledata-animals: no store here\n")


def test_help():
    for command in ([SCRIPT], [sys.executable, "-m", "immutabledata_animals"]):
        result = subprocess.run([*command, "--help"], capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")
        assert "--store PATH" in result.stdout
    result = subprocess.run([SCRIPT, "--store", "a", "--remote", "b"], capture_output=True)
    assert result.returncode == 2


def test_version():
    result = subprocess.run([SCRIPT, "--version"], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "immutabledata-animals 0.1.0\n")


@pytest.mark.parametrize("redirected", ["input", "output"])
def test_needs_a_terminal(tmp_path, redirected):
    """Writes no escape codes into a file, and creates no database."""
    terminal, other_end = os.openpty()
    path = tmp_path / "file"
    path.touch()
    with open(path, "r+b") as file:
        status = subprocess.call(
            [SCRIPT, "--store", tmp_path / "zoo.sqlite"],
            stdin=file if redirected == "input" else other_end,
            stdout=file if redirected == "output" else other_end,
            stderr=other_end,
        )
    os.close(other_end)
    shown = os.read(terminal, 1000).decode()
    os.close(terminal)
    assert status == 1
    assert shown.strip() == (
        f"immutabledata-animals: standard {redirected} is not a terminal; "
        "start the program in a terminal"
    )
    assert path.read_text() == ""
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
