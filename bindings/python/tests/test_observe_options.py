"""The options of observe."""

import select

import pytest
from reducers import merge

import immutabledata as imd


def test_ignore_and_dependencies(app):
    unignored, dependent = [], []
    app.observe("a", unignored.append, ignore=("mouse*", "key*"))
    app.observe("a", dependent.append, dependencies=["b"])
    app.dispatch("mouse/moved", payload={"a": 1})
    app.dispatch("else", payload={"a": 2})
    app.dispatch("else", payload={"a": 3, "b": 3})
    assert unignored == [0, 2, 3]
    assert dependent == [0, 3]


def test_poll(app):
    seen, latest, bounded = [], [], []
    app.observe("a", seen.append, when="queued")
    last = app.observe("a", latest.append, when="queued", coalesce=True)
    two = app.observe("a", bounded.append, when="queued", capacity=2)
    one = app.observe("a", print, when="queued", overflow="coalesce", capacity=1, initial=False)
    one.cancel()
    for number in (1, 2, 3):
        merge(app, a=number)
    assert seen == latest == bounded == []
    assert app.poll() == 4 + 1 + 2
    assert app.poll() == 0
    assert (seen, latest, bounded) == ([0, 1, 2, 3], [3], [2, 3])
    assert (last.skipped, two.skipped, one.skipped) == (3, 2, 0)


def test_the_descriptor_is_readable_while_outputs_wait(app):
    def is_readable():
        return select.select([app], [], [], 0)[0] == [app]

    app.observe("a", print, when="queued", initial=False)
    assert not is_readable()
    merge(app, a=1)
    assert is_readable()
    assert app.fileno() == app.fileno() >= 0
    app.poll()
    assert not is_readable()


@pytest.mark.parametrize(
    ("call", "kind", "part"),
    [
        (lambda app: app.observe("c", print), imd.UnknownSelectorError, "c"),
        (lambda app: app.observe("a\0", print), imd.InvalidArgumentError, "U+0000"),
        (lambda app: app.observe("a", print, arguments={"x": 1}), imd.InvalidArgumentError, "x"),
        (lambda app: app.observe("above", print), imd.InvalidArgumentError, "least"),
        (lambda app: app.observe("a", print, arguments={"x": {1}}), imd.InvalidArgumentError, "x"),
        (lambda app: app.observe("a", print, when="never"), imd.InvalidArgumentError, "queued"),
        (lambda app: app.observe("a", print, deliver=""), imd.InvalidArgumentError, "patch"),
        (lambda app: app.observe("a", print, overflow=""), imd.InvalidArgumentError, "coalesc"),
        (lambda app: app.observe("a", print, label=""), imd.InvalidArgumentError, "options/label"),
        (lambda app: app.observe("a", print, capacity=0), imd.InvalidArgumentError, "capacity"),
        (lambda app: app.observe("a", print, dependencies=["c"]), imd.UnknownSelectorError, ""),
        (lambda app: app.observe(), TypeError, "selector"),
        (lambda app: app.observe(print), TypeError, "name of a selector must be a str"),
        (lambda app: app.observe("a", 5), TypeError, "a function that takes the output, not int"),
        (lambda app: app.observe("a")(5), TypeError, "a function that takes the output, not int"),
        (lambda app: app.observe("a", print, initial=1), TypeError, "initial must be a bool"),
        (lambda app: app.observe("a", print, coalesce=0), TypeError, "coalesce must be a bool"),
        (lambda app: app.observe("a", print, when=1), TypeError, "when must be a str"),
        (lambda app: app.observe("a", print, deliver=b"x"), TypeError, "deliver must be a str"),
        (lambda app: app.observe("a", print, label=1), TypeError, "label must be a str"),
        (lambda app: app.observe("a", print, capacity="1"), TypeError, "capacity must be an int"),
        (lambda app: app.observe("a", print, capacity=True), TypeError, "capacity must be an int"),
        (lambda app: app.observe("a", print, overflow=1), TypeError, "overflow must be a str"),
        (lambda app: app.observe("a", print, ignore="a*"), TypeError, "iterable of str, not"),
        (lambda app: app.observe("a", print, ignore=1), TypeError, "iterable of str"),
        (lambda app: app.observe("a", print, ignore=[1]), TypeError, "each of ignore must be"),
        (lambda app: app.observe("a", print, dependencies="b"), TypeError, "iterable of str"),
        (lambda app: app.observe("a", print, arguments=[]), TypeError, "Mapping, not list"),
    ],
)
def test_invalid_arguments(app, call, kind, part):
    with pytest.raises(kind) as caught:
        call(app)
    assert type(caught.value) is kind
    assert part in str(caught.value)
    assert app._observations == {}
    assert app.statistics()["observations"] == 0
