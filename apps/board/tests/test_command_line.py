"""Starting the program."""

import os
import re
import subprocess
import sys
from pathlib import Path

import immutabledata as imd
import pytest
from conftest import IMD, PROGRAM, columns_of
from immutabledata_terminal import command_line

from immutabledata_board import reduce
from immutabledata_board.__main__ import main, make_app, parse
from immutabledata_board.store import is_shared, open_store


@pytest.fixture
def fails(monkeypatch, capsys):
    """Starts the program in a terminal, and returns the line that says why it has failed, without
    the folders of paths.
    """

    def fails(*arguments):
        monkeypatch.setattr(command_line, "redirected_stream", lambda: None)
        assert main(list(map(str, arguments))) == 1
        output, errors = capsys.readouterr()
        assert output == ""
        assert errors.startswith("immutabledata-board: ")
        assert errors.endswith("\n")
        assert errors.count("\n") == 1
        return re.sub(r'"/[^"]*/', '"', errors[len("immutabledata-board: ") : -1])

    return fails


def crc32c(data):
    """The checksum of a line of a log, see docs/log.md."""
    sum = 0xFFFFFFFF
    for byte in data:
        sum ^= byte
        for _ in range(8):
            sum = sum >> 1 ^ (0x82F63B78 if sum & 1 else 0)
    return sum ^ 0xFFFFFFFF


def make(path, **options):
    """Makes the log of another program."""
    log = {"path": path, "application": "immutabledata-board", **options}
    return imd.Store(reduce, history=True, log=log)


def test_the_default_file(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    app = make_app(parse([]))
    app.store.close()
    assert (tmp_path / "immutabledata/board.imd").exists()
    assert app.sub_title == "board.imd"


def test_a_shared_board_is_opened_as_one(path):
    assert is_shared(path) is None
    make_app(parse([str(path), "--shared", "--author", "ann"])).store.close()
    assert is_shared(path) is True
    app = make_app(parse([str(path)]))
    assert app.browse.changes.is_shared
    app.store.close()
    assert next(imd.log.entries(path)).content["author"] == "ann"


def test_a_folder(fails, path):
    path.mkdir()
    assert fails(path) == 'cannot open "board.imd": it is not a regular file'


def test_a_pipe(fails, path):
    os.mkfifo(path)
    assert fails(path) == 'cannot open "board.imd": it is not a regular file'


def test_a_folder_that_does_not_exist(fails, tmp_path):
    path = tmp_path / "no/board.imd"
    assert fails(path) == 'cannot open "no": No such file or directory'
    assert fails("--shared", path).endswith(": No such file or directory")


@pytest.mark.parametrize("text", ["", "{}\n", '{"log": 5}\n', "[[", "\0\n", "To do: milk\n"])
def test_another_kind_of_file(fails, path, text):
    path.write_text(text + "and more\n")
    message = '"board.imd" is not a log: it does not begin as one; choose another path'
    assert fails(path) == fails("--shared", path) == message
    assert path.read_text() == text + "and more\n"


def test_the_log_of_another_program(fails, path):
    make(path, application="notes").close()
    message = '"board.imd" is a log of the application "notes", not "immutabledata-board"'
    assert fails(path) == message


def test_a_newer_version(fails, path):
    make(path, version=2).close()
    assert fails(path).startswith('"board.imd" has the version 2, but the program has 1')


def test_a_newer_format(fails, path):
    make(path).close()
    first, rest = path.read_bytes().split(b"\n", 1)
    value = first[first.index(b'"log":') + 6 : -1].replace(b'"format":1', b'"format":9')
    members = b'"data":"%08x","log":' % crc32c(value)
    first = b'{"sum":"%08x",%s%s}' % (crc32c(b"00000000" + members), members, value)
    path.write_bytes(first + b"\n" + rest)
    assert fails(path).startswith('"board.imd" has format 9, but this library reads format ')


def test_a_file_without_permission(fails, path):
    make(path).close()
    path.chmod(0)
    user = os.geteuid()
    try:
        if user == 0:  # root may open all.
            os.seteuid(65534)
        message = fails(path)
    finally:
        os.seteuid(user)
    assert message == 'cannot open "board.imd": permission denied'


def test_a_file_that_another_process_writes(fails, path):
    script = (
        "import sys; from pathlib import Path; from immutabledata_board.store import open_store; "
        "store = open_store(Path(sys.argv[1])); print(flush=True); sys.stdin.read()"
    )
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script, path], **streams) as process:
        process.stdout.readline()
        assert f"process {process.pid}" in fails(path)
        process.stdin.close()


def test_a_board_that_is_not_shared(fails, path):
    make(path).close()
    command = f"imd share {path} immutabledata_board:reduce"
    assert fails("--shared", path) == f"{path} is not shared; to share it, run: {command}"
    assert fails("--author", "ann", path) == "--author is for a shared board; add --shared"
    subprocess.run([IMD, *command.split()[1:]], check=True, capture_output=True)
    assert is_shared(path) is True


def test_a_board_that_a_server_keeps(fails, path, monkeypatch):
    root = Path(__file__).parents[3]
    monkeypatch.syspath_prepend(str(root / "bindings/python/tests"))
    from memory_logs import MemoryLogs

    imd.register_log("boards", MemoryLogs())
    address = "boards://host/db?log=plans"
    app = make_app(parse(["--log", address, "--author", "ann"]))
    with app.store, open_store(address, "bob") as other:
        assert app.sub_title == "plans"
        assert app.browse.changes.is_shared
        other.dispatch("board/added", {"id": "1", "column": "todo", "title": "Write"})
        app.store.refresh()
        assert columns_of(app.store)["todo"] == ["1"]
    message = "--log is for an address with ://; pass a file as PATH"
    assert fails("--log", path) == message
    assert fails("--log", address, path) == "--log is in place of PATH and --shared"
    assert "no driver is registered" in fails("--log", "nowhere://host/db")


@pytest.mark.parametrize("shared", [False, True])
def test_other_programs_send_actions(path, shared):
    make_app(parse([str(path), *(["--shared"] if shared else [])])).store.close()
    send = [IMD, "send", path, "immutabledata_board:reduce"]
    card = '{"id": "7", "column": "todo", "title": "Write"}'
    subprocess.run([*send, "board/added", card], check=True)
    result = subprocess.run([*send, "board/added", card], capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.startswith('imd: there is a card "7" already')
    result = subprocess.run([*send, "board/aded", card], capture_output=True, text=True)
    assert result.returncode == 1
    assert "did you mean board/added?" in result.stderr
    with open_store(path, "ann" if shared else None) as store:
        assert columns_of(store)["todo"] == ["7"]


def test_the_reducer_needs_no_terminal():
    script = "import sys, immutabledata_board; print('textual' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout == "False\n"


def test_without_a_terminal():
    result = subprocess.run([PROGRAM], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "immutabledata-board: standard input is not a terminal; start the program in a terminal\n"
    )


def test_help():
    for command in ([PROGRAM], [sys.executable, "-m", "immutabledata_board"]):
        result = subprocess.run([*command, "--help"], capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")
        assert "--shared" in result.stdout


def test_version():
    result = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "immutabledata-board 0.1.0\n")
