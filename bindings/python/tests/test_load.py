"""Several libraries in one process."""

import copy
import inspect
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest
from animals_server import OWL, fetch_animals
from reducers import count, merge, reduce
from test_fork import in_child

import immutabledata as imd
from immutabledata import _ffi, _loading


def run(program, *arguments):
    """Runs a program in another process; returns what it prints."""
    command = [sys.executable, "-W", "error", "-c", program, *map(str, arguments)]
    env = {**os.environ, "IMMUTABLEDATA_LIBRARY": _ffi.LIBRARY._name}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# ---- What load returns ---------------------------------------------------------------------------


def test_a_library_has_the_names_of_the_package(other):
    assert isinstance(other, imd.Library)
    assert repr(other) == f"<immutabledata.Library {other.path!r}>"
    assert other.version() == imd.version()
    assert other.domains() == imd.domains()
    names = set(_loading._NAMES)
    assert names < set(imd.__all__) | {"open"}
    assert names <= set(dir(other))
    for name in names:
        assert getattr(other, name) is not getattr(imd, name), name
    with pytest.raises(AttributeError, match="^'Library' object has no attribute 'Patch'$"):
        other.Patch


def test_type_checkers_see_the_same_names(other):
    (block,) = re.findall(r"    if TYPE_CHECKING:\n(.*?)\n\n", inspect.getsource(imd.Library), re.S)
    assert set(re.findall(r"^ +(\w+)(?: =|:) ", block, re.M)) == set(_loading._NAMES)


def test_the_other_public_names_are_shared(other):
    package = sys.modules[other.Value.__module__.partition(".")[0]]
    own = {name for name in imd.__all__ if getattr(package, name) is not getattr(imd, name)}
    # JSON, Reducer and the options are types for annotations, which are equal.
    options = {f"{name}Options" for name in ("History", "Inspect", "Log", "Observe", "Strict", "Trace")}
    types = {"JSON", "Reducer", *options}
    assert own - types == set(_loading._NAMES) - {"open"}


def test_a_file_is_loaded_once(other, copy_library, tmp_path, monkeypatch):
    path = Path(other.path)
    (tmp_path / "link.so").symlink_to(path)
    for same in (path, str(path), tmp_path / "link.so"):
        assert imd.load(same) is other
    monkeypatch.chdir(path.parent)
    assert imd.load(path.name) is other
    assert imd.load(copy_library()) is not other


def test_the_default_library(other):
    default = imd.load(_ffi.LIBRARY._name)
    assert imd.load(_ffi.LIBRARY._name) is default
    assert default.path == _ffi.LIBRARY._name
    for name in _loading._NAMES:
        assert getattr(default, name) is getattr(imd, name)


def test_threads_that_load_a_file_get_one_library(copy_library):
    path, start, loaded = copy_library(), Barrier(4), []

    def load():
        start.wait()
        loaded.append(imd.load(path))

    threads = [Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loaded) == 4
    assert len({id(library) for library in loaded}) == 1


def test_a_load_inside_a_load(copy_library, monkeypatch):
    # As by a finalizer or a signal handler that runs during the import.
    path, make, inner = copy_library(), _loading._make, []

    def load_and_make(library):
        monkeypatch.setattr(_loading, "_make", make)
        inner.append(imd.load(path))
        return make(library)

    monkeypatch.setattr(_loading, "_make", load_and_make)
    assert imd.load(path) is inner[0]
    assert imd.load(path) is inner[0]


# ---- What cannot be loaded -----------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_an_invalid_path(path):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        imd.load(path)
    assert str(caught.value) == (
        f"the path of a library must not be empty or contain U+0000; got {path!r}"
    )


def test_a_path_of_the_wrong_type():
    with pytest.raises(TypeError) as caught:
        imd.load(5)
    assert str(caught.value) == "the path of a library must be a str or a path object, not int"


def refusal(path):
    """The message of the ImportError for a path, with "PATH" in place of the path."""
    before = set(sys.modules)
    with pytest.raises(ImportError) as caught:
        imd.load(path)
    assert set(sys.modules) == before
    return str(caught.value).replace(str(path), "PATH")


def test_a_missing_file(tmp_path):
    assert refusal(tmp_path / "libabsent.so") == (
        "PATH could not be loaded: PATH: cannot open shared object file: No such file or directory"
    )


