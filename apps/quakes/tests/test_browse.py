"""The day, the search, the order, the selection, and deleting."""

import pytest

MORE = "There are no quakes on this day. Choose another, or press r to refresh."
NONE = "There are no quakes here yet. Press r to get them from the feed."


def sorted_by(server, key, reverse=False):
    """The magnitudes of the feed, as the list shows them."""
    features = server.feed.features("all_day")
    properties = [each["properties"] | {"id": each["id"]} for each in features]
    sign = -1 if reverse else 1
    properties.sort(key=lambda each: (sign * each[key], each["id"]))
    return [f"{each['mag']:.1f}" for each in properties]


def magnitudes(user):
    return [magnitude for _, magnitude, _ in user.quakes]


async def test_is_empty_at_first(run):
    async with run() as user:
        assert user.quakes == NONE
        assert user.status == "Ready"
        assert user.keys["Delete"] is False
        await user.press("d", "D")
        assert user.top == "BrowseScreen"
        assert user.browse.quakes.button.disabled
        assert "Choose a quake to see it here." in str(user.browse.detail.content)


async def test_a_total_that_arrives_last_changes_the_placeholder(run):
    async with run() as user:
        assert user.quakes == NONE
        user.browse.quakes.show_total(1)
        assert user.quakes == MORE


@pytest.mark.parametrize(
    ("key", "feed"),
    [("h", "all_hour"), ("d", "all_day"), ("w", "all_week"), ("m", "all_month")],
)
async def test_refreshes_a_range(run, server, key, feed):
    async with run() as user:
        await user.refresh(key)
        assert server.requests == [f"/{feed}.geojson"]
        assert len(user.quakes) == len(server.feed.features(feed))
        # The dialog remembers the range.
        await user.press("r", "enter")
        await user.until_ready()
        assert server.requests == [f"/{feed}.geojson"] * 2
        await user.press("r", "escape")
        assert len(server.requests) == 2


async def test_shows_the_latest_first(run, server):
    async with run() as user:
        await user.refresh()
        first = server.feed.features("all_day")[0]
        time, magnitude, place = user.quakes[0]
        assert (magnitude, place) == (str(first["properties"]["mag"]), first["properties"]["place"])
        assert user.browse.quakes.border_subtitle == "100 of 100"
        longitude, latitude, _ = first["geometry"]["coordinates"]
        detail = str(user.browse.detail.content).splitlines()
        assert detail[0] == f"{magnitude} {place}"
        assert detail[1] == f"2026-11-21 {time} UTC"
        assert f"{abs(latitude):.2f}°" in detail[2]
        assert f"{abs(longitude):.2f}°" in detail[2]


async def test_sorts(run, server):
    async with run() as user:
        await user.refresh()
        for key, reverse, title in (
            ("time", True, "Time▼     Mag.  Place"),
            ("time", False, "Time▲     Mag.  Place"),
            ("mag", True, "Time     Mag.▼  Place"),
            ("mag", False, "Time     Mag.▲  Place"),
            ("time", True, "Time▼     Mag.  Place"),
        ):
            assert str(user.browse.quakes.head.content) == title
            assert magnitudes(user) == sorted_by(server, key, reverse)
            assert user.browse.quakes.list.cursor == 0
            await user.press("s")


async def test_searches_case_sensitively(run, server):
    async with run() as user:
        await user.refresh()
        await user.press("slash")
        await user.type("Peru")
        peru = [each for each in server.feed.features("all_day") if "Peru" in str(each)]
        assert [place for _, _, place in user.quakes] == [
            each["properties"]["place"] for each in peru
        ]
        assert user.browse.quakes.border_subtitle == f"{len(peru)} of 100"
        assert len(user.browse.map.quakes) == len(peru)
        await user.press("escape", "slash")
        await user.type("peru")
        assert user.quakes == 'No place of this day contains "peru".'
        assert user.browse.detail.quake is None
        await user.press("escape")
        assert len(user.quakes) == 100


async def test_chooses_a_day(run):
    async with run() as user:
        await user.refresh()
        assert "Sat 21 Nov 2026" in user.screen[1]
        await user.press("left")
        assert "Fri 20 Nov 2026" in user.screen[1]
        assert user.quakes == MORE
        await user.press("right")
        assert len(user.quakes) == 100
        await user.press("t")
        assert user.browse.quakes.day == user.browse.zone.today()
        await user.show("0001-01-01")
        await user.press("left")
        assert user.browse.quakes.day.isoformat() == "0001-01-01"
        await user.show("9999-12-31")
        await user.press("right")
        assert "Fri 31 Dec 9999" in user.screen[1]


