"""The faults of a feed."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Callable

GEOJSON = "application/json; charset=utf-8"

HUGE = 100_000_000
"""The number of bytes of a huge feed."""


def send(
    handler: BaseHTTPRequestHandler, body: bytes, kind: str = GEOJSON, status: int = 200
) -> None:
    """Sends a whole response."""
    begin(handler, len(body), kind, status)
    handler.wfile.write(body)


def begin(
    handler: BaseHTTPRequestHandler, length: int, kind: str = GEOJSON, status: int = 200
) -> None:
    """Sends the head of a response."""
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(length))
    handler.end_headers()


# ---- The faults of a response with a body. The event resumed lets a slow response continue -------


def slow(handler: BaseHTTPRequestHandler, body: bytes, resumed: Event) -> None:
    """Sends half of the feed, and the rest when the fault of the server is set."""
    begin(handler, len(body))
    handler.wfile.write(body[: len(body) // 2])
    handler.wfile.flush()
    resumed.wait()
    handler.wfile.write(body[len(body) // 2 :])


def cut(handler: BaseHTTPRequestHandler, body: bytes, resumed: Event) -> None:
    """Closes the connection in the middle of the feed."""
    begin(handler, len(body))
    handler.wfile.write(body[: len(body) // 2])
    handler.close_connection = True


def huge(handler: BaseHTTPRequestHandler, body: bytes, resumed: Event) -> None:
    """Sends 100 MB of valid GeoJSON: the feed, followed by spaces."""
    begin(handler, HUGE)
    handler.wfile.write(body)
    left, spaces = HUGE - len(body), b" " * (1 << 20)
    while left > 0:
        handler.wfile.write(spaces[:left])
        left -= len(spaces)


def text(handler: BaseHTTPRequestHandler, body: bytes, resumed: Event) -> None:
    """Sends text that is not JSON, declared as JSON."""
    send(handler, b"The feed is being maintained.")


def other(handler: BaseHTTPRequestHandler, body: bytes, resumed: Event) -> None:
    """Sends JSON that is not GeoJSON."""
    send(handler, b'{"features":{"count":3}}')


def html(handler: BaseHTTPRequestHandler, body: bytes, resumed: Event) -> None:
    """Sends a web page with status 200, as the login page of a network does."""
    send(handler, b"<!doctype html><title>Log in</title>", "text/html; charset=utf-8")


def error(handler: BaseHTTPRequestHandler, body: bytes, resumed: Event) -> None:
    """Answers with status 500."""
    send(handler, b"Internal Server Error", "text/plain", 500)


def redirect(handler: BaseHTTPRequestHandler, body: bytes, resumed: Event) -> None:
    """Redirects to the same path below /moved."""
    handler.send_response(302)
    handler.send_header("Location", f"/moved{handler.path}")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


Fault = Callable[[BaseHTTPRequestHandler, bytes, Event], None]

FAULTS: dict[str, Fault] = {
    each.__name__: each for each in (slow, cut, huge, text, other, html, error, redirect)
}
"""The faults by their names."""
