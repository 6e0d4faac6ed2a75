"""The help of imd, its manual page, and the completion."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from imd_command import environment, start

import immutabledata as imd
from immutabledata._shell import scratch
from immutabledata._shell.arguments import commands_of, make_parser, operands_of, options_of
from immutabledata._shell.interactive.leaving import welcome
from immutabledata._shell.manual import manual

PARSER = make_parser()
COMMANDS = commands_of(PARSER)
ROOT = Path(__file__).parents[3]

# What the examples use.
TASKS = """
import immutabledata as imd

tasks = imd.Slice("tasks", [])

@tasks.on("added")
def added(draft, action):
    draft.append(action["payload"])

@tasks.on
def cleared(draft: list):
    draft.clear()

reduce = imd.combine(todos=tasks)

def store():
    return imd.Store(reduce)

@imd.log.migration(from_version=1)
def add_done(state):
    return state
"""


# In place of the package: it needs a server.
POSTGRESQL = """
from memory_logs import MemoryLogs, Snapshot, Place

class Kept(MemoryLogs):
    def open(self, opening):
        if "plans" in opening.address:
            opening = opening._replace(base=b"{}")
        return super().open(opening)

driver = Kept

def initialize(address):
    assert address == "postgresql:///app"

def schema():
    return "create schema immutabledata;\\n"
"""


def examples():
    """The commands of all examples, without what explains them."""
    for parser in [PARSER, *(parser for _, parser in COMMANDS.values())]:
        for line in parser.examples.splitlines():
            command = line.strip().partition("   ")[0]
            if command.startswith(("imd", "echo")) and "COMMAND" not in command:
                yield command


def make_files():
    for name in ("app", "tasks", "tasks2"):
        Path(f"{name}.py").write_text(TASKS)
    scope = {}
    exec(TASKS, scope)
    with imd.Store(scope["reduce"], log="tasks.imd") as store:
        for number in range(12):
            store.dispatch("tasks/added", number)
    log = {"path": "todo.imd", "application": scratch.APPLICATION}
    with imd.Store(scratch.reduce, {"todos": []}, log=log) as store:
        for number in range(12):
            store.dispatch("append", {"path": "/todos", "value": number})
    with imd.Store(scratch.reduce, {}, log={**log, "path": "board.imd", "shared": True}):
        pass
    with imd.open("counter", log="counter.imd") as store:
        store.dispatch("didTapIncrementButton")
    Path("counter.json").write_text(imd.log.export("counter.imd"))
    Path("tasks.json").write_text(imd.log.export("tasks.imd", scope["reduce"]))
    Path("actions.jsonl").write_text("")
    Path("todo.json").write_text('{"actions":{"append":{"required":["path"]}}}')
    Path("immutabledata_postgresql.py").write_text(POSTGRESQL)
    for name in ("backups", ".local/share"):
        Path(name).mkdir(parents=True)
    shutil.copy("todo.imd", "backups/old.imd")


@pytest.mark.parametrize("example", list(examples()))
def test_example(run_imd, example, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for module in ("app", "tasks", "tasks2"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    make_files()
    if example.startswith("imd import"):
        Path(shlex.split(example)[2]).unlink()
    lexer = shlex.shlex(example, posix=True, punctuation_chars="|<>")
    lexer.whitespace_split = True
    words = list(lexer)
    words = [str(Path(word).expanduser()) if word[0] == "~" else word for word in words]
    stdin = ""
    if words[0] == "echo":
        stdin, words = words[1] + "\n", words[3:]
    if "<" in words:
        stdin = Path(words[words.index("<") + 1]).read_text()
    for mark in "<", ">", "|":
        words = words[: words.index(mark)] if mark in words else words
    if "--follow" in words:
        return follow(words)
    if words[1:2] in (["inspect"], ["attach"]):
        with tempfile.TemporaryDirectory() as short:  # The path of a socket cannot be long.
            return look_into_a_program(words, stdin, monkeypatch, Path(short))
    if "--library" in words and words[2] == "check":
        pytest.skip("the library is one of the reader")
    if any("://" in word for word in words):
        return use_server(words)
    if words[-1] == "backups/*.imd":
        words[-1:] = sorted(map(str, Path().glob(words[-1])))
    if '"$(imd' in example:
        words = ["imd", "completion", words[-1].split()[-1].rstrip(")")]
    run = run_imd(*words[1:], stdin=stdin)
    assert (run.code, run.err) == (0, "")


def look_into_a_program(words, stdin, monkeypatch, runtime):
    """Runs a command for a program that can be inspected, until it has printed a line."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    folder = runtime / "immutabledata"
    folder.mkdir(mode=0o700)
    options = {"path": str(folder / "board-4711.sock")}
    state = {"todos": ["Write"]}
    with imd.Store(lambda state, action: state, state, inspect=options) as store:
        Path("board.sock").symlink_to(options["path"])
        process = start(*words[1:])
        process.stdin.write((stdin or "stores\n").encode())
        process.stdin.close()
        ticking = nullcontext() if "trace" not in words else ticks(store)
        with ticking:
            assert process.stdout.readline()
        process.kill()
        process.stdin = None
        assert process.communicate()[1] == b""


