"""STORE, the argument of commands: what it names."""

import json
import os

import pytest

import immutabledata as imd
from immutabledata._shell import scratch
from immutabledata._shell.failure import CommandError
from immutabledata._shell.stores import open_store

PROGRAM = """
import os
import immutabledata as imd

todos = imd.Slice("todos", [])

@todos.on("added")
def added(draft, action):
    draft.append(action["payload"])

reduce = imd.combine(todos=todos)
plain = lambda state, action: state
store = imd.Store(reduce, history=True)
class names:
    inner = store

def make(): return imd.Store(reduce)
def fails(): raise ValueError("no")
def ends(): raise SystemExit(5)
async def waits(): pass
def wrong(): return 3
def one(a): return a
number = 5
counter = imd.open("counter")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(__import__("sys").path))
    (tmp_path / "app.py").write_text(PROGRAM)
    monkeypatch.delitem(__import__("sys").modules, "app", raising=False)
    return tmp_path


def closing(opened):
    opened.close()
    return opened


@pytest.mark.parametrize(
    ("name", "state"),
    [
        (None, {}),
        ("counter", {"value": 0}),
        ("app.py:store", {"todos": []}),
        ("app.py:names.inner", {"todos": []}),
        ("app:make", {"todos": []}),
        ("./app.py:reduce", {"todos": []}),
        ("app.py:todos", []),
        ("new.imd", {}),
    ],
)
def test_what_a_name_opens(name, state):
    opened = open_store(name)
    assert opened.store.state == imd.value(state)
    assert opened.name == (name or "scratch")
    opened.close()
    assert opened.store.closed


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("countr", {}, 'there is no domain or file "countr"; did you mean counter?'),
        ("nothing", {}, 'there is no domain or file "nothing"; domains: animals, counter'),
        (".", {}, "imd ls . lists its logs"),
        ("app.py", {}, "as in app.py:store"),
        ("app.py:", {}, "write app.py:store"),
        ("app.py:nope", {}, 'app.py has no "nope"; it has: added, counter'),
        ("app.py:redcue", {}, 'app.py has no "redcue"; did you mean reduce?'),
        ("none.py:x", {}, "there is no file none.py"),
        ("no_module:x", {}, "no_module cannot be imported: ModuleNotFoundError"),
        ("app.py:fails", {}, "app.py:fails() has failed: ValueError: no"),
        ("app.py:wrong", {}, "app.py:wrong() returned int, not a Store"),
        ("app.py:ends", {}, "app.py:ends() has failed: SystemExit: 5"),
        ("app.py:waits", {}, "app.py:waits() returned coroutine, not a Store"),
        ("app.py:one", {}, "app.py:one is no Store"),
        ("app.py:number", {}, "app.py:number is no Store"),
        ("app.py:plain", {}, "add its initial state: --state '{}'"),
        ("app.py:store", {"state": "1"}, "is a store, which has its options: no --state"),
        ("app.py:store", {"read_only": True}, "is a store, which has its options: no --read-only"),
        ("x.imd", {"reducer": "countr"}, '"countr" is no domain, nor a reducer as in app.py:red'),
        ("x.imd", {"reducer": "countr"}, "app.py:reduce; did you mean counter?"),
        ("x.imd", {"reducer": "app.py:plain"}, "add its initial state: --state '{}'"),
        ("x.imd", {"reducer": "counter", "read_only": True}, "there is no file x.imd"),
        (None, {"options": [("store", 1)]}, "--option is for a domain, and scratch is none"),
        ("app.py:reduce", {"options": [("store", 1)]}, "--option is for a domain"),
        ("app.py:store", {"options": [("store", 1)]}, "which has its options: no --option"),
        ("counter", {"options": [("a", 1), ("a", 2)]}, "--option a is given twice"),
        ("counter", {"options": [("log", "a")]}, "no use; type: imd shell FILE counter"),
        ("counter", {"options": [("state", 1)], "state": "1"}, "no use; type: --state"),
        ("x.imd", {"read_only": True}, "there is no file x.imd"),
        (None, {"read_only": True}, "--read-only needs a log"),
        (None, {"state": "5"}, "--state: the state must be an object or an array"),
        (None, {"state": "{"}, "--state: the value is not JSON"),
        (None, {"library": "none.so"}, "none.so could not be loaded"),
    ],
)
def test_what_it_says_of_mistakes(name, options, message):
    with pytest.raises(CommandError) as caught:
        open_store(name, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert sorted(os.listdir()) in (["app.py"], ["__pycache__", "app.py"])


def test_a_program_that_fails_says_where(folder):
    (folder / "broken.py").write_text("x = 1\ny = 1 / 0\n")
    with pytest.raises(CommandError, match=r"division by zero \(broken.py, line 2\)"):
        open_store("broken.py:x")
    (folder / "ending.py").write_text("import sys; sys.exit(3)\n")
    with pytest.raises(CommandError, match=r"ending\.py ended while it was imported"):
        open_store("ending.py:x")
    (folder / "syntax.py").write_text("x = (\n")
    with pytest.raises(CommandError, match=r"SyntaxError: .*\(syntax.py, line 1\)"):
        open_store("syntax.py:x")


def test_the_program_is_imported_once(folder):
    one, two = open_store("app.py:store"), open_store("app.py:names.inner")
    assert one.store is two.store


def test_a_log_names_its_domain():
    with imd.open("counter", log="c.imd", state={"value": 7}):
        pass
    opened = open_store("c.imd")
    assert (opened.domain, opened.path, opened.store.state["value"]) == ("counter", "c.imd", 7)
    opened.close()
    with pytest.raises(CommandError, match=r"c\.imd has a state; --state is for a new store"):
        open_store("c.imd", state="{}")


def test_a_domain_has_precedence_over_a_file():
    with imd.Store(scratch.reduce, 1, log={"path": "counter", "application": "imd"}):
        pass
    opened = closing(open_store("counter"))
    assert (opened.domain, opened.path) == ("counter", None)
    assert closing(open_store("./counter")).is_scratch


def test_a_log_of_a_scratch_store_needs_no_program():
    opened = open_store("new.imd", state="[1]")
    opened.store.dispatch("append", {"path": "", "value": 2})
    opened.close()
    opened = open_store("new.imd")
    assert opened.store.state == imd.value([1, 2])
    opened.close()


def test_a_log_of_a_program_needs_its_reducer():
    log = {"path": "todo.imd", "application": "todo", "version": 4}
    opened = open_store("app.py:reduce")
    with imd.Store(opened.reducer, log=log) as store:
        store.dispatch("todos/added", 1)
    opened.close()
    with pytest.raises(CommandError) as caught:
        open_store("todo.imd")
    assert str(caught.value) == (
        'todo.imd is a log of the program "todo"; name its reducer, as in: '
        "imd shell todo.imd app.py:reduce. If it is a program in C or C++, imd log and imd show need no "
        "reducer"
    )
    for name in ("app.py:reduce", "app.py:store"):
        opened = open_store("todo.imd", name)
        assert opened.store.state == imd.value({"todos": [1]})
        assert opened.program == name
        opened.close()


@pytest.mark.parametrize(
    ("reducer", "state"), [("counter", {"value": 0}), ("app.py:reduce", {"todos": []})]
)
def test_a_new_log_takes_a_reducer(reducer, state):
    for _ in range(2):
        opened = open_store("new.imd", reducer)
        assert (opened.path, opened.store.state) == ("new.imd", imd.value(state))
        opened.close()


def test_options_are_those_of_a_domain():
    opened = open_store("counter", options=[("history", True), ("state", {"value": 3})])
    assert (opened.store.state["value"], opened.store.history.undo) == (3, 0)
    opened.close()
    with pytest.raises(CommandError, match='"stroe"; did you mean "store"'):
        open_store("animals", options=[("stroe", "zoo.sqlite")])


def test_interactive_stores_can_be_saved_and_undone():
    for name in (None, "counter", "app.py:reduce"):
        opened = open_store(name, interactive=True)
        assert os.path.exists(opened.path)
        assert opened.store.history.undo == 0
        opened.close()
        assert not os.path.exists(opened.folder)
    opened = open_store("animals", interactive=True)  # It refuses a log.
    assert (opened.path, opened.folder) == (None, None)
    opened.close()


def test_a_temporary_log_is_removed_if_opening_fails(monkeypatch, folder):
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    with pytest.raises(imd.InvalidArgumentError):
        open_store("counter", state="5", interactive=True)
    assert os.listdir() == ["app.py"]


def test_a_log_that_another_store_writes_is_followed():
    with imd.open("counter", log="c.imd") as writer:
        opened = open_store("c.imd", read_only=True, interactive=True)
        writer.dispatch("didTapIncrementButton")
        opened.store.refresh()
        assert opened.store.state["value"] == 1
        opened.close()


def test_descriptions():
    scratch_store = described(open_store(None))
    assert [each["type"] for each in scratch_store["actions"]] == [
        "set",
        "remove",
        "append",
        "merge",
        "patch",
    ]
    assert described(open_store("counter"))["name"] == "counter"
    program = described(open_store("app.py:reduce"))
    assert program["actions"] == [{"type": "todos/added"}]
    assert described(open_store("app.py:counter"))["name"] == "counter"


def described(opened):
    description = opened.describe()
    opened.close()
    return description


def test_domains_of_another_library(copy_library):
    opened = open_store("counter", library=str(copy_library()))
    assert isinstance(opened.library, imd.Library)
    assert opened.library.path != imd.load(imd._ffi.LIBRARY._name).path
    opened.close()
    with pytest.raises(CommandError, match="--library is for domains"):
        open_store("app.py:store", library=opened.library.path)


# ---- The scratch store ---------------------------------------------------------------------------


def dispatched(state, kind, payload=None):
    with imd.Store(scratch.reduce, state) as store:
        store.dispatch(kind, payload)
        return imd.to_python(store.state)


@pytest.mark.parametrize(
    ("state", "kind", "payload", "after"),
    [
        ({}, "set", {"path": "/a", "value": 1}, {"a": 1}),
        ({}, "set", {"path": ["a"], "value": 1}, {"a": 1}),
        ({"a": 1}, "set", {"path": "", "value": {"b": 2}}, {"b": 2}),
        ([1], "set", {"path": "", "value": [2]}, [2]),
        ({"a": [1, 2]}, "remove", {"path": "/a/0"}, {"a": [2]}),
        ({}, "append", {"path": "/a", "value": 1}, {"a": [1]}),
        ({"a": [1]}, "append", {"path": "/a", "value": {"b": 2}}, {"a": [1, {"b": 2}]}),
        ([], "append", {"path": "", "value": None}, [None]),
        ({"a": 1}, "merge", {"value": {"b": 2, "a": None}}, {"b": 2}),
        ({"a": {"b": 1}}, "merge", {"path": "/a", "value": {"c": 2}}, {"a": {"b": 1, "c": 2}}),
        ({}, "merge", {"path": "/a", "value": {"c": None, "d": 2}}, {"a": {"d": 2}}),
        ({"a": 1}, "merge", {"path": "/a", "value": 2}, {"a": 2}),
        ({"a": 1}, "patch", [{"op": "move", "from": "/a", "path": "/b"}], {"b": 1}),
    ],
)
def test_scratch_actions(state, kind, payload, after):
    assert dispatched(state, kind, payload) == after


@pytest.mark.parametrize(
    ("state", "kind", "payload", "message"),
    [
        ({}, "nope", None, 'no action "nope"; a scratch store has: set, remove, append'),
        ({}, "pach", None, 'no action "pach"; did you mean patch?'),
        ({}, "set", None, 'the payload of "set" has no member "path"'),
        ({}, "set", {"path": "/a"}, 'the payload of "set" has no member "value"'),
        ({}, "set", {"path": "/a", "value": 1, "x": 2}, '"set" takes no "x"; it takes: path'),
        ({}, "set", {"path": "a", "value": 1}, 'a path begins with "/"; try "/a"'),
        ({}, "set", {"path": "/a/b", "value": 1}, 'there is no member "a"'),
        ({}, "set", {"path": "", "value": []}, "the whole state is an object, and stays one"),
        ([], "merge", {"value": {"a": 1}}, "the whole state is an array, and stays one"),
        ({}, "remove", {"path": ""}, "the whole state cannot be removed"),
        ({}, "remove", {"path": "/a"}, 'nothing at "/a"'),
        ({"a": {}}, "append", {"path": "/a", "value": 1}, 'the value at "/a" is no array'),
        ({}, "patch", {"op": "add"}, "a JSON Patch must be an array"),
    ],
)
def test_scratch_refusals(state, kind, payload, message):
    with pytest.raises(imd.Error) as caught:
        dispatched(state, kind, payload)
    assert message in str(caught.value)


def test_scratch_descriptions_are_json_schemas():
    assert json.loads(json.dumps(scratch.DESCRIPTION)) == scratch.DESCRIPTION


def test_a_program_that_opens_its_log_says_where(folder):
    opens = 'import immutabledata as imd\nstore = imd.Store(lambda s, a: s, state={}, log="a.imd")\n'
    (folder / "opens.py").write_text(opens)
    with imd.Store(lambda state, action: state, state={}, log="a.imd"), pytest.raises(
        CommandError, match=r"\(opens.py, line 2\); the program opens it when it is imported"
    ):
        open_store("opens.py:store")


def test_a_program_is_not_given_the_words_of_imd(folder, capsys):
    (folder / "prints.py").write_text("import sys\nprint(sys.argv)\ndef reduce(s, a): return s\n")
    open_store("prints.py:reduce", state="{}").close()
    assert capsys.readouterr() == ("", "['prints.py']\n")
