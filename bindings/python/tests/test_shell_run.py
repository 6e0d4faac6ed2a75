"""imd run: actions from a pipe."""

import json
import os
import resource
import signal

import pytest
from imd_command import start

import immutabledata as imd

UP = '{"type":"didTapIncrementButton"}\n'


def set_n(value):
    return json.dumps({"type": "set", "payload": {"path": "/n", "value": value}}) + "\n"


def test_outputs_come_at_the_end(run_imd):
    run = run_imd("run", "counter", "--select", "selectValue", "--query", "@", stdin=UP * 3)
    assert run == (0, '3\n{"value":3}\n', "")


def test_outputs_come_after_each_action(run_imd):
    run = run_imd("run", "counter", "--query", "value", "--each", stdin=UP * 3)
    assert run.out == "1\n2\n3\n"


def test_outputs_come_after_each_batch(run_imd):
    run = run_imd("run", "counter", "--query", "value", "--each", "--batch", 2, stdin=UP * 5)
    assert run.out == "2\n4\n5\n"


def test_nothing_is_printed_without_outputs(run_imd):
    assert run_imd("run", "counter", stdin=UP) == (0, "", "")


def test_a_scratch_store_begins_empty(run_imd):
    assert run_imd("run", "--query", "@").out == "{}\n"


def test_the_state_can_be_given(run_imd):
    assert run_imd("run", "--state", "[1]", "--query", "@").out == "[1]\n"
    assert run_imd("run", "counter", "--state", '{"value":7}', "--query", "@", stdin=UP).out == (
        '{"value":8}\n'
    )


def test_a_selector_takes_arguments(run_imd):
    actions = '{"type":"ui/animalList/onAppear"}\n'
    select = "selectAnimal animalId=Cat"
    run = run_imd("run", "animals", "--select", select, "--query", "keys(@)", stdin=actions)
    animal, keys = map(json.loads, run.out.splitlines())
    assert animal["animalId"] == "Cat"  # The effect has ended.
    assert "animals" in keys


def test_a_domain_takes_options(run_imd):
    database = "--option", "store=zoo.sqlite"
    fetch = '{"type":"ui/categoryList/onAppear"}\n'
    query = "--query", "length(categories.data)"
    assert run_imd("run", "animals", *database, *query, stdin=fetch).out == "6\n"
    assert os.path.exists("zoo.sqlite")
    assert run_imd("show", "animals", *database, *query).out == "0\n"
    line = "ui/categoryList/onAppear"
    shell = run_imd("shell", "animals", *database, "-c", line, "-c", query[1])
    assert shell == (0, "6\n", "")
    run = run_imd("run", "quakes", "--option", "timeout=soon", stdin=fetch)
    assert run == (2, "", "imd: options/timeout: expected an integer, found a string\n")
    options = "--option", 'state={"value":7}', "--option", "history=true"
    assert run_imd("run", "counter", *options, "--query", "@").out == '{"value":7}\n'
    assert run_imd("show", "counter", *options, "--query", "value").out == "7\n"


@pytest.mark.parametrize("batch", [1, 3, 100])
def test_a_refused_line_is_reported_and_the_others_go_on(run_imd, batch):
    lines = f'{UP}nonsense\n\n{UP}{{"type":"nope"}}\n{UP}5\n["x"]\n'
    run = run_imd("run", "counter", "--query", "value", "--batch", batch, stdin=lines)
    assert (run.code, run.out) == (1, "3\n")
    messages = run.err.splitlines()
    assert [message.split(":")[1] for message in messages] == [
        " line 2",
        " line 5",
        " line 7",
        " line 8",
    ]
    assert messages[0].endswith("(column 8)")
    assert 'unknown action type "nope"' in messages[1]
    assert "an action is an object" in messages[2]


def test_it_stops_if_asked(run_imd):
    run = run_imd("run", "counter", "--query", "value", "--stop", stdin=f"{UP}x\n{UP}")
    assert (run.code, run.out) == (1, "1\n")
    assert run.err.startswith("imd: line 2: ")


def test_an_array_takes_effect_together(run_imd):
    lines = f'[{UP.strip()}, {{"type":"nope"}}]\n[{UP.strip()},{UP.strip()}]\n[]\n'
    run = run_imd("run", "counter", "--query", "value", stdin=lines)
    assert (run.code, run.out) == (1, "2\n")
    assert run.err.startswith("imd: line 1: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"type":"\xff"}', "unable to decode"),
        (b'{"type":"set","payload":{"path":"/n","value":NaN}}', "not JSON"),
        (b'{"type":"set"} {"type":"set"}', "not JSON"),
        (b'{"type":"set","payload":{"path":"/n","value":' + b"9" * 5000 + b"}}", "number"),
        (b"\x00", "not JSON"),
        (b"[" * 100_000, "nest"),
    ],
)
def test_what_is_no_json_is_refused(run_imd, text, message):
    run = run_imd("run", "--query", "@", stdin=text)
    assert (run.code, run.out) == (1, "{}\n")
    assert run.err.startswith("imd: line 1: ")
    assert message in run.err


