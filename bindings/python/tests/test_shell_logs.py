"""The commands of imd for logs."""

import importlib
import json
import os
import re
import shutil
import stat
import sys
from pathlib import Path

import pytest
from imd_command import start

import immutabledata as imd
from immutabledata._shell import header, log

PROGRAM = """
import random
import immutabledata as imd

@imd.drafting
def reduce(draft, action):
    if action["type"] == "guessed":
        draft["n"] = random.random()
    else:
        draft["tasks"].append(action["payload"])

@imd.log.migration(from_version=1)
def add_done(state):
    return {**state.to_python(), "done": []}

steps = [add_done]
other = 5
"""


@pytest.fixture(autouse=True)
def folder(run_imd, tmp_path, monkeypatch):
    """A folder with a program, its log, and that of a domain."""
    monkeypatch.syspath_prepend(tmp_path)  # Restores sys.path, to which imd adds the folder.
    (tmp_path / "app.py").write_text(PROGRAM)
    scope = {}
    exec(PROGRAM, scope)
    with imd.Store(scope["reduce"], {"tasks": []}, log="tasks.imd", history=True) as store:
        store.dispatch("added", "milk")
        store.dispatch_batch([{"type": "added", "payload": each} for each in ("tea", "bread")])
        store.undo()
    with imd.open("counter", log="counter.imd") as store:
        for _ in range(3):
            store.dispatch("didTapIncrementButton")
    return tmp_path


def lines(run):
    assert run.err == ""
    return [json.loads(line) for line in run.out.splitlines()]


def without_time(entry):
    assert 1_700_000_000_000 < entry.pop("time") < 10_000_000_000_000
    return entry


def damage(name):
    """Changes the data of a line that a later line says was on the disk."""
    path = Path(name)
    path.write_bytes(path.read_bytes().replace(b"milk", b"malt"))


# ---- imd log -------------------------------------------------------------------------------------


def test_log_prints_entries(run_imd):
    added = {"type": "added", "payload": "milk"}
    batch = [{"type": "added", "payload": "tea"}, {"type": "added", "payload": "bread"}]
    entries = lines(run_imd("log", "tasks.imd"))
    assert list(map(without_time, entries)) == [
        {"number": 1, "actions": [added]},
        {"number": 3, "actions": batch},
        {"number": 4, "jump": {"kind": "undone", "number": 1}},
    ]


def test_log_prints_what_the_library_reads(run_imd):
    imd.log.redact("counter.imd", lambda entry: entry.number == 2)
    for name in ("tasks.imd", "counter.imd"):
        printed = [
            (each.pop("number"), each.pop("time"), *each.popitem())
            for each in lines(run_imd("log", name))
        ]
        assert printed == [
            (each.number, each.time, each.kind, imd.to_python(each.content) or "redacted")
            for each in imd.log.entries(name)
        ]


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--from", 2], [3, 4]),
        (["--count", 2], [1, 3]),
        (["--count", 0], []),
        (["--last", 2], [3, 4]),
        (["--last", 0], []),
        (["--last", 2, "--count", 1], [3]),
        (["--from", 4, "--last", 9], [4]),
        (["--type", "add*"], [1, 3]),
        (["--type", "@@history/*"], [4]),
        (["--type", "ADDED"], []),
        (["--type", "added", "--last", 1], [3]),
    ],
)
def test_log_selects_entries(run_imd, options, numbers):
    assert [entry["number"] for entry in lines(run_imd("log", "tasks.imd", *options))] == numbers


def test_log_follows(folder):
    process = start("log", "counter.imd", "--from", 3, "--follow", cwd=folder)
    assert json.loads(process.stdout.readline())["number"] == 3
    with imd.open("counter", log="counter.imd") as store:
        store.dispatch("didTapDecrementButton")
        entry = json.loads(process.stdout.readline())
    assert (entry["number"], entry["actions"]) == (4, [{"type": "didTapDecrementButton"}])
    process.stdout.close()  # Nobody reads any more, and no entry has to come for it to end.
    assert process.wait() == 141
    assert process.communicate()[1] == b""


