import sys
from pathlib import Path
from typing import Callable

from recipes import Running

PAGE = "search-box.md"


def test_typing(folder: Path) -> None:
    with Running([sys.executable, "search_box.py"], cwd=folder) as box:
        assert box.read() == ['{"hits":[],"status":"ready","text":""}']
        box.write("cat")
        assert box.read(2) == [
            '{"hits":[],"status":"loading","text":"cat"}',
            '{"hits":["cat","catalogue"],"status":"ready","text":"cat"}',
        ]
        box.write("cat!")
        assert box.read(2) == [
            '{"hits":["cat","catalogue"],"status":"loading","text":"cat!"}',
            '{"hits":[],"status":"the server does not answer","text":"cat!"}',
        ]
        box.write("")
        assert box.read() == ['{"hits":[],"status":"cancelled","text":""}']
        assert box.end() == ""


def test_requests_in_flight_are_cancelled(act: Callable[..., str]) -> None:
    """A server that never answers gets the question "ca", and then "cat" or Escape."""
    shown = act("""
import asyncio
import search_box

async def main():
    asked, ended = asyncio.Queue(), asyncio.Queue()

    async def search(text):
        asked.put_nowait(text)
        try:
            return [text] if text == "cat" else await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            ended.put_nowait(text)
            raise

    with search_box.search_box(search, clock="manual") as store:
        for text in "c", "ca":
            store.dispatch("typed", text)
        await asyncio.to_thread(store.advance, 299)
        assert asked.empty()
        await asyncio.to_thread(store.advance, 1)
        print("asked", await asked.get())
        store.dispatch("typed", "cat")
        await asyncio.to_thread(store.advance)
        print("ended", await ended.get())
        await asyncio.to_thread(store.advance, 300)
        print("asked", await asked.get())
        await asyncio.to_thread(store.settle)
        print(store.state.to_json())
        store.dispatch("typed", "do")
        await asyncio.to_thread(store.advance, 300)
        print("asked", await asked.get())
        store.dispatch("escaped")
        await asyncio.to_thread(store.advance)
        print("ended", await ended.get())
        await asyncio.to_thread(store.settle)
        print(store.state.to_json())

asyncio.run(main())
""")
    assert shown.splitlines() == [
        "asked ca",
        "ended ca",
        "asked cat",
        '{"hits":["cat"],"status":"ready","text":"cat"}',
        "asked do",
        "ended do",
        '{"hits":["cat"],"status":"cancelled","text":""}',
    ]
