"""Prints what calls return or raise: the same with the extension of the package and without it.

    same_calls.py SEED COUNT
"""

from __future__ import annotations

import random
import sys
from collections import OrderedDict, UserDict
from types import MappingProxyType
from typing import Any

import immutabledata as imd


class Text(str):
    __slots__ = ()


class Number(int):
    pass


KEYS = ["a", "b", "", "é", "a/b", "~", "~1", "0", "-", "\u2028", "k" * 70]
SCALARS = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2**63 - 1,
    -(2**63),
    0.5,
    -0.0,
    1.0,
    1e16,
    1e300,
    5e-324,
    "",
    "text",
    'quote " and \\ and \n\t\x00\x1f\x7f',
    "é\u2028😀",
    "x" * 2000,
    "é" * 2000,
]
HOSTILE = [
    2**63,
    -(2**70),
    10**5000,
    float("nan"),
    float("inf"),
    "\ud800",
    {"\ud800": 1},
    {"a": {"b\0": 1}},
    {1: "one"},
    {None: 1, True: 2},
    {(1, 2): 3},
    b"bytes",
    {1, 2},
    object,
    Text("text"),
    Number(7),
    {Text("a"): 1},
    OrderedDict(a=1),
    MappingProxyType({"a": [1]}),
    UserDict(a=1),
    (1, (2, 3)),
    range(3),
    imd.value({"v": [1, {"w": 2}]}),
    [imd.value([1]), {"a": imd.value({})}],
]
PATHS = [
    "",
    "/",
    "/a",
    "/a/b",
    "a",
    "/a/0",
    "/a/-",
    "/b/-1",
    "/a\0",
    "/~2",
    0,
    1,
    -1,
    True,
    (),
    ("a",),
    ("a", 0),
    ("a", "b"),
    ["a", 1],
    ("a", -1),
    ("a", 1.5),
    ("a", None),
    ("a/b",),
    ("\ud800",),
    ("a", 2**70),
    (Text("a"), Number(1)),
    None,
    1.5,
    b"/a",
]
STEPS = ["a", "b", "é", "a/b", "no", "", "a\0", "\ud800", 0, 1, -1, 5, 2**70, True, None, 1.5, []]
STEPS += [Text("a"), Number(0), slice(0, 1), slice(None, None, 2)]