def test_log_follows_the_file_that_replaces_another(folder):
    process = start("log", "counter.imd", "--last", 1, "--follow", "--count", 2, cwd=folder)
    assert json.loads(process.stdout.readline())["number"] == 3
    imd.log.compact("counter.imd")
    with imd.open("counter", log="counter.imd") as store:
        store.dispatch("didTapIncrementButton")
    out, err = process.communicate()
    assert (json.loads(out)["number"], err, process.returncode) == (4, b"", 0)


def test_log_leaves_out_an_unfinished_line(run_imd):
    with open("counter.imd", "ab") as file:
        file.write(b'{"sum":"0000')
    assert len(lines(run_imd("log", "counter.imd"))) == 3


def test_log_of_a_clock_that_was_wrong(run_imd):
    path = Path("counter.imd")
    path.write_bytes(re.sub(rb'"time":\d+', b'"time":-4681', path.read_bytes()))
    assert [entry["time"] for entry in lines(run_imd("log", path))] == [-4681] * 3


def test_log_says_which_line_is_damaged(run_imd):
    path = Path("counter.imd")
    path.write_bytes(path.read_bytes().replace(b'"number":2', b'"nomber":2'))
    run = run_imd("log", "counter.imd")
    assert run.code == 1
    assert run.err == "imd: line 4 of counter.imd is damaged; see imd verify counter.imd\n"


@pytest.mark.parametrize("option", ["--type=added", "--last=1"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"type"', b'"tipe"'),
        (b'"type":"added"', b'"type":[     ]'),
        (b'[{"payload"', b'{ "payload"'),
        (b'"added"', b'"add\xffd"'),
    ],
)
def test_log_of_damaged_entries(run_imd, monkeypatch, old, new, option):
    path = Path("tasks.imd")
    path.write_bytes(path.read_bytes().replace(old, new))
    monkeypatch.setattr("immutabledata._shell.log._write_line", log._write_row)
    run = run_imd("log", "tasks.imd", option)
    assert run.code in (0, 1)
    assert run.err in ("", "imd: an entry of tasks.imd is damaged; see imd verify tasks.imd\n")


@pytest.mark.parametrize("name", ["app.py", "app.py:reduce", "counter.imd-snapshot", "empty"])
def test_what_is_no_log(run_imd, name):
    Path("empty").touch()
    Path("counter.imd-snapshot").write_text('{"sum":"00000000","snapshot":{}}\n')
    run = run_imd("log", name)
    assert (run.code, run.out) == (3, "")
    assert run.err in {
        f"imd: {name} is no log of a store\n",
        f"imd: {name}: No such file or directory\n",
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("domain", '"domain":{}'),
        ("domain", '"domain":1'),
        ("application", '"application":[],"domain":"counter"'),
        ("version", '"version":"1"'),
        ("version", '"version":true'),
        ("version", '"version":1e400'),
        ("options", '"options":[]'),
        ("history", '"options":{"history":1}'),
        ("optimistic", '"options":{"optimistic":{}}'),
        ("engine", '"engine":null'),
    ],
)
@pytest.mark.parametrize("command", ["shell", "run", "show", "log", "replay", "export", "backup"])
def test_a_bad_first_line_is_a_message(run_imd, command, name, text):
    path = Path("counter.imd")
    first, rest = path.read_bytes().split(b"\n", 1)
    members = first[:-2] + b"," + text.encode() + b"}}"  # The last one of a name counts.
    path.write_bytes(members + b"\n" + rest)
    run = run_imd(command, path, *(["to.imd"] if command == "backup" else []))
    assert run.code == 1
    message = f'imd: the first line of counter.imd is damaged: its "{name}" is none of a log\n'
    assert (run.out, run.err) == ("", message)


# ---- imd show and imd diff -----------------------------------------------------------------------


