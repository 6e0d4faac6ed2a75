"""The boards in C and in Python print the same text, which is the expected one."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
FEED = EXAMPLES / "board.jsonl"
MESSAGES = """\
line 19: there is no task "t12"
line 24: nothing at "/payload/title": "/payload" has no member "title"
"""


def run_python(*arguments, **options):
    command = [sys.executable, EXAMPLES / "board.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


@pytest.fixture(scope="module")
def run_c(compile):
    return compile(sorted((EXAMPLES / "board").glob("*.c")))


@pytest.fixture
def run(run_c):
    """Runs both boards, which must print the same text and exit with the same status."""

    def run(*arguments, **options):
        results = [of(*arguments, **options) for of in (run_c, run_python)]
        c, python = ((result.stdout, result.stderr, result.returncode) for result in results)
        assert python == c
        return c

    return run


@pytest.mark.parametrize(("options", "expected"), [([], "board.txt"), (["--json"], "board.json")])
def test_prints_the_expected_text(run, options, expected):
    text = (EXAMPLES / expected).read_text(encoding="utf-8")
    assert run(*options, FEED) == (text, MESSAGES, 1)


@pytest.mark.parametrize("names", [("c", "python"), ("python", "c")])
def test_continues_with_what_another_program_kept(run_c, tmp_path, names):
    """Each of them reads what the other has written, and undoes it."""
    runs = {"c": run_c, "python": run_python}
    first, second = (runs[name] for name in names)
    log = tmp_path / "board.imd"
    text = (EXAMPLES / "board.txt").read_text(encoding="utf-8")
    saved = text.replace("Unsaved changes", "").rstrip() + "\n"
    assert first("--log", log, FEED).stdout == saved
    assert second("--log", log, input="").stdout == saved
    undone = second("--log", log, input='"undo"').stdout
    assert undone != saved
    assert first("--log", log, input='"redo"').stdout == saved
    assert first("--log", log, "--json", "--tag", "errand", input='"undo"').returncode == 0
    assert "Shown: tag errand" in second("--log", log, input="").stdout


@pytest.mark.parametrize(
    "options",
    [
        ["--project", "trip"],
        ["--tag", "errand"],
        ["--text", "the"],
        ["--open"],
        ["--open", "--tag", "phone", "--project", "house"],
        ["--text", "Zürich"],
    ],
)
def test_filters(run, options):
    output, _, status = run(*options, FEED)
    assert "Shown: " in output
    assert status == 1


def test_refuses_an_unknown_project(run):
    assert run("--project", "attic", input="") == ("", 'board: there is no project "attic"\n', 2)


def test_undo_and_redo(run):
    task = {"type": "tasks/added", "payload": {"id": "t", "project": "p", "title": "Wash"}}
    actions = [
        {"type": "projects/added", "payload": {"id": "p", "name": "One"}},
        task,
        {**task, "type": "tasks/edited", "payload": {"id": "t", "title": "Wash"}},  # no step
    ]
    commands = ["undo", "undo", "undo", "redo", "later"]
    output, messages, _ = run(input="\n".join(map(json.dumps, actions + commands)))
    end = f"{'Undo: projects/added':28}{'Redo: tasks/added':28}Unsaved changes\n"
    assert output.endswith(f"\n\n{end}")
    assert messages == 'line 8: expected an action, an array, "undo" or "redo"\n'
    actions.append(task)  # refused, and so no step: the second one can be undone
    output, _, _ = run(input="\n".join(map(json.dumps, actions + ["undo", "undo"])))
    assert output.endswith(f"open\n\n{'':28}Redo: projects/added\n")


def test_truncates_and_cleans_text(run):
    project = {"id": "a/b~c", "name": "☃" * 70 + "\n\u001b[31m"}
    task = {"id": "t/~", "project": "a/b~c", "title": "\u007f\té" * 30, "tags": ["日本", "x" * 90]}
    actions = [
        {"type": "projects/added", "payload": project},
        {"type": "tasks/added", "payload": task},
        {"type": "tasks/completed", "payload": {"id": "t/~"}},
    ]
    output, messages, _ = run(input="\n".join(map(json.dumps, actions)))
    assert messages == ""
    assert "\x1b" not in output
    assert all(len(line) <= 80 and line == line.rstrip() for line in output.splitlines())


def test_random_actions_yield_the_same_state(run_c):
    """Both refuse the same invalid actions, though not always with the same message."""
    random_feed = "\n".join(json.dumps(action) for action in actions(random.Random(7), 600))
    for options in [], ["--json"]:
        c, python = (of(*options, input=random_feed) for of in (run_c, run_python))
        assert python.stdout == c.stdout
        assert refused(python.stderr) == refused(c.stderr)
    assert 100 < len(refused(c.stderr)) < 550


def refused(messages):
    return [line.split(":")[0] for line in messages.splitlines()]


def actions(rng, count):
    members = {
        "id": ["t1", "t2", "t3", "t4", "p1", "p2", "a/b", "", "a\u0000"],
        "project": ["p1", "p2", "p2", "p3"],
        "before": ["t1", "t2", "t3"],
        "name": ["One", "Two"],
        "title": ["Wash", "Dry"],
        "due": ["2026-12-01"],
        "tag": ["x", "y"],
        "tags": [[], ["x", "y", "x"], ["x", 1], {}],
        "text": ["a"],
        "done": [True, False],
    }
    types = """projects/added projects/removed tasks/added tasks/added tasks/edited tasks/moved
        tasks/tagged tasks/untagged tasks/completed tasks/reopened tasks/removed filter/changed
        other""".split()
    for _ in range(count):
        payload = {
            name: rng.choice([None, 1, "z"]) if rng.random() < 0.03 else rng.choice(values)
            for name, values in members.items()
            if name != "before" or rng.random() < 0.3
            if rng.random() < 0.9
        }
        action = {"type": rng.choice(types), "payload": payload}
        if rng.random() < 0.02:
            action["payload"] = rng.choice([None, "text", []])
        if rng.random() < 0.3:
            action["meta"] = {"drag": rng.choice([1, 2])}
        yield action if rng.random() < 0.9 else [action, action]
        if rng.random() < 0.1:
            yield rng.choice(["undo", "redo"])
