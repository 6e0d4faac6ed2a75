"""Measures the inspector beside a program with 65,536 records that dispatches 1,000,000 actions: how
soon the page shows them, jumps and scrolls, and what memory takes. Prints a table.

    measure.py [ACTIONS]

It needs Chromium, and Playwright from PyPI.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from playwright.sync_api import sync_playwright

RECORDS = 65_536
ACTIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
RATE = 5_000
JUMPS = 80

# The time until the row and the state of a commit are drawn, in milliseconds. The state has its number.
JUMP = """async ([commit, byLink]) => {
  const count = () => [...document.querySelectorAll('.tree .row')]
    .find((row) => row.textContent.startsWith('count'))?.textContent ?? '';
  const row = () => document.querySelector('.grid .row[aria-selected=true] .number')?.textContent;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const begin = performance.now();
  const slider = document.querySelector('.slider');
  if (byLink) location.hash = `#store=1&commit=${commit}`;
  else {
    slider.value = commit;
    slider.dispatchEvent(new Event('input'));
  }
  while (row() !== String(commit) || !count().endsWith(String(commit))) {
    if (performance.now() - begin > 10000) throw new Error(`nothing shown: ${row()}, ${count()}`);
    await frame();
  }
  return performance.now() - begin;
}"""

# Scrolls in each frame, and returns the times between frames in milliseconds.
SCROLL = """async ([step, count]) => {
  const view = document.querySelector('.grid');
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  view.scrollTop = 0;
  for (let at = 0; at < 10; at += 1) await frame();
  const times = [];
  let last = await frame();
  for (let at = 0; at < count; at += 1) {
    view.scrollTop += step;
    const now = await frame();
    times.push(now - last);
    last = now;
  }
  return times;
}"""


def row(what: str, measured: str, bound: str = "") -> None:
    print(f"{what:<58} {measured:>22}  {bound}", flush=True)


def times(seconds: list[float]) -> str:
    return f"{1e3 * statistics.median(seconds):.1f}, worst {1e3 * max(seconds):.1f} ms"


def megabytes(count: int) -> str:
    return f"{count / 1e6:.0f} MB"


def resident(process: int) -> int:
    """The bytes that a process has in memory."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Api:
    """The answers of the server."""

    def __init__(self, address: str) -> None:
        self._address = address

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self._address}api/{path}") as answer:
            return json.load(answer)

    def wait_for(self, commits: int) -> dict[str, Any]:
        """The description of the store, after the server has read all commits."""
        while True:
            store: dict[str, Any] = self.get("program")["stores"][0]
            if store["last"] >= commits and store["keyframes"]["built"] == store["keyframes"]["total"]:
                return store
            time.sleep(0.5)


def some_commits(api: Api, store: dict[str, Any]) -> list[int]:
    """Commits whose states are known: those that follow dropped ones have none until one is asked for."""
    chosen = random.Random(2)
    commits: list[int] = []
    while len(commits) < JUMPS:
        commit = chosen.randint(1, store["last"])
        with contextlib.suppress(HTTPError):
            api.get(f"stores/{store['store']}/state?commit={commit}")
            commits.append(commit)
    return commits


def measure_server(api: Api, store: dict[str, Any], commits: list[int]) -> None:
    def timed(path: str) -> float:
        start = time.perf_counter()
        api.get(f"stores/{store['store']}/{path}")
        return time.perf_counter() - start

    row("server: state at a commit", times([timed(f"state?commit={c}&path=/cards") for c in commits]), "100 ms")
    rows = [timed(f"commits?from={max(0, c - 200)}&count=100") for c in commits]
    row("server: 100 rows", times(rows))
    row("server: search in all actions", times([timed("commits?count=100&search=c65535")]))
    last = store["last"]
    row("server: who changed a card", times([timed(f"blame?path=/cards/c77&before={last}&count=20")]))


def measure_page(address: str, commits: list[int]) -> None:
    with sync_playwright() as playwright:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=sandbox)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        start = time.perf_counter()
        page.goto(address)
        page.wait_for_selector(".grid .row[aria-selected=true] .type:text-matches('.{4}')")
        row("page: first rows", f"{time.perf_counter() - start:.2f} s", "2 s")
        page.wait_for_selector(".tree .row:has-text('count')")
        for name, by_link in ("a jump on the slider", False), ("a link to a commit", True):
            chosen = commits[int(by_link) :: 2]
            jumps = [page.evaluate(JUMP, [commit, by_link]) / 1e3 for commit in chosen]
            row(f"page: {name}, row and state drawn", times(jumps), "100 ms")
        for name, step in ("by the wheel", 120), ("by the scrollbar", 30_000):
            frames = [milliseconds / 1e3 for milliseconds in page.evaluate(SCROLL, [step, 200])]
            row(f"page: frames while scrolling {name}", times(frames), "50 ms")
        used = page.evaluate("performance.memory.usedJSHeapSize")
        row("page: memory of the script", megabytes(used))
        browser.close()


@contextlib.contextmanager
def started(*command: str | Path, reads: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A process that ends with the block."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE if reads else None, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def say(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/s"
        program = [sys.executable, Path(__file__).with_name("program.py"), socket]
        numbers = [str(number) for number in (RECORDS, ACTIONS, RATE)]
        inspect = [sys.executable, "-m", "immutabledata", "inspect", socket, "--no-browser"]
        with started(*program, *numbers, reads=True) as inspected:
            hear(inspected)
            before = resident(inspected.pid)
            with started(*inspect) as inspector:
                address = json.loads(hear(inspector))["address"]
                api = Api(address)
                api.wait_for(0)
                start = time.perf_counter()
                say(inspected, "begin")
                hear(inspected)
                row(f"program: {ACTIONS:,} actions", f"{time.perf_counter() - start:.0f} s")
                store = api.wait_for(ACTIONS)
                row("commits that were dropped", f"{store['dropped']:,}")
                commits = some_commits(api, store)
                measure_server(api, store, random.Random(3).sample(commits, JUMPS))
                measure_page(address, commits)
                memory = [before, resident(inspected.pid)]
                row("memory of the program, before and after", " ".join(map(megabytes, memory)))
                memory = api.get("program")["memory"]
                row("memory of the server", megabytes(memory["server"]))
                row("database of the server", megabytes(memory["database"]))


if __name__ == "__main__":
    main()
