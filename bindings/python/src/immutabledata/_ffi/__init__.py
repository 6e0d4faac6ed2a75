"""The library as ctypes sees it: finding it, its types and functions, and its errors as exceptions.

The other folders call the functions by their C names: _ffi.imd_value_parse(…).
"""

from .extension import *  # noqa: F403
from .library import *  # noqa: F403
from .store_functions import *  # noqa: F403
from .types import *  # noqa: F403
from .value_functions import *  # noqa: F403