@pytest.mark.parametrize("command", ["log", "show", "backup"])
def test_a_pipe_is_no_log(run_imd, command):
    os.mkfifo("pipe.imd")
    run = run_imd(command, "pipe.imd", *(["to.imd"] if command == "backup" else []))
    assert run == (3, "", "imd: pipe.imd is a pipe, and no log of a store\n")


def test_show_prints_the_state(run_imd):
    assert run_imd("show", "tasks.imd", "app.py:reduce") == (0, '{"tasks":["milk"]}\n', "")
    assert run_imd("show", "tasks.imd", "app.py:reduce", "--at", 3).out == (
        '{"tasks":["milk","tea","bread"]}\n'
    )
    assert run_imd("show", "counter.imd", "--at", 2).out == '{"value":2}\n'


def test_show_prints_outputs_of_a_past_state(run_imd):
    options = "--select", "selectValue", "--query", "value"
    assert run_imd("show", "counter.imd", "--at", 1, *options).out == "1\n1\n"


def test_show_works_while_a_store_writes(run_imd):
    with imd.open("counter", log="counter.imd") as store:
        store.dispatch("didTapIncrementButton")
        assert run_imd("show", "counter.imd").out == '{"value":4}\n'


def test_show_says_which_commits_there_are(run_imd):
    run = run_imd("show", "counter.imd", "--at", 9)
    assert run.code == 1
    assert "there is no commit 9" in run.err


TYPED = """
from dataclasses import dataclass
from typing import TypedDict
import immutabledata as imd

class Count(TypedDict):
    n: int

class Both(Count):
    m: int

@dataclass(frozen=True)
class Added:
    by: int = 1

@imd.drafting
def reduce(draft: Count, action: Added):
    draft["n"] += action.by

@imd.drafting
def stricter(draft: Both, action: Added):
    draft["n"] += action.by

notes = imd.Slice("notes", [])
combined = imd.combine(count=reduce, notes=notes)

def wrong(state: Count, action: str): ...

@imd.drafting
def untyped(draft, action):
    draft["n"] += action["payload"]["by"]
"""


@pytest.fixture
def typed(folder, monkeypatch):
    """Logs of a program whose types need a member of the state, as its module."""
    (folder / "typed_app.py").write_text(TYPED)
    monkeypatch.delitem(sys.modules, "typed_app", raising=False)
    module = importlib.import_module("typed_app")
    for reducer, state in (("reduce", {"n": 5}), ("combined", {"count": {"n": 5}})):
        with imd.Store(getattr(module, reducer), state=state, log=f"{reducer}.imd") as store:
            store.dispatch(module.Added())
            store.dispatch(module.Added(2))
    return module


@pytest.mark.parametrize(
    ("reducer", "first", "last", "more"),
    [
        ("reduce", '{"n":6}', '{"n":8}', '{"n":11}'),
        (
            "combined",
            '{"count":{"n":6},"notes":[]}',
            '{"count":{"n":8},"notes":[]}',
            '{"count":{"n":11},"notes":[]}',
        ),
    ],
)
def test_a_log_of_a_program_with_a_typed_state(run_imd, typed, reducer, first, last, more):
    log = f"{reducer}.imd", f"typed_app.py:{reducer}"
    assert lines(run_imd("replay", *log))[0]["difference"] is None
    assert run_imd("show", *log) == (0, f"{last}\n", "")
    assert run_imd("show", *log, "--at", 1) == (0, f"{first}\n", "")
    assert run_imd("shell", *log, "-c", "@") == (0, f"{last}\n", "")
    action = '{"type":"Added","payload":{"by":3}}'
    assert run_imd("run", *log, stdin=action) == (0, "", "")
    assert run_imd("show", *log) == (0, f"{more}\n", "")


def test_a_log_with_a_state_that_does_not_fit(run_imd, typed):
    for command in ("show", "replay"):
        assert run_imd(command, "reduce.imd", "typed_app.py:stricter") == (
            1,
            "",
            "imd: reduce.imd: the state after commit 0 does not fit the schema of "
            'typed_app.py:stricter: state: the member "m" is missing\n',
        )
    assert run_imd("show", "reduce.imd", "typed_app.py:untyped").out == '{"n":8}\n'