def test_a_file_that_is_not_a_library(tmp_path):
    path = tmp_path / "text.so"
    path.write_text("This is text, and not a library." * 10)
    assert refusal(path) == "PATH could not be loaded: PATH: invalid ELF header"
    path.write_bytes(b"")
    assert refusal(path) == "PATH could not be loaded: PATH: file too short"


def test_a_file_that_is_not_regular(tmp_path):
    fifo, link = tmp_path / "fifo", tmp_path / "link"
    os.mkfifo(fifo)
    link.symlink_to(fifo)
    for path in (fifo, link, tmp_path, Path("/dev/null"), Path("/dev/zero")):
        assert refusal(path) == "PATH could not be loaded: it is not a regular file"


@pytest.mark.parametrize("kept", [0.01, 0.5, 0.9])
def test_a_truncated_library(tmp_path, kept):
    content = Path(_ffi.LIBRARY._name).read_bytes()
    path = tmp_path / "libhalf.so"
    path.write_bytes(content[: int(len(content) * kept)])
    size = path.stat().st_size
    message = re.sub("at least [0-9,]+ ", "at least N ", refusal(path))
    assert message == (
        f"PATH could not be loaded: the file is incomplete: it has {size:,} of at least N bytes"
    )


def test_a_path_that_is_not_utf_8(tmp_path):
    path = tmp_path / "lib\udc80.so"
    with pytest.raises(ImportError) as caught:
        imd.load(path)
    name = f"{tmp_path}/lib\\x80.so"
    assert str(caught.value) == (
        f"{name} could not be loaded: {name}: cannot open shared object file: No such file or "
        "directory"
    )


def test_copies_of_a_library_are_the_library(other):
    default = imd.load(_ffi.LIBRARY._name)
    for library in other, default:
        assert copy.copy(library) is library
        assert copy.deepcopy([library])[0] is library
        assert pickle.loads(pickle.dumps(library)) is library


def test_a_library_without_the_functions():
    _ctypes = pytest.importorskip("_ctypes")
    if not hasattr(_ctypes, "__file__"):
        pytest.skip("there is no other library at hand")
    assert refusal(_ctypes.__file__) == (
        "PATH has no function imd_version: it is not libimmutabledata, or its version does not "
        "match this package"
    )


def test_a_library_of_another_version(copy_library):
    path = copy_library()
    found = f"\0{imd.version()}\0".encode()
    content = path.read_bytes()
    assert content.count(found) == 1
    path.write_bytes(content.replace(found, b"\x000.2.0\0"))
    assert refusal(path) == (
        "PATH has version 0.2.0, and this package needs version 0.1; use a library and a package "
        "of the same version"
    )
    assert "0.2.0" in refusal(path)  # The first call leaves nothing behind.


def test_the_modules_must_be_files(copy_library, tmp_path, monkeypatch):
    monkeypatch.setattr(_loading, "__file__", str(tmp_path / "_loading.py"))
    assert refusal(copy_library()) == (
        f"load needs the modules of immutabledata as files, and {tmp_path}/__init__.py is missing"
    )


# ---- Beside each other ---------------------------------------------------------------------------


def test_stores_of_two_libraries(other, unraisable):
    seen = []
    with imd.Store(reduce, state={"a": 1}) as first, other.Store(reduce, state={"a": 2}) as second:
        for store in (first, second):
            store.define("a", "a")
            store.observe("a", lambda a, store=store: seen.append((store, a)), initial=False)
        stream = second.stream()
        merge(first, a=5)
        merge(second, a=6)
        assert seen == [(first, 5), (second, 6)]
        assert (first.query("a"), second.query("a")) == (5, 6)
        commit = stream.next(0)
        assert type(commit) is imd.Commit
        assert (commit.old, commit.new) == ({"a": 2}, {"a": 6})
        with pytest.raises(LookupError, match="refused"):
            second.dispatch("fail")
        with pytest.raises(imd.UnknownSelectorError):
            second.select("b")
    assert not unraisable


def test_patches_are_shared(other):
    changes = []
    with other.Store(reduce, state={"a": {"b": 1}}) as store:
        store.define("a", "a")
        store.observe("a", changes.append, deliver="patch")
        merge(store, a={"b": 2})
        output, patch = changes
        assert isinstance(patch, imd.Patch)
        assert imd.apply_patch(output.to_python(), patch) == {"b": 2}
        # Also to a Value of any library.
        assert imd.apply_patch(output, patch) == {"b": 2}


