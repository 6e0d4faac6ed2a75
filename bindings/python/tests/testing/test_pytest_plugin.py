"""The plugin for pytest: every project imports it, and it imports the package when it is used."""

from importlib.metadata import distributions

import pytest

pytest_plugins = ["pytester"]

# The entry point of an installed package loads it.
IS_INSTALLED = any(
    entry.value == "_immutabledata_pytest"
    for package in distributions(name="immutabledata")
    for entry in package.entry_points
)
PLUGIN = [] if IS_INSTALLED else ["-p", "_immutabledata_pytest"]

NOTES = """
import immutabledata as imd

@imd.drafting
def reduce(draft, action):
    draft["n"] += 1

def ask(action, old, new):
    return [{"effect": "save"}]
"""


@pytest.fixture
def run(pytester):
    """Runs a module of tests in another process, whose plugins are the given ones."""
    pytester.makepyfile(notes=NOTES)

    def run(text):
        pytester.makepyfile(text)
        return pytester.runpytest_subprocess(*PLUGIN, "-p", "no:cacheprovider")

    return run


def test_the_package_is_not_imported(run):
    run(
        """
        import sys

        def test_it():
            assert "_immutabledata_pytest" in sys.modules
            assert "immutabledata" not in sys.modules
        """
    ).assert_outcomes(passed=1)


def test_stores_are_checked_and_closed(run):
    result = run(
        """
        from notes import ask, reduce

        made = []

        def test_with_leftovers(test_store):
            made.append(test_store(reduce, {"n": 0}, rule=ask))
            made.append(test_store(reduce, {"n": 0}))
            made[0].send("added", changes={"/n": 1})

        def test_without(test_store):
            assert [store.store.closed for store in made] == [True, True]
            test_store(reduce, {"n": 0}).send("added", changes={"/n": 1})

        def test_that_fails_anyway(test_store):
            made.append(test_store(reduce, {"n": 0}, rule=ask))
            made[-1].send("added", changes={"/n": 2})

        def test_that_it_closed(test_store):
            assert made[-1].store.closed
        """
    )
    result.assert_outcomes(passed=3, failed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "E *AssertionError: left over at the end of the test:",
            'E *the effect "save" was not ended',
            ">       made[[]-1[]].send(*",
            'E *AssertionError: the state after "added" is not as expected:',
            "E *'/n': expected 2, found 1",
        ]
    )
    assert "store.py" not in result.stdout.str()


def test_what_is_left_over_in_several_stores(run):
    result = run(
        """
        from notes import ask, reduce

        def begin(store, *arguments):
            store.send("added", changes={"/n": 1})

        def fail(arguments):
            raise LookupError("no disk")

        def test_two(test_store):
            for effect in "save", "load":
                rule = lambda *_: [{"effect": effect}]
                begin(test_store(reduce, {"n": 0}, rule=rule))

        def test_with_an_exception(test_store):
            begin(test_store(reduce, {"n": 0}, rule=ask))
            store = test_store(reduce, {"n": 0}, rule=ask, effects={"save": fail})
            store.store.dispatch("added")
            store.store.advance()
        """
    )
    result.assert_outcomes(passed=2, errors=2)
    result.stdout.fnmatch_lines(
        [
            "E *AssertionError: left over at the end of the test:",
            'E *the effect "save" was not ended',
            "E *left over at the end of the test:",
            'E *the effect "load" was not ended',
            'E *the effect "save" was not ended',
            "E *LookupError: no disk",
        ]
    )


def test_only_a_test_that_has_passed_is_checked(run):
    run(
        """
        import pytest
        from notes import ask, reduce

        @pytest.fixture
        def store(test_store):
            store = test_store(reduce, {"n": 0}, rule=ask)
            store.send("added", changes={"/n": 1})
            return store

        def test_that_is_skipped(store):
            pytest.skip("no disk")

        def test_that_is_expected_to_fail(store):
            pytest.xfail("no disk")

        @pytest.mark.xfail
        def test_that_is_known_to_fail(store):
            assert store is None

        def test_that_fails(store):
            assert store is None
        """
    ).assert_outcomes(skipped=1, xfailed=2, failed=1)


def test_the_explanation_of_an_assertion(run):
    result = run(
        """
        import immutabledata as imd

        STATE = imd.value({"a": [1, 2], "b": None})

        def test_a_value():
            assert STATE == {"a": [1, 3], "b": None}

        def test_another_order():
            assert {"a": [1, 2]} == STATE

        def test_no_value():
            assert 1 == 2

        def test_keys_that_json_does_not_have():
            assert STATE == {"a": [1, 2], 7: 8, None: 9}
        """
    )
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(
        [
            "E *assert {'a': [[]1, 2[]], 'b': None} == {'a': [[]1, 3[]], 'b': None}",
            "E *'/a/1': left 2, right 3",
            "E *assert {'a': [[]1, 2[]]} == {'a': [[]1, 2[]], 'b': None}",
            "E *'/b': left nothing, right None",
            "E *assert 1 == 2",
            "E *assert {'a': [[]1, 2[]], 'b': None} == {'a': [[]1, 2[]], 7: 8, None: 9}",
            "E *'/b': left None, right nothing",
            "E *'/7': left nothing, right 8",
            "E *'/None': left nothing, right 9",
        ]
    )


def test_an_assertion_that_has_no_explanation(run):
    result = run(
        """
        import immutabledata as imd

        class Odd:
            def __eq__(self, other):
                raise LookupError("not comparable")

            def __repr__(self):
                raise LookupError("not printable")

        def test_it():
            assert imd.value({"a": 1, "b": 2}) == {"a": 2, "b": 2, "odd": Odd()}
        """
    )
    result.assert_outcomes(failed=1)
    assert "INTERNALERROR" not in result.stdout.str()
    result.stdout.fnmatch_lines(["E *assert <immutabledat*> == {'a': 2, *"])
