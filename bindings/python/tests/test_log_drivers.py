"""Logs that drivers keep."""

import asyncio
import ctypes
import subprocess
import sys
import threading
import types
from pathlib import Path

import memory_logs
import pytest
from memory_logs import MemoryLogs

import immutabledata as imd
from immutabledata import log_drivers
from immutabledata._stores import log_thread

ADDRESS = "memory://ann:secret@host/board"
SHOWN = "memory://ann@host/board"


class Faulty(MemoryLogs):
    """A driver whose attribute fault is called in place of the methods of logs: with the name of
    the method, and a function that calls it.
    """

    fault = staticmethod(lambda method, call: call())

    def __init__(self):
        super().__init__()
        self.opened = []

    def open(self, opening):
        self.opening = opening
        opened = super().open(opening)
        self.opened.append(opened.log)
        return opened._replace(log=FaultyLog(self, opened.log))


class FaultyLog:
    def __init__(self, driver, log):
        self._driver, self._log = driver, log

    def __getattr__(self, name):
        method = getattr(self._log, name)
        return lambda *arguments: self._driver.fault(name, lambda: method(*arguments))


@pytest.fixture
def driver():
    driver = Faulty()
    imd.register_log("memory", driver)
    return driver


def append(state, action):
    if action["payload"] == "refused":
        raise ValueError("refused")
    return [*state, action["payload"]]


def opened(log=ADDRESS, reducer=append, **options):
    return imd.Store(reducer, state=[], log=log, **options)


def texts(driver):
    return [entry.text for entry in driver.logs[ADDRESS].entries]


def test_two_stores(driver):
    with opened() as a, opened({"path": ADDRESS, "author": "b"}) as b:
        a.dispatch("added", 1)
        b.dispatch("added", 2)
        assert b.state == [1, 2]
        a.refresh()
        assert a.state == [1, 2]
        assert b'"author":"b"' in texts(driver)[1]
        assert b'"actions":[{"payload":2,"type":"added"}]' in texts(driver)[3]
        assert a.select("@@log")["path"] == SHOWN
    assert driver.logs[ADDRESS].listeners == []
    with opened() as store:
        assert store.state == [1, 2]


def test_what_a_driver_gets(driver):
    with opened({"path": ADDRESS, "timeout": 2.5}):
        opening = driver.opening
        assert (opening.address, opening.timeout) == (ADDRESS, 2.5)
        assert opening.header.startswith(b"{")
        assert opening.base.startswith(b"{")
        (entry,) = driver.logs[ADDRESS].entries
        assert entry.counter == 1
        assert len(entry.origin) == 32
    with opened({"path": ADDRESS, "read_only": True}):
        assert driver.opening.base is None


def test_undo(driver):
    with opened(history=True) as a, opened(history=True) as b:
        a.dispatch("added", 1)
        b.dispatch("added", 2)
        assert b.undo() == 1
        assert a.redo() == 1
        b.refresh()
        assert a.state == b.state == [1, 2]


def test_a_store_that_only_reads_hears_of_entries(driver):
    heard = threading.Event()
    with opened() as a, opened({"path": ADDRESS, "read_only": True}) as b:
        b.define("all", "@")
        b.observe("all", lambda output: heard.set() if len(output) else None)
        a.dispatch("added", 1)
        assert heard.wait(10)
        assert b.state == [1]
        with pytest.raises(imd.Error):
            b.dispatch("added", 2)
    with pytest.raises(imd.StorageError, match="No such file"):
        opened({"path": ADDRESS + "2", "read_only": True})


