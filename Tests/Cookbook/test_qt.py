from typing import Callable

import pytest

PAGE = "qt.md"

PREAMBLE = """
import random
import threading

import immutabledata as imd
from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from qt_list import Window, added, tasks

application = QApplication()

def rows(window):
    return [window.rows.item(row).text() for row in range(window.rows.count())]

def wait_until(condition):
    while not condition():
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
"""


@pytest.fixture
def act_in_window(act: Callable[..., str], display: str) -> Callable[[str], str]:
    return lambda script: act(PREAMBLE + script, DISPLAY=display, QT_QPA_PLATFORM="xcb")


def test_list(act_in_window: Callable[[str], str]) -> None:
    act_in_window("""
def shows(window, titles, undo, redo):
    def shown():
        return rows(window), window.undo.isEnabled(), window.redo.isEnabled()

    wait_until(lambda: shown() == (titles, undo, redo))

with imd.Store(imd.combine(tasks=tasks), history=True) as store:
    window = Window(store)
    window.show()
    shows(window, [], False, False)
    QTest.keyClicks(window.entry, "Tea & milk")
    QTest.keyClick(window.entry, Qt.Key.Key_Return)
    shows(window, ["Tea & milk"], True, False)
    assert window.entry.text() == ""
    window.rows.setCurrentRow(0)
    threading.Thread(target=store.dispatch, args=[added(title="Bread")]).start()
    shows(window, ["Tea & milk", "Bread"], True, False)
    QTest.mouseClick(window.undo, Qt.MouseButton.LeftButton)
    shows(window, ["Tea & milk"], True, True)
    QTest.mouseClick(window.redo, Qt.MouseButton.LeftButton)
    shows(window, ["Tea & milk", "Bread"], True, False)
    assert window.rows.currentItem().text() == "Tea & milk"
    window.close()
""")


def test_patches(act_in_window: Callable[[str], str]) -> None:
    """All kinds of operations lead to the rows of the state."""
    shown = act_in_window("""
def reduce(state, action):
    return {"tasks": action["payload"]}

with imd.Store(reduce, state={"tasks": ["a", "b"]}, history=True) as store:
    window = Window(store)
    store.define("patched", "tasks")
    kinds = set()

    def collect(change):
        kinds.update(each["op"] for each in change if isinstance(change, imd.Patch))

    store.observe("patched", collect, deliver="patch")
    generator = random.Random(1)
    for _ in range(200):
        titles = generator.sample("abcdefgh", generator.randint(0, 8))
        store.dispatch("set", titles)
        wait_until(lambda: rows(window) == titles)
    print(*sorted(kinds))
""")
    assert shown == "add move remove replace\n"
