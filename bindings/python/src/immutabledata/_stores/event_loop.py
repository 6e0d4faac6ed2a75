"""The event loop of a thread."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop that runs on this thread, or None.

    It does not import asyncio, which would take half of the time of importing the package.
    """
    module: Any = sys.modules.get("asyncio")
    if not hasattr(module, "get_running_loop"):  # Another thread may still import it.
        return None
    try:
        loop: asyncio.AbstractEventLoop = module.get_running_loop()
    except RuntimeError:
        return None
    return loop
