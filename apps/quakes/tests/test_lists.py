"""10,000 quakes: only the rows in view are rendered."""

import pytest

from immutabledata_quakes.quakes_pane import QuakesPane
from immutabledata_quakes.world.projection import cell_of

COUNT = 10_000


@pytest.fixture
def server(make_server):
    return make_server(COUNT)


@pytest.fixture
def rendered(monkeypatch):
    """The ids of the quakes that were rendered."""
    ids = []
    original = QuakesPane.line

    def line(self, quake):
        ids.append(quake["quakeId"])
        return original(self, quake)

    monkeypatch.setattr(QuakesPane, "line", line)
    return ids


async def test_10_000_quakes(run, server, rendered):
    async with run((80, 24)) as user:
        await user.refresh()
        pane, world = user.browse.quakes, user.browse.map
        assert pane.border_subtitle == "10,000 of 10,000"
        assert len(world.quakes) == COUNT
        height = pane.list.size.height
        assert 0 < len(rendered) <= 4 * height

        rendered.clear()
        await user.press("end")
        await user.until(lambda: len(rendered) >= height)
        assert len(rendered) <= 2 * height
        assert pane.list.cursor == COUNT - 1
        assert world.selected == pane.list.records[-1]["quakeId"]
        assert "".join(user.text_of(world)).count("◉") == 1

        # Of several quakes in a cell, the map shows the strongest one.
        strongest = {}
        for quake in world.quakes:
            cell = cell_of(quake["longitude"], quake["latitude"], *world.extent)
            strongest[cell] = max(quake["magnitude"], strongest.get(cell, 0))
        assert {
            cell: quake["magnitude"]
            for cell, quake in world._cells.items()
            if quake["quakeId"] != world.selected
        }.items() <= strongest.items()

        await user.press("slash")
        await user.type("Hawaii")
        found = [each for each in server.feed.features("all_day") if "Hawaii" in str(each)]
        assert pane.border_subtitle == f"{len(found)} of 10,000"
        assert 100 < len(found) < 500
