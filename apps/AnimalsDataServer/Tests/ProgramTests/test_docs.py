"""The curl commands in docs/animals.md yield the responses shown there; `…` matches anything."""

import json
import re
from pathlib import Path

from animals_server import Server

PAGE = Path(__file__).parents[4] / "docs/animals.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE.read_text(), re.M | re.S)


def test_curl(server: Server) -> None:
    compared = 0
    for (kind, text), (next_kind, answer) in zip(BLOCKS, BLOCKS[1:]):
        for body in re.findall(r"-d '(.*)'", text) if kind == "sh" else []:
            body = server.ask(body).body.decode()
            if next_kind == "json":
                pattern = ".*".join(map(re.escape, answer.strip().split("…")))
                assert re.fullmatch(pattern, body), body
                compared += 1
            else:
                assert "error" not in json.loads(body)
    assert compared >= 4
