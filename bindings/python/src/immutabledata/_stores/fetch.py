"""The default function that makes requests: by the standard library, each on a thread."""

from __future__ import annotations

import http.client
import threading
from urllib.parse import urlsplit

from ..errors import ClosedError, LimitError
from .effects import Request

# For how many seconds nothing may come before a connection counts as lost.
_PATIENCE = 60

_PART = 1 << 16


def fetch(request: Request, /) -> None:
    """Makes a request over HTTP or HTTPS, on a thread of its own; set_fetch has it called.

    It follows no redirect and keeps no connection. 60 seconds without a sign of the server end it.
    """
    threading.Thread(
        target=_make, args=(request,), name=f"fetch {request.url}", daemon=True
    ).start()


def _make(request: Request) -> None:
    try:
        try:
            _exchange(request)
        except (OSError, http.client.HTTPException, ValueError) as error:
            request.reject(_reason(error))
    except (ClosedError, LimitError):
        pass  # Nobody waits for it any more.


def _exchange(request: Request) -> None:
    url = urlsplit(request.url)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError(f"{request.url!r} is no address of HTTP")
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.hostname, url.port, timeout=_PATIENCE)
    try:
        target = url.path or "/"
        if url.query:
            target += "?" + url.query
        connection.request(request.method, target, request.body or None, request.headers)
        response = connection.getresponse()
        headers = dict(response.getheaders())
        if request.is_streamed:
            # The first part may be long in coming, and the headers say how long.
            request.receive(response.status, headers, b"")
        while part := response.read1(_PART):
            request.receive(response.status, headers, part)
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        request.resolve(response.status, headers)
    finally:
        connection.close()


def _reason(error: Exception) -> str:
    if isinstance(error, (http.client.IncompleteRead, http.client.RemoteDisconnected)):
        return "the connection was cut before the answer was whole"
    if isinstance(error, TimeoutError):
        return "it takes too long to answer"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error) or type(error).__name__
