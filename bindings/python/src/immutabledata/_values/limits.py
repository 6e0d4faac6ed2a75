"""The limits of values, for the whole process."""

from __future__ import annotations

from typing import Any

from .. import _ffi
from ..errors import InvalidArgumentError, wrong_type


class _Limit:
    """A limit as an attribute."""

    def __init__(self, kind: int, doc: str) -> None:
        self._kind = kind
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, limits: Limits | None, owner: type | None = None) -> Any:
        return self if limits is None else int(_ffi.imd_limit(self._kind))

    def __set__(self, limits: Limits, limit: int) -> None:
        if not isinstance(limit, int) or isinstance(limit, bool):
            raise wrong_type(f"limits.{self._name}", "an int", limit)
        if not -(2**63) <= limit < 2**63:
            raise InvalidArgumentError(
                f"limits.{self._name} must be an integer of at most 64 bits, not {limit:#x}"
            )
        _ffi.imd_set_limit(self._kind, limit, _ffi.imd_error())


class Limits:
    """The limits of values, for the whole process, including its C and Swift parts.

    A call that would exceed a limit raises LimitError; the message names the limit. To change a
    limit, assign to it. The new limit applies to calls that begin afterwards, on any thread;
    existing values do not change. If memory is exhausted, the process ends: set limits that fit
    your memory. Each library has limits of its own, see load.

    Values nest at most 2,048 levels deep; this limit is fixed. Plain data, to_python and drafts
    reach the recursion limit of Python's json earlier, at about 990 levels in CPython 3.11. Make
    deeper Values with from_json, read them with at and to_json, and change them with set.

    Assignment raises InvalidArgumentError: a limit below 1 or above 2,147,483,647 (for work above
    9,223,372,036,854,775,807).
    """

    __slots__ = ()

    values = _Limit(
        _ffi.IMD_LIMIT_VALUES,
        "The number of values in a value: itself and all values inside it. A shared value counts "
        "each time. Default: 1,073,741,824.",
    )
    text = _Limit(_ffi.IMD_LIMIT_TEXT, "The bytes of a value as JSON. Default: 1,073,741,824.")
    input = _Limit(
        _ffi.IMD_LIMIT_INPUT,
        "The bytes of a text passed in, and of a state, action or argument passed as plain data. "
        "Default: 268,435,456.",
    )
    work = _Limit(
        _ffi.IMD_LIMIT_WORK,
        "The units of work of a diff, patch or merge, and of an evaluation without a budget. "
        "Default: 16,777,216.",
    )

    def __repr__(self) -> str:
        limits = (f"{name}={getattr(self, name)}" for name in ("values", "text", "input", "work"))
        return f"<immutabledata.limits {' '.join(limits)}>"


limits = Limits()
"""The limits of values, for the whole process."""
