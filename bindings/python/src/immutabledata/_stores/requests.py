"""The HTTP requests that the effects of a domain make."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any, Callable

from .. import _ffi
from .._values import refuse_coroutine, require_function
from ..errors import ClosedError, InvalidArgumentError, LimitError, wrong_type
from .base import StoreBase, store_of
from .effect_failures import reason_of


class Request:
    """An HTTP request (RFC 9110) of an effect.

    Answer it once, with resolve or reject, from any thread. If it is never answered, the effect
    fails after the option timeout of its store.
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
        """Whether the response may last as long as the store; deliver it in parts, with receive."""

    def resolve(
        self, status: int, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> None:
        """Answers with an HTTP status code, headers, and the body or the rest of it.

        Raises ClosedError: the request is over.
        Raises LimitError: the whole body exceeds 64 MiB, unless the request is streamed; there are
        more than 1,000 headers; or the body or a header is beyond the input limit. The request is
        then over.
        Raises TypeError: status is not an int, body is not bytes, or a header is not a str.
        Raises InvalidArgumentError: status has not three digits (RFC 9110, section 15), or a header
        contains U+0000.
        After these two errors the request remains open.
        """
        self._answer(_ffi.imd_request_resolve, status, headers, body)

    def receive(self, status: int, headers: Mapping[str, str] | None, part: bytes) -> None:
        """Passes a part of the body to the effect, before resolve passes the rest.

        Raises ClosedError: the request is over; send no more. Otherwise raises what resolve does.
        """
        self._answer(_ffi.imd_request_receive, status, headers, part)

    def reject(self, reason: str) -> None:
        """Ends the request without a response. The reason is a message that a user may see.

        Raises ClosedError: the request is over.
        Raises LimitError: the reason is beyond the input limit. The request is over.
        """
        text = _encode(reason, "a reason").replace(b"\0", b"")
        _ffi.imd_request_reject(self._handle, text, _ffi.imd_error())

    def _answer(
        self, function: Any, status: int, headers: Mapping[str, str] | None, body: bytes
    ) -> None:
        if not isinstance(status, int) or isinstance(status, bool):
            raise wrong_type("a status", "an int such as 200", status)
        if not 100 <= status <= 999:
            raise InvalidArgumentError(f"a status must be a number such as 200, not {status}")
        if not isinstance(body, (bytes, bytearray, memoryview)):
            raise wrong_type("a body", "bytes", body)
        if not isinstance(headers, (Mapping, type(None))):
            raise wrong_type("headers", "a mapping of names to values", headers)
        body = bytes(body)
        fields = [
            _ffi.imd_header(
                _encode_field(name, "the name of a header"), _encode_field(value, "a header")
            )
            for name, value in (headers or {}).items()
        ]
        array = (_ffi.imd_header * len(fields))(*fields)
        function(self._handle, status, array, len(fields), body, len(body), _ffi.imd_error())

    def __repr__(self) -> str:
        return f"<immutabledata.Request {self.method} {self.url}>"


def _encode(text: str, role: str) -> bytes:
    if not isinstance(text, str):
        raise wrong_type(role, "a str", text)
    return text.encode("utf-8", "replace")


def _encode_field(text: str, role: str) -> bytes:
    encoded = _encode(text, role)
    if b"\0" in encoded:
        raise InvalidArgumentError(f"{role} must not contain U+0000")
    return encoded


Fetch = Callable[[Request], object]

_ASYNC_FETCH = "start the coroutine with asyncio.run_coroutine_threadsafe"


class RequestsMixin(StoreBase):
    """HTTP requests of effects."""

    __slots__ = ()

    def _prepare(self) -> None:
        super()._prepare()
        self._fetch: Fetch | None = None

    def set_fetch(self, fetch: Fetch | None, /) -> None:
        """Sets the function that makes HTTP requests for effects; None removes it.

        In a store made by open it is immutabledata.fetch at first.

        The function is called with one Request at a time, on a thread of the library. All effects
        wait until it returns, so it should start the request and return. If it raises an exception,
        the request is rejected with its message, and the exception goes to on_error.

        Raises TypeError: fetch is an async function, or takes other parameters.
        Raises ClosedError: the store is closed.
        """
        if fetch is not None:
            expected = "a function that takes a request, or None"
            require_function(fetch, "fetch", expected, 1, _ASYNC_FETCH)
        store = self._require_handle()
        self._fetch = fetch
        number = self._number_for_callbacks()
        function = _ffi.imd_fetch() if fetch is None else _C_FETCH
        _ffi.imd_store_set_fetch(store, function, number, _ffi.imd_release(), _ffi.imd_error())

    def _make_request(self, request: Request) -> None:
        fetch = self._fetch
        if fetch is None:
            _refuse(request, "the function that makes requests was removed from the store")
            return
        try:
            refuse_coroutine(fetch(request), "fetch", _ASYNC_FETCH)
        except BaseException as error:
            _refuse(request, reason_of(error).decode())
            self._report(error, fetch, "the fetch function")


def _refuse(request: Request, reason: str) -> None:
    """Rejects a request, unless it is over. Raises nothing, because the library is the caller."""
    with contextlib.suppress(ClosedError, LimitError):
        request.reject(reason)


def _call_fetch(context: Any, handle: Any, info: Any) -> None:
    request = Request(handle, info[0])
    store = store_of(context)
    if store is None:
        _refuse(request, "the store was deleted")
    else:
        store._make_request(request)


# The C function of every store. A global, so that it is never freed while the library may call it.
_C_FETCH = _ffi.imd_fetch(_call_fetch)
