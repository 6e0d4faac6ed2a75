"""The mistakes that type checkers find in typed/mistakes.py are errors at run time, too."""

import sys
from pathlib import Path

import pytest

import immutabledata as imd

TYPED = Path(__file__).parent / "typed"
sys.path.insert(0, str(TYPED))
import kanban  # noqa: E402
import mistakes  # noqa: E402

ACTION = imd.InvalidActionError
STATE = imd.ReducerFailedError


@pytest.mark.parametrize(
    ("mistake", "error", "message"),
    [
        (mistakes.misspelled_member, TypeError, "unexpected keyword argument 'titel'"),
        (mistakes.wrong_kind, ACTION, '"Added": payload/title: expected a string, found an int'),
        (mistakes.missing_member, TypeError, "missing 1 required positional argument: 'title'"),
        (
            mistakes.wrong_constant,
            ACTION,
            '"Moved": payload/lane: invalid value "dnoe"; did you mean "done"?',
        ),
        (
            mistakes.wrong_action,
            TypeError,
            "an instance of Added, Moved or Removed, a str (its type) or a Mapping, not Renamed",
        ),
        (mistakes.wrong_action_in_a_batch, TypeError, "an instance of Added, Moved or Removed"),
        (mistakes.wrong_type_of_a_batch, TypeError, "dispatch_batch takes several actions"),
        (
            mistakes.wrong_initial_state,
            imd.InvalidArgumentError,
            'unknown member "crads"; did you mean "cards"?',
        ),
        (mistakes.misspelled_member_of_the_state, KeyError, "crads"),
        (mistakes.wrong_use_of_a_state, TypeError, "str"),
        (mistakes.unhandled_case, AssertionError, "unreachable"),
        (mistakes.misspelled_parameter, TypeError, "'titel'; did you mean \"title\"?"),
        (mistakes.missing_parameter, TypeError, "missing the keyword argument 'title'"),
        (mistakes.unknown_parameter, TypeError, "unexpected keyword argument 'id'"),
        (
            mistakes.parameter_without_a_name,
            TypeError,
            'the payload of "cards/renamed" has names: renamed(id=…, title=…)',
        ),
        (
            mistakes.wrong_kind_of_a_parameter,
            ACTION,
            '"cards/renamed": payload/title: expected a string, found an integer',
        ),
    ],
)
def test_mistakes(mistake, error, message):
    with pytest.raises(error) as caught:
        mistake()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (mistakes.Renamed("1", "Read"), AttributeError, "'titel'"),
        (
            mistakes.Failed("kind"),
            STATE,
            "state/cards/1/title: expected a string, found an integer",
        ),
        (mistakes.Failed("constant"), STATE, 'state/cards/1/lane: invalid value "dnoe"'),
        (mistakes.Failed("missing"), STATE, 'state/cards/2: the member "lane" is missing'),
        (mistakes.Failed("member"), STATE, 'state/cards/2: unknown member "titel"'),
        (mistakes.Failed("other"), STATE, 'state/cards/1: unknown member "tilte"; did you mean'),
    ],
)
def test_mistakes_of_a_reducer(action, error, message):
    with pytest.raises(error) as caught:
        mistakes.failing(action)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("type", "payload", "message"),
    [
        ("Addde", {"id": "2", "title": "x"}, 'unknown action type "Addde"; did you mean "Added"?'),
        ("Added", {"id": "2", "titel": "x"}, 'payload: unknown member "titel"; did you mean'),
        ("Added", {"id": "2"}, 'payload: the member "title" is missing'),
        ("Moved", {"id": 2, "lane": "done"}, "payload/id: expected a string"),
    ],
)
def test_mistakes_of_what_is_no_program(type, payload, message):
    with kanban.open_board() as store, pytest.raises(ACTION) as caught:
        store.dispatch(type, payload)
    assert message in str(caught.value)


def test_the_board_is_short():
    lines = (TYPED / "kanban.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 55


def test_the_board():
    with kanban.open_board() as store:
        store.dispatch(kanban.Added("1", "Write"))
        store.dispatch(kanban.Moved("1", "doing"))
        assert store.state == {"cards": {"1": {"title": "Write", "lane": "doing"}}}
        store.undo()
        store.dispatch_batch([kanban.Added("2", "Read"), kanban.Removed("1")])
        assert store.state == {"cards": {"2": {"title": "Read", "lane": "todo"}}}