def test_a_log_of_a_program_needs_its_reducer(run_imd):
    run = run_imd("replay", "tasks.imd")
    assert run == (
        2,
        "",
        "imd: tasks.imd is a log of a program; name its reducer, as in: imd replay tasks.imd "
        "app.py:reduce. If it is a program in C or C++, call imd_store_replay there; imd log and imd "
        "show need no reducer\n",
    )
    run = run_imd("diff", "tasks.imd", 1, 2)
    assert "as in: imd diff tasks.imd app.py:reduce 1 2. If it is" in run.err
    assert run_imd("diff", "tasks.imd", "app.py:reduce", 1, 2).code == 0
    assert run_imd("show", "tasks.imd", "counter.imd").code == 2
    assert run_imd("show", "counter.imd", "animals").code == 3
    assert run_imd("show", "--at", 3, "tasks.imd", "--query", "tasks[1]", "app.py:reduce").out == (
        '"tea"\n'
    )
    assert run_imd("show", "counter.imd", "counter").out == '{"value":3}\n'


def test_an_optimistic_log_is_read(run_imd):
    log = {"path": "o.imd", "application": "x", "version": 3}
    with imd.Store(lambda s, a: s + 1, 0, log=log, optimistic=True) as store:
        store.dispatch("a")
    Path("o.py").write_text("def reduce(state, action): return state + 1\n")
    assert run_imd("show", "o.imd", "o.py:reduce").out == "1\n"
    assert run_imd("replay", "o.imd", "o.py:reduce").code == 0
    assert run_imd("diff", "o.imd", "o.py:reduce", 0, 1).out == (
        '[{"op":"replace","path":"","value":1}]\n'
    )


def test_diff_prints_a_patch(run_imd):
    run = run_imd("diff", "tasks.imd", "app.py:reduce", 1, 3)
    (patch,) = lines(run)
    assert imd.apply_patch({"tasks": ["milk"]}, patch) == {"tasks": ["milk", "tea", "bread"]}
    assert run_imd("diff", "counter.imd", 1, 1).out == "[]\n"
    assert run_imd("diff", "counter.imd", 1).code == 2
    run = run_imd("diff", "tasks.imd", 1, 3, "app.py:reduce")
    assert '"app.py:reduce" is no number; a reducer follows the log' in run.err


# ---- imd replay and imd verify -------------------------------------------------------------------


def test_replay_finds_the_same_states(run_imd):
    assert run_imd("replay", "tasks.imd", "app.py:reduce") == (
        0,
        '{"difference":null,"entries":3,"number":4}\n',
        "",
    )
    with imd.open("counter", log="counter.imd"):  # Also while a store writes.
        assert run_imd("replay", "counter.imd").code == 0


def test_replay_finds_a_difference(run_imd):
    store = "guess.imd", "app.py:reduce", "--state", '{"n":0}'
    assert run_imd("run", *store, stdin='{"type":"guessed"}\n').code == 0
    run = run_imd("replay", "guess.imd", "app.py:reduce")
    (found,) = lines(run)
    assert run.code == 1
    assert found["difference"]["number"] == 1
    assert found["difference"]["patch"][0]["path"] == "/n"


def test_verify_checks_each_log(run_imd):
    damage("tasks.imd")
    run = run_imd("verify", "tasks.imd", "counter.imd")
    bad, good = lines(run)
    assert run.code == 1
    assert bad["file"] == "tasks.imd"
    assert "line 3" in bad["error"]
    assert (good["file"], good["entries"], good["last"]) == ("counter.imd", 3, 3)


