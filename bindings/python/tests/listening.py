"""Waiting for listeners."""


def finish(listener):
    """Waits until the thread of a listener has ended."""
    listener._thread.join()
    assert listener.cancelled
