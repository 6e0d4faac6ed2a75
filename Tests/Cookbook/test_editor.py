from pathlib import Path
from typing import Callable

PAGE = "editor.md"


def test_drags(act: Callable[..., str], folder: Path, display: str) -> None:
    shown = act(
        """
import pathlib

import editor
import immutabledata as imd

def mouse(kind, x, y):
    canvas.event_generate(f"<{kind}>", x=x, y=y)
    canvas.update()

def press(key):
    canvas.event_generate(f"<{key}>")
    canvas.update()

def drag(*places):
    mouse("Button-1", *places[0])
    for place in places[1:]:
        mouse("B1-Motion", *place)

def show():
    centers = [canvas.coords(item)[:2] for item in canvas.find_all()]
    print(canvas.winfo_toplevel().title(), *(f"{x + 20:.0f},{y + 20:.0f}" for x, y in centers))

with imd.Store(imd.combine(circles=editor.circles), history=True) as store:
    canvas = editor.Editor(store, pathlib.Path("drawing.json"))
    canvas.update()
    canvas.focus_force()
    canvas.update()
    show()
    drag((50, 60), (55, 60), (60, 60))
    mouse("ButtonRelease-1", 60, 60)
    show()
    drag((150, 60))
    mouse("ButtonRelease-1", 150, 60)
    press("Control-s")
    show()
    drag((61, 61), (90, 90), (100, 100))
    mouse("ButtonRelease-1", 100, 100)
    show()
    press("Control-z")
    show()
    drag((160, 60), (200, 60))
    show()
    press("Escape")
    mouse("B1-Motion", 210, 60)
    show()
    press("Control-y")
    show()
    drag((20, 20), (30, 30))
    press("Control-z")
    mouse("B1-Motion", 40, 40)
    mouse("ButtonRelease-1", 40, 40)
    show()
    press("Control-z")
    show()
""",
        DISPLAY=display,
    )
    assert shown.splitlines() == [
        "drawing.json",
        "drawing.json * 60,60",
        "drawing.json 60,60 150,60",
        "drawing.json * 100,100 150,60",
        "drawing.json 60,60 150,60",
        "drawing.json * 60,60 200,60",
        "drawing.json 60,60 150,60",
        "drawing.json * 100,100 150,60",
        "drawing.json * 100,100 150,60 40,40",
        "drawing.json * 100,100 150,60",
    ]
    assert (folder / "drawing.json").read_text() == '{"circles":[[60,60],[150,60]]}'