def test_verify_goes_on_after_what_it_cannot_read(run_imd):
    names = ["none.imd", "app.py", "caf\udce9.imd", "counter.imd"]
    run = run_imd("verify", *names)
    assert run.code == 3
    *bad, good = map(json.loads, run.out.splitlines())
    assert [each["file"] for each in bad] == names[:-1]
    assert good["entries"] == 3
    missing, unnamed = run.err.splitlines()
    assert missing.startswith("imd: cannot open ")
    assert unnamed.startswith("imd: caf\\udce9.imd: the path cannot be UTF-8: ")
    damage("tasks.imd")
    assert run_imd("verify", "tasks.imd", "none.imd").code == 3
    Path("counter.imd").rename("-c")
    assert run_imd("verify", "--json", "--", "-c").code == 0


def test_verify_says_what_does_not_fit_a_schema(run_imd):
    state = {"type": "object", "required": ["n"]}
    number = {"$ref": "#/$defs/number"}
    schema = {"actions": {"added": number}, "state": state, "$defs": {"number": {"minimum": 2}}}
    Path("schema.json").write_text(json.dumps(schema))
    with imd.Store(lambda state, action: state, state=1, log="x.imd") as store:
        store.dispatch_batch([{"type": "added", "payload": number} for number in (2, 1)])
        store.dispatch("removed")
        store.dispatch("added", 3)
    command = "verify", "x.imd", "--schema", "schema.json"
    run = run_imd(*command, "--json")
    assert run.code == 1
    assert lines(run)[0]["misfits"] == [
        {"number": 2, "error": '"added": payload: expected a number of at least 2, found 1'},
        {"number": 3, "error": 'unknown action type "removed"; expected "added"'},
        {"number": 0, "error": "state: expected an object, found an integer"},
    ]
    schema = {"actions": {"added": {}, "removed": {}}}
    Path("schema.json").write_text(json.dumps(schema))
    run = run_imd(*command)
    assert run.code == 0
    assert lines(run)[0]["misfits"] == []
    Path("schema.json").write_text('{"actions":{"added":{"typ":"string"}}}')
    run = run_imd(*command)
    assert run.code != 0
    assert 'options/schema/actions/added/typ: the keyword "typ" is not supported' in run.err
    Path("schema.json").write_text("[")
    assert run_imd(*command).err.startswith("imd: schema.json is not JSON: ")


def test_verify_takes_the_types_of_a_program(run_imd, typed):
    for schema, misfits in (
        ("reduce", []),
        ("stricter", [{"number": 0, "error": 'state: the member "m" is missing'}]),
    ):
        run = run_imd("verify", "reduce.imd", "--schema", f"typed_app.py:{schema}")
        assert run.code == bool(misfits)
        assert lines(run)[0]["misfits"] == misfits
    run = run_imd("verify", "combined.imd", "--schema", "typed_app.py:combined")
    assert lines(run)[0]["misfits"] == []
    for name, message in (
        ("untyped", "typed_app.py:untyped has no types; annotate its action with classes, or name"),
        ("notes", "typed_app.py:notes has no types"),
        ("wrong", "typed_app.py:wrong: the parameter action of wrong: str is no class of actions"),
        ("nothing", 'typed_app.py has no "nothing"'),
    ):
        run = run_imd("verify", "reduce.imd", "--schema", f"typed_app.py:{name}")
        assert (run.code != 0, run.out) == (True, "")
        assert run.err.startswith(f"imd: {message}")


# ---- imd backup, compact and migrate -------------------------------------------------------------


def test_backup_copies_while_a_store_writes(run_imd, folder):
    with imd.open("counter", log="counter.imd") as store, open("counter.imd", "ab") as file:
        store.dispatch("didTapIncrementButton")
        size = os.path.getsize("counter.imd")
        file.write(b'{"sum"')  # A line that is being written.
        file.flush()
        (found,) = lines(run_imd("backup", "counter.imd", "copy.imd"))
        file.truncate(size)
    assert (found["file"], found["entries"]) == ("copy.imd", 4)
    assert imd.log.verify("copy.imd")["unfinishedBytes"] == 0
    assert run_imd("show", "copy.imd").out == '{"value":4}\n'


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_a_backup_is_for_the_users_of_the_log(run_imd, mode):
    os.chmod("counter.imd", mode)
    if os.geteuid() == 0:
        os.chown("counter.imd", 1234, 2345)
    assert run_imd("backup", "counter.imd", "copy.imd").code == 0
    log, copy = os.stat("counter.imd"), os.stat("copy.imd")
    assert stat.S_IMODE(copy.st_mode) == mode
    assert (copy.st_uid, copy.st_gid) == (log.st_uid, log.st_gid)


