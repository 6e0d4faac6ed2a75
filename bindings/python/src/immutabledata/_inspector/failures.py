"""What can go wrong in an inspector."""

from __future__ import annotations


class InspectorError(Exception):
    """A request has no answer. The message is for the user."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        """That of the answer to an HTTP request."""


class GoneError(InspectorError):
    """The program has ended, or does not answer."""

    def __init__(self, message: str) -> None:
        super().__init__("gone", message, 503)


class UnknownStateError(InspectorError):
    """The state after a commit is not known, because commits before it were dropped."""

    def __init__(self, message: str) -> None:
        super().__init__("unknownState", message, 404)


def not_found(message: str) -> InspectorError:
    return InspectorError("notFound", message, 404)


def only_live(what: str) -> InspectorError:
    return InspectorError("notLive", f"{what} needs a running program, which a log is not", 409)
