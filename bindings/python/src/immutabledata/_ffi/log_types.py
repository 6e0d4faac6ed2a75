"""The types of immutabledata_log.h. Imported when first used: few programs have a driver."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int64,
    c_size_t,
    c_ubyte,
    c_void_p,
)
from typing import Any

from .types import imd_status

imd_log_outcome = c_int


class imd_log_place(Structure):
    _fields_ = [("number", c_int64), ("hash", c_ubyte * 32)]


# A text is an address: it need not end in NUL.
class imd_log_entry(Structure):
    _fields_ = [
        ("place", imd_log_place),
        ("text", c_void_p),
        ("length", c_size_t),
        ("origin", c_char_p),
        ("counter", c_int64),
        ("author", c_char_p),
    ]


class imd_log_answer(Structure):
    _fields_ = [
        ("outcome", imd_log_outcome),
        ("message", c_char_p),
        ("head", imd_log_place),
        ("id", c_char_p),
        ("text", c_void_p),
        ("length", c_size_t),
        ("place", imd_log_place),
        ("entries", POINTER(imd_log_entry)),
        ("count", c_size_t),
        ("counter", c_int64),
    ]


imd_log_place_p = POINTER(imd_log_place)
imd_log_entry_p = POINTER(imd_log_entry)

# Handles.
imd_log_call_p = imd_log_watch_p = c_void_p


class imd_log_engine(Structure):
    _fields_ = [
        # imd_status (*answer)(imd_log_call *call, const imd_log_answer *answer);
        ("answer", CFUNCTYPE(imd_status, imd_log_call_p, POINTER(imd_log_answer))),
        # void (*changed)(imd_log_watch *watch, int64_t number);
        ("changed", CFUNCTYPE(None, imd_log_watch_p, c_int64)),
        # void (*hash)(const unsigned char before[32], const char *text, size_t length,
        #              unsigned char after[32]);
        ("hash", CFUNCTYPE(None, c_void_p, c_void_p, c_size_t, c_void_p)),
    ]


class imd_log_opening(Structure):
    _fields_ = [
        ("address", c_char_p),
        ("header", c_void_p),
        ("header_length", c_size_t),
        ("base", c_void_p),
        ("base_length", c_size_t),
        ("timeout_ms", c_int),
    ]


# The functions of a driver, in the order of the struct.
FUNCTION_TYPES: dict[str, Any] = {
    "open": CFUNCTYPE(
        None,
        c_void_p,
        POINTER(imd_log_opening),
        POINTER(imd_log_engine),
        imd_log_watch_p,
        POINTER(c_void_p),
        imd_log_call_p,
    ),
    "append": CFUNCTYPE(
        None, c_void_p, imd_log_place_p, imd_log_entry_p, c_size_t, imd_log_call_p
    ),
    "read": CFUNCTYPE(None, c_void_p, imd_log_place_p, c_size_t, c_int, imd_log_call_p),
    "get_snapshot": CFUNCTYPE(None, c_void_p, imd_log_call_p),
    "put_snapshot": CFUNCTYPE(
        None, c_void_p, c_int64, imd_log_place_p, c_void_p, c_size_t, imd_log_call_p
    ),
    "trim": CFUNCTYPE(None, c_void_p, c_int64, imd_log_call_p),
    "close": CFUNCTYPE(None, c_void_p),
}


class imd_log_driver(Structure):
    _fields_ = [("size", c_size_t), ("context", c_void_p), *FUNCTION_TYPES.items()]
