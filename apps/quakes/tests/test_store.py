"""The domain with 10,000 quakes of a feed."""

import pytest
from quakes_store import APPEAR, open_store, perform, quake, quakes, refresh, rows, sql, status

COUNT = 10_000

# Records the rows that any connection writes.
LOG = [
    "CREATE TABLE log (kind TEXT, id TEXT)",
    "CREATE TRIGGER inserted AFTER INSERT ON quakes BEGIN"
    " INSERT INTO log VALUES ('insert', new.quake_id); END",
    "CREATE TRIGGER updated AFTER UPDATE ON quakes BEGIN"
    " INSERT INTO log VALUES ('update', new.quake_id); END",
    "CREATE TRIGGER deleted AFTER DELETE ON quakes BEGIN"
    " INSERT INTO log VALUES ('delete', old.quake_id); END",
]


@pytest.fixture
def server(make_server):
    return make_server(COUNT, days=30)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "quakes.sqlite"


def expected(server):
    features = server.feed.features("all_month")
    return {each["id"]: quake(each) for each in features if each["properties"]["mag"] is not None}


def changed_rows(commit):
    return commit.action["payload"]["result"]["success"]["changes"]


def test_the_whole_feed_and_then_a_percent(server, path):
    """The database writes the changed rows and no others, and only their observers are called."""
    with open_store(path, server.url) as store:
        outcomes = store.stream(types=["data/persistentSession/localStore/didSaveQuakes"])
        perform(store, refresh())
        assert status(store) == "success"
        assert quakes(store) == rows(path) == expected(server)
        assert store.select("selectQuakesCount") == COUNT

        called = []
        observations = [
            store.observe(
                "selectQuake", lambda output, id=id: called.append(id), arguments={"quakeId": id}
            )
            for id in expected(server)
        ]
        assert len(called) == COUNT
        called.clear()
        sql(path, LOG)
        changes = server.feed.change(changed=100, new=100, gone=50)
        perform(store, refresh())
        assert sorted(called) == sorted(changes.changed + changes.gone)
        assert quakes(store) == rows(path) == expected(server)
        written = sql(path, ["SELECT kind, id FROM log ORDER BY kind, id"])
        assert written == sorted(
            [["update", id] for id in changes.changed]
            + [["insert", id] for id in changes.new]
            + [["delete", id] for id in changes.gone]
        )
        assert [changed_rows(outcomes.next()) for _ in range(2)] == [COUNT, 250]

        # The same feed again changes nothing.
        called.clear()
        perform(store, refresh())
        assert called == []
        assert sql(path, ["SELECT count(*) FROM log"]) == [[250]]
        assert changed_rows(outcomes.next()) == 0
        for observation in observations:
            observation.cancel()


def test_the_cache_after_a_restart(server, path):
    with open_store(path, server.url) as store:
        perform(store, refresh())
    server.close()
    with open_store(path, server.url) as store:
        assert store.select("selectQuakesCount") == 0
        perform(store, APPEAR)
        assert status(store) == "success"
        assert quakes(store) == expected(server)


def test_a_shorter_range_keeps_the_older_quakes(server, path):
    with open_store(path, server.url) as store:
        perform(store, refresh())
        before = server.requests.copy()
        for range in ("allHour", "allDay", "allWeek"):
            perform(store, refresh(range))
            assert store.select("selectQuakesCount") == COUNT
        names = ("all_hour", "all_day", "all_week")
        assert server.requests[len(before) :] == [f"/{name}.geojson" for name in names]


@pytest.mark.parametrize(
    ("sort", "order", "key"),
    [
        ("time", "forward", lambda each: (each["time"], each["quakeId"])),
        ("time", "reverse", lambda each: (-each["time"], each["quakeId"])),
        ("magnitude", "forward", lambda each: (each["magnitude"], each["quakeId"])),
        ("magnitude", "reverse", lambda each: (-each["magnitude"], each["quakeId"])),
    ],
)
def test_a_day_sorted(make_server, path, sort, order, key):
    server = make_server(COUNT, days=1)
    with open_store(path, server.url) as store:
        perform(store, refresh("allDay"))
        found = store.select(
            "selectQuakesValues",
            searchDate="2026-11-21",
            searchText="Peru",
            sort=sort,
            order=order,
        ).to_python()
    peru = [each for each in expected(server).values() if "Peru" in each["name"]]
    assert len(peru) > 100
    assert found == sorted(peru, key=key)
