"""A connection to a program that can be inspected: JSON-RPC 2.0 over a Unix socket."""

from __future__ import annotations

import select
import socket
import struct
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Callable, Optional

import immutabledata as imd

from .failures import GoneError, InspectorError
from .sockets import connect
from .text import parse_message, to_json

LONGEST_LINE = 64 << 20
"""How many bytes a message of the program may have."""

LONGEST_REQUEST = 1 << 20

_CHUNK = 1 << 18
# After how many milliseconds nothing comes.
_QUIET = 100
# How many seconds the program may not read what it is sent.
_SEND_TIMEOUT = struct.pack("ll", 10, 0)

Then = Callable[[Any, Optional[InspectorError]], object]
"""Called with a result, or with None and why there is none."""

# The codes of the protocol, with the status of an HTTP answer.
_CODES = {-32001: ("closed", 404), -32002: ("notControlled", 403), -32601: ("unsupported", 501)}


class Connection:
    """Sends requests, and passes on notifications.

    A thread reads. It calls notify with the method and the params of each notification, drained
    when it has handled all that has come, quiet if drained was true and nothing has come for a
    moment, and ended with a reason when no more can come, all in the order in which they were sent.
    These functions must not wait for a request.
    """

    def __init__(
        self,
        path: str,
        notify: Callable[[str, Any], object] | None = None,
        ended: Callable[[str], object] | None = None,
        drained: Callable[[], object] | None = None,
        quiet: Callable[[], object] | None = None,
    ) -> None:
        """Connects. Raises GoneError: no program of the user listens on the socket."""
        self._notify = notify
        self._ended = ended
        self._drained = drained
        self._quiet = quiet
        self._socket = connect(path)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _SEND_TIMEOUT)
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._pending: dict[int, Then] = {}
        self._number = 0
        self._reason: str | None = None
        self.handled = 0
        """How many bytes the message has that is being handled."""
        self._thread = threading.Thread(target=self._read, name=f"imd {path}", daemon=True)
        self._thread.start()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        return self._reason is None

    def close(self) -> None:
        """Ends the connection. Requests without an answer fail."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    # ---- Requests --------------------------------------------------------------------------------

    def request(self, method: str, *, timeout: float = 30, **params: Any) -> Any:
        """Sends a request, and waits for its result.

        Raises InspectorError: the program refuses.
        Raises GoneError: the program has ended, or does not answer in time.
        """
        answered = threading.Event()
        answer: list[Any] = [None, None]

        def then(result: Any, error: InspectorError | None) -> None:
            answer[:] = result, error
            answered.set()

        number = self.send(method, params, then)
        if not answered.wait(timeout):
            with self._lock:
                self._pending.pop(number, None)
            raise GoneError(f"the program did not answer within {timeout:g} seconds")
        result, error = answer
        if error is not None:
            raise error
        return result

    def send(self, method: str, params: Mapping[str, Any], then: Then) -> int:
        """Sends a request. then is called on the thread that reads, before what follows the answer.

        Raises InspectorError: the request is too long, or the connection has ended.
        """
        with self._lock:
            if self._reason is not None:
                raise GoneError(self._reason)
            self._number += 1
            number = self._number
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)}
        line = to_json(message).encode() + b"\n"
        if len(line) > LONGEST_REQUEST:
            raise InspectorError("limit", "a request has at most 1 MiB", 413)
        with self._lock:
            self._pending[number] = then
        try:
            with self._sending:
                self._socket.sendall(line)
        except OSError as error:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            with self._lock:
                self._pending.pop(number, None)
            raise GoneError(f"the program does not read: {error.strerror or error}") from None
        return number

    # ---- The thread that reads -------------------------------------------------------------------

    def _read(self) -> None:
        reason = "the program has ended the connection"
        try:
            self._read_lines()
        except _ProtocolError as error:
            reason = str(error)
        except OSError as error:
            reason = f"the connection has ended: {error.strerror or error}"
        with self._lock:
            self._reason = reason
            pending = list(self._pending.values())
            self._pending.clear()
        self._socket.close()
        for then in pending:
            then(None, GoneError(reason))
        if self._ended is not None:
            self._ended(reason)

    def _read_lines(self) -> None:
        buffer = bytearray()
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        waits = False
        while True:
            if waits and self._quiet is not None and not poll.poll(_QUIET):
                with _of_the_program("message"):
                    self._quiet()
            chunk = self._socket.recv(_CHUNK)
            if not chunk:
                return
            searched = len(buffer)
            buffer += chunk
            start = 0
            end = buffer.find(b"\n", searched)
            while end >= 0:
                self._handle(bytes(buffer[start:end]))
                start = end + 1
                end = buffer.find(b"\n", start)
            del buffer[:start]
            if self._drained is not None:
                with _of_the_program("message"):
                    waits = bool(self._drained())
            if len(buffer) > LONGEST_LINE:
                raise _ProtocolError("the program has sent a message of more than 64 MiB")

    def _handle(self, line: bytes) -> None:
        self.handled = len(line)
        try:
            message: Any = parse_message(line)
        except imd.Error as error:
            raise _ProtocolError(f"the program has sent what is no message: {error}") from None
        method = message.get("method")
        if method is not None:
            if self._notify is not None and isinstance(method, str):
                with _of_the_program(method):
                    self._notify(method, message.get("params"))
            return
        with self._lock:
            then = self._pending.pop(message.get("id", 0), None)
        if then is None:
            return  # Nobody waits any longer.
        failure = message.get("error")
        with _of_the_program("answer"):
            if failure is None:
                then(message.get("result"), None)
            else:
                then(None, _failure(failure))


class _ProtocolError(Exception):
    """The program does not keep to the protocol."""


@contextmanager
def _of_the_program(kind: str) -> Iterator[None]:
    """Reports what is missing in a message of the program, or has another type."""
    try:
        yield
    except InspectorError as error:
        raise _ProtocolError(str(error)) from None
    except (imd.Error, AttributeError, LookupError, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise _ProtocolError(f"the program has sent a wrong {kind}: {reason}") from None


def _failure(error: Any) -> InspectorError:
    """What the error of a response means."""
    if not isinstance(error, Mapping):
        return InspectorError("refused", "the program refuses", 409)
    number, message = error.get("code"), str(error.get("message", "the program refuses"))
    if number == -32000:
        data = error.get("data")
        code = data.get("code") if isinstance(data, Mapping) else None
        return InspectorError(code if isinstance(code, str) else "refused", message, 409)
    code, status = _CODES.get(number, ("invalid", 400)) if isinstance(number, int) else _INVALID
    return InspectorError(code, message, status)


_INVALID = "invalid", 400
