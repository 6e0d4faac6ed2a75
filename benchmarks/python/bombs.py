"""The time and memory of expressions and patches of at most 1 KB that ask for as much as possible.

    bombs.py [-v [NAME ...]]

States have about 10 MB. Each bomb runs in a process of its own, which has its own peak memory. Prints
a row for the longest time and one for the largest peak. With -v, prints each bomb instead, or those
whose names contain a NAME.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import time

import immutabledata as imd

TEXT = "'" + "0123456789abcdef" * 8 + "'"


def texts(doublings: int) -> str:
    """An expression: a text of 128 bytes, doubled several times."""
    return f"({TEXT} | " + "join('',[@,@])|" * doublings + "@)"


def lists(doublings: int, first: str = "`1`") -> str:
    """An expression: a list of one element, doubled several times."""
    return f"([{first}] | " + "[@,@][]|" * doublings + "@)"


def each(function: str, doublings: int = 14) -> str:
    """Evaluates a function of a list $a once for each of its elements."""
    return f"let $a={lists(doublings)} in length(map(&{function},$a))"


def each_text(function: str, text: int = 13, doublings: int = 15) -> str:
    """Evaluates a function of a long text $s once for each element of a list."""
    return f"let $s={texts(text)} in let $a={lists(doublings)} in length(map(&{function},$a))"


def doubled(first: str, steps: int, last: str = "@") -> str:
    """A value that contains first 2^steps times."""
    return f"{first}|" + "[@,@]|" * steps + last


# Over an empty state.
SMALL = {
    "sum": each("sum($a)"),
    "avg": each("avg($a)"),
    "max": each("max($a)"),
    "contains": each("contains($a,`0`)"),
    "contains_equal": each("contains($a,`1.5`)"),
    "reverse": each("length(reverse($a))"),
    "map": each("length(map(&@,$a))"),
    "sort": each("length(sort($a))"),
    "sort_by": each("length(sort_by($a,&@))"),
    "filter": each("length($a[?@==`0`])"),
    "projection": each("length($a[*].[@])"),
    "slice": each("length($a[::-1])"),
    "to_string_list": each("length(to_string($a))"),
    "hash": each("{a:@}", 20),
    "hash4": each("{a:@,b:@,c:@,d:@}", 20),
    "list": each("[@]", 20),
    "list10": each("[@,@,@,@,@,@,@,@,@,@]", 20),
    "long_keys": each('{"' + "k" * 200 + '":@}', 20),
    "not": each("!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!@", 20),
    "parts": each("@" + ".a" * 200, 20),
    "or": each("||".join(["a"] * 100), 20),
    "let": each("let " + ",".join(f"$b{i}=@" for i in range(40)) + " in @", 20),
    "merge": each("merge({a:@},{b:@})", 20),
    "numbers": each("abs(ceil(floor(@)))", 20),
    "flat": lists(40),
    "lists": f"let $a={lists(18)} in $a[].[$a[0:100]][]",
    "length_of_text": each_text("length($s)"),
    "starts_with": each_text("starts_with($s,$s)"),
    "ends_with": each_text("ends_with($s,$s)"),
    "contains_text": each_text("contains($s,'0123456789abcdeg')"),
    "contains_long_text": each_text("contains($s,join('',[$s,'x']))", 10),
    "to_number": each_text("to_number($s)"),
    "get": each_text("get({a:@},$s)"),
    "reverse_text": each_text("length(reverse($s))"),
    "join": each_text("length(join('',[$s,$s]))"),
    "join_glue": each_text("length(join($s,['a','b']))"),
    "equal_text": f"let $s={texts(13)} in let $a="
    + lists(15, "join('',[$s])")
    + " in $a[?@==$s]",
    "sort_text": f"let $s={texts(13)} in let $t=join('',[$s,'a']) in length(sort("
    + lists(14, "$s,$t")
    + "))",
    "sort_short": "let $a=" + lists(18, "'b','a','d','c'") + " in length(sort($a))",
    "max_text": f"let $s={texts(13)} in length(max({lists(15, '$s')}))",
    "text": texts(50),
    "controls": "`\"" + "\\u0001" * 100 + "\"`|" + "join('',[@,@])|" * 20 + "to_string([@])",
    "doubled_text": doubled(TEXT, 27),
    "doubled_number": doubled("`1`", 40),
    "doubled_to_string": doubled(TEXT, 24, "to_string(@)"),
    "doubled_equal": f"let $a={doubled('`1`', 24)} in let $b={doubled('`1`', 24)} in $a==$b",
    "doubled_texts": f"let $s={texts(12)} in {doubled('$s', 12)}",
    "repeated_text": f"let $s={texts(13)} in map(&$s,{lists(15)})",
}

# Over records, numbers, or one object of 10 MB.
LARGE = {
    "records": [
        "r[*].[@,@]", "r[].to_string(@)", "sort_by(r,&n)", "to_string(@)", "r[*].keys(@)[]",
        "let $r=r in r[*].[$r]", "let $r=r in length(r[?contains($r,@)])", "r[*].*[]",
        "let $r=r in r==$r", "let $r=r in map(&r[0]==@,r)", "r[*].merge(@,{x:`1`})", "r|[@,@]|[@,@]",
        "map(&{a:n,b:name,c:@},r)", "let $r=r in length(r[?$r[?n==`0`]])",
    ],
    "numbers": [
        "[*]", "[:]", "sort(@)", "max(@)", "sum(@)", "reverse(@)", "map(&@,@)", "[*].[@]", "[@,@][]",
        "[@,@,@,@]", "to_string(@)", "[?@>`0`]", "map(&to_string(@),@)", "sort_by(@,&@)",
        "let $a=@ in length([*].[$a[*]])", "[*].{a:@}", "length([?@==`0`||@==`1`])",
    ],
    "object": [
        "keys(@)", "values(@)", "*", "merge(@,{x:`1`})", "to_string(@)", "keys(@)|sort(@)",
        "let $o=@ in length(map(&get($o,@),keys(@)))", "let $o=@ in $o==merge(@,{x:`1`})",
        "let $o=@ in length(map(&get($o,'k300000'),*))", "merge(@,@)", "[@,@]|[@,@]|to_string(@)",
    ],
}  # fmt: skip

STATES = {
    "records": lambda: {
        "r": [{"n": n * 7919 % 99991, "name": f"name {n}", "tags": ["a", n]} for n in range(200_000)]
    },
    "numbers": lambda: [n % 10 for n in range(5_000_000)],
    "object": lambda: {f"k{n}": n for n in range(600_000)},
}

COPY = {"op": "copy", "from": "", "path": "/-"}


def patch_copies(value: imd.Value, steps: int) -> imd.Value:
    return value.patch(imd.value([COPY] * steps))


def patches(name: str) -> None:
    """Applies patches of at most 1 KB, and uses the resulting values."""
    a, b = (patch_copies(imd.value([text * 64]), 20) for text in ("x", "y"))
    same = patch_copies(imd.value(["x" * 64]), 20)
    if name == "copy":
        patch_copies(a, 2)
    elif name == "test":
        a.patch(imd.value([{"op": "test", "path": "", "value": same}]))
    elif name == "diff":
        a.diff(b)
    elif name == "equal":
        assert a == same
    elif name == "merge":
        imd.value({"a": a}).merge(imd.value({"a": same}))
    elif name == "text":
        patch_copies(imd.value(["x" * 64]), 14).to_json()


PATCHES = ["copy", "test", "diff", "equal", "merge", "text"]


def run(name: str) -> None:
    """Runs a bomb. Prints its time in seconds, and the growth of the peak memory in bytes."""
    kind, _, which = name.partition("/")
    before = memory("VmRSS")
    if kind == "patch":
        begin = time.process_time()
        try:
            patches(which)
            outcome = "done"
        except imd.Error as error:
            outcome = type(error).__name__
    else:
        state = json.dumps(STATES[kind](), separators=(",", ":")) if kind in STATES else "{}"
        expression = LARGE[kind][int(which)] if kind in STATES else SMALL[which]
        assert len(expression) <= 1024, (name, len(expression))
        store = imd.Store(lambda state, action: state, state=imd.from_json(state))
        del state
        # Returns freed memory, which would hide a part of the peak.
        ctypes.CDLL(None).malloc_trim(0)
        reset_peak()
        before = memory("VmRSS")
        begin = time.process_time()
        try:
            outcome = f"{len(store.query_json(expression)):,} bytes"
        except imd.Error as error:
            outcome = type(error).__name__
    seconds = time.process_time() - begin
    print(seconds, memory("VmHWM") - before, outcome, sep="\t")


def reset_peak() -> None:
    """Resets the peak memory of this process."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def memory(field: str) -> int:
    """A field of /proc/self/status in bytes, such as VmRSS."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(field + ":"))


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--run"]:
        return run(arguments[1])
    shown = arguments[:1] == ["-v"]
    names = arguments[1:] if shown else []
    every = [f"small/{name}" for name in SMALL]
    every += [f"{kind}/{i}" for kind, texts in LARGE.items() for i in range(len(texts))]
    every += [f"patch/{name}" for name in PATCHES]
    results = []
    for name in every:
        if names and not any(part in name for part in names):
            continue
        done = subprocess.run(
            [sys.executable, __file__, "--run", name], capture_output=True, text=True, timeout=300
        )
        if done.returncode != 0:
            print(f"{name} failed:\n{done.stderr}", file=sys.stderr)
            sys.exit(1)
        seconds, added, outcome = done.stdout.rstrip("\n").split("\t")
        results.append((float(seconds), int(added), name))
        if shown:
            kind, _, which = name.partition("/")
            text = LARGE[kind][int(which)] if kind in LARGE else ""
            print(f"{float(seconds):7.2f} s {int(added) >> 20:6} MB  {name} {text}: {outcome}")
    seconds, _, slowest = max(results)
    peak, largest = max((added, name) for _, added, name in results)
    if shown:
        print(f"longest: {slowest}, largest: {largest}")
    else:
        print("slowest expression or patch of 1 KB", seconds, "", 0, "s", "ours < 1", sep="\t")
        print("memory of an expression or patch of 1 KB", peak, "", 0, "B", "ours < 256e6", sep="\t")


if __name__ == "__main__":
    main()
