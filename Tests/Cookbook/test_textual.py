from typing import Callable

PAGE = "textual.md"


def test_list(act: Callable[..., str]) -> None:
    act("""
import asyncio
import threading

import immutabledata as imd
from textual.widgets import Input, OptionList
from textual_list import Tasks, added, tasks

async def shows(pilot, rows, keys):
    def is_shown():
        options = pilot.app.query_one(OptionList).options
        bindings = {key for key, each in pilot.app.screen.active_bindings.items() if each.enabled}
        return [each.prompt for each in options] == rows and bindings & {"ctrl+z", "ctrl+y"} == keys

    while not is_shown():
        await pilot.pause()

async def main(store):
    async with Tasks(store).run_test() as pilot:
        await shows(pilot, [], set())
        await pilot.press("T", "e", "a", "[", "enter")
        await shows(pilot, ["Tea["], {"ctrl+z"})
        assert pilot.app.query_one(Input).value == ""
        threading.Thread(target=store.dispatch, args=[added(title="Bread")]).start()
        await shows(pilot, ["Tea[", "Bread"], {"ctrl+z"})
        await pilot.press("ctrl+z")
        await shows(pilot, ["Tea["], {"ctrl+z", "ctrl+y"})
        await pilot.press("ctrl+z")
        await shows(pilot, [], {"ctrl+y"})
        await pilot.press("ctrl+y")
        await shows(pilot, ["Tea["], {"ctrl+z", "ctrl+y"})

with imd.Store(imd.combine(tasks=tasks), history=True) as store:
    asyncio.run(main(store))
""")