def test_dispatches_of_many_threads_have_one_order(driver):
    def dispatch(store, name):
        for number in range(50):
            store.dispatch("added", f"{name}{number}")

    with opened() as a, opened() as b:
        threads = [
            threading.Thread(target=dispatch, args=(store, name))
            for store, name in ((a, "x"), (b, "y"), (b, "z"))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        a.refresh()
        b.refresh()
        assert a.state == b.state
        assert sorted(a.state) == sorted(f"{name}{n}" for name in "xyz" for n in range(50))
        for name in "xyz":
            own = [each for each in a.state if each.startswith(name)]
            assert own == [f"{name}{number}" for number in range(50)]


def test_a_dispatch_releases_the_gil(driver):
    is_waiting, may_go_on = threading.Event(), threading.Event()

    def wait(method, call):
        if method == "append":
            is_waiting.set()
            assert may_go_on.wait(10)
        return call()

    with opened() as store:
        driver.fault = wait
        thread = threading.Thread(target=store.dispatch, args=("added", 1))
        thread.start()
        assert is_waiting.wait(10)
        assert store.state == []
        may_go_on.set()
        thread.join()
        assert store.state == [1]


def test_a_coroutine_dispatches_on_another_thread(driver):
    async def dispatch():
        async with opened() as store:
            await asyncio.gather(
                *(asyncio.to_thread(store.dispatch, "added", n) for n in range(10))
            )
            return sorted(store.state)

    assert asyncio.run(dispatch()) == list(range(10))


def test_closing_waits_for_a_call(driver):
    is_waiting, may_go_on, failures = threading.Event(), threading.Event(), []

    def wait(method, call):
        if method == "append":
            is_waiting.set()
            assert may_go_on.wait(10)
        return call()

    def dispatch():
        try:
            store.dispatch("added", 1)
        except imd.ClosedError as error:
            failures.append(error)

    store = opened()
    driver.fault = wait
    dispatching = threading.Thread(target=dispatch)
    dispatching.start()
    assert is_waiting.wait(10)
    closing = threading.Thread(target=store.close)
    closing.start()
    may_go_on.set()
    closing.join()
    dispatching.join()
    assert driver.logs[ADDRESS].listeners == []
    with opened() as again:
        assert again.state == ([] if failures else [1])


# ---- Failures ------------------------------------------------------------------------------------


def raising(raised, method="append"):
    def fault(called, call):
        if called == method:
            raise raised
        return call()

    return fault


@pytest.mark.parametrize(
    ("raised", "kind", "builtin"),
    [
        (log_drivers.Unavailable("the server starts"), imd.UnavailableError, ConnectionError),
        (log_drivers.Unauthenticated("no such user"), imd.UnavailableError, ConnectionError),
        (log_drivers.Refused("read only"), imd.RefusedError, PermissionError),
        (log_drivers.Diverged("other entries"), imd.DivergedError, ValueError),
    ],
)
def test_outcomes(driver, raised, kind, builtin):
    with opened({"path": ADDRESS, "timeout": 0.05}) as store:
        driver.fault = raising(raised)
        with pytest.raises(builtin) as caught:
            store.dispatch("added", 1)
        assert type(caught.value) is kind
        assert str(caught.value) == f'"{SHOWN}": {raised}'
        assert store.state == []
        assert len(texts(driver)) == 1


def test_a_server_that_comes_back(driver):
    with opened({"path": ADDRESS, "timeout": 0.05}) as store:
        driver.fault = raising(ConnectionRefusedError("no server"), "read")
        driver.logs[ADDRESS].listeners[0]()
        with pytest.raises(imd.UnavailableError, match="no server"):
            store.dispatch("added", 1)
        del driver.fault
        while store.state == []:
            try:
                store.dispatch("added", 1)
            except imd.UnavailableError:
                pass
        assert store.state == [1]


@pytest.mark.parametrize("raised", [log_drivers.Unanswered(), ConnectionError(), TimeoutError()])
@pytest.mark.parametrize("is_done", [False, True])
def test_an_answer_that_is_lost(driver, raised, is_done):
    faults = [raised]

    def lose(method, call):
        if method == "append" and faults:
            if is_done:
                call()
            raise faults.pop()
        return call()

    with opened() as store:
        driver.fault = lose
        store.dispatch("added", 1)
        store.dispatch("added", 2)
        assert store.state == [1, 2]
        assert faults == []
        # One that has not arrived is withdrawn.
        assert len(texts(driver)) == (3 if is_done else 4)


def test_an_exception_of_the_author(driver, monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    with opened() as store:
        driver.fault = raising(KeyError("x"))
        with pytest.raises(imd.RefusedError) as caught:
            store.dispatch("added", 1)
        assert str(caught.value) == f"\"{SHOWN}\": KeyError: 'x'"
        (unraisable,) = seen
        assert type(unraisable.exc_value) is KeyError
        del driver.fault
        store.dispatch("added", 1)
        assert store.state == [1]


@pytest.mark.parametrize(
    ("method", "result", "message"),
    [
        ("append", 7, "TypeError"),
        ("append", (1, b"short"), "the hash of a place must have 32 bytes, not 5"),
        ("append", (1, "x"), "the hash of a place must be bytes, not str"),
        ("read", ([], log_drivers.Place(-1)), "the number of a place is -1"),
        ("read", ([(log_drivers.Place(), "x", "", 1, None)], log_drivers.Place()), "must be bytes"),
        ("read", None, "TypeError"),
    ],
)
def test_a_wrong_answer(driver, monkeypatch, method, result, message):
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: None)
    with opened() as store:
        driver.fault = lambda called, call: result if called == method else call()
        driver.logs[ADDRESS].listeners[0]()
        with pytest.raises(imd.RefusedError) as caught:
            store.dispatch("added", 1)
        assert message in str(caught.value)
        del driver.fault


def test_an_entry_that_the_reducer_refuses(driver):
    def newer(state, action):
        return [*state, action["payload"]]

    failures = []
    with opened(reducer=newer) as new, opened() as old:
        old.on_error = lambda error, callback: failures.append(type(error))
        new.dispatch("added", "refused")
        for _ in range(2):
            with pytest.raises(imd.OutdatedError) as caught:
                old.dispatch("added", 1)
        assert old.state == []
        assert new.state == ["refused"]
    assert set(failures) <= {imd.OutdatedError}
    with pytest.raises(imd.OutdatedError) as caught:
        opened()
    assert type(caught.value.__cause__) is ValueError


def test_a_method_must_not_use_a_store(driver):
    raised = []

    def use(method, call):
        for use in (store.refresh, lambda: store.state, lambda: store.dispatch("added", 1)):
            with pytest.raises(imd.ReentrantError) as caught:
                use()
            raised.append(str(caught.value))
        return call()

    with opened() as store:
        driver.fault = use
        store.dispatch("added", 1)
        assert set(raised) == {"the methods of a log driver must not use a store"}
        del driver.fault


def test_a_store_that_a_method_deletes(driver):
    other = imd.Store(append, state=[], log=ADDRESS)
    stores = [other]
    del other
    with opened() as store:
        driver.fault = lambda method, call: (stores.clear(), call())[1]
        store.dispatch("added", 1)
        assert store.state == [1]


@pytest.mark.parametrize("is_taken", [False, True])
def test_an_interruption_of_a_call(driver, monkeypatch, is_taken):
    put = log_thread.LogThread.put
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: seen.append(raised.exc_type))

    def interrupted(self, call, method, arguments):
        if method == "append":
            monkeypatch.setattr(log_thread.LogThread, "put", put)
            if is_taken:
                put(self, call, method, arguments)
                while call:
                    pass
            raise KeyboardInterrupt
        put(self, call, method, arguments)

    with opened() as store:
        monkeypatch.setattr(log_thread.LogThread, "put", interrupted)
        if is_taken:
            store.dispatch("added", 1)
            assert seen == [KeyboardInterrupt]
        else:
            with pytest.raises(KeyboardInterrupt):
                store.dispatch("added", 1)
        store.dispatch("added", 2)
        assert store.state == ([1, 2] if is_taken else [2])