class Calls:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def data(self, depth: int = 3) -> Any:
        choice = self.random.random()
        if choice < 0.05:
            return self.random.choice(HOSTILE)
        if depth == 0 or choice < 0.5:
            return self.random.choice(SCALARS)
        size = self.random.randrange(4)
        if choice < 0.75:
            return {self.random.choice(KEYS): self.data(depth - 1) for _ in range(size)}
        return [self.data(depth - 1) for _ in range(size)]

    def container(self) -> Any:
        while True:
            try:
                made = imd.value(self.data())
            except (ValueError, OverflowError):
                continue
            if isinstance(made, imd.Value):
                return made

    def read(self) -> Any:
        value, step, path = self.container(), self.pick(STEPS), self.pick(PATHS)
        return self.pick(
            [
                lambda: value[step],
                lambda: value.at(path),
                lambda: step in value,
                lambda: len(value),
                lambda: value.get(step, "none"),
                lambda: value.get(step),
                lambda: [*value],
                lambda: [*value.items()],
                lambda: [*value.values()],
                lambda: value.to_json(),
                lambda: value == value.to_python(),
                lambda: value.is_identical(self.pick([value, value.set("/a", 1), step])),
                lambda: value.has_same_json(self.pick([value, self.container(), step])),
                lambda: imd.value(self.data()),
            ]
        )()

    def change(self) -> Any:
        value, path = self.container(), self.pick(PATHS)
        return self.pick(
            [
                lambda: value.set(path, self.data()),
                lambda: value.insert(path, self.data()),
                lambda: value.insert(("a", 0), self.data()),
                lambda: value.remove(path),
                lambda: value.append(self.data()),
            ]
        )()

    def draft(self) -> Any:
        kept: list[Any] = []

        @imd.drafting
        def reduce(draft: Any, action: Any) -> Any:
            found = [draft]
            for _ in range(self.random.randrange(6)):
                self.edit(found)
            kept.extend(found)
            if self.random.random() < 0.1:
                return self.pick([draft, {"other": 1}, found[-1], 5])
            return None

        before = self.container()
        after = reduce(before, None)
        closed = outcome(lambda: kept[0]["a"])
        same = isinstance(after, imd.Value) and after.is_identical(before)
        return after, same, closed

    def edit(self, found: list[Any]) -> None:
        """Changes one of the containers that were found in a draft, or looks for another one."""
        target, step, data = self.pick(found), self.pick(STEPS), self.data(2)
        edits = [
            lambda: found.append(target[step]),
            lambda: target.__setitem__(step, data),
            lambda: target.__setitem__(step, target[step]),
            lambda: target.__delitem__(step),
            lambda: target.append(data),
            lambda: target.append(target),
            lambda: target.update({"a": data}),
            lambda: target.insert(0, data),
            lambda: target.clear(),
            lambda: len(target),
        ]
        try:
            self.pick(edits)()
        except (LookupError, AttributeError, TypeError, imd.InvalidArgumentError):
            pass

    def dispatch(self) -> Any:
        seen: list[Any] = []
        edits = self.random.random()

        def reduce(state: Any, action: Any) -> Any:
            payload = action.get("payload")
            seen.extend((action["type"], payload, outcome(lambda: payload["a"]), "meta" in action))
            if edits < 0.1:
                raise KeyError("no")
            if edits < 0.2:
                seen.append(action)
                return self.pick([None, state, action, payload, {"a": payload}])
            return [state, payload] if edits < 0.3 else state

        arguments: list[Any] = [self.pick(["go", "é", "", "{", Text("go"), 5, "\ud800", {"type": 1}])]
        if self.random.random() < 0.8:
            arguments.append(self.data())
        named = {} if self.random.random() < 0.8 else {"meta": self.data(1)}
        with imd.Store(reduce, state=0) as store:
            done = outcome(lambda: store.dispatch(*arguments, **named))
            return done, seen, store.state, [*map(repr, seen)]

    def forms(self) -> Any:
        """Dicts and batches, whose reducer may change them, fail, or return what it got."""
        seen: list[Any] = []
        actions = [self.action() for _ in range(self.random.randrange(4))]
        edits = self.random.random()

        def reduce(state: Any, action: Any) -> Any:
            payload = action.get("payload")
            seen.extend((action["type"], payload, outcome(lambda: payload["a"]), "meta" in action))
            if edits < 0.2:
                for each in actions:
                    if isinstance(each, dict):
                        each.clear()
            if 0.6 < edits < 0.8 and len(seen) > 8:
                raise KeyError("no")
            return self.pick([None, action, payload]) if edits > 0.8 else [payload]

        with imd.Store(reduce, state=[]) as store:
            first = outcome(lambda: store.dispatch("go"))
            batch = outcome(lambda: store.dispatch_batch(self.pick([list, tuple])(actions)))
            done = [outcome(lambda: store.dispatch(action)) for action in actions]  # noqa: B023
            return first, batch, done, seen, store.state, [*map(repr, seen)]

    def action(self) -> Any:
        if self.random.random() < 0.1:
            return self.pick(["go", "{", Text("go"), 5, None, ["go"], imd.value({"type": "go"})])
        action: Any = {"type": self.pick(["go", "go", "é", "", "{", Text("go"), 5, "\ud800"])}
        for name in ("payload", "payload", "meta", self.pick(["extra", 5, Text("payload")])):
            if self.random.random() < 0.4:
                action[name] = self.data(2)
        return OrderedDict(action) if self.random.random() < 0.1 else action

    def select(self) -> Any:
        names: Any = ["all", "n", "none", "al\0", "\ud800", 5, Text("all"), "of"]
        arguments = {self.pick(["a", "b", "budget"]): self.data(1)} if self.pick([0, 1]) else {}
        with imd.Store(lambda state, action: state, state={"a": [1, 2], "n": 5}) as store:
            store.define("all", "@")
            store.define("n", "n")
            store.define("of", "$a")
            call = self.pick([store.select, store.query])
            return outcome(lambda: call(self.pick(names), **arguments)), store.state["a"]

    def pick(self, choices: list[Any]) -> Any:
        return self.random.choice(choices)


def outcome(call: Any) -> str:
    try:
        result = call()
    except Exception as error:
        place = [getattr(error, name, None) for name in ("status", "line", "column", "offset")]
        notes = getattr(error, "__notes__", ())
        return f"{type(error).__name__} {error} {place} {notes} {error.__cause__!r}"
    return described(result)


def described(result: Any) -> str:
    if isinstance(result, imd.Value):
        return f"{type(result).__name__} {result.to_json()}"
    if isinstance(result, (list, tuple)):
        return f"[{', '.join(map(described, result))}]"
    return f"{type(result).__name__} {result!r}"


def main(seed: int, count: int) -> None:
    for number in range(seed, seed + count):
        for kind in ("read", "change", "draft", "dispatch", "forms", "select"):
            calls = Calls(number)
            print(number, kind, ascii(outcome(getattr(calls, kind))))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
