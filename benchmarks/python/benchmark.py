"""The package beside json, orjson, pyrsistent, jmespath and plain dicts: rows for table.py."""

from __future__ import annotations

import itertools
import json
import random
import statistics
import time
from collections.abc import Callable

import immutabledata as imd
import jmespath
import orjson
import pyrsistent

COUNT = 65_536
ROUNDS = 7


def records() -> dict[str, dict[str, dict[str, int]]]:
    return {
        "records": {
            f"k{number}": {f"f{field}": number + field for field in range(10)}
            for number in range(COUNT)
        }
    }


# In no order to speak of.
KEYS = [f"k{((i * 2_654_435_761) >> 7) % COUNT}" for i in range(4096)]
VALUES = itertools.count()


def measure_in_turns(*contestants: tuple[int, Callable[[], object]]) -> list[float]:
    """Measures in turns (A B A B …) how long each call of a contestant takes: the medians.

    A contestant is how often to call what, for one measurement.
    """
    times: list[list[float]] = [[] for _ in contestants]
    for turn in range(ROUNDS + 1):
        for index, (calls, call) in enumerate(contestants):
            start = time.perf_counter()
            for _ in range(calls):
                call()
            if turn > 0:  # the first warms up
                times[index].append((time.perf_counter() - start) / calls)
    return [statistics.median(each) for each in times]


def row(job: str, ours: float, peer: str = "", theirs: float = 0, goal: str = "") -> None:
    print(job, ours, peer, theirs, "s", goal, sep="\t", flush=True)


# ---- One field of one of many records ------------------------------------------------------------


def reduce(state, action):
    payload = action["payload"]
    return state.set(("records", payload["id"], "f3"), payload["value"])


@imd.drafting
def draft(draft, action):
    payload = action["payload"]
    draft["records"][payload["id"]]["f3"] = payload["value"]


def dispatching(reducer) -> Callable[[], None]:
    store = imd.Store(reducer, state=records())
    keys = itertools.cycle(KEYS)
    return lambda: store.dispatch("set", payload={"id": next(keys), "value": next(VALUES)})


def transforming() -> Callable[[], None]:
    state = pyrsistent.freeze(records())
    keys = itertools.cycle(KEYS)

    def transform() -> None:
        nonlocal state
        state = state.transform(["records", next(keys), "f3"], next(VALUES))

    return transform


def copying() -> Callable[[], None]:
    state = records()
    keys = itertools.cycle(KEYS)

    def copy() -> None:
        nonlocal state
        key = next(keys)
        record = {**state["records"][key], "f3": next(VALUES)}
        state = {**state, "records": {**state["records"], key: record}}

    return copy


def measure_dispatch() -> None:
    plain, drafting, pyrsistents, copies = measure_in_turns(
        (4096, dispatching(reduce)),
        (4096, dispatching(draft)),
        (4096, transforming()),
        (32, copying()),
    )
    for name, ours in [("reducer", plain), ("drafting reducer", drafting)]:
        job = f"Python {name}, one of 65,536 records"
        row(job, ours, "pyrsistent transform", pyrsistents)
        row(job, ours, "copy of a dict", copies)


# ---- Queries -------------------------------------------------------------------------------------


def measure_query() -> None:
    data = records()
    store = imd.Store(reduce, state=data)
    # Each limit is a new question, so that nothing is answered from memory.
    limits, literals = itertools.count(COUNT - 1000), itertools.count(COUNT - 1000)

    def query() -> list[int]:
        return store.query("records.*.f3 | [?@ > $limit]", limit=next(limits))

    def search() -> list[int]:
        return jmespath.search(f"records.*.f3 | [?@ > `{next(literals)}`]", data)

    if sorted(query()) != sorted(search()):
        raise SystemExit("the two find different records")
    ours, theirs = measure_in_turns((4, query), (1, search))
    row("JMESPath over 65,536 records", ours, "jmespath", theirs, "ratio <= 0.05")


