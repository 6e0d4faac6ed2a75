"""Draws the pictures of the inspector: docs/inspector.png and docs/inspector-commit.png.

    screenshot-inspector.py FOLDER

A store is inspected in this process. It needs Chromium, and Playwright from PyPI.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any

from playwright.sync_api import sync_playwright

import immutabledata as imd

TITLES = ["Write the release notes", "Answer the mail", "Test the installer", "Draw the icon"]
LANES = ["todo", "doing", "review", "done"]


@imd.drafting
def board(draft: Any, action: Any) -> None:
    payload = action["payload"]
    if action["type"] == "cards/added":
        draft["cards"].append({"id": payload["id"], "title": payload["title"], "lane": "todo"})
        draft["count"] += 1
    elif action["type"] == "cards/moved":
        draft["cards"][payload["index"]]["lane"] = payload["lane"]
    elif action["type"] == "cards/renamed":
        draft["cards"][payload["index"]]["title"] = payload["title"]


def use(store: imd.Store) -> None:
    for number in range(12):
        payload: dict[str, Any] = {"id": f"card-{number}", "title": TITLES[number % 4]}
        store.dispatch("cards/added", payload)
    for number in range(24):
        index = number * 7 % 12
        store.dispatch("cards/moved", {"index": index, "lane": LANES[(number + number // 12) % 4]})
        if number % 3 == 0:
            store.dispatch("cards/renamed", {"index": index, "title": f"{TITLES[number % 4]} again"})


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        options = {"path": f"{folder}/board", "control": True}
        with imd.Store(board, {"cards": [], "count": 0}, inspect=options, history=True) as store:
            inspector = subprocess.Popen(
                [sys.executable, "-m", "immutabledata", "inspect", options["path"], "--no-browser"],
                stdout=subprocess.PIPE,
                text=True,
            )
            assert inspector.stdout
            address = json.loads(inspector.stdout.readline())["address"]
            use(store)
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"),
                args=["--no-sandbox"] if os.geteuid() == 0 else [],
            )
            page = browser.new_page(viewport={"width": 1200, "height": 640}, color_scheme="dark")
            page.goto(f"{address}#store=1&commit=35&path=/cards/4/lane")
            page.wait_for_selector(".tree .row.changed:has-text('lane')")
            page.wait_for_load_state("networkidle")
            page.screenshot(path=f"{sys.argv[1]}/inspector.png")
            page.emulate_media(color_scheme="light")
            page.get_by_role("tab", name="Commit").click()
            page.wait_for_selector(".patch .path")
            page.screenshot(path=f"{sys.argv[1]}/inspector-commit.png")
            browser.close()
            inspector.terminate()
            inspector.wait()


if __name__ == "__main__":
    main()
