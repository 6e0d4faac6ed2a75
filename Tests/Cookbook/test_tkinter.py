from typing import Callable

PAGE = "tkinter.md"


def test_list(act: Callable[..., str], display: str) -> None:
    act(
        """
import threading

import immutabledata as imd
import tkinter_list

def shows(window, rows, undo, redo):
    def is_shown():
        states = window.undo["state"], window.redo["state"]
        return (window.rows.get(0, "end"), *states) == (rows, undo, redo)

    while not is_shown():
        window.tk.dooneevent(0)

def press(widget, key, text=None):
    widget.focus_force()
    widget.update()
    if text is not None:
        widget.insert(0, text)
    widget.event_generate(key)

with imd.Store(imd.combine(tasks=tkinter_list.tasks), history=True) as store:
    window = tkinter_list.Window(store)
    shows(window, (), "disabled", "disabled")
    press(window.entry, "<Return>", "Tea & milk")
    shows(window, ("Tea & milk",), "normal", "disabled")
    assert window.entry.get() == ""
    threading.Thread(target=store.dispatch, args=[tkinter_list.added(title="{bread")]).start()
    shows(window, ("Tea & milk", "{bread"), "normal", "disabled")
    window.rows.selection_set(0)
    press(window.rows, "<Delete>")
    shows(window, ("{bread",), "normal", "disabled")
    window.undo.invoke()
    shows(window, ("Tea & milk", "{bread"), "normal", "normal")
    window.redo.invoke()
    shows(window, ("{bread",), "normal", "disabled")
    window.after_idle(window.destroy)
    window.mainloop()
""",
        DISPLAY=display,
    )
