"""A typed program, in which type checkers find no mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict

from board import Board, Todo

import immutabledata as imd
from immutabledata import log_drivers
from immutabledata.testing import CapturedEffect, StoreMachine, TestStore, replay_test

# ---- A reducer with a typed state ----------------------------------------------------------------


@imd.drafting
def reduce(draft: Board, action: imd.Action[Todo]) -> None:
    if action["type"] == "added":
        draft["todos"].append(action["payload"])


store = imd.Store(reduce, state={"todos": []}, optimistic=True)
store.dispatch("added", {"title": "Write", "done": False})
store.dispatch("added", payload={"title": "Write", "done": False}, meta={"source": "keyboard"})
store.dispatch_batch(["added", {"type": "added", "payload": {"title": "Read", "done": True}}])
preview: imd.Preview[Board] = store.preview(["added"])
previewed: str = preview.state["todos"][0]["title"] + preview.patch[0]["op"]
title: str = store.state["todos"][0]["title"]
typed: imd.Store[Board] = store
untyped: imd.Store = imd.open("counter", state={"value": 1}, budget=None)
for _, old, new in store.stream(types=["ui/*"], overflow="dropOldest"):
    titles: tuple[str, str] = old["todos"][0]["title"], new["todos"][0]["title"]
commit: imd.Commit[Board] = store.stream().next()
new_title: str = commit.new["todos"][0]["title"]
kind: str = commit.action["type"]


def logged(reducer: imd.Reducer[Board]) -> imd.Reducer[Board]:
    def reduce(state: Board, action: imd.Action[Any]) -> Board:
        print(action["type"])
        return reducer(state, action)

    return reduce


logged_store: imd.Store[Board] = imd.Store(logged(reduce), state={"todos": []})
text: str = imd.value(store.state).to_json()


def count(state: imd.ObjectValue, action: imd.Action[int]) -> imd.ObjectValue:
    if action["type"] == "added":
        return state.set("/n", action["payload"]).remove("/m")
    return state.merge({"n": 5}).change("/n", abs)


counter: imd.Store[imd.ObjectValue] = imd.Store(count, state={"n": 0})

# ---- Options -------------------------------------------------------------------------------------

store.define("above", "todos[?length(title) > $least].title")
store.select("above", least=1, budget=1000)
store.select("above", arguments={"least": 1})
later: imd.ObserveOptions = {"when": "queued", "coalesce": True}
store.observe("above", print, **later).cancel()
store.observe("above", print, did_change=lambda old, new: old != new, filter=None).cancel()
store.observe("above", print, filter=lambda action, old, new: action["type"] == "x").cancel()
with store.observe("above", print, least=1, when="queued", deliver="patch"):
    store.poll()


@store.observe("above", arguments={"least": 5}, initial=False, ignore=["mouse*"], capacity=5)
def show(titles: imd.ArrayValue) -> int:
    return len(titles)


size: int = show(imd.value([]))
shown: imd.Observation = store.observation(show)


@store.listener("ui/*", capacity=5)
async def listen(action: imd.Action[Any], old: Board, new: Board) -> None:
    async for _ in store.outputs("above", capacity=2, arguments={"least": 1}):
        break


ended: bool = listen.join(timeout=1)


# ---- History -------------------------------------------------------------------------------------

options: imd.HistoryOptions = {"limit": 5, "undoable": ["items/*"], "group": {"within": 500}}
drawing = imd.Store(reduce, state={"todos": []}, history=options)
imd.Store(count, state={"n": 0}, history={"ignore": ["view/*"], "group": {"meta": "drag"}})
undone: int = imd.open("counter", history=True).undo() + drawing.redo(steps=2)
with drawing.group():
    drawing.dispatch("moved")
history: imd.History = drawing.history
for step in history:
    described: str = f"{step.type} {step.when:%H:%M} {step.count + step.time}"
    drawing.travel(step.number)
newest: list[imd.HistoryStep] = history[:-5:-1]
is_last: bool = history[-1].number == history.present + history.undo + history.redo
(changed,) = history.read(-1, actions=True, patches=True)
if changed.patch is not None and changed.actions is not None:
    imd.apply_patch({}, changed.patch)
    drawing.dispatch_batch(changed.actions)
drawing.mark_clean()
changes: list[imd.HistoryChange] = drawing.blame(("todos", 0, "title"), count=1)
is_new: bool = changes[0].op == "add" and changes[0].before is None


# ---- Log -----------------------------------------------------------------------------------------

kept: imd.LogOptions = {"path": Path("board.imd"), "durability": "full", "version": 2}
imd.Store(reduce, state={"todos": []}, log=kept).sync(timeout=5)
imd.Store(count, state={"n": 0}, log=Path("count.imd")).sync()
imd.open("counter", log={"path": "count.imd", "application": "a", "read_only": True}).refresh()
imd.open("counter", history=True, log="count.imd")


class KeptLog:
    def append(
        self, after: log_drivers.Place | None, entries: Sequence[log_drivers.Entry]
    ) -> log_drivers.Place:
        if after is None:
            raise log_drivers.Moved(entries=entries)
        return after.after(entries[0].text)

    def read(self, after: log_drivers.Place, limit: int, hold: bool) -> log_drivers.Found:
        return log_drivers.Found([], after)

    def get_snapshot(self) -> log_drivers.Snapshot:
        raise log_drivers.Absent("there is no snapshot")

    def put_snapshot(self, old: int, place: log_drivers.Place, text: bytes) -> None: ...

    def trim(self, number: int) -> None: ...

    def close(self) -> None: ...


class KeptLogs:
    def open(self, opening: log_drivers.Opening) -> log_drivers.Opened:
        opening.changed()
        opening.changed(7)
        return log_drivers.Opened(KeptLog(), "00" * 16, opening.header, log_drivers.Place())


imd.register_log("kept", KeptLogs())
imd.register_log("kept", 4096)
imd.Store(count, state={"n": 0}, log={"path": "kept://a", "timeout": 2.5, "author": "ann"})
imd.Store(count, state={"n": 0}, log={"path": "a.imd", "keep": {"days": 3}, "defaults": {"/b": []}})
found: dict[str, Any] = imd.log.verify(Path("a.imd"), progress=lambda done, total: print(done / total))
found = imd.Store(count, state={"n": 0}, log="count.imd").replay(progress=print)
for entry in imd.log.entries("a.imd", start=5):
    told: str = f"{entry.when:%H:%M} {entry.number + entry.time} {entry.actions[0]['type']}"
    is_jump: bool = entry.kind == "jump" and not entry.redacted and entry.content is not None
imd.log.compact("a.imd", reduce, keep="all", shared=True)
redacted: int = imd.log.redact("a.imd", lambda entry: entry.number < 5, reduce)
imd.log.state_at(Path("a.imd"), 5, reduce)
imd.log.state_at("counter.imd", 5)


@imd.log.migration(from_version=1)
def add_tags(state: imd.ObjectValue) -> imd.ObjectValue:
    return state.set("/tags", [])


@add_tags.action
def keep_action(action: imd.ObjectValue) -> imd.ObjectValue | None:
    return action


migration: imd.Migration = add_tags
imd.Store(count, state={"n": 0}, log={"path": "a.imd", "version": 2, "migrations": [migration]})
imd.log.migrate("a.imd", 2, [migration], count)
exported: str = imd.log.export("a.imd", count)
imd.log.import_("b.imd", exported, count)
imd.log.import_("c.imd", exported.encode(), domain="counter")


# ---- Effects -------------------------------------------------------------------------------------


async def wait(arguments: Any) -> None: ...


@store.set_rule
def ask(action: imd.Action[Any], old: Board, new: Board) -> list[dict[str, Any]] | None:
    return [{"effect": "timer", "success": "fired"}] if old is not new else None


store.set_effect("timer", wait)
store.set_effect("roll", lambda arguments: 4)


@store.set_effect("confirm")
def confirm(arguments: imd.ObjectValue) -> bool:
    return bool(arguments["question"] == "Save?")


@store.set_effect("sleep")
async def sleep(arguments: float) -> None: ...


confirmed: bool = confirm(imd.value({"question": "Save?"}))
store.set_effect("roll", None)
store.set_rule(None)

# ---- Slices --------------------------------------------------------------------------------------

todos = imd.Slice("todos", [])


@todos.on("added")
def added(draft: list[Todo], action: imd.Action[Todo]) -> None:
    draft.append(action["payload"])


@todos.on("cleared")
def cleared(draft: list[Todo], action: imd.Action[None]) -> None:
    draft.clear()


@todos.on("anything")
def anything(draft: Any, action: Any) -> None:
    draft.append(action["payload"])


store.dispatch(added({"title": "Write", "done": False}, meta={"source": "keyboard"}))
store.dispatch(cleared())
store.dispatch(anything())
store.dispatch(anything(1))
store.dispatch(todos.actions.added({"title": "Write", "done": False}))
creator: imd.ActionCreator[Todo] = added
combined = imd.Store(imd.combine(todos=todos))

# ---- Actions that are instances of classes -------------------------------------------------------


@dataclass(frozen=True)
class Started:
    at: float


class Moved(NamedTuple):
    by: int


class Reset(TypedDict):
    type: Literal["reset"]


@imd.drafting
def reduce_all(draft: Board, action: Started | Moved | Reset) -> None:
    match action:
        case Started(at):
            draft["todos"].append({"title": f"at {at}", "done": False})
        case Moved(by):
            draft["todos"][by]["done"] = True
        case _:
            draft["todos"].clear()
            print(action["type"])


def sum_up(state: int, action: Started | Moved) -> int:
    match action:
        case Started(at):
            return state + round(at)
        case Moved(by):
            return state + by


acting = imd.Store(reduce_all, state={"todos": []})
acting.dispatch(Started(1.5), meta={"source": "keyboard"})
acting.dispatch(Moved(0))
acting.dispatch({"type": "reset"})
acting.dispatch_batch([Started(1.5), Moved(0), "reset", {"type": "reset"}])
acted: Board = acting.preview([Moved(0)]).state
whole_type: imd.Store[Board, Started | Moved | Reset] = acting
narrower: imd.Store[Board, Started] = acting
without_actions: imd.Store[Board] = acting
summed: int = imd.Store(sum_up, state=0).state
with imd.Store(sum_up, state=0) as entered:
    entered.dispatch(Moved(1))


@acting.listener()
def listen_to_some(action: Started | Moved, old: Board, new: Board) -> None:
    print(action, len(new["todos"]) - len(old["todos"]))


@acting.set_rule
def ask_after_some(action: Started, old: Board, new: Board) -> list[dict[str, Any]]:
    return [{"effect": "timer", "arguments": action.at}]


@todos.on
def renamed(draft: list[Todo], *, index: int, title: str = "Write") -> None:
    draft[index]["title"] = title


@todos.on("emptied")
def empty(draft: list[Todo]) -> None:
    draft.clear()


acting.dispatch(renamed(index=0, title="Read"))
acting.dispatch_batch([renamed(index=0), empty()])
renamed.case([], index=0)
type_of_renamed: str = renamed.type

# ---- Combined reducers, and entities -------------------------------------------------------------

people = imd.entities(id="name", sort_by=lambda person: person["age"])
persons = imd.Slice("persons", people.initial_state())


@persons.on
def arrived(draft: Any, *, name: str, age: int) -> None:
    people.add_one(draft, {"name": name, "age": age})


reduce_whole = imd.combine(todos=todos, persons=persons, board=reduce_all)
whole: imd.Store[Any] = imd.Store(reduce_whole)
whole.dispatch(arrived(name="Ada", age=36))
people.define(whole, "persons")
adults: list[Any] = [each for each in people.select_all(whole.state["persons"]) if each["age"] > 17]
takes_arrived: bool = reduce_whole.takes(arrived.type)

# ---- Values --------------------------------------------------------------------------------------

value: imd.ObjectValue = imd.value({"a": [1]})
value.set("/a/0", 2).set(("a", 0), 2).change("/a/0", lambda number: number + 1)
value.at("/a").insert(0, 1)
array: imd.ArrayValue = imd.value([1])
elements: imd.ArrayValue = array.insert(0, 1)
imd.limits.work = 2**24
limit: int = imd.limits.work

# ---- Several libraries ---------------------------------------------------------------------------

lights: imd.Library = imd.load("liblights.so")


@lights.drafting
def reduce_lights(draft: Board, action: imd.Action[Todo]) -> None:
    draft["todos"].append(action["payload"])


lit: imd.Store[Board] = lights.Store(reduce_lights, state={"todos": []}, optimistic=True)
lit_title: str = lit.state["todos"][0]["title"]
opened: imd.Store = lights.open("lights", budget=5, store=Path("lights.sqlite"))
lights.limits.work = lights.limits.values + 1
number_of_domains: int = len(imd.load(Path(lights.path)).domains())
lit_slice: imd.Slice = lights.Slice("lights", {})
lights.Store(lights.combine(lights=lit_slice), state=lights.from_json("{}"))
anything_lit: object = lights.to_python(lights.entities(id="name").initial_state())
if isinstance(anything_lit, lights.ObjectValue):
    lit_value: imd.ObjectValue = anything_lit.set("/n", 5)
with lit.stream() as lit_stream:
    is_stream: bool = isinstance(lit_stream, lights.Stream)

traced: imd.TraceOptions = {"show": ["actions", "effects"], "file": None, "redact": ["/payload/pin"]}
imd.open("counter", trace=traced).set_trace(lambda line: print(line["trace"]))
imd.open("counter", trace=["selectors"]).set_trace(None)

inspected: imd.InspectOptions = {"path": Path("board.sock"), "control": True}
imd.open("counter", inspect=inspected).close()
imd.Store(count, state={"n": 0}, inspect=True).close()

# ---- Tests ---------------------------------------------------------------------------------------

with TestStore(reduce, {"todos": []}, rule=lambda action, old, new: None, history=True) as tested:
    tested.send("added", {"title": "Write", "done": False}, changes={"/todos/0/done": False})
    tested.send("added", changes=lambda draft: draft["todos"].append({"title": "Read"}))
    tested.receive({"type": "added"}, changes=[{"op": "remove", "path": "/todos/0"}])
    tested_title: str = tested.state["todos"][0]["title"]
    captured: CapturedEffect = tested.request("save", {"id": 7})
    captured.fail(ValueError("no"))
    number_of_effects: int = tested.statistics()["effects"]
tested_domain: TestStore[Any, Any] = TestStore.open("counter", exhaustive=False, effects={"e": abs})
test_bug = replay_test(Path("bug.imd"), reduce, state={"todos": []}, history=True)
test_bug()


class BoardMachine(StoreMachine):
    reducer = reduce
    initial_state = {"todos": []}
    refusals = (KeyError,)

    def count(self) -> int:
        return len(self.state["todos"]) + self.store.undo()