PROGRAM = """
import os, sys
sys.path.insert(0, sys.argv[1])
import immutabledata as imd
from memory_logs import MemoryLog, MemoryLogs
imd.register_log("memory", MemoryLogs())
store = imd.Store(lambda state, action: state + 1, state=0, log="memory://host/x")
store.dispatch("added")
close = MemoryLog.close
def closing(self):
    close(self)
    print("closed", flush=True)
MemoryLog.close = closing
"""


def run(program):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM + program, str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_store_that_is_open_at_the_end_of_a_program():
    ended = run("")
    assert (ended.stdout, ended.stderr, ended.returncode) == ("closed\n", "", 0)


def test_a_fork():
    ended = run("""
child = os.fork()
if child == 0:
    assert store.closed
    store.close()
    with imd.Store(lambda state, action: state + 1, state=0, log="memory://host/y") as own:
        own.dispatch("added")
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
store.dispatch("added")
print(store.state)
""")
    assert (ended.stdout, ended.stderr, ended.returncode) == ("closed\n2\nclosed\n", "", 0)


def open_logs():
    """The threads of the logs that are open, and their numbers."""
    threads = {each for each in threading.enumerate() if each.name == "immutabledata log"}
    return threads, set(log_thread._logs)


def test_closed_stores_leave_nothing(driver):
    threads, logs = open_logs()
    for _ in range(20):
        with opened() as store:
            assert len(open_logs()[0] - threads) == 1
            assert len(open_logs()[1] - logs) == 1
            store.dispatch("added", 1)
    assert open_logs()[0] <= threads
    assert open_logs()[1] <= logs
    with opened() as store:
        assert store.state == [1] * 20


