import os
import shutil
import threading
from pathlib import Path

import pytest
from animals_server import AnimalsServer
from effects import ask_for_payload, log
from hypothesis import HealthCheck, settings
from imd_command import Imd
from reducers import count, reduce

import immutabledata as imd
from immutabledata import _ffi

# By default each run has the same few examples. With a number in IMD_TEST_EXAMPLES, each run has that
# many new ones, and a failure prints how to reproduce it. Time does not matter.
EXAMPLES = int(os.environ.get("IMD_TEST_EXAMPLES", "0"))
TIMELESS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("test", max_examples=30, derandomize=True, **TIMELESS)
settings.register_profile("stress", max_examples=EXAMPLES or 20_000, print_blob=True, **TIMELESS)
settings.load_profile("stress" if EXAMPLES else "test")


@pytest.fixture(scope="session")
def copy_library(tmp_path_factory):
    """Makes copies of the library: to the dynamic linker, each is another library."""
    original = Path(_ffi.LIBRARY._name)
    if not original.exists():
        pytest.skip("the dynamic linker found the library, and its path is not known")

    def copy(name="libcopy.so"):
        return Path(shutil.copy(original, tmp_path_factory.mktemp("library") / name))

    return copy


@pytest.fixture(scope="session")
def other(copy_library):
    """Another library, loaded beside the default one."""
    return imd.load(copy_library("libother.so"))


@pytest.fixture
def store():
    with imd.open("counter", state={"value": 40}) as store:
        yield store


@pytest.fixture
def still_works(store):
    """Fails the test if it changed the store, or the store no longer works."""
    yield
    assert store.select("selectValue") == 40
    store.dispatch("didTapIncrementButton")
    assert store.select("selectValue") == 41


@pytest.fixture
def app():
    with imd.Store(reduce, state={"a": 0, "b": {"c": 1}, "list": [1, 2]}) as app:
        app.define("a", "a")
        app.define("b", "b")
        app.define("largest", "max(list)")
        app.define("above", "list[?@ > $least]")
        app.define("times", "a[?@ == $when]")
        yield app


@pytest.fixture
def unraisable(monkeypatch):
    """The calls of sys.unraisablehook: each exception, and where it was raised."""
    seen = []

    def hook(report):
        seen.append((report.exc_value, f"{report.err_msg} {report.object!r}"))

    monkeypatch.setattr("sys.unraisablehook", hook)
    return seen


@pytest.fixture
def counter():
    with imd.Store(count, state={"n": 0, "rest": {"big": [1, 2]}}) as store:
        yield store


@pytest.fixture
def server():
    server = AnimalsServer()
    # Looks for a request to shut down every 10 ms, so that the tests do not wait for it.
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.stopped.set()
    for follower in server.followers:
        follower.over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def animals(server):
    """A store of animals that is connected to the server."""
    with imd.open("animals", remote=server.address, timeout=500) as store:
        yield store


@pytest.fixture
def asking():
    """A store whose state is the list of its actions; "ask" asks for the effects in its payload."""
    with imd.Store(log, state=[]) as store:
        store.set_rule(ask_for_payload)
        yield store


@pytest.fixture
def run_imd(capsys, monkeypatch, tmp_path):
    """Runs imd in the folder of the test: run_imd("log", "todo.imd").out."""
    monkeypatch.chdir(tmp_path)
    return Imd(capsys, monkeypatch)