def test_json_of_several_lines_is_explained_once(run_imd):
    run = run_imd("run", "counter", stdin=json.dumps(json.loads(UP), indent=2) * 2)
    assert run.err.count("as jq -c prints it") == 1


def test_deep_json_is_read(run_imd):
    deep = "[" * 1500 + "]" * 1500  # Too deep for the module json.
    text = f'{{"type":"set","payload":{{"path":"/n","value":{deep}}}}}'
    assert run_imd("run", "--query", "n", stdin=text).out == f"{deep}\n"


def test_lines_may_end_in_other_ways(run_imd):
    text = "\ufeff" + UP.replace("\n", "\r\n") + "  " + UP + UP.rstrip()
    assert run_imd("run", "counter", "--query", "value", stdin=text).out == "3\n"


def test_a_line_may_be_long(run_imd):
    text = set_n("x" * 1_000_000) + set_n("y" * 1_000_000)
    assert run_imd("run", "--query", "length(n)", "--each", stdin=text).out == "1000000\n" * 2


def test_a_line_without_an_end_is_not_read(run_imd, monkeypatch):
    monkeypatch.setattr("immutabledata._shell.input._MAX_LENGTH", 200_000)
    text = UP + set_n("x" * 190_000) + "x" * 500_000
    run = run_imd("run", "c.imd", "counter", stdin=text)
    assert (run.code, run.out) == (3, "")
    assert run.err.endswith("imd: line 3 is longer than 200.0 KB\n")
    assert imd.log.verify("c.imd")["last"] == 1


def test_an_output_that_fails_is_null(run_imd):
    run = run_imd("run", "--query", "max(n)", "--each", stdin=set_n([1]) + set_n(1) + set_n([2]))
    assert (run.code, run.out) == (1, "1\nnull\n2\n")
    assert run.err.startswith("imd: after line 2: argument 1 of max() must be an array")


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--query", "n[", "n[\n    ^"),
        ("--select", "nope", "unknown selector"),
        ("--select", "nope x={", "the value is not JSON"),
    ],
)
def test_a_mistake_in_an_output_is_found_before_any_action(run_imd, option, text, message):
    run = run_imd("run", "counter.imd", "counter", option, text, stdin=UP)
    assert (run.code, run.out) in {(1, ""), (2, "")}
    assert message in run.err
    assert run_imd("log", "counter.imd").out == ""


def test_what_a_reducer_raises_is_reported(run_imd, tmp_path):
    (tmp_path / "app.py").write_text("def reduce(state, action): return 1 / 0\n")
    run = run_imd("run", "app.py:reduce", "--state", "{}", stdin='{"type":"a"}\n')
    assert run == (1, "", "imd: line 1: ZeroDivisionError: division by zero (app.py, line 1)\n")


@pytest.mark.filterwarnings("default")
def test_warnings_are_messages(run_imd, tmp_path):
    (tmp_path / "slices.py").write_text(
        "import immutabledata as imd\n"
        "todos = imd.Slice('todos', [])\n"
        "reduce = imd.combine(todos=todos)\n"
    )
    run = run_imd("run", "slices.py:reduce", "--state", '{"todo":[]}', stdin='{"type":"a"}\n')
    assert (run.code, run.err.count("\n")) == (1, 2)


@pytest.mark.parametrize("batch", [1, 9])
def test_an_action_that_no_reducer_takes_is_refused(run_imd, tmp_path, batch):
    (tmp_path / "slices.py").write_text(
        "import immutabledata as imd\n"
        "todos = imd.Slice('todos', [])\n"
        "@todos.on('added')\n"
        "def added(draft, action): draft.append(action['payload'])\n"
        "reduce = imd.combine(todos=todos)\n"
    )
    added = '{"type":"todos/added","payload":1}'
    lines = f'{added}\n{{"type":"todos/aded"}}\n[{added},{{"type":"nope"}}]\n{added}\n'
    arguments = "a.imd", "slices.py:reduce", "--query", "todos", "--batch", batch
    assert run_imd("run", *arguments, stdin=lines) == (
        1,
        "[1,1]\n",
        'imd: line 2: no slice takes "todos/aded"; did you mean todos/added?\n'
        'imd: line 3: no slice takes "nope"\n',
    )
    assert imd.log.verify("a.imd")["last"] == 2


def test_a_log_keeps_what_was_dispatched(run_imd):
    assert run_imd("run", "c.imd", "counter", stdin=UP * 2).code == 0
    assert run_imd("run", "c.imd", "--query", "value", "--batch", 5, stdin=UP * 3).out == "5\n"
    assert imd.log.verify("c.imd")["last"] == 5


def test_the_history_of_a_log_stays(run_imd):
    with imd.open("counter", log="c.imd", history={"limit": 7}) as store:
        store.dispatch("didTapIncrementButton")
    run_imd("run", "c.imd", stdin=UP)
    with imd.open("counter", log="c.imd", history={"limit": 7}) as store:
        assert store.undo(5) == 2


