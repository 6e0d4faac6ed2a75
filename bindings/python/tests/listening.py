"""Waiting for listeners."""


def finish(listener):
    """Waits until a listener has ended."""
    assert listener.join()
    assert listener.cancelled