@contextmanager
def ticks(store):
    """Dispatches again and again: a process sees the actions after it has attached."""
    done = threading.Event()

    def tick():
        while not done.wait(0.01):
            store.dispatch("ticked")

    thread = threading.Thread(target=tick)
    thread.start()
    yield
    done.set()
    thread.join()


def follow(words):
    process = start(*words[1:])
    assert process.stdout.readline()
    process.kill()
    process.communicate()


def use_server(words):
    """Runs a command in a process of its own, which may register the driver."""
    paths = os.pathsep.join([".", str(Path(__file__).parent)])
    process = start(*words[1:], env=environment(PYTHONPATH=paths))
    out, err = process.communicate()
    assert process.returncode == 0, err
    expected = "the server is ready" if words[2] == "init" and "--print" not in words else ""
    assert err.decode().startswith(f"imd: {expected}" if expected else "")
    assert out or expected


def test_every_command_has_help_and_examples(run_imd, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    shown = run_imd("--help").out
    for name, (summary, parser) in COMMANDS.items():
        assert f"{name}" in shown
        assert summary in shown
        text = run_imd(*name.split(), "--help").out
        for line in parser.examples.splitlines():
            assert line in text
            assert f"imd {name}" in line
        for argument in [*options_of(parser), *operands_of(parser)]:
            assert argument.help, (name, argument.dest)


def test_narrow_help_is_wrapped_by_words(run_imd, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    for command in [[], *(name.split() for name in COMMANDS)]:
        text = run_imd(*command, "--help").out
        assert max(map(len, text.split("\n"))) <= 60
        parser = COMMANDS[" ".join(command)][1] if command else PARSER
        rest = " ".join(text.replace(" \\\n", " ").split())
        assert all(" ".join(line.split()) in rest for line in parser.examples.splitlines())


def test_the_welcome_is_wrapped():
    assert max(map(len, welcome(80).split("\n"))) <= 80
    for line in welcome(60).split("\n"):
        assert len(line) <= 60
        assert line.count('"') in (0, 2)


def test_the_version(run_imd):
    assert run_imd("--version") == (0, f"imd {imd.version()}\n", "")


def test_the_manual_page_is_made_from_the_parser():
    page = ROOT / "docs/imd.1"
    if not page.exists():
        pytest.skip("the tests are not in their repository")
    assert page.read_text() == manual(), "python -m immutabledata._shell.manual > docs/imd.1"


def test_the_manual_page_has_no_mistakes():
    if shutil.which("groff") is None:
        pytest.skip("groff is missing")
    command = ["groff", "-man", "-Tutf8", "-ww"]
    done = subprocess.run(command, input=manual().encode(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"imd - a shell for stores" in done.stdout


def test_help_imports_only_what_it_needs():
    program = (
        "import sys; from immutabledata._shell import main; main(['--help']); "
        "print(*[each for each in ('asyncio', 'http.client', 'ssl', 'prompt_toolkit', 'rich') "
        "if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout.splitlines()[-1], done.stderr) == ("", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], 'there is no command "nope"; see imd --help'),
        (["verfiy"], 'there is no command "verfiy"; did you mean verify?'),
        (["todo.imd"], "to open a store, type: imd shell todo.imd"),
        (["counter"], "to open a store, type: imd shell counter"),
        (["--nope"], 'unexpected argument "--nope"; see imd --help'),
        (["log", "a", "--nope"], 'unexpected argument "--nope"; see imd log --help'),
        (["log", "a", "b"], 'unexpected argument "b"; see imd log --help'),
        (["log"], "the following arguments are required: FILE; see imd log --help"),
        (["-c"], "argument -c/--command: expected one argument; see imd shell --help"),
        (["--json"], 'unexpected argument "--json"; see imd --help'),
        (["run", "--option", "x"], '--option: "x" is no option such as store=zoo.sqlite; see imd'),
        (["show", "a.py:b", "a.imd"], "before its reducer, as in: imd show a.imd a.py:b"),
        (["run", "counter", "a.imd"], "before its reducer, as in: imd run a.imd counter"),
        (["log", "a", "--last", "x"], 'argument --last: "x" is no number; see imd log --help'),
        (["log", "a", "--last", "9" * 5000], "argument --last: the number is too large; see"),
        (["log", "postgresql://a:secret@h/d"], "postgresql:// is the address of a log on a server"),
        (["show", "x://h"], "and imd show is for files; a program opens such a log, and its store"),
        (["verify", "a.imd", "x://h"], "x:// is the address of a log on a server, and imd verify"),
        (["shell", "x://h"], "x:// is the address of a log on a server, and imd shell is for files"),
        (["log", "trim"], "the following arguments are required: ADDRESS; see imd log trim --help"),
        (["log", "init", "a.imd"], '"a.imd" is no address such as postgresql:///app?log=plans'),
        (["run", "--batch", "0"], "argument --batch: it must be at least 1; see imd run --help"),
    ],
)
def test_wrong_usage(run_imd, arguments, message):
    run = run_imd(*arguments)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert run.err.startswith("imd: ")
    assert run.err.count("\n") == 1


# ---- Completion ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "candidates"),
    [
        (["l"], {"ls", "log"}),
        (["log", "--f"], {"--follow", "--from"}),
        (["log", "--from", ""], set()),
        (["log", "i"], {"init"}),
        (["log", "c"], {"check"}),
        (["log", "init", "--p"], {"--print"}),
        (["log", "check", "--s"], {"--seed", "--symbol"}),
        (["log", "trim", "--j"], {"--json"}),
        (["log", "a.imd", "--p"], set()),
        (["completion", "b"], {"bash"}),
        (["shell", "--op"], {"--option"}),
        (["show", "--option", ""], set()),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_completion(run_imd, shell, words, candidates):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is missing")
    script = run_imd("completion", shell).out
    if shell == "bash":
        line = " ".join(map(shlex.quote, ["imd", *words]))
        script += f"\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; _imd\n"
        script += 'printf "%s\\n" "${COMPREPLY[@]}"'
    else:
        script += f"\ncomplete -C {shlex.quote(' '.join(['imd', *words]))}"
    done = subprocess.run([shell, "-c", script], capture_output=True, text=True, env=environment())
    assert done.stderr == ""
    assert {line.partition("\t")[0] for line in done.stdout.split("\n") if line} == candidates


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts_have_no_mistakes(run_imd, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is missing")
    script = run_imd("completion", shell).out
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert all(name in script for name in COMMANDS)
