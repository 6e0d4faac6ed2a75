"""Listeners on threads."""


def finish(listener):
    """Waits for the end of a listener that has a thread."""
    listener._thread.join()
    assert listener.cancelled