def test_ctrl_c_loses_nothing(tmp_path):
    process = start("run", "c.imd", "counter", "--query", "value", "--each", cwd=tmp_path)
    process.stdin.write((UP * 3).encode())
    process.stdin.flush()
    assert [process.stdout.readline() for _ in range(3)] == [b"1\n", b"2\n", b"3\n"]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert err == b"imd: interrupted after line 3; 3 lines were dispatched\n"
    with imd.open("counter", log=tmp_path / "c.imd") as store:
        assert store.state["value"] == 3


def test_ctrl_c_waits_for_the_dispatch(tmp_path):
    (tmp_path / "app.py").write_text(
        "import os, signal\n"
        "def reduce(state, action):\n"
        "    if state['n'] == 2: os.kill(os.getpid(), signal.SIGINT)\n"
        "    return {'n': state['n'] + 1}\n"
    )
    lines = b'{"type":"a"}\n' * 9
    options = "app.py:reduce", "--state", '{"n":0}'
    process = start("run", "a.imd", *options, cwd=tmp_path)
    _, err = process.communicate(lines)
    assert (process.returncode, err) == (
        130,
        b"imd: interrupted after line 3; 3 lines were dispatched\n",
    )
    assert imd.log.verify(tmp_path / "a.imd")["last"] == 3
    process = start("run", "b.imd", *options, "--batch", 4, cwd=tmp_path)
    _, err = process.communicate(lines)
    assert err == b"imd: interrupted after line 4; 4 lines were dispatched\n"
    assert imd.log.verify(tmp_path / "b.imd")["last"] == 4


def test_a_broken_pipe_is_silent(tmp_path):
    process = start("run", "c.imd", "counter", "--query", "value", "--each", cwd=tmp_path)
    process.stdin.write(UP.encode())
    process.stdin.flush()
    assert process.stdout.readline() == b"1\n"
    process.stdout.close()
    process.stdin.write((UP * 9).encode())
    process.stdin.close()
    assert process.wait() == 141
    assert process.stderr.read() == b""
    process.stderr.close()
    with imd.open("counter", log=tmp_path / "c.imd") as store:
        assert store.state["value"] >= 2


def test_a_log_that_cannot_be_written_ends_it(tmp_path):
    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    process = start("run", "c.imd", "counter", cwd=tmp_path, preexec_fn=limit_files)
    out, err = process.communicate((UP * 100).encode())
    assert (process.returncode, out) == (3, b"")
    assert err.startswith(b"imd: ")
    assert err.count(b"\n") == 1


@pytest.mark.parametrize("closed", [0, 2])
def test_a_standard_descriptor_may_be_closed(tmp_path, closed):
    (tmp_path / "app.py").write_text(
        "import os\n"
        "def reduce(state, action):\n"
        f"    os.write({closed}, b'text of the program')\n"
        "    return {'n': 1}\n"
    )
    process = start(
        *("run", "a.imd", "app.py:reduce", "--state", "{}", "--query", "@"),
        cwd=tmp_path,
        preexec_fn=lambda: os.close(closed),
    )
    out, err = process.communicate(UP.encode())
    assert (process.returncode, err) == (0, b"")
    assert out == (b'{"n":1}\n' if closed else b"{}\n")
    assert imd.log.verify(tmp_path / "a.imd")["entries"] == min(closed, 1)


@pytest.mark.parametrize(
    ("arguments", "code"), [(["domains"], 3), (["--version"], 3), (["shell"], 3), (["run"], 0)]
)
def test_a_closed_output_fails_what_has_results(arguments, code):
    process = start(*arguments, preexec_fn=lambda: os.close(1))
    _, err = process.communicate(b'{"type":"merge","payload":{"value":{}}}\n' + b"@\n" * code)
    assert process.returncode == code
    assert (b"Bad file descriptor" in err) == bool(code)


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--help"], 3), (["run", "--query", "@"], 3), (["nope"], 2)]
)
def test_a_full_device(arguments, code):
    with open("/dev/full", "wb") as full:
        process = start(*arguments, stdout=full, stderr=full)
        process.communicate()
    assert process.returncode == code


def test_a_log_that_is_gone_is_noticed(tmp_path):
    process = start("run", "c.imd", "counter", "--query", "value", "--each", cwd=tmp_path)
    process.stdin.write(UP.encode())
    process.stdin.flush()
    process.stdout.readline()
    (tmp_path / "c.imd").unlink()
    _, err = process.communicate()
    assert process.returncode == 3
    assert err.startswith(b"imd: stopped after line 1; 1 line was dispatched: ")


def test_a_reducer_has_no_selectors(run_imd, tmp_path):
    (tmp_path / "plain.py").write_text("def reduce(state, action): return state\n")
    run = run_imd("run", "plain.py:reduce", "--state", "{}", "--select", "open")
    assert run.code == 2
    assert 'no selector "open": a reducer has none; a store may, as in app.py:store' in run.err


def test_a_program_that_ends_is_reported(run_imd, tmp_path):
    (tmp_path / "ends.py").write_text("import sys\ndef reduce(state, action): sys.exit(7)\n")
    run = run_imd("run", "ends.py:reduce", "--state", "{}", stdin='{"type":"a"}\n')
    message = "imd: the program of the store has ended imd: SystemExit: 7 (ends.py, line 2)\n"
    assert run == (3, "", message)