def test_a_backup_whose_group_is_refused_is_not_for_the_group(run_imd, monkeypatch):
    os.chmod("counter.imd", 0o664)
    monkeypatch.setattr(os, "fchown", _refuse)
    group = os.stat("counter.imd").st_gid
    if os.geteuid() == 0:
        os.chown("counter.imd", -1, group + 1)
    assert run_imd("backup", "counter.imd", "copy.imd").code == 0
    copy = os.stat("copy.imd")
    assert stat.S_IMODE(copy.st_mode) == (0o604 if os.geteuid() == 0 else 0o664)
    assert copy.st_gid == group


def _refuse(*arguments):
    raise PermissionError


def test_backup_replaces_nothing(run_imd):
    Path("copy.imd").write_text("precious")
    run = run_imd("backup", "counter.imd", "copy.imd")
    assert (run.code, run.out) == (3, "")
    assert run.err == "imd: copy.imd exists; choose another name, or remove it first\n"
    assert Path("copy.imd").read_text() == "precious"
    Path("copy.imd").unlink()
    os.symlink("nowhere", "copy.imd")
    assert run_imd("backup", "counter.imd", "copy.imd").code == 3


def test_backup_into_a_folder(run_imd):
    os.mkdir("backups")
    assert lines(run_imd("backup", "counter.imd", "backups"))[0]["file"] == "backups/counter.imd"
    assert os.listdir("backups") == ["counter.imd"]


def test_backup_of_a_damaged_log_leaves_nothing(run_imd):
    damage("tasks.imd")
    before = sorted(os.listdir())
    assert run_imd("backup", "tasks.imd", "copy.imd").code == 1
    assert sorted(os.listdir()) == before


@pytest.mark.filterwarnings("ignore::immutabledata.LikelyMistakeWarning")
def test_compact_refuses_a_reducer_of_another_log(run_imd):
    Path("other.py").write_text(
        "import immutabledata as imd\n"
        "reduce = imd.combine(others=imd.Slice('others', []))\n"
    )
    before = Path("tasks.imd").read_bytes()
    run = run_imd("compact", "tasks.imd", "other.py:reduce")
    assert (run.code, run.out) == (1, "")
    assert "changes the state of other.py:reduce; is that its reducer?" in run.err
    assert Path("tasks.imd").read_bytes() == before


def test_compact_keeps_entries(run_imd):
    for keep, count in (("all", 3), ("30d", 3), ("10MB", 3), ("1", 1)):
        (found,) = lines(run_imd("compact", "counter.imd", "--keep", keep))
        assert found["after"] == os.path.getsize("counter.imd")
        assert imd.log.verify("counter.imd")["entries"] == count
    assert run_imd("show", "counter.imd").out == '{"value":3}\n'
    assert run_imd("show", "counter.imd", "--at", 1).code == 1
    assert run_imd("compact", "counter.imd", "--keep", "1w").code == 2
    assert run_imd("compact", "tasks.imd", "app.py:reduce", "--keep", "1").code == 0


