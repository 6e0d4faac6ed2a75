"""Random actions for a store, with Hypothesis."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import immutabledata as imd

from .._types import merged, typed
from ..errors import InvalidActionError

try:
    from hypothesis import note
    from hypothesis import strategies as st
    from hypothesis.errors import HypothesisException
    from hypothesis.stateful import RuleBasedStateMachine, rule
except ImportError as error:
    raise ImportError(
        f"StoreMachine needs the package hypothesis: pip install hypothesis ({error})"
    ) from None

from .strategies import SchemaStrategies


class StoreMachine(RuleBasedStateMachine):
    """A state machine of Hypothesis that dispatches random actions to a store.

        class BoardMachine(StoreMachine):
            reducer = reduce
            initial_state = {"todos": []}
            schema = SCHEMA

            @invariant()
            def every_todo_has_a_title(self):
                assert all(todo["title"] for todo in self.state["todos"])

        TestBoard = BoardMachine.TestCase

    The actions have the types and payloads of the schema. A reducer that raises an exception fails
    the test, and so do a state that does not fit the schema and an invariant. Hypothesis then finds
    the shortest list of actions that fails, and prints it; a log with these actions is written, and
    its path is printed, so that imd log and imd shell can open it. dispatch(action=None) does
    nothing; it is only printed if Hypothesis stops before it has removed that step.

    Rules, invariants and bundles of your own may be added, as to any RuleBasedStateMachine.
    """

    reducer: ClassVar[Any]
    """The reducer: a function, a Slice, or what combine makes."""

    initial_state: ClassVar[Any]
    """The state; by default the initial_state of the reducer."""

    schema: ClassVar[Mapping[str, Any] | None] = None
    """The option schema of the store; by default that of the annotations of the reducer."""

    options: ClassVar[Mapping[str, Any]] = {}
    """Further options of the Store."""

    refusals: ClassVar[tuple[type[Exception], ...]] = ()
    """The exceptions with which the reducer refuses an action, such as one for a missing record."""

    payloads: ClassVar[Mapping[str, Any]] = {}
    """Strategies for the payloads of some types of actions, in place of those of the schema."""

    log_folder: ClassVar[str] = ".hypothesis"
    """The folder for the log of a failure, BoardMachine.imd; it is created."""

    store: imd.Store[Any, Any]
    """The store."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if not hasattr(cls, "reducer"):
            return
        strategy = _actions(_schema(cls), cls.payloads)

        def dispatch(self: StoreMachine, action: Any) -> None:
            self._dispatch(action)

        cls.dispatch = rule(action=strategy)(dispatch)

    def __init__(self) -> None:
        super().__init__()
        self._actions: list[Any] = []
        self.store = self._open()

    @property
    def state(self) -> Any:
        """The current state of the store."""
        return self.store.state

    def teardown(self) -> None:
        """Closes the store; writes the log if the run has failed."""
        super().teardown()
        self.store.close()
        # Hypothesis calls it while the exception is on its way.
        raised = sys.exc_info()[1]
        if isinstance(raised, Exception) and not isinstance(raised, HypothesisException):
            note(_Log(self))

    def _dispatch(self, action: Any) -> None:
        if action is None:  # See _actions.
            return
        try:
            self.store.dispatch(action)
        except type(self).refusals:
            return
        self._actions.append(action)

    def _open(self, **options: Any) -> imd.Store[Any, Any]:
        cls = type(self)
        given = (cls.initial_state,) if hasattr(cls, "initial_state") else ()
        return imd.Store(cls.reducer, *given, schema=cls.schema, **{**cls.options, **options})

    def _write_log(self) -> str:
        """Writes the log of the actions that the store took; returns what to say of it."""
        path = os.path.join(self.log_folder, f"{type(self).__name__}.imd")
        os.makedirs(self.log_folder, exist_ok=True)
        for file in path, f"{path}-snapshot":
            with contextlib.suppress(FileNotFoundError):
                os.remove(file)
        with self._open(log={"path": path, "durability": "none"}) as store:
            for action in self._actions:
                store.dispatch(action)
        return (
            f"The actions before the failure are in a log: imd log {path}, or, with the extra "
            f"shell, imd shell {path}{self._program()}"
        )

    def _program(self) -> str:
        """The argument of imd that names the reducer."""
        reducer = type(self).reducer
        module = sys.modules.get(getattr(reducer, "__module__", ""))
        file, name = getattr(module, "__file__", None), getattr(reducer, "__qualname__", "")
        is_found = file is not None and name.isidentifier() and hasattr(module, name)
        return f" {os.path.relpath(file)}:{name}" if file and is_found else ""


class _Log:
    """A note that writes the log when it is printed, which is only so for the shortest failure."""

    def __init__(self, machine: StoreMachine) -> None:
        self._machine = machine

    def __repr__(self) -> str:
        return self._machine._write_log()


def _schema(cls: type[StoreMachine]) -> Mapping[str, Any]:
    schema = merged(getattr(typed(cls.reducer), "schema", None), cls.schema)
    if not schema or not schema.get("actions"):
        raise TypeError(
            f"{cls.__name__} knows no actions: annotate the action of its reducer with classes, or "
            'set schema = {"actions": {…}}'
        )
    found: Mapping[str, Any] = schema
    return found


def _actions(
    schema: Mapping[str, Any], payloads: Mapping[str, Any]
) -> st.SearchStrategy[dict[str, Any] | None]:
    """The strategy for the actions of a schema, and for None: no action.

    Hypothesis deletes at most five choices at once, and an action may take more. It therefore
    shrinks an action that is not needed to None, and then deletes that step.
    """
    made = SchemaStrategies(schema.get("$defs", {}))
    fits = _Filter({name: schema[name] for name in ("actions", "$defs") if name in schema})
    types = []
    for type, payload in schema["actions"].items():
        if type in payloads:
            strategy = payloads[type]
        elif payload in ({}, True):
            types.append(st.just({"type": type}))
            continue
        else:
            strategy = made.make(payload)
        types.append(strategy.map(partial(_action, type)))
    action, boolean = st.one_of(types).filter(fits), st.booleans()

    @st.composite
    def action_or_none(draw: st.DrawFn) -> Any:
        return draw(action) if draw(boolean) or draw(boolean) else None

    return action_or_none()


def _action(type: str, payload: Any) -> dict[str, Any]:
    return {"type": type, "payload": payload}


class _Filter:
    """Whether actions fit a schema, which the library knows."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._store: imd.Store[Any, Any] = imd.Store(
            lambda state, action: state, None, schema=schema
        )

    def __call__(self, action: Any) -> bool:
        try:
            self._store.dispatch(action)
        except InvalidActionError:
            return False
        return True
