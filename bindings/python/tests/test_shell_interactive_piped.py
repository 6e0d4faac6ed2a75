"""The shell with lines from a pipe."""

import json
import os
import signal
import subprocess
import sys

import pytest

pytest.importorskip("prompt_toolkit")
pytest.importorskip("rich")

import immutabledata as imd


def run(*lines, arguments=("shell",)):
    command = [sys.executable, "-m", "immutabledata", *arguments]
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def test_json_lines():
    code, output, errors = run(
        "# a comment", "set /todos []", 'append /todos {"title": "Ü"}', "todos", ".undo", "/todos",
        ".diff 1 2", ".observe length(todos)", ".redo", "'a'", ".help undo",
    )  # fmt: skip
    assert (code, errors) == (0, [])
    assert output == [
        '[{"title":"Ü"}]',
        "[]",
        '[{"op":"add","path":"/todos/0","value":{"title":"Ü"}}]',
        '{"observed":"[1] length(todos)","output":0}',
        '{"observed":"[1] length(todos)","output":1}',
        '"a"',
        ".undo [COUNT]",
        "  undo the last action, or several",
        "  for example: .undo 3",
    ]


def test_rows_are_json_lines():
    _, output, _ = run("set /n 1", ".history", ".trace", "set /n 2", ".trace off")
    step, traced = map(json.loads, output)
    assert step["number"] == 1
    assert set(step) == {"number", "time", "type", "payload", "at"}
    assert traced["trace"] == "action"


def test_errors_have_the_number_of_their_line():
    code, output, errors = run("set /n 1", "", "todos[", "set", ".xyz", "n")
    assert code == 1
    assert output == ["1"]
    assert errors == [
        'imd: line 3: expected a number, ":" or "*", found the end',
        "  todos[",
        "        ^",
        'imd: line 4: the member "path" is missing: set path=text value=value',
        "  set",
        "     ^",
        'imd: line 5: there is no command ".xyz"; .help lists all',
        "  .xyz",
        "  ^",
    ]


def test_quit_ends_it():
    assert run("1", ".quit", "`2`")[1] == []
    assert run("`1`", ".quit", "`2`") == (0, ["1"], [])


def test_imd_alone_reads_lines_too():
    assert run("set /n 1", "n", arguments=()) == (0, ["1"], [])


def test_lines_of_the_command_line(run_imd):
    lines = "-c", 'set /n "é"', "--command", "n\n`2`"
    assert run_imd(*lines, stdin="`3`\n") == (0, '"é"\n2\n', "")
    assert run_imd(*lines, "new.imd") == (0, '"é"\n2\n', "")
    assert run_imd("shell", "new.imd", "-c", "@").out == '{"n":"é"}\n'
    batch = '[\n{"type":"merge","payload":{"value":{"n":1}}}\n]'
    assert run_imd("-c", batch, "-c", "n") == (0, "1\n", "")
    failed = run_imd("-c", "todos[", "-c", ".quit", "-c", "`1`")
    message = 'imd: expected a number, ":" or "*", found the end\n  todos[\n        ^\n'
    assert failed == (1, "", message)


def test_text_is_utf8_in_every_locale():
    environment = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "immutabledata", "-c", "set /é '…'", "-c", '"é"']
    done = subprocess.run(command, capture_output=True, env={**os.environ, **environment})
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, '"…"\n', b"")


@pytest.mark.parametrize(
    ("store", "line", "message"),
    [
        ("counter", "didTapIncrementBotton", "no action; did you mean didTapIncrementButton?"),
        ("counter", '{"type":"didTapIncrementBotton"}', 'did you mean "didTapIncrementButton"'),
        ("n.imd", '{"type":"apend"}', 'no action "apend"; did you mean append?'),
        ("n.imd", "apend /todos 1", "this was read as an expression; did you mean append?"),
        ("n.imd", "apend path=/todos value=1", 'no action "apend"; did you mean append?'),
        ("n.imd", ".hlep", 'there is no command ".hlep"; did you mean .help?'),
        ("n.imd", ".schema sett", 'no action or selector "sett"; did you mean set?'),
    ],
)
def test_what_nothing_takes_names_what_is_near(run_imd, store, line, message):
    failed = run_imd("shell", store, "-c", line)
    assert (failed.code, failed.out) == (1, "")
    assert message in failed.err