def measure_select() -> None:
    store = imd.Store(reduce, state=records())
    store.define("high", "length(records.*.f3 | [?@ > $limit])")
    store.define("all", "records")
    (small,) = measure_in_turns((4096, lambda: store.select("high", limit=1000)))
    row("Python select of a number, unchanged", small)
    (large,) = measure_in_turns((16, lambda: store.select_json("all")))
    row("Python select_json of 65,536 records, unchanged", large)


# ---- Text ----------------------------------------------------------------------------------------


def earthquake(chance: random.Random) -> dict[str, object]:
    code = f"nc{chance.randrange(70_000_000, 80_000_000)}"
    place = f"{chance.randrange(100)} km NW of {chance.choice(['Cobb, CA', 'Pāhala, Hawaii'])}"
    mag = chance.randrange(700) / 100
    url = f"https://earthquake.usgs.gov/earthquakes/eventpage/{code}"
    properties = {
        **{"mag": mag, "place": place, "time": chance.randrange(10**12, 2 * 10**12), "tz": None},
        **{"url": url, "detail": f"{url}.geojson", "felt": None, "alert": None, "tsunami": 0},
        **{"status": "reviewed", "sig": chance.randrange(600), "net": "nc", "code": code[2:]},
        **{"ids": f",{code},", "types": ",nearby-cities,origin,phase-data,", "magType": "md"},
        **{"dmin": chance.randrange(10**6) / 1e6, "gap": chance.randrange(360)},
        **{"type": "earthquake", "title": f"M {mag:.1f} - {place}"},
    }
    coordinates = [round(chance.uniform(-180, 0), 7), round(chance.uniform(0, 90), 7), 4.5]
    geometry = {"type": "Point", "coordinates": coordinates}
    return {"type": "Feature", "properties": properties, "geometry": geometry, "id": code}


def words(chance: random.Random) -> dict[str, str]:
    known = ["żółć", "数据不可变", "Привет мир", "naïve 🌋", '"quoted"', "\n\t", "C:\\data\\"]
    return {"имя": " ".join(chance.choices(known, k=8)), "注": chance.choice(known)}


def double(chance: random.Random) -> float:
    return chance.uniform(-1, 1) * 10.0 ** chance.randrange(-20, 20)


def ten_megabytes(make: Callable[[random.Random], object]) -> str:
    chance, parts, size = random.Random(1), [], 0
    while size < 10_000_000:
        parts.append(json.dumps(make(chance), separators=(",", ":"), ensure_ascii=False))
        size += len(parts[-1].encode()) + 1
    return f"[{','.join(parts)}]"


def measure_text(what: str, text: str, reading: str = "", writing: str = "") -> None:
    """Reading makes and frees what is read; writing makes and frees a text."""
    ours, theirs, best = measure_in_turns(
        (1, lambda: imd.from_json(text)),
        (1, lambda: json.loads(text)),
        (1, lambda: orjson.loads(text)),
    )
    row(f"Python from_json, 10 MB of {what}", ours, "json.loads", theirs, reading)
    row(f"Python from_json, 10 MB of {what}", ours, "orjson.loads", best)
    value, data = imd.from_json(text), json.loads(text)
    write = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    ours, theirs, best = measure_in_turns(
        (1, value.to_json), (1, lambda: write(data)), (1, lambda: orjson.dumps(data))
    )
    row(f"Python to_json, 10 MB of {what}", ours, "json.dumps", theirs, writing)
    row(f"Python to_json, 10 MB of {what}", ours, "orjson.dumps", best)


def measure_texts() -> None:
    measure_text("GeoJSON", ten_megabytes(earthquake), "ratio <= 0.8", "ratio <= 0.5")
    measure_text("doubles", ten_megabytes(double))
    measure_text("strings, not ASCII", ten_megabytes(words))


if __name__ == "__main__":
    measure_texts()
    measure_dispatch()
    measure_query()
    measure_select()
