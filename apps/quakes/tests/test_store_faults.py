"""Faults of the feed and of the database: a message says what is wrong, and nothing is lost."""

import os
import subprocess
import tempfile
from pathlib import Path

import immutabledata as imd
import pytest
from quakes_store import (
    APPEAR,
    DELETE_ALL,
    Driver,
    delete,
    lock_database,
    open_store,
    perform,
    quakes,
    refresh,
    rows,
    sql,
    status,
)

COUNT = 2000


@pytest.fixture
def server(make_server):
    return make_server(COUNT)


@pytest.fixture
def path():
    """A short path, because messages shorten a long one."""
    with tempfile.TemporaryDirectory(prefix="quakes") as folder:
        yield Path(folder, "quakes.sqlite")


@pytest.fixture
def cached(server, path):
    """The quakes in the database at path; the feed has others as well."""
    with open_store(path, server.url) as store:
        perform(store, refresh())
        cached = quakes(store)
    server.feed.change(changed=10, new=10, gone=10)
    return cached


# ---- The feed ------------------------------------------------------------------------------------

UNEXPECTED = "{url} sent an unexpected answer: "

FAULTS = {
    "cut": "no response from {url}: the connection was closed before the response was complete",
    "huge": "{url}: the response is longer than 67108864 bytes",
    "text": UNEXPECTED + "invalid token near 'The' (line 1, column 3)",
    "other": UNEXPECTED + "body/features: expected an array, found an object",
    "html": '{url} answered with "text/html; charset=utf-8", not with JSON; '
    "is it a feed of quakes?",
    "error": "{url} answered with status 500",
    "redirect": '{url} redirects (302, to "/moved/all_month.geojson"); '
    "open the store with the server's own address",
    "slow": "{url}: there was no response within 500 ms",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_feed(server, path, cached, fault):
    timeout = 500 if fault == "slow" else 30_000
    with open_store(path, server.url, timeout=timeout) as store:
        perform(store, APPEAR)
        server.fault = fault
        perform(store, refresh())
        assert status(store) == FAULTS[fault].format(url=server.url)
        assert quakes(store) == rows(path) == cached

        server.fault = None
        perform(store, refresh())
        assert status(store) == "success"
        assert quakes(store) == rows(path) != cached


def test_a_closed_port(server, path, cached):
    server.close()
    with open_store(path, server.url) as store:
        perform(store, APPEAR)
        perform(store, refresh())
        assert status(store) == f"no response from {server.url}: connection refused"
        assert quakes(store) == rows(path) == cached


def test_invalid_features_are_skipped(server, path):
    """The others are shown, and the message says what is wrong with the first."""
    features = server.feed.features("all_month")
    features[5]["properties"]["updated"] = "noon"
    features[7]["geometry"]["coordinates"] = [1]
    with open_store(path, server.url) as store:
        skipped = store.stream(types=["data/persistentSession/remoteStore/didSkipFeatures"])
        perform(store, refresh())
        assert status(store) == "success"
        assert store.select("selectQuakesCount") == COUNT - 2
        payload = skipped.next(timeout=0).action["payload"].to_python()
        assert payload["count"] == 2
        assert payload["error"].startswith("body/features/")


# ---- The database --------------------------------------------------------------------------------


def namespace(script):
    """A command that mounts file systems for one process; skips the test if it may not."""
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    command = ["unshare", "--mount", *user]
    if subprocess.run([*command, "true"], capture_output=True).returncode:
        pytest.skip("this user may not mount file systems")
    return [*command, "sh", "-ec", f'{script}; exec "$@"', "sh"]


def test_a_full_disk(server, path):
    folder, ballast = path.parent, str(path.with_name("ballast"))
    before = namespace(f"mount -t tmpfs -o size=4m none '{folder}'")
    with Driver(path, server.url, before) as driver:
        driver.do("fill", ballast)
        full = f'the disk of "{path}" is full; free some space and try again'
        assert driver.do("dispatch", refresh())[:2] == (COUNT, full)
        driver.do("remove", ballast)
        # What was not saved is saved with the next refresh.
        saved = [{"success": {"changes": COUNT}}]
        assert driver.do("dispatch", refresh()) == (COUNT, "success", saved)

        # A deletion needs space, too. The quakes are shown again.
        driver.do("fill", ballast)
        assert driver.do("dispatch", DELETE_ALL)[:2] == (COUNT, full)
        driver.do("remove", ballast)
        assert driver.do("dispatch", DELETE_ALL)[0] == 0


def test_a_database_that_may_not_grow(server, path):
    with Driver(path, server.url) as driver:
        driver.do("limit", 100_000)
        count, error, saved = driver.do("dispatch", refresh())
        assert count == COUNT
        assert error.startswith(f'cannot read or write "{path}": ')
        assert saved == [{"failure": {"error": error}}]
        driver.do("limit", None)
        saved = [{"success": {"changes": COUNT}}]
        assert driver.do("dispatch", refresh()) == (COUNT, "success", saved)
    assert len(rows(path)) == COUNT


def test_a_read_only_disk(server, path, cached):
    content = path.read_bytes()
    folder = path.parent
    before = namespace(f"mount --bind '{folder}' '{folder}'; mount -o remount,bind,ro '{folder}'")
    with Driver(path, server.url, before) as driver:
        error = driver.opened["error"]
    assert error.startswith(f'cannot write "{path}": ')
    assert path.read_bytes() == content


def test_a_damaged_database(server, path, cached):
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    damaged = f'"{path}" is damaged (database disk image is malformed); restore it from a backup'
    with open_store(path, server.url) as store:
        perform(store, APPEAR)
        assert status(store) == damaged
        # The feed is shown, but cannot be saved, and the deletions that fail are undone.
        perform(store, refresh())
        assert status(store) == damaged
        shown = quakes(store)
        assert len(shown) == COUNT
        perform(store, DELETE_ALL)
        assert status(store) == damaged
        assert quakes(store) == shown
        perform(store, delete(next(iter(shown))))
        assert quakes(store) == shown


def test_a_file_that_is_no_database(server, path):
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(imd.CorruptError) as raised:
        open_store(path, server.url)
    assert str(raised.value) == f'"{path}" is not a database'
    assert path.read_bytes() == b"no database" * 1000


@pytest.fixture
def lock(path, cached):
    """Another program that has locked the database; a call of it ends the lock."""
    with lock_database(path) as unlock:
        yield unlock


def test_a_locked_database(server, path, cached, lock):
    """The store waits five seconds for the lock."""
    locked = f'"{path}" is locked by another program; try again later'
    with open_store(path, server.url) as store:
        perform(store, APPEAR)
        assert quakes(store) == cached
        perform(store, refresh())
        assert status(store) == locked
        shown = quakes(store)
        assert len(shown) == COUNT
        assert rows(path) == cached
        lock()
        # This time the feed equals the state, but what is not saved yet is saved.
        perform(store, refresh())
        assert status(store) == "success"
        assert quakes(store) == rows(path) == shown


def test_deleting_in_a_locked_database(server, path, cached, lock):
    locked = f'"{path}" is locked by another program; try again later'
    first = min(cached)
    with open_store(path, server.url) as store:
        perform(store, APPEAR)
        store.dispatch(delete(first))
        assert first not in quakes(store)  # before the database has answered
        store.settle()
        assert status(store) == locked
        assert quakes(store) == rows(path) == cached
        lock()
        perform(store, delete(first))
        assert set(cached) - set(quakes(store)) == {first}
        assert quakes(store) == rows(path)
        perform(store, DELETE_ALL)
        assert quakes(store) == rows(path) == {}
        assert sql(path, ["SELECT count(*) FROM quakes"]) == [[0]]