# ---- The driver in memory ------------------------------------------------------------------------


def test_the_page_has_the_driver():
    page = Path(__file__).parents[3] / "docs" / "log-drivers.md"
    if not page.exists():
        pytest.skip("the page is not here")
    text = Path(memory_logs.__file__).read_text(encoding="utf-8")
    assert text.partition('"""\n\n')[2] in page.read_text(encoding="utf-8")


def test_snapshots_in_memory(driver):
    with opened() as store:
        store.dispatch("added", 1)
        (log,) = driver.opened
        head = driver.logs[ADDRESS].head
        assert log.get_snapshot() == (log_drivers.Place(), driver.opening.base)
        log.put_snapshot(0, head, b"{}")
        assert log.get_snapshot() == (head, b"{}")
        with pytest.raises(log_drivers.Moved):
            log.put_snapshot(0, head, b"{}")
        with pytest.raises(log_drivers.Diverged):
            log.put_snapshot(head.number, head.after(b"x"), b"{}")
        log.trim(head.number)


def test_reading_in_parts(driver):
    with opened() as store:
        for number in range(9):
            store.dispatch("added", number)
        (log,) = driver.opened
        place, found = log_drivers.Place(), []
        while place != driver.logs[ADDRESS].head:
            entries, head = log.read(place, 300, False)
            assert 1 <= len(entries) < 9
            assert head == driver.logs[ADDRESS].head
            for entry in entries:
                place = place.after(entry.text)
                assert place == entry.place
            found += entries
        assert found == driver.logs[ADDRESS].entries
        with pytest.raises(log_drivers.Diverged):
            log.read(place.after(b"x"), 300, False)


# ---- Registering ---------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["", "Memory", "1m", "a b", "mémoire"])
def test_a_wrong_scheme(scheme):
    with pytest.raises(imd.InvalidArgumentError, match="scheme"):
        imd.register_log(scheme, MemoryLogs())


@pytest.mark.parametrize("driver", [None, "memory", True, object(), 1.5])
def test_a_wrong_driver(driver):
    with pytest.raises(TypeError, match="a log driver must be an object with a method open"):
        imd.register_log("memory", driver)


@pytest.mark.parametrize("convert", [int, ctypes.c_void_p])
def test_an_address_of_a_driver(driver, convert):
    made = log_thread.c_driver(driver)
    imd.register_log("pointer", convert(ctypes.addressof(made)))
    with opened("pointer://host/x") as store:
        store.dispatch("added", 1)
        assert store.state == [1]
    with pytest.raises(imd.InvalidArgumentError, match="driver must not be NULL"):
        imd.register_log("pointer", 0)


def test_another_library_has_drivers_of_its_own(driver, other):
    other.register_log("other", driver)
    with other.Store(append, state=[], log="other://host/x") as store:
        store.dispatch("added", 1)
        assert store.state.to_json() == "[1]"
    with pytest.raises(imd.InvalidArgumentError, match="no driver is registered"):
        opened("other://host/x")


def test_a_module_that_has_the_driver(driver, monkeypatch):
    made = MemoryLogs()
    module = types.ModuleType("immutabledata_other_x")
    module.driver = lambda: made
    monkeypatch.setitem(sys.modules, module.__name__, module)
    with opened("other+x://host/x"):
        assert list(made.logs) == ["other+x://host/x"]


@pytest.mark.parametrize(
    ("address", "remedy"),
    [
        ("nowhere://u:secret@h/d", "call register_log first"),
        ("postgresql://h/d", 'run pip install "immutabledata[postgresql]", call register_log'),
    ],
)
def test_a_scheme_without_a_driver(address, remedy, monkeypatch):
    monkeypatch.setitem(sys.modules, "immutabledata_postgresql", None)
    with pytest.raises(imd.InvalidArgumentError) as caught:
        opened(address)
    assert "no driver is registered for the scheme" in str(caught.value)
    assert remedy in str(caught.value)
    assert "secret" not in str(caught.value)
    with pytest.raises(imd.InvalidArgumentError, match="no driver is registered"):
        imd.open("counter", log=address)


