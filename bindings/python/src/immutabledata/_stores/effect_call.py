"""The functions that perform effects, and the calls of them that have not ended."""

from __future__ import annotations

import contextlib
import itertools
import threading
import weakref
from collections.abc import Awaitable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Callable, Union

from .. import _ffi
from .._values import is_async, read, refuse_coroutine, to_reference
from ..errors import ClosedError, LimitError
from .effect_failures import EffectFailures, reason_of
from .event_loop import running_loop
from .interrupting import keep_interruption

if TYPE_CHECKING:
    import asyncio

EffectFunction = Callable[[Any], Union[Awaitable[object], object]]


class RunningTasks:
    """The calls of the async functions of one store that have not returned.

    The references are weak: a coroutine may refer to its store, and must not keep it alive.
    """

    def __init__(self) -> None:
        self._calls: dict[int, weakref.ref[EffectCall]] = {}
        self._changed = threading.Condition()
        self.is_cancelled = False
        # Whether functions that are not async run on the thread that calls for them.
        self.are_inline = False

    def add(self, call: EffectCall) -> None:
        """Adds a call before its task begins."""
        with self._changed:
            self._calls[id(call)] = weakref.ref(call)

    def remove(self, call: EffectCall) -> None:
        with self._changed:
            self._calls.pop(id(call), None)
            self._changed.notify_all()

    def cancel(self) -> None:
        """Cancels all calls, also those that begin later."""
        self.is_cancelled = True
        for call in self.calls():
            call.cancel_task()

    def names_on(self, loop: asyncio.AbstractEventLoop) -> Iterator[str]:
        """The names of the effects whose tasks run on a loop."""
        return (call.effect.name for call in self.calls() if call.runs_on(loop))

    def calls(self) -> list[EffectCall]:
        """The calls that have not returned, also cancelled ones."""
        with self._changed:
            references = list(self._calls.values())
        return [call for reference in references if (call := reference()) is not None]

    def wait(self, timeout: float) -> bool:
        """Waits until all calls have returned, for up to timeout seconds; returns whether."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._calls, timeout)


class RegisteredEffect:
    """The function for the effects of one name, and the number by which the library calls it."""

    def __init__(self, name: str, failures: EffectFailures, tasks: RunningTasks) -> None:
        self.name = name
        self.failures = failures
        self.tasks = tasks
        self.function: EffectFunction | None = None
        # The event loop of an async function; None for one of its own.
        self.loop: asyncio.AbstractEventLoop | None = None
        self.number = next(_numbers)
        _effects[self.number] = self

    def use(self, function: EffectFunction | None) -> None:
        is_awaited = function is not None and is_async(function)
        self.function, self.loop = function, running_loop() if is_awaited else None


class EffectCall:
    """An effect, and the call of its function."""

    def __init__(
        self, effect: RegisteredEffect, function: EffectFunction, handle: Any, arguments: Any
    ) -> None:
        self.effect = effect
        self.has_ended = False
        self.is_cancelled = False
        self._task: asyncio.Task[Any] | None = None
        self._number = 0
        self._function = function
        self._handle = handle
        self._arguments = arguments

    def start(self) -> None:
        """Calls the function: an async function on its loop, another one on a new thread."""
        loop = self.effect.loop
        try:
            if not is_async(self._function):
                if self.effect.tasks.are_inline:
                    self._perform()
                else:
                    self._start_thread(self._perform)
            elif loop is not None and loop.is_closed():
                raise RuntimeError(
                    f'the event loop of the effect "{self.effect.name}" has ended; set its '
                    "function again, on the loop that is running"
                )
            else:
                self.effect.tasks.add(self)
                if loop is None:
                    self._start_thread(self._run_loop)
                else:
                    loop.call_soon_threadsafe(self._start_task)
        except BaseException as error:  # The loop was closed, or the system has no more threads.
            self.effect.tasks.remove(self)
            self._reject(error)

    def _start_thread(self, target: Callable[[], None]) -> None:
        threading.Thread(target=target, name=f"effect {self.effect.name}", daemon=True).start()

    def _perform(self) -> None:
        token = _current.set(self)
        try:
            result = self._function(self._arguments)
            refuse_coroutine(
                result, f"the function of {self._title}", 'define the function with "async def"'
            )
        except BaseException as error:
            # On a thread of the program, it was the program that was interrupted.
            keep_interruption(error, f"the function of {self._title}")
            self._reject(error)
        else:
            self._resolve(result)
        finally:
            _current.reset(token)

    def _run_loop(self) -> None:
        import asyncio

        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._perform_async())

    def _start_task(self) -> None:
        import asyncio

        asyncio.ensure_future(self._perform_async())

    async def _perform_async(self) -> None:
        import asyncio

        function: Any = self._function
        task: Any = asyncio.current_task()
        _current.set(self)
        try:
            self._task = task
            if self.effect.tasks.is_cancelled:  # The store was closed.
                raise asyncio.CancelledError
            self._listen()
            result = await function(self._arguments)
        except BaseException as error:
            self._reject(error)
        else:
            self._resolve(result)
        finally:
            self.effect.tasks.remove(self)

    def _listen(self) -> None:
        """Asks the library to call cancel."""
        if self._number == 0:
            self._number = next(_numbers)
            _cancellable[self._number] = self
            try:
                _ffi.imd_effect_set_cancel(
                    self._handle, _C_CANCEL, self._number, _ffi.imd_release(), _ffi.imd_error()
                )
            except ClosedError:  # The store was closed.
                self.cancel()

    def cancel(self) -> None:
        """Notes that nobody waits for the result, and cancels the task of an async function."""
        self.is_cancelled = True
        self.cancel_task()

    def runs_on(self, loop: asyncio.AbstractEventLoop) -> bool:
        return self._task is not None and self._task.get_loop() is loop

    def cancel_task(self) -> None:
        task = self._task
        if task is not None:
            with contextlib.suppress(RuntimeError):  # The loop was closed.
                task.get_loop().call_soon_threadsafe(task.cancel)

    def _end(self) -> None:
        self.has_ended = True
        _cancellable.pop(self._number, None)

    def _resolve(self, result: Any) -> None:
        self._end()
        try:
            reference = to_reference(result, f"the result of {self._title}")
            _ffi.imd_effect_resolve(self._handle, reference._handle, _ffi.imd_error())
        except ClosedError:
            pass
        except Exception as error:  # It is not JSON, or exceeds a limit.
            self._reject(error)

    def _reject(self, error: BaseException) -> None:
        self._end()
        failures, role = self.effect.failures, f"the function of {self._title}"
        for reason in reason_of(error), type(error).__name__.encode():
            failure = failures.add(error, self._function, role, reason)
            try:
                return reject(self._handle, reason)
            except ClosedError:
                return failures.remove(failure)
            except LimitError:  # The reason is too large for an action.
                failures.remove(failure)

    @property
    def _title(self) -> str:
        return f'the effect "{self.effect.name}"'


def current_call() -> EffectCall | None:
    """The effect that the caller performs, or None."""
    call = _current.get()
    return None if call is None or call.has_ended else call


def cancelled() -> bool:
    """Whether the effect that the caller performs was cancelled, or its store closed.

    A function that takes long and is not async asks from time to time, and returns: its result is
    not wanted any more. The task of an async function is cancelled instead.

    Raises RuntimeError: the caller performs no effect.
    """
    call = current_call()
    if call is None:
        raise RuntimeError("cancelled was called outside of the function of an effect")
    call._listen()
    return call.is_cancelled


def reject(handle: Any, reason: bytes) -> None:
    """Ends an effect without a result.

    Raises ClosedError: the effect has ended.
    Raises LimitError: the reason is too large for an action. The effect has not ended.
    """
    _ffi.imd_effect_reject(handle, reason, _ffi.imd_error())


# Inherited by the tasks and asyncio.to_thread calls that a function starts.
_current: ContextVar[EffectCall | None] = ContextVar("immutabledata_effect", default=None)

# By the number that the library passes.
_effects: weakref.WeakValueDictionary[int, RegisteredEffect] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)

# The calls that the library tells of a cancellation, by the number that it passes.
_cancellable: dict[int, EffectCall] = {}


def _call_effect(context: Any, handle: Any, arguments: Any) -> None:
    effect = _effects.get(context)
    function = None if effect is None else effect.function
    if effect is None or function is None:
        reason = "the store was deleted"
        if effect is not None:
            reason = f'the function of the effect "{effect.name}" was removed from the store'
        with contextlib.suppress(ClosedError):
            reject(handle, reason.encode())
    else:
        EffectCall(effect, function, handle, read(arguments)).start()


# The C function of every effect. A global, so that it is never freed while the library may call it.
C_EFFECT = _ffi.imd_effect_function(_ffi.guarded(_call_effect, keep_interruption))


def _call_cancel(context: Any) -> None:
    call = _cancellable.get(context)
    if call is not None:
        call.cancel()


_C_CANCEL = _ffi.imd_effect_cancel(_ffi.guarded(_call_cancel, keep_interruption))
