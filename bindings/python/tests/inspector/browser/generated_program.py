"""A program whose states and commits are computed: a million of them cost nothing."""

import fnmatch
import json
from collections.abc import Sequence

BEGIN = 1_764_500_000_000
TYPES = (
    "items/added",
    "items/renamed",
    "items/moved",
    "cart/priced",
    "user/loggedIn",
    "filters/changed",
    "sync/received",
)
HOSTILE_KEYS = {
    "<script>document.title='broken'</script>": "<img src=x onerror=\"document.title='broken'\">",
    "right\u202eto left": "\u2066isolated\u2069 \u200fmark",
    "line\nfeed\tand\x1b[31mescape": "\x00\x07 bell",
    "__proto__": {"constructor": {"prototype": 1}},
    "": "an empty key",
    "a/b~c": {"d/e": 1},
    "long" * 2_000: "x" * 1_000_000,
    "big": 12345678901234567890,
    "zalgo": "e" + "\u0301" * 300,
}


class Records(Sequence):
    """A large array that is computed on access."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if index >= self.count:
            raise IndexError(index)
        return {"id": index, "name": f"record {index}", "done": index % 3 == 0}


class Store:
    """A store with a number of commits."""

    def __init__(self, number, name, commits, **members):
        self.number, self.name, self.commits, self.members = number, name, commits, members
        self.dispatched = {}
        self.history_steps = []
        self.commit_members = {}

    def describe_store(self):
        described = {
            "store": self.number,
            "name": self.name,
            "domain": None,
            "control": True,
            "history": True,
            "log": None,
            "readOnly": False,
            "patches": True,
            "commits": self.commits,
            "first": 1 if self.commits else 0,
            "last": self.commits,
            "dropped": 120 if self.commits > 500 else 0,
            "open": True,
            "keyframes": {"built": 12, "total": 64},
        }
        return {**described, **self.members}

    def type(self, commit):
        if commit in self.dispatched:
            return self.dispatched[commit]["type"]
        return TYPES[commit % len(TYPES)]

    def action(self, commit):
        if commit in self.dispatched:
            return self.dispatched[commit]
        index = commit % 100
        return {
            "type": self.type(commit),
            "payload": {"id": index, "name": f"item {index} of {commit}", "price": commit % 17},
        }

    def patch(self, commit):
        operations = [{"op": "replace", "path": "/count", "value": commit}]
        if commit in self.dispatched:
            operations.append({"op": "replace", "path": "/last", "value": self.action(commit)})
        else:
            name = self.action(commit)["payload"]["name"]
            path = f"/items/{commit % 100}/name"
            operations.append({"op": "replace", "path": path, "value": name})
        return operations

    def row(self, row, commit):
        result = {
            "row": row,
            "commit": commit,
            "time": BEGIN + commit * 37,
            "type": self.type(commit),
            "preview": json.dumps(self.action(commit).get("payload", ""))[:120],
            "microseconds": 3 + commit % 90,
            "writer": commit % 3,
            "changes": 2,
        }
        if commit % 20 in (4, 5):
            result["batch"] = True
        if commit == 301:
            result["dropped"] = 120
        return result

    def matching(self, query):
        """The numbers of the commits that match: a sequence, computed on access."""
        pattern, text = query.get("type", ""), query.get("search", "").lower()
        writer, slower = query.get("writer"), float(query.get("slower", 0))
        if not (pattern or text or writer or slower):
            begin, end = self.between(query)
            return range(begin, end + 1)
        period = 7 * 3 * 90
        begin, end = self.between(query)

        def matches(commit):
            row = self.row(0, commit)
            return (
                (not pattern or fnmatch.fnmatchcase(row["type"], pattern))
                and (not text or text in row["type"].lower())
                and (not writer or row["writer"] == int(writer))
                and row["microseconds"] >= slower
            )

        special = [c for c in sorted(self.dispatched) if begin <= c <= end and matches(c)]
        last = min(end, min(self.dispatched, default=end + 1) - 1)
        residues = [c for c in range(begin, begin + period) if matches(c)]
        return Periodic(residues, period, last, special)

    def between(self, query):
        begin, end = 1, self.commits
        if "after" in query:
            begin = max(begin, -((BEGIN - int(query["after"])) // 37))
        if "before" in query:
            end = min(end, (int(query["before"]) - BEGIN) // 37)
        return begin, end

    def state(self, commit):
        items = []
        for index in range(100):
            last = commit - (commit - index) % 100
            name = f"item {index} of {last}" if last > 0 else f"item {index}"
            items.append({"id": index, "name": name, "tags": ["a", "b"], "price": index % 17})
        return {
            "count": commit,
            "items": items,
            "records": Records(65_536),
            "user": {"name": "Ada", "roles": ["admin", "editor"], "address": {"city": "Turin"}},
            "last": self.dispatched.get(commit),
            "ready": True,
        }


class HostileStore(Store):
    """A store whose keys and values try to break the page."""

    def state(self, commit):
        deep = {"bottom": True}
        for _ in range(300):
            deep = {"deeper": deep}
        return {**HOSTILE_KEYS, "deep": deep}

    def action(self, commit):
        keys = list(HOSTILE_KEYS)
        return {"type": keys[commit % len(keys)][:200] or "empty", "payload": keys}

    def type(self, commit):
        return self.action(commit)["type"]

    def patch(self, commit):
        key = list(HOSTILE_KEYS)[commit % len(HOSTILE_KEYS)]
        path = "/" + key.replace("~", "~0").replace("/", "~1")
        return [{"op": "replace", "path": path, "value": HOSTILE_KEYS[key]}]


class Periodic(Sequence):
    """The commits that match: they repeat with a period, up to a last one; then special ones."""

    def __init__(self, residues, period, last, special):
        self.residues, self.period, self.special = residues, period, special
        self.regular = 0
        if residues and last >= residues[0]:
            rounds, rest = divmod(last - residues[0], period)
            in_last = sum(r - residues[0] <= rest for r in residues)
            self.regular = rounds * len(residues) + in_last

    def __len__(self):
        return self.regular + len(self.special)

    def __getitem__(self, index):
        if index < 0 or index >= len(self):
            raise IndexError(index)
        if index >= self.regular:
            return self.special[index - self.regular]
        rounds, rest = divmod(index, len(self.residues))
        return self.residues[rest] + rounds * self.period


def kind(value):
    if isinstance(value, dict):
        return "object"
    if isinstance(value, (list, Sequence)) and not isinstance(value, str):
        return "array"
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    return "string" if isinstance(value, str) else "number"


def preview(value):
    if isinstance(value, Records):
        return f"[{preview(value[0])[:80]}, …"
    if isinstance(value, str) and len(value) > 100:
        return json.dumps(value[:100], ensure_ascii=False) + "…"
    if isinstance(value, dict) and len(value) > 5:
        return "{" + ", ".join(json.dumps(key[:20]) for key in list(value)[:5]) + ", …}"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:119] + "…"


def resolve(value, pointer):
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        value = value[key] if isinstance(value, dict) else value[int(key)]
    return value
