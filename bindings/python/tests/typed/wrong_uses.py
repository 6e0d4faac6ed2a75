"""Mistakes that type checkers find: each in a line that ends with "# wrong"."""

from __future__ import annotations

from typing import Any

from board import Board, Todo

import immutabledata as imd
from immutabledata.testing import TestStore, replay_test


@imd.drafting
def reduce(draft: Board, action: imd.Action[Todo]) -> None:
    draft["todos"].append(action["payload"]["title"])  # wrong
    draft["todo"].append(action["payload"])  # wrong
    action["paylaod"]  # wrong


doubled: imd.Reducer[int] = reduce  # wrong

# ---- Stores --------------------------------------------------------------------------------------

imd.Store("counter", state={})  # wrong
imd.Store(reduce, state={"todos": []}, optimstic=True)  # wrong
imd.Store(reduce, state={"todos": []}, optimistic="yes")  # wrong
imd.Store(reduce, state={"todos": []}, history="yes")  # wrong
imd.Store(reduce, state={"todos": []}, history={"limt": 5})  # wrong
imd.Store(reduce, state={"todos": []}, log=True)  # wrong
imd.log.compact("a.imd", keep="some")  # wrong
imd.log.compact("a.imd", shared="yes")  # wrong
imd.log.verify(5)  # wrong
imd.Store(reduce, state={"todos": []}, log={"durability": "full"})  # wrong
imd.register_log("kept", "postgresql")  # wrong
imd.Store(reduce, state={"todos": []}, log={"path": "a.imd", "durability": "most"})  # wrong
imd.open(5)  # wrong
imd.open("counter", budget="1")  # wrong

store = imd.Store(reduce, state={"todos": []})
number: int = store.state["todos"][0]["title"]  # wrong
store.state["todo"]  # wrong
store.dispatch(5)  # wrong
store.dispatch("added", payloda={})  # wrong
store.dispatch("added", payload={1, 2})  # wrong
store.dispatch("added", {1, 2})  # wrong
store.dispatch_batch(5)  # wrong
store.preview(5)  # wrong
store.undo("1")  # wrong
store.travel(store.history[0])  # wrong
store.history.read(0, 5, patch=True)  # wrong
store.history[0].number = 5  # wrong
for step in store.history[5]:  # wrong
    print(step)

# ---- Options -------------------------------------------------------------------------------------

store.select("above", budget="1")  # wrong
store.select("above", arguments=[1])  # wrong
store.observe("above", print, when="later")  # wrong
later: imd.ObserveOptions = {"whn": "queued"}  # wrong
store.observe("above", print, deliver="diff")  # wrong
store.observe("above", print, overflow="block")  # wrong
store.observe("above", print, capacity="5")  # wrong
store.observe("above", print, did_change="far")  # wrong
store.observe("above", print, filter=1)  # wrong
store.observe("above", print, filter=lambda old, action: True)  # wrong
store.observe("above", 5)  # wrong
store.observe("above", None)  # wrong
store.stream(overflow="coalesce")  # wrong
store.stream(typs=["ui/*"])  # wrong
store.outputs("above", capacity="5")  # wrong
store.outputs("above", least={1})  # wrong
store.listener("ui/*", capcity=5)  # wrong
store.listener()(lambda action, old: None)  # wrong
for _, _ in store.stream():  # wrong
    pass
commit: imd.Commit[Board] = store.stream().next()
commit.new["todo"]  # wrong
commit.old_state  # wrong
commit.new = commit.old  # wrong


@store.listener()  # wrong
def listen(old: Board, action: imd.Action[Any], store: imd.Store[Board]) -> None: ...


store.on_error = print  # right: any function of two arguments
store.on_error = "print"  # wrong

# ---- Effects -------------------------------------------------------------------------------------

store.set_effect(5, print)  # wrong
store.set_effect("roll", 5)  # wrong
store.set_effect("roll")(5)  # wrong
store.set_effect("roll")(lambda: 4)  # wrong
store.set_rule(5)  # wrong
store.set_rule(lambda action: None)  # wrong
store.settle("1")  # wrong
store.settle(timout=1)  # wrong


@store.set_effect  # wrong
def roll(arguments: imd.ObjectValue) -> int:
    return 4


@store.set_rule  # wrong
async def rule(action: imd.Action[Any], old: Board, new: Board) -> list[dict[str, Any]]:
    return []


# ---- Slices --------------------------------------------------------------------------------------

todos = imd.Slice("todos", [])


@todos.on("added")
def added(draft: list[Todo], action: imd.Action[Todo]) -> None:
    draft.append(action["payload"])


@todos.on("cleared")
def cleared(draft: list[Todo], action: imd.Action[None]) -> None:
    draft.clear()


added({"titel": "Write", "done": False})  # wrong
added("Write")  # wrong
added()  # wrong
cleared("all")  # wrong
imd.Slice(5, [])  # wrong
imd.entities(sortby="name")  # wrong

# ---- Values --------------------------------------------------------------------------------------

value: imd.ObjectValue = imd.value({"a": 1})
value["a"] = 2  # wrong
del value["a"]  # wrong
value.set(1.5, 2)  # wrong
value.set("/a")  # wrong
value.change("/a", 2)  # wrong
value.at(None)  # wrong
print(value.a)  # wrong
changed: imd.ArrayValue = value.set("/a", 2)  # wrong
imd.limits.work = "1"  # wrong

# ---- Several libraries ---------------------------------------------------------------------------

imd.load(5)  # wrong
imd.load(b"liblights.so")  # wrong
lights = imd.load("liblights.so")
lights.opn("lights")  # wrong
lights.open(5)  # wrong
lights.Store("counter", state={})  # wrong
lights.limits.worth  # wrong
lights.Error  # wrong
lit = lights.Store(reduce, state={"todos": []})
lit_number: int = lit.state["todos"][0]["title"]  # wrong

# ---- Tests ---------------------------------------------------------------------------------------

TestStore("counter")  # wrong
tested = TestStore(reduce, {"todos": []}, exhaustive=True)
tested.send(5)  # wrong
tested.send("added", changes="/n")  # wrong
tested_number: int = tested.state["todos"][0]["title"]  # wrong
tested.advance(0.5)  # wrong
tested.request("save").fail(None)  # wrong
replay_test("bug.imd")  # wrong
