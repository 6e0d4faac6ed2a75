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


def committed(browser, program, action, state, **members):
    """Commits, and waits until the server knows it. Returns the number of the commit."""
    program.commit(action, state, **members)
    number = program.stores[1].last
    live = browser.server.source
    wait_until(live, lambda: live.records[1].last >= number)
    return number
