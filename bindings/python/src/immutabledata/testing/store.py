"""A store whose time and effects a test controls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Generic

import immutabledata as imd

from .._stores.action import ActionLike, to_mapping
from .._stores.base import Action_contra, State
from .._values import JSON, quoted
from .._values.equality import equal
from ..errors import TimedOutError
from .captured_effect import CapturedEffect, described
from .differences import ABSENT, differences, lines, listing, shown
from .expectation import Changes, require_changes
from .watched_effects import WatchedEffects

if TYPE_CHECKING:
    from typing_extensions import Self

    from .._stores import Commit, Store
    from .._stores.effect_call import EffectFunction
    from .._stores.program_effects import Rule

_KEPT_COMMITS = 4096


class TestStore(Generic[State, Action_contra]):
    """A store whose time and effects a test controls, and of which the test says all that happens.

        with TestStore(reduce, {"version": 1}, rule=ask) as store:
            store.send("closed")
            store.request("save").succeed({"version": 2})
            store.receive("saved", changes={"/version": 2})

    send dispatches an action, receive lets the next outcome of an effect in; both assert what has
    changed. Time stands still until advance. The functions in effects are called as by any store;
    all other effects are captured, and the test ends them, see request.

    At the end of the with, and in close, nothing may be left over: no captured effect in flight, no
    outcome that was not received, no effect that waits for its time. An AssertionError names each.

    With exhaustive=False, the test says as much as it needs: changes are only those parts of the
    state that it compares, and anything may be left over.

    An exception that no caller gets, such as that of an effect without an action for its failure,
    is raised by the next call of the test store.

    A test store belongs to one thread.
    """

    __test__ = False  # Not a class of tests for pytest.

    store: Store[State, Action_contra]
    """The store itself, with clock="stepped"."""

    def __init__(
        self,
        reducer: Callable[[State, Action_contra], Any],
        /,
        state: Any = ABSENT,
        *,
        rule: Rule | None = None,
        effects: Mapping[str, EffectFunction] = {},
        exhaustive: bool = True,
        **options: Any,
    ) -> None:
        """Makes a Store with a reducer, and with a clock that stands still.

        state: the initial state, as for Store.
        rule: asks for effects, see Store.set_rule.
        effects: the functions of some effects by their names, see Store.set_effect.
        exhaustive: whether the test says all that changes, and nothing may be left over.
        options: those of Store.

        Raises TypeError: the clock is among the options.
        Raises what Store does.
        """
        _refuse_clock(options)
        given = () if state is ABSENT else (state,)
        store: Store[State, Action_contra] = imd.Store(reducer, *given, clock="stepped", **options)
        self._begin(store, effects, exhaustive)
        if rule is not None:
            store.set_rule(self._effects.watch(rule))

    @classmethod
    def open(
        cls,
        domain: str,
        /,
        *,
        effects: Mapping[str, EffectFunction] = {},
        exhaustive: bool = True,
        **options: Any,
    ) -> TestStore[Any, Any]:
        """Opens a store of a domain, with a clock that stands still.

        The effects that the domain lists are captured, except for those in effects.

        options: those of immutabledata.open.

        Raises TypeError: the clock is among the options.
        Raises what immutabledata.open does.
        """
        _refuse_clock(options)
        made: TestStore[Any, Any] = cls.__new__(cls)
        made._begin(imd.open(domain, clock="stepped", **options), effects, exhaustive)
        for effect in made.store.describe().get("effects", ()):
            made._effects.capture(effect["name"])
        made.advance()
        return made

    def _begin(
        self, store: Store[Any, Any], effects: Mapping[str, EffectFunction], exhaustive: bool
    ) -> None:
        self.store = store
        self._is_exhaustive = exhaustive
        self._failures: list[BaseException] = []
        self._effects = WatchedEffects(store, effects)
        self._commits = store.stream(capacity=_KEPT_COMMITS, overflow="dropOldest")
        failures = self._failures
        store.on_error = lambda error, callback: failures.append(error)

    def send(
        self,
        action: ActionLike | Action_contra,
        /,
        payload: JSON = ABSENT,
        *,
        meta: JSON = ABSENT,
        changes: Changes = ABSENT,
    ) -> None:
        """Dispatches an action, begins the effects that follow now, and asserts what has changed.

            store.send("added", {"title": "Write"}, changes={"/todos/0": {"title": "Write"}})

        action, payload, meta: as for Store.dispatch.
        changes: a mapping of JSON Pointers to the values that are there afterwards; or a JSON
            Patch, a list of operations; or a function that is called with a draft of the state
            before, and changes it to what is expected, see drafting. If it is left out, nothing
            may change; with exhaustive=False, anything may. What a domain's own effects have
            changed until now counts, too, such as the answer of a database.

        Raises AssertionError: the state is not as expected; the message lists the differences.
        Raises ReentrantError: called on an event loop that an async function in effects needs;
        nothing was dispatched.
        Raises what Store.dispatch does.
        """
        __tracebackhide__ = True
        self._raise_failure()
        self.store._refuse_to_wait_for_this_thread("send", ", …")
        before = self.store.state
        members = {"payload": payload, "meta": meta}
        given = {name: part for name, part in members.items() if part is not ABSENT}
        self.store.dispatch(action, **given)
        self.advance()
        after = self.store.state
        type = self._action(action)["type"]
        require_changes(type, before, after, changes, self._is_exhaustive)

    def receive(
        self,
        action: ActionLike | Action_contra,
        /,
        payload: JSON = ABSENT,
        *,
        meta: JSON = ABSENT,
        changes: Changes = ABSENT,
    ) -> None:
        """Lets the outcome in that has waited longest, and asserts its action and what it changed.

            store.receive("saved", {"version": 2}, changes={"/version": 2})

        action, payload, meta: the action that is expected. Of a str, only the type is compared, and
            what is given of the payload and the meta.
        changes: as for send.

        Raises AssertionError: no outcome waits, and the message lists the effects that are in
        flight and those that wait; or the action or the state is not as expected.
        """
        __tracebackhide__ = True
        expected = self._expected(action, payload, meta)
        self._read_commits()
        found = self._let_in()
        if found is None:
            raise AssertionError(
                f"no outcome waits, and {quoted(expected['type'])} was expected"
                f"{self._effects.in_flight()}"
            )
        commit, after = found
        _require_action(expected, commit.action, isinstance(action, str))
        require_changes(expected["type"], commit.old, after, changes, self._is_exhaustive)

    def request(self, name: str, /, arguments: JSON = ABSENT) -> CapturedEffect:
        """The captured effect in flight that began first, of those with a name.

            store.request("save", {"id": 7}).fail("disk full")

        arguments: selects among them the first one with these arguments.

        Raises AssertionError: there is none; the message lists those in flight.
        """
        __tracebackhide__ = True
        self._raise_failure()
        for effect in self._effects.captured:
            if effect.name == name and (arguments is ABSENT or equal(effect.arguments, arguments)):
                return effect
        title = quoted(name) if arguments is ABSENT else described(name, arguments)
        raise AssertionError(f"no effect {title} is in flight{self._effects.in_flight()}")

    def advance(self, milliseconds: int = 0) -> None:
        """Moves the clock, and begins the effects whose time has come; see Store.advance."""
        __tracebackhide__ = True
        self._raise_failure()
        self.store.advance(milliseconds)
        self._raise_failure()

    def settle(self, timeout: float = 5) -> None:
        """Waits until the async functions in effects have returned, also those that were cancelled.

            def test_that_clearing_cancels_the_search():
                cancelled = []

                async def search(query):
                    try:
                        await asyncio.sleep(60)
                    finally:
                        cancelled.append(query)

                effects = {"search": search}
                with TestStore(reduce, {"todos": []}, rule=ask, effects=effects) as store:
                    store.send("typed", "tea")
                    store.send("cleared")
                    store.settle()
                    assert cancelled == ["tea"]

        Their outcomes then wait for receive. Captured effects may stay in flight.

        timeout: in seconds.

        Raises AssertionError: a function has not returned in time; the message names each.
        Raises ReentrantError: called on the event loop that a function runs on, see Store.settle.
        """
        __tracebackhide__ = True
        self.advance()
        self.store._refuse_to_wait_for_this_thread()
        if not self.store._tasks.wait(timeout):
            names = map(quoted, self._effects.running(True))
            raise AssertionError(
                f"after {timeout} seconds, async functions of effects have not returned:"
                + lines(names)
            )
        self._raise_failure()

    @property
    def state(self) -> State:
        """The current state, see Store.state."""
        return self.store.state

    def statistics(self) -> dict[str, Any]:
        """The counters of the store, see Store.statistics."""
        return self.store.statistics()

    def close(self) -> None:
        """Asserts that nothing is left over, and closes the store. May be called twice.

        Raises AssertionError: something is left over; the message names each.
        """
        __tracebackhide__ = True
        if self.store.closed:
            return
        try:
            self._raise_failure()
            left = self._left_over() if self._is_exhaustive else []
        finally:
            self.abandon()
        if left:
            raise AssertionError("left over at the end of the test:" + lines(left))

    def abandon(self) -> None:
        """Closes the store, whatever is left over; for a test that has failed."""
        self._commits.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, type: object, *exception: object) -> None:
        __tracebackhide__ = True
        if type is None:
            self.close()
        else:
            self.abandon()

    def __repr__(self) -> str:
        return f"<immutabledata.testing.TestStore of {self.store!r}>"

    # ---- Outcomes ------------------------------------------------------------------------------

    def _let_in(self) -> tuple[Commit[State], State] | None:
        """Lets the next outcome in that is an action; returns its commit, and the state after it.

        None if there is none.
        """
        __tracebackhide__ = True
        self._raise_failure()
        waiting = 1
        while waiting:
            waiting = self.store.receive()
            self._raise_failure()
            commits = self._read_commits()
            if commits:
                return commits[0], commits[-1].new
        return None

    def _left_over(self) -> list[str]:
        """What is left over; lets the outcomes in."""
        effects = self._effects
        left = [
            f"the effect {effect} was not ended{effects.uncalled(effect.name)}"
            for effect in effects.captured
        ]
        left += [
            f"the effect {effect} waits for its time or turn" for effect in effects.waiting
        ]
        if not left:
            try:
                self.store.settle(0)
            except TimedOutError:
                left += [
                    f"the async function of the effect {quoted(name)} has not returned; settle() "
                    "the store first"
                    for name in effects.running(False)
                ] or ["an effect has not ended"]
        actions = map(_title, self._unreceived())
        return left + [f"the outcome {action} was not received" for action in actions]

    def _unreceived(self) -> list[Any]:
        """The actions of the outcomes that wait now; lets them in."""
        self._read_commits()
        actions = []
        waiting = self.store.receive()  # Before this call: others may follow from these.
        while waiting > 0:
            self._raise_failure()
            actions += [commit.action for commit in self._read_commits()[:1]]
            waiting -= 1
            if waiting > 0:
                self.store.receive()
        return actions

    def _read_commits(self) -> list[Commit[State]]:
        """The commits since the last call."""
        commits = []
        while True:
            try:
                commits.append(self._commits.next(0))
            except TimedOutError:
                return commits

    def _raise_failure(self) -> None:
        __tracebackhide__ = True
        if self._failures:
            raise self._failures.pop(0)

    # ---- Actions -------------------------------------------------------------------------------

    def _action(self, action: Any) -> Any:
        reducer = self.store._reducer
        return to_mapping(action, {} if reducer is None else reducer.classes)

    def _expected(self, action: Any, payload: Any, meta: Any) -> dict[str, Any]:
        expected = dict(self._action(action))
        if payload is not ABSENT:
            expected["payload"] = payload
        if meta is not ABSENT:
            expected["meta"] = meta
        return expected


def _refuse_clock(options: Mapping[str, Any]) -> None:
    if "clock" in options:
        raise TypeError(
            "a TestStore takes no clock: it has one that stands still until advance; for another "
            "clock, use a Store"
        )


def _require_action(expected: dict[str, Any], action: Any, is_part: bool) -> None:
    """Raises AssertionError: another action than expected.

    is_part: whether the action may have more than what is expected.
    """
    __tracebackhide__ = True
    if not equal(action["type"], expected["type"]):
        raise AssertionError(f"received {_title(action)}, and {_title(expected)} was expected")
    found = {name: part for name, part in action.items() if not is_part or name in expected}
    listed = listing(differences(expected, found), ("expected", "found"))
    if listed:
        raise AssertionError(f"the action {quoted(action['type'])} is not as expected:{listed}")


def _title(action: Mapping[str, Any]) -> str:
    """An action, as messages name it."""
    title = quoted(action["type"])
    return f"{title} with {shown(action['payload'])}" if "payload" in action else title
