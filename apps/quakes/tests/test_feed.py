"""The generated feed, and the server with its faults."""

import http.client
import json
import subprocess
import sys
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
from conftest import NOW

from immutabledata_quakes.feed_server import Feed
from immutabledata_quakes.feed_server.__main__ import main
from immutabledata_quakes.feed_server.faults import FAULTS, HUGE
from immutabledata_quakes.feed_server.feed import RANGES


def get(url, path="/all_day.geojson"):
    """The status, the type and the body of a response."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    try:
        connection.request("GET", address.path + path)
        response = connection.getresponse()
        return response.status, response.headers["Content-Type"], response.read()
    finally:
        connection.close()


def control(url, **command):
    request = urllib.request.Request(f"{url}/control", json.dumps(command).encode())
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def by_id(feed):
    return {each["id"]: each for each in feed.features("all_month")}


# ---- The feed ------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_feed():
    one, same, other = Feed(1, 50, NOW), Feed(1, 50, NOW), Feed(2, 50, NOW)
    assert one.body("all_month") == same.body("all_month") != other.body("all_month")
    assert one.change(3, 2, 1) == same.change(3, 2, 1)
    assert one.body("all_month") == same.body("all_month")


def test_features_are_valid():
    for feature in Feed(1, 1000, NOW).features("all_month"):
        assert feature["type"] == "Feature"
        assert 0 < feature["properties"]["mag"] <= 9.5
        assert " km " in feature["properties"]["place"]
        assert NOW - 30 * 86_400_000 <= feature["properties"]["time"] <= NOW
        longitude, latitude, _ = feature["geometry"]["coordinates"]
        assert abs(longitude) <= 180
        assert abs(latitude) <= 90


def test_ranges():
    feed = Feed(1, 10_000, NOW)
    counts = [len(feed.features(name)) for name in RANGES]
    assert counts == sorted(counts)
    assert 0 < counts[0] < counts[1] < counts[2] < counts[3] == 10_000
    for name, span in RANGES.items():
        times = [each["properties"]["time"] for each in feed.features(name)]
        assert times == sorted(times, reverse=True)
        assert min(times) > NOW - span


def test_changes():
    feed = Feed(1, 1000, NOW)
    before = json.loads(json.dumps(by_id(feed)))
    changes = feed.change(changed=10, new=20, gone=5)
    after = by_id(feed)
    differing = {id for id in before if before[id] != after[id]}
    assert differing == set(changes.changed) | set(changes.gone)
    assert set(after) - set(before) == set(changes.new)
    assert [len(each) for each in changes] == [10, 20, 5]
    assert all(after[id]["properties"]["mag"] is None for id in changes.gone)
    assert all(after[id]["properties"]["mag"] > 0 for id in changes.changed)
    feed.change()
    assert set(after) - set(by_id(feed)) == set(changes.gone)


# ---- The server ----------------------------------------------------------------------------------


def test_serves_the_ranges(server):
    for name in RANGES:
        status, kind, body = get(server.url, f"/{name}.geojson")
        assert (status, kind) == (200, "application/json; charset=utf-8")
        assert json.loads(body)["features"] == server.feed.features(name)
    assert server.requests == [f"/{name}.geojson" for name in RANGES]


@pytest.mark.parametrize("path", ["/", "/all_year.geojson", "/all_day", "/no/all_day.geojson"])
def test_serves_nothing_else(server, path):
    assert get(server.url, path)[0] == 404


@pytest.mark.parametrize("by_path", [True, False])
def test_faults(server, by_path):
    def faulty(name):
        server.fault = None if by_path else name
        return get(f"{server.url}/{name}" if by_path else server.url)

    json_type = "application/json; charset=utf-8"
    body = server.feed.body("all_day")
    with pytest.raises(http.client.IncompleteRead) as raised:
        faulty("cut")
    assert body.startswith(raised.value.partial)
    assert faulty("text") == (200, json_type, b"The feed is being maintained.")
    assert faulty("other") == (200, json_type, b'{"features":{"count":3}}')
    status, kind, page = faulty("html")
    assert (status, kind, page[:15]) == (200, "text/html; charset=utf-8", b"<!doctype html>")
    assert faulty("error")[0] == 500
    assert faulty("redirect")[0] == 302
    server.fault = None
    assert get(server.url) == (200, json_type, body)


def test_a_huge_feed(server):
    _, _, body = get(server.url, "/huge/all_hour.geojson")
    assert len(body) == HUGE == 100_000_000
    assert body.rstrip(b" ") == server.feed.body("all_hour")


@pytest.mark.parametrize(("fault", "prefix"), [("slow", ""), (None, "/slow")])
def test_a_slow_feed(server, fault, prefix):
    server.fault = fault
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    connection.request("GET", f"{prefix}/all_day.geojson")
    response = connection.getresponse()
    body = server.feed.body("all_day")
    assert response.read(len(body) // 2) == body[: len(body) // 2]
    server.fault = None
    assert response.read() == body[len(body) // 2 :]
    connection.close()


def test_control(server):
    assert control(server.url, changed=1, new=2, gone=3) == {"changed": 1, "new": 2, "gone": 3}
    assert len(server.feed) == 102
    assert control(server.url, fault="html") == {"changed": 0, "new": 0, "gone": 0}
    assert get(server.url)[1].startswith("text/html")
    control(server.url, fault=None)
    assert get(server.url)[0] == 200
    assert len(server.feed) == 102  # a fault changes no quakes
    for wrong in ({"fault": "none"}, {"other": 1}, {"changed": 101}, {"new": "1"}):
        with pytest.raises(urllib.error.HTTPError) as raised:
            control(server.url, **wrong)
        with raised.value as error:
            assert error.code == 400
            assert json.load(error)["error"]


def test_a_closed_port(make_server):
    server = make_server()
    server.close()
    with pytest.raises(ConnectionRefusedError):
        get(server.url)


def test_the_program():
    command = [sys.executable, "-m", "immutabledata_quakes.feed_server"]
    options = ["--port", "0", "--seed", "3", "--count", "20", "--now", str(NOW)]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().split()[-1]
        assert get(url, "/all_month.geojson")[2] == Feed(3, 20, NOW).body("all_month")
        port = url.rpartition(":")[2]
        other = subprocess.run([*command, "--port", port], capture_output=True, text=True)
        assert other.returncode == 1
        assert other.stderr == f"cannot listen on 127.0.0.1:{port}: Address already in use\n"
        process.terminate()
    assert process.returncode == 0


def test_the_faults():
    assert set(FAULTS) == {
        "slow", "cut", "huge", "text", "other", "html", "error", "redirect"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("port", "65536"),
        ("port", "-1"),
        ("count", "-1"),
        ("days", "0"),
        ("days", "nan"),
        ("days", "inf"),
    ],
)
def test_numbers_out_of_range(capsys, option, value):
    with pytest.raises(SystemExit):
        main([f"--{option}", value])
    assert f"argument --{option}: invalid {option} value: '{value}'" in capsys.readouterr().err