async def test_types_a_day(run):
    async with run() as user:
        await user.go_to("2026-11-19")
        assert "Thu 19 Nov 2026" in user.screen[1]
        await user.press("right", "right", "g")
        dialog = user.app.screen
        assert dialog.input.value == "2026-11-21"
        await user.type("2026-02-29")
        await user.press("enter")
        assert str(dialog.message.content) == (
            '"2026-02-29" is not a day; type one such as 2026-11-22.'
        )
        await user.press("escape")
        assert user.browse.quakes.day.isoformat() == "2026-11-21"


async def test_the_zone_determines_the_day(run, server):
    async with run(zone="Asia/Tokyo") as user:
        assert user.screen[1].rstrip().endswith("Asia/Tokyo")
        await user.refresh()
        # The day ends at 15:00 UTC.
        end = max(each["properties"]["time"] for each in server.feed.features("all_day"))
        end -= end % 86_400_000 - 15 * 3_600_000
        features = server.feed.features("all_day")
        before = [each for each in features if each["properties"]["time"] <= end]
        assert 0 < len(before) < 100
        assert len(user.quakes) == len(before)
        await user.press("right")
        assert len(user.quakes) == 100 - len(before)
        assert user.quakes[0][0] > user.quakes[-1][0]


async def test_the_map_shows_the_quakes_and_the_selection(run):
    async with run() as user:
        await user.refresh()
        shown = "".join(user.text_of(user.browse.map))
        assert shown.count("◉") == 1
        assert shown.count("●") > 20
        before = user.text_of(user.browse.map)
        await user.press("end")
        assert user.text_of(user.browse.map) != before
        quake = user.browse.quakes.selected_record
        assert user.browse.map.selected == quake["quakeId"] == user.browse.detail.quake_id


async def test_a_click_on_the_map_selects(run):
    async with run() as user:
        await user.refresh()
        world = user.browse.map
        left, top = world.origin
        (x, y), quake = next(
            (cell, each)
            for cell, each in world._cells.items()
            if each["quakeId"] != user.browse.quakes.selected
        )
        await user.click("WorldMap", offset=(x + left, y + top))
        assert user.browse.quakes.selected == quake["quakeId"]
        assert user.text_of(world)[y + top][x + left] == "◉"
        await user.click("WorldMap", offset=(0, 0))
        assert user.browse.quakes.selected == quake["quakeId"]


async def test_deletes_one(run):
    async with run() as user:
        await user.refresh()
        first, second = user.quakes[:2]
        await user.press("d")
        assert user.quakes[0] == second
        assert user.browse.quakes.border_subtitle == "99 of 99"
        await user.until_ready()
        assert user.status == "Ready"
        assert first not in user.quakes
    async with run() as user:
        assert len(user.quakes) == 99


async def test_deletes_all_after_a_question(run):
    async with run() as user:
        await user.refresh()
        for keys in (["n"], ["escape"], ["enter"]):
            await user.press("D", *keys)
            assert len(user.quakes) == 100
        await user.press("D")
        assert user.app.screen.question.content == "Delete all 100 stored quakes?"
        await user.press("y")
        assert user.quakes == NONE
        await user.until_ready()
        await user.refresh()
        await user.click("#quakes Button")
        await user.press("y")
        assert user.quakes == NONE


async def test_untrusted_text_has_no_effect(run, server):
    for feature in server.feed.features("all_day"):
        feature["properties"]["place"] = "[bold]\x1b[31m\tX[/]"
    async with run() as user:
        await user.refresh()
        assert user.quakes[0][2] == "[bold]�[31m�X[/]"
        assert "\x1b" not in user.app.export_screenshot()


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24), (200, 60), (20, 6), (3, 2)])
async def test_fits_in_terminals_of_any_size(run, size):
    async with run() as user:
        await user.refresh()
        await user.pilot.resize_terminal(*size)
        await user.press("r", "escape", "g", "escape", "D", "escape", "down")
        regions = [user.browse.quakes.region, user.browse.query_one("#world").region]
        if size[0] >= 40 and size[1] >= 12:
            assert all(region.width > 10 and region.height > 2 for region in regions)
            assert all(region.right <= size[0] and region.bottom <= size[1] for region in regions)
            assert (regions[1].y > regions[0].y) == (size[0] < 72)


async def test_quits(run):
    async with run() as user:
        store = user.app.store
        await user.press("q")
    assert store.closed