@pytest.mark.parametrize(
    ("option", "kind", "message"),
    [
        ({"timeout": 0}, imd.InvalidArgumentError, "a number of seconds above 0, not 0"),
        ({"timeout": -1}, imd.InvalidArgumentError, "a timeout must be a number from 0"),
        ({"timeout": "1"}, TypeError, "a number of seconds"),
        ({"shared": True}, imd.InvalidArgumentError, "only a file has this option"),
        ({"keep": "all"}, imd.InvalidArgumentError, "only a file has this option"),
        ({"migrations": []}, imd.InvalidArgumentError, "only a file has this option"),
    ],
)
def test_options(driver, option, kind, message):
    with pytest.raises(kind, match=message):
        opened({"path": ADDRESS, **option})


def test_a_domain(driver):
    with imd.open("counter", log=ADDRESS) as a, imd.open("counter", log=ADDRESS) as b:
        a.dispatch("didTapIncrementButton")
        b.dispatch("didTapIncrementButton")
        assert b.select("selectValue") == 2


def test_a_slice_replays(driver):
    tasks = imd.Slice("tasks", [])

    @tasks.on
    def added(draft, *, title: str):
        draft.append(title)

    with imd.Store(tasks, log=ADDRESS) as store:
        store.dispatch(added(title="Write"))
        assert store.replay()["difference"] is None


# ---- Trimming ------------------------------------------------------------------------------------


class Trimming(MemoryLogs):
    """A driver whose logs note to which number they were trimmed, and what trim is to raise."""

    raises = None

    def __init__(self):
        super().__init__()
        self.numbers = []

    def open(self, opening):
        opened = super().open(opening)
        opened.log.trim = self.trim
        return opened

    def trim(self, number):
        if self.raises is not None:
            raise self.raises
        self.numbers.append(number)


def trimming(count=3):
    """A driver, and its log with a number of entries, of which the last but one has a snapshot."""
    driver = Trimming()
    imd.register_log("memory", driver)
    with opened() as store:
        for number in range(1, count):
            store.dispatch("added", number)
    content = driver.logs[ADDRESS]
    content.snapshot = content.snapshot._replace(place=content.entries[-2].place)
    return driver


def test_trim():
    driver = trimming()
    assert imd.log.trim(ADDRESS) == 2
    assert driver.numbers == [2]
    assert not driver.logs[ADDRESS].listeners


def test_nothing_to_trim(driver):
    with opened():
        assert imd.log.trim(ADDRESS) == 0


def test_trim_is_refused():
    driver = trimming()
    driver.raises = log_drivers.Refused("it keeps all")
    with pytest.raises(imd.RefusedError, match=f'"{SHOWN}": it keeps all'):
        imd.log.trim(ADDRESS)


def test_trim_finds_the_driver(monkeypatch):
    made = trimming()
    module = types.ModuleType("immutabledata_trimmed")
    module.driver = lambda: made
    monkeypatch.setitem(sys.modules, module.__name__, module)
    with pytest.raises(imd.StorageError, match="No such file"):
        imd.log.trim("trimmed://host/none")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("board.imd", 'address: "board.imd" is not the address of a log that a driver keeps'),
        ("nowhere://u:secret@h/d", 'address: no driver is .* "nowhere"; call register_log first$'),
    ],
)
def test_trim_without_a_driver(address, message):
    with pytest.raises(imd.InvalidArgumentError, match=message):
        imd.log.trim(address)


def test_trim_in_a_callback(driver):
    def reduce(state, action):
        imd.log.trim(ADDRESS)

    with imd.Store(reduce, state=0) as store, pytest.raises(imd.ReentrantError):
        store.dispatch("added")


def test_trim_in_a_driver(driver):
    raised = []

    def fault(method, call):
        with pytest.raises(imd.ReentrantError, match="must not trim a log"):
            imd.log.trim(ADDRESS)
        raised.append(method)
        return call()

    driver.fault = fault
    opened().close()
    assert "append" in raised
