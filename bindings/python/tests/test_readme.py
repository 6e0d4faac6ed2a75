"""The examples in the README of the package."""

import doctest
import random
import re
import textwrap
from pathlib import Path

import immutabledata as imd

README = Path(__file__).parents[1] / "README.md"


def test_the_examples_in_the_readme():
    text = README.read_text(encoding="utf-8")
    session = "\n".join(re.findall(r"```pycon\n(.*?)```", text, flags=re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", str(README), 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.attempted > 0
    assert results.failed == 0


def test_the_effects_in_the_readme():
    text = README.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(with imd\.Store.*?)```", text, flags=re.DOTALL)
    names = {"imd": imd, "random": random, "reduce": append_payload, "states": []}
    use = 'store.dispatch("tapped")\nstore.settle(60)\nstates.append(store.state.to_python())\n'
    exec(code + textwrap.indent(use, "    "), names)
    ((number,),) = names["states"]
    assert number in range(1, 7)


def append_payload(state, action):
    return state.append(action["payload"]) if action["type"] == "rolled" else state
