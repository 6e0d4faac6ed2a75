"""Waiting for what the inspector announces."""

import time


def wait_until(source, condition, seconds=30):
    """Waits until a condition holds that an event of a source announces."""
    with source.events.subscribed() as subscriber:
        end = time.monotonic() + seconds
        while not condition():
            remaining = end - time.monotonic()
            assert remaining > 0, "nothing was announced"
            subscriber.wait(remaining)