@pytest.mark.parametrize("name", ["add_done", "steps"])
def test_migrate(run_imd, name):
    arguments = "migrate", "tasks.imd", "app.py:reduce", "--migrations", f"app.py:{name}"
    before = Path("tasks.imd").read_bytes()
    (found,) = lines(run_imd(*arguments, "--dry-run"))
    facts = {"file": "tasks.imd", "from": 1, "to": 2, "entries": 3, "ignored": {}}
    assert found == {**facts, "dryRun": True, "old": None}
    assert Path("tasks.imd").read_bytes() == before
    (found,) = lines(run_imd(*arguments))
    assert found == {**facts, "dryRun": False, "old": "tasks.imd-v1"}
    assert Path("tasks.imd-v1").read_bytes() == before
    assert run_imd("show", "tasks.imd", "app.py:reduce", "--at", 0).out == (
        '{"done":[],"tasks":[]}\n'
    )
    (found,) = lines(run_imd(*arguments))  # Nothing to do.
    assert (found["from"], found["to"]) == (2, 2)


def test_a_migration_that_fails_changes_nothing(run_imd):
    Path("wrong.py").write_text(PROGRAM.replace('"done": []}', '"done": 1 / 0}'))
    before = Path("tasks.imd").read_bytes()
    run = run_imd("migrate", "tasks.imd", "wrong.py:reduce", "--migrations", "wrong.py:add_done")
    assert (run.code, run.out) == (1, "")
    assert "division by zero" in run.err
    assert Path("tasks.imd").read_bytes() == before


def test_a_migration_that_forgets_the_actions_is_told(run_imd):
    Path("new.py").write_text(PROGRAM.replace("else:", 'elif action["type"] == "named":'))
    arguments = "migrate", "tasks.imd", "new.py:reduce", "--migrations", "new.py:add_done"
    run = run_imd(*arguments, "--dry-run")
    assert run.code == 1
    assert 'imd: "added" changes nothing in new.py:reduce' in run.err


def test_a_message_names_the_log_and_not_its_copy(run_imd):
    steps = "--migrations", "app.py:add_done", "--to", 9
    run = run_imd("migrate", "tasks.imd", "app.py:reduce", *steps)
    assert (run.code, run.out) == (3, "")
    assert '"tasks.imd" needs a migration from the version 2' in run.err


@pytest.mark.parametrize(
    ("file", "owner"), [("todo.imd", "imd"), ("counter.imd", "the domain counter")]
)
def test_a_log_with_a_reducer_takes_no_other(run_imd, file, owner):
    run_imd("run", "todo.imd", stdin='{"type":"set","payload":{"path":"/a","value":1}}')
    before = Path(file).read_bytes()
    for arguments in (["compact", file, "app.py:reduce"], ["show", file, "app.py:reduce"]):
        run = run_imd(*arguments)
        assert (run.code, run.out) == (2, "")
        assert f"{file} is a log of {owner}, not of app.py:reduce" in run.err
    run = run_imd("run", file, "app.py:reduce", stdin='{"type":"added","payload":1}')
    assert run.code == 2
    assert Path(file).read_bytes() == before


def test_a_domain_migrates_by_itself(run_imd):
    assert lines(run_imd("migrate", "counter.imd", "--dry-run"))[0]["to"] == 1
    arguments = "migrate", "tasks.imd", "app.py:reduce"
    assert run_imd(*arguments).code == 2
    assert run_imd(*arguments, "--migrations", "app.py:other").code == 3


# ---- Without a reducer, and from a pipe ----------------------------------------------------------


def test_show_needs_no_reducer(run_imd):
    """Without one, it shows the last snapshot or the base."""
    run = run_imd("show", "tasks.imd")
    assert (run.code, run.out) == (0, '{"tasks":[]}\n')
    assert run.err == (
        "imd: tasks.imd: the state after commit 0; 3 entries follow, up to commit 4, and need the "
        "reducer of the program: imd show tasks.imd app.py:reduce\n"
    )
    assert run_imd("show", "tasks.imd", "--at", 0, "--query", "tasks").out == "[]\n"
    run = run_imd("show", "tasks.imd", "--at", 1)
    assert (run.code, run.out) == (2, "")
    assert "in C or C++, call imd_log_state_at there; imd log and imd show need no" in run.err