def test_reducers_of_another_library(other):
    todos = other.Slice("todos", [])

    @todos.on("added")
    def added(draft, action):
        draft.append({"title": action["payload"]})

    names = other.entities(sort_by="name")
    with other.Store(other.combine(todos=todos)) as store:
        store.dispatch(added("Write"))
        assert store.state == {"todos": [{"title": "Write"}]}
    assert names.select_all(names.initial_state([{"id": 1, "name": "a"}])) == [
        {"id": 1, "name": "a"}
    ]


def test_effects_of_another_library(other, server):
    requests = []

    def fetch(request):
        requests.append(request)
        imd.fetch(request)

    with other.open("animals", remote=server.address) as store:
        store.set_fetch(fetch)
        fetch_animals(store)
        assert store.select("selectAnimals", categoryId="Bird") == {"Owl": OWL}
    assert isinstance(requests[0], other.Request)


def test_limits_are_those_of_one_library(other):
    other.limits.values = 4
    try:
        with pytest.raises(imd.LimitError):
            other.value([1, 2, 3, 4])
        assert len(imd.value([1, 2, 3, 4])) == 4
    finally:
        other.limits.values = imd.limits.values


def test_a_reducer_is_known_to_its_library_only(other):
    with other.Store(count, state={"n": 0}) as inner:

        def outer(state, action):
            inner.dispatch("add", payload=1)
            return state.set("/n", inner.state["n"])

        with imd.Store(outer, state={"n": 0}) as store:
            store.dispatch("x")
            store.dispatch("x")
            assert store.state == inner.state == {"n": 2}


def test_threads_in_two_libraries(other):
    stores = [library.Store(count, state={"n": 0}) for library in (imd, other)]

    def work():
        for _ in range(200):
            for store in stores:
                store.dispatch("add", payload=1)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in stores:
        assert store.state == {"n": 800}
        store.close()


# ---- Other processes -----------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_fork_with_two_libraries(other, copy_library):
    another = copy_library()
    held, done = Event(), Event()

    def block(state, action):
        held.set()
        done.wait()
        return state

    inherited = other.Store(block, state={})
    thread = Thread(target=inherited.dispatch, args=("wait",))
    thread.start()
    held.wait()  # Another thread is inside the other library while this one forks.

    def child():
        with pytest.raises(imd.ClosedError, match="this one was forked from"):
            inherited.dispatch("x")
        for library in (imd, other, imd.load(another)):
            with library.Store(count, state={"n": 0}) as own:
                own.dispatch("add", payload=2)
                assert own.state == {"n": 2}

    try:
        in_child(child)
    finally:
        done.set()
        thread.join()
        inherited.close()


def test_exit_with_open_stores_of_two_libraries(other):
    printed = run(
        """
import ctypes, os, sys
# As in a program that is linked with the default library: its functions are in the global scope.
ctypes.CDLL(os.environ["IMMUTABLEDATA_LIBRARY"], mode=ctypes.RTLD_GLOBAL)
import immutabledata as imd
other = imd.load(sys.argv[1])
kept = []
for library in (imd, other):
    store = library.Store(lambda state, action: state.set("/n", 5), state={"n": 0})
    store.define("n", "n")
    store.observe("n", print)
    store.listener()(lambda action, old, new: None)
    store.dispatch("x")
    kept.append((store, store.stream(), store.state, library.open("counter")))
""",
        other.path,
    )
    assert printed == "0\n5\n0\n5\n"


def test_pickles_name_the_library(other):
    value = other.value({"a": [1]})
    copied = pickle.loads(pickle.dumps(value))
    assert copied == value
    assert isinstance(copied, other.ObjectValue)
    with other.Store(lambda state, action: pickle.loads(pickle.dumps(action)), state={}) as store:
        store.dispatch("x", payload={"deep": [1]})
        assert store.state == {"type": "x", "payload": {"deep": [1]}}
    printed = run(
        """
import pickle, sys
value = pickle.loads(bytes.fromhex(sys.argv[1]))
import immutabledata as imd
library = imd.load(sys.argv[2])
print(value, isinstance(value, library.Value), isinstance(value, imd.Value))
""",
        pickle.dumps(value).hex(),
        other.path,
    )
    assert printed == '<immutabledata.Value {"a":[1]}> True False\n'
