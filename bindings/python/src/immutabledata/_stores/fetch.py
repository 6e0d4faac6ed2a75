"""The default fetch function: HTTP by the standard library, with a thread for each request."""

from __future__ import annotations

import json
import threading

from ..errors import ClosedError, LimitError
from .requests import Request

# Seconds without data after which a connection is considered lost.
_TIMEOUT = 60

_PART_SIZE = 1 << 16

# The length of a quoted text in a message.
_MAX_SHOWN = 48


def fetch(request: Request, /) -> None:
    """Makes a request over HTTP or HTTPS on a new thread; to be passed to Store.set_fetch.

    It follows no redirects and reuses no connections. It rejects the request if the server sends
    nothing for 60 seconds.
    """
    threading.Thread(
        target=_make, args=(request,), name=f"fetch {request.url}", daemon=True
    ).start()


def _make(request: Request) -> None:
    import http.client

    try:
        try:
            _exchange(request)
        except (OSError, http.client.HTTPException, ValueError) as error:
            request.reject(_reason(error))
    except (ClosedError, LimitError):
        pass  # The request is over.


def _exchange(request: Request) -> None:
    import http.client
    from urllib.parse import urlsplit

    url = urlsplit(request.url)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError(f"{_quoted(request.url)} is not a valid HTTP URL")
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.hostname, url.port, timeout=_TIMEOUT)
    try:
        target = url.path or "/"
        if url.query:
            target += "?" + url.query
        connection.request(request.method, target, request.body or None, request.headers)
        response = connection.getresponse()
        headers = dict(response.getheaders())
        if request.is_streamed:
            # The store gets the headers now: the first part may take long.
            request.receive(response.status, headers, b"")
        while part := response.read1(_PART_SIZE):
            request.receive(response.status, headers, part)
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        request.resolve(response.status, headers)
    finally:
        connection.close()


def _reason(error: Exception) -> str:
    import http.client

    if isinstance(error, (http.client.IncompleteRead, http.client.RemoteDisconnected)):
        return "the connection was closed before the response was complete"
    if isinstance(error, http.client.BadStatusLine):
        line = _quoted(error.args[0])
        return f"the response begins with {line}, which is not a status line of HTTP"
    if isinstance(error, http.client.UnknownProtocol):
        return f"the response uses {_quoted(error.args[0])} instead of HTTP/1.1"
    if isinstance(error, TimeoutError):
        return "the server takes too long to respond"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error) or type(error).__name__


def _quoted(text: str) -> str:
    """The start of a text in quotes, in ASCII without control characters."""
    shown = ""
    for character in text.strip():
        escaped = json.dumps(character)[1:-1]
        if len(shown) + len(escaped) > _MAX_SHOWN:
            return f'"{shown}…"'
        shown += escaped
    return f'"{shown}"'
