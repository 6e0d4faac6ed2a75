"""Reading and writing 10 MB of JSON, compared with json and orjson."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import immutabledata as imd
from measure import QUICK, Call, measure_in_turns, note, row

try:
    import orjson
except ImportError as error:
    orjson = None
    note(f"Not measured: orjson cannot be imported ({error}).")

SIZE = 100_000 if QUICK else 10_000_000


def earthquake(rng: random.Random) -> dict[str, object]:
    code = f"nc{rng.randrange(70_000_000, 80_000_000)}"
    place = f"{rng.randrange(100)} km NW of {rng.choice(['Cobb, CA', 'Pāhala, Hawaii'])}"
    mag = rng.randrange(700) / 100
    url = f"https://earthquake.usgs.gov/earthquakes/eventpage/{code}"
    properties = {
        **{"mag": mag, "place": place, "time": rng.randrange(10**12, 2 * 10**12), "tz": None},
        **{"url": url, "detail": f"{url}.geojson", "felt": None, "alert": None, "tsunami": 0},
        **{"status": "reviewed", "sig": rng.randrange(600), "net": "nc", "code": code[2:]},
        **{"ids": f",{code},", "types": ",nearby-cities,origin,phase-data,", "magType": "md"},
        **{"dmin": rng.randrange(10**6) / 1e6, "gap": rng.randrange(360)},
        **{"type": "earthquake", "title": f"M {mag:.1f} - {place}"},
    }
    coordinates = [round(rng.uniform(-180, 0), 7), round(rng.uniform(0, 90), 7), 4.5]
    geometry = {"type": "Point", "coordinates": coordinates}
    return {"type": "Feature", "properties": properties, "geometry": geometry, "id": code}


def words(rng: random.Random) -> dict[str, str]:
    known = ["żółć", "数据不可变", "Привет мир", "naïve 🌋", '"quoted"', "\n\t", "C:\\data\\"]
    return {"имя": " ".join(rng.choices(known, k=8)), "注": rng.choice(known)}


def double(rng: random.Random) -> float:
    return rng.uniform(-1, 1) * 10.0 ** rng.randrange(-20, 20)


def ten_megabytes(make: Callable[[random.Random], object]) -> str:
    rng, parts, size = random.Random(1), [], 0
    while size < SIZE:
        parts.append(json.dumps(make(rng), separators=(",", ":"), ensure_ascii=False))
        size += len(parts[-1].encode()) + 1
    return f"[{','.join(parts)}]"


def compare(job: str, goal: str, ours: Call, peers: dict[str, Call]) -> None:
    """Measures ours and its peers; the goal applies to the first of them."""
    medians = measure_in_turns((1, ours), *((1, call) for call in peers.values()))
    for number, (peer, median) in enumerate(zip(peers, medians[1:])):
        row(job, medians[0], peer, median, "" if number else goal)


def measure_text(what: str, text: str, reading: str = "", writing: str = "") -> None:
    """Measures reading and writing, with the goals for each. Times include freeing the result."""
    readers: dict[str, Call] = {"json.loads": lambda: json.loads(text)}
    value, data = imd.from_json(text), json.loads(text)
    write = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    writers: dict[str, Call] = {"json.dumps": lambda: write(data)}
    if orjson:
        readers["orjson.loads"] = lambda: orjson.loads(text)
        writers["orjson.dumps"] = lambda: orjson.dumps(data)
        # A str, as to_json returns.
        writers["orjson.dumps and decode"] = lambda: orjson.dumps(data).decode()
    job = f"10 MB of {what}"
    compare(f"Python from_json, {job}", reading, lambda: imd.from_json(text), readers)
    compare(f"Python to_json, {job}", writing, value.to_json, writers)


def measure_texts() -> None:
    measure_text("GeoJSON", ten_megabytes(earthquake), "ratio <= 0.8", "ratio <= 0.5")
    measure_text("doubles", ten_megabytes(double))
    measure_text("strings, not ASCII", ten_megabytes(words))