def test_effects_are_waited_for():
    code, output, _ = run(
        "ui/categoryList/onAppear", "length(categories.data)", arguments=("shell", "animals")
    )
    assert (code, output) == (0, ["6"])


def test_without_the_extra(tmp_path):
    """What is missing is one line."""
    program = "import sys; sys.modules['rich'] = None; import immutabledata._shell as s;"
    program += "import importlib.util as u; f = u.find_spec;"
    program += "u.find_spec = lambda n, *a: None if n == 'rich' else f(n, *a); sys.exit(s.main([]))"
    done = subprocess.run(
        [sys.executable, "-c", program], input="", capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("imd: the shell needs rich: pip install 'immutabledata[shell]'")
    assert done.stderr.count("\n") == 1


def test_any_bytes():
    command = [sys.executable, "-m", "immutabledata", "shell"]
    text = b"\xef\xbb\xbfset /n \xff\n`1`\nset /\xc3\xa9 1\n'\xc3\xa9'\n"
    done = subprocess.run(
        command,
        input=text,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 1
    assert done.stdout.decode() == '1\n"é"\n'
    assert done.stderr.startswith(b"imd: line 1: ")
    assert done.stderr.count(b"\n") == 1


def test_a_broken_pipe_is_silent():
    program = f"{sys.executable} -m immutabledata shell"
    done = subprocess.run(
        ["bash", "-c", f"yes '`1`' | {program} | head -1; echo ${{PIPESTATUS[1]}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("1\n141\n", "")


def test_it_ends_with_the_reader_of_what_is_observed(tmp_path):
    (tmp_path / "app.py").write_text("def reduce(state, action): return state + 1")
    command = [sys.executable, "-m", "immutabledata", "shell", "n.imd", "app.py:reduce"]
    with imd.Store(lambda state, action: state + 1, 0, log=tmp_path / "n.imd") as store:
        process = subprocess.Popen(
            [*command, "--read-only"],
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        process.stdin.write(b".observe @\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["output"] == 0
        store.dispatch("a")
        assert json.loads(process.stdout.readline())["output"] == 1
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (141, b"")
        process.stderr.close()
        process.stdin.close()


def test_all_lines_are_executed_without_a_reader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "immutabledata", "shell", "n.imd"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write("".join(f"set /n{number} {number}\n" for number in range(100)).encode())
    process.stdin.close()
    process.wait()
    assert imd.log.verify("n.imd")["last"] == 100


def test_a_log_that_is_removed_is_told(tmp_path):
    command = [sys.executable, "-m", "immutabledata", "shell", "n.imd"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **streams) as process:
        process.stdin.write("set /n 1\nn\n")
        process.stdin.flush()
        assert process.stdout.readline() == "1\n"
        (tmp_path / "n.imd").unlink()
        _, errors = process.communicate("set /n 2\n")
    assert "was deleted, moved or replaced" in errors


def test_signals_leave_nothing_behind(tmp_path):
    for number in (signal.SIGTERM, signal.SIGHUP):
        process = subprocess.Popen(
            [sys.executable, "-m", "immutabledata", "shell"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        )
        process.stdin.write(b"set /n 1\nn\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"1\n"
        process.send_signal(number)
        # Python calls handlers between its own steps: a read that has just begun ends first.
        process.stdin.close()
        assert process.wait(30) == 128 + number
        process.stdout.close()
        assert list(tmp_path.iterdir()) == []


def test_a_program_that_ends_itself(tmp_path):
    (tmp_path / "ending_app.py").write_text(
        "import sys\ndef reduce(state, action): sys.exit(7)\nreduce.initial_state = 1\n"
    )
    command = [sys.executable, "-m", "immutabledata", "shell", f"{tmp_path}/ending_app.py:reduce"]
    done = subprocess.run(command, input="t/x\n@\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "1\n")
    assert done.stderr.startswith(
        "imd: line 1: SystemExit: 7 (ending_app.py"
    )