@pytest.mark.parametrize("command", ["log", "show", "verify"])
def test_a_pipe_can_be_read(run_imd, command):
    expected = run_imd(command, "counter.imd")
    log = Path("counter.imd").read_bytes()
    reader, writer = os.pipe()
    os.write(writer, log)
    os.close(writer)
    for name in ("-", f"/dev/fd/{reader}"):
        run = run_imd(command, name, stdin=log)
        assert run == (0, expected.out.replace("counter.imd", name), "")
    os.close(reader)
    assert run_imd("log", "--follow", "-", stdin="").code == 2
    run = run_imd(command, "-", stdin="wrong\n")
    assert run.code == (1 if command == "verify" else 3)
    assert "standard input" in (text := run.out + run.err) and "copy.imd" not in text


# ---- imd export and imd import -------------------------------------------------------------------


def test_export_and_import(run_imd):
    text = run_imd("export", "counter.imd").out
    assert json.loads(text)["computedStates"][-1]["state"] == {"value": 3}
    assert run_imd("import", "new.imd", "counter", stdin=text) == (0, "", "")
    assert run_imd("show", "new.imd").out == '{"value":3}\n'
    assert run_imd("import", "new.imd", "counter", stdin=text).code == 3
    assert run_imd("import", "other.imd", "app.py:reduce", stdin=text).code in (1, 3)
    assert not os.path.exists("other.imd")
    assert run_imd("import", "other.imd", "nothing", stdin=text).code == 2


# ---- imd ls and imd domains ----------------------------------------------------------------------


def test_ls_lists_logs(run_imd, folder):
    os.makedirs("more/.hidden")
    shutil.copy("counter.imd", "more/copy")
    shutil.copy("counter.imd", "more/.hidden")
    run_imd("run", "more/scratch.imd", stdin='{"type":"set","payload":{"path":"","value":1}}')
    with imd.open("counter", log="counter.imd"):
        found = {each["file"]: each for each in lines(run_imd("ls"))}
    assert sorted(found) == ["counter.imd", "more/copy", "more/scratch.imd", "tasks.imd"]
    assert found["counter.imd"]["writers"] == [os.getpid()]
    assert found["more/copy"]["writers"] == []
    assert found["more/scratch.imd"]["application"] == "imd"
    assert found["counter.imd"]["domain"] == "counter"
    for path, log in found.items():
        assert log["entries"] == imd.log.verify(path)["entries"]
        assert log["bytes"] == os.path.getsize(path)
        assert abs(log["modified"] / 1000 - os.path.getmtime(path)) < 1
    inside = [each["file"] for each in lines(run_imd("ls", "more"))]
    assert inside == ["more/copy", "more/scratch.imd"]
    assert run_imd("ls", "none").code == 3


def test_ls_goes_on_after_a_damaged_log(run_imd):
    damage("tasks.imd")
    good, bad = lines(run_imd("ls"))
    assert good["entries"] == 3
    assert bad["entries"] is None
    assert "line 3" in bad["error"]


def test_ls_goes_on_after_what_it_cannot_read(run_imd, monkeypatch):
    shutil.copy("counter.imd", b"caf\xe9.imd")
    bad, *others = lines(run_imd("ls"))
    assert (bad["file"], bad["entries"], bad["domain"]) == ("caf\udce9.imd", None, "counter")
    assert [each["file"] for each in others] == ["counter.imd", "tasks.imd"]

    def read_header(path):
        if path == "counter.imd":
            raise PermissionError(13, "Permission denied", path)
        return header.read_header(path)

    monkeypatch.setattr("immutabledata._shell.ls.read_header", read_header)
    run = run_imd("ls")
    assert (run.code, run.err) == (3, "imd: counter.imd: Permission denied\n")
    assert [json.loads(line)["file"] for line in run.out.splitlines()] == [
        "caf\udce9.imd",
        "tasks.imd",
    ]


def test_domains(run_imd):
    assert lines(run_imd("domains")) == imd.domains()
    (counter,) = lines(run_imd("domains", "counter"))
    assert counter["selectors"][0]["name"] == "selectValue"
    assert run_imd("domains", "none").code == 3
