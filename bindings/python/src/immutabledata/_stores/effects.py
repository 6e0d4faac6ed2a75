"""Effects: what a store of a domain does besides reducing, and the requests that this takes."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Mapping
from typing import Any, Callable

from .. import _ffi
from .._ffi.waiting import wait
from ..errors import ClosedError, TimedOutError
from .callbacks import Caller


class Request:
    """A request of HTTP (RFC 9110) that an effect wants made.

    It is answered once, by resolve or by reject, from any thread; or never: an effect waits no
    longer than the option timeout of its store says.
    """

    __slots__ = ("_handle", "body", "headers", "is_streamed", "method", "url")

    def __init__(self, handle: Any, info: Any) -> None:
        self._handle = handle
        self.method: str = info.method.decode()
        self.url: str = info.url.decode()
        self.headers: dict[str, str] = {
            header.name.decode(): header.value.decode()
            for header in info.headers[: info.header_count]
        }
        self.body: bytes = info.body[: info.body_length]
        self.is_streamed: bool = bool(info.is_streamed)
        """Whether the answer goes on for as long as the store is open: receive hands it over."""

    def resolve(
        self, status: int, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> None:
        """Answers: status is the status code of HTTP, body the rest of the body, or all of it.

        Raises ClosedError: the request is over.
        Raises LimitError: the body is longer than 64 MiB, or there are more than 1,000 headers; the
        request is over.
        Raises TypeError: status is no int, body no bytes, or headers are no str; the request goes on.
        """
        self._answer(_ffi.imd_request_resolve, status, headers, body)

    def receive(self, status: int, headers: Mapping[str, str] | None, part: bytes) -> None:
        """Hands over a part of the body as it comes, before resolve has the rest.

        Raises ClosedError: nobody wants the rest. Otherwise as resolve does.
        """
        self._answer(_ffi.imd_request_receive, status, headers, part)

    def reject(self, reason: str) -> None:
        """Says that there will be no answer, or no more of it, in words that a user may be shown.

        Raises ClosedError: the request is over.
        """
        text = _text(reason, "a reason").replace(b"\0", b"")
        _ffi.imd_request_reject(self._handle, text, _ffi.imd_error())

    def _answer(
        self, function: Any, status: int, headers: Mapping[str, str] | None, body: bytes
    ) -> None:
        if not isinstance(status, int):
            raise TypeError(f"a status is an int such as 200, not {type(status).__name__}")
        if not isinstance(body, (bytes, bytearray, memoryview)):
            raise TypeError(f"a body is bytes, not {type(body).__name__}; encode it")
        body = bytes(body)
        fields = [
            _ffi.imd_header(_text(name, "the name of a header"), _text(value, "a header"))
            for name, value in (headers or {}).items()
        ]
        array = (_ffi.imd_header * len(fields))(*fields)
        function(self._handle, status, array, len(fields), body, len(body), _ffi.imd_error())

    def __repr__(self) -> str:
        return f"<immutabledata.Request {self.method} {self.url}>"


def _text(text: str, role: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"{role} is a str, not {type(text).__name__}")
    return text.encode("utf-8", "replace")


Fetch = Callable[[Request], object]


class Effective(Caller):
    """The part of a store that has to do with effects."""

    __slots__ = ("_fetch", "_fetch_number")

    def set_fetch(self, fetch: Fetch | None, /) -> None:
        """Has a function make the requests that effects want; None for none.

        A store that open opens has immutabledata.fetch, until this replaces it.

        The function is called with one Request at a time, on a thread of the library, and no
        effect goes on until it returns: so it hands the request to what makes it, and returns. If
        it raises, the request is rejected in the words of the exception, which goes to on_error.

        Raises ClosedError: the store was closed.
        """
        if fetch is not None and not callable(fetch):
            raise TypeError(
                f"fetch is called with a request, or is None; {type(fetch).__name__} cannot be "
                "called"
            )
        store = self._open_handle()
        self._fetch: Fetch | None = fetch
        number = self._number()
        function = _ffi.imd_fetch() if fetch is None else _host
        _ffi.imd_store_set_fetch(store, function, number, _ffi.imd_release(), _ffi.imd_error())

    def settle(self, timeout: float | None = None) -> None:
        """Waits until no effect is in flight, for up to timeout seconds; None is for as long as it
        takes.

        The effects of all actions so far have then run, and what they dispatched was reduced.

        Raises TimedOutError: an effect is still in flight.
        Raises ReentrantError: called inside a callback.
        Raises ClosedError: the store was closed.
        """
        store = self._open_handle()
        wait(
            timeout,
            lambda ms: _ffi.imd_store_settle(store, ms, _ffi.imd_error()),
            "an effect is still in flight after",
        )

    def _number(self) -> int:
        """The number by which the library refers to this store, the same for every function."""
        try:
            return self._fetch_number
        except AttributeError:
            self._fetch_number: int = next(_numbers)
            _stores[self._fetch_number] = self
            return self._fetch_number

    def _make(self, request: Request) -> None:
        fetch = self._fetch
        if fetch is None:
            return request.reject("the store has no function that makes requests any more")
        try:
            fetch(request)
        except BaseException as error:
            try:
                request.reject(str(error) or type(error).__name__)
            except ClosedError:
                pass
            self._report(error, fetch)


# By the numbers that the library has of them.
_stores: weakref.WeakValueDictionary[int, Effective] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def _call(context: Any, handle: Any, info: Any) -> None:
    request = Request(handle, info[0])
    store = _stores.get(context)
    if store is None:
        request.reject("the store was dropped")
    else:
        store._make(request)


# The function of every store, for good: the library never calls what was freed.
_host = _ffi.imd_fetch(_call)
