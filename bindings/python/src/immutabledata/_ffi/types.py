"""The types, constants and callback types of immutabledata.h."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_size_t,
    c_void_p,
)
from typing import Any

# The major and minor number of the version, which the SONAME of the library has too. The functions
# and types declared here are those of this version.
VERSION = "0.1"

IMD_ZERO_TERMINATED = c_size_t(-1).value

imd_status = c_int

imd_kind = c_int
IMD_NULL, IMD_BOOL, IMD_INTEGER, IMD_REAL, IMD_STRING, IMD_ARRAY, IMD_OBJECT = range(7)

imd_limit_kind = c_int
IMD_LIMIT_VALUES, IMD_LIMIT_TEXT, IMD_LIMIT_INPUT, IMD_LIMIT_WORK = range(4)


class imd_error(Structure):
    _fields_ = [
        ("status", imd_status),
        ("code", c_int),
        ("line", c_int),
        ("column", c_int),
        ("offset", c_size_t),
        ("message", c_char * 256),
    ]


class imd_store(Structure):
    """Opaque; used by pointer only."""


class _imd_content_as(Union):
    _fields_ = [
        ("boolean", c_int),
        ("integer", c_int64),
        ("real", c_double),
        ("string", c_char_p),
        ("value", c_void_p),
    ]


class imd_content(Structure):
    _anonymous_ = ("as",)
    _fields_ = [("kind", imd_kind), ("count", c_size_t), ("as", _imd_content_as)]


IMD_VALUE = 7


class imd_member(Structure):
    pass  # its list of members has its own type


imd_member_p = POINTER(imd_member)
imd_member._fields_ = [
    ("name", c_char_p),
    ("kind", c_int),
    ("count", c_size_t),
    ("integer", c_int64),
    ("real", c_double),
    ("string", c_char_p),
    ("value", c_void_p),
    ("members", imd_member_p),
]


class imd_observation(Structure):
    """Opaque; used by pointer only."""


class imd_stream(Structure):
    """Opaque; used by pointer only."""


class imd_request(Structure):
    """Opaque; used by pointer only."""


class imd_effect(Structure):
    """Opaque; used by pointer only."""


imd_error_p = POINTER(imd_error)
imd_content_p = POINTER(imd_content)
imd_store_p = POINTER(imd_store)
imd_store_pp = POINTER(imd_store_p)
imd_observation_p = POINTER(imd_observation)
imd_observation_pp = POINTER(imd_observation_p)
imd_stream_p = POINTER(imd_stream)
imd_stream_pp = POINTER(imd_stream_p)
imd_request_p = POINTER(imd_request)
imd_effect_p = POINTER(imd_effect)
int_p = POINTER(c_int)
int64_p = POINTER(c_int64)
size_p = POINTER(c_size_t)

# Not c_char_p: ctypes would convert it to bytes, and the pointer to free would be lost.
text_p = POINTER(c_char)
text_pp = POINTER(text_p)

# Plain addresses: a reducer creates and passes dozens of values, and typed pointers would make each
# call take half as long again.
imd_value_p = imd_cursor_p = c_void_p
imd_value_pp = imd_cursor_pp = POINTER(c_void_p)

# imd_status (*imd_reducer)(void *context, const imd_value *state, const imd_value *action,
#                           imd_value **next, imd_error *error);
# The error is an address: it is rarely read, and ctypes would make a typed pointer for each call.
imd_reducer: Any = CFUNCTYPE(imd_status, c_void_p, imd_value_p, imd_value_p, imd_value_pp, c_void_p)

# imd_status (*imd_selector)(void *context, const imd_value *const *inputs, size_t count,
#                            const imd_value *arguments, imd_value **out, imd_error *error);
imd_selector: Any = CFUNCTYPE(
    imd_status, c_void_p, POINTER(imd_value_p), c_size_t, imd_value_p, imd_value_pp, c_void_p
)

# void (*release)(void *context);
imd_release: Any = CFUNCTYPE(None, c_void_p)

imd_delivery_kind = c_int
IMD_DELIVERY_VALUE, IMD_DELIVERY_PATCH, IMD_DELIVERY_FAILURE = range(3)


class imd_delivery(Structure):
    _fields_ = [
        ("kind", imd_delivery_kind),
        ("value", imd_value_p),
        ("error", imd_error_p),
        ("skipped", c_size_t),
    ]


imd_delivery_p = POINTER(imd_delivery)

# void (*imd_observer)(void *context, const imd_delivery *delivery);
imd_observer: Any = CFUNCTYPE(None, c_void_p, imd_delivery_p)

# int (*imd_comparison)(void *context, const imd_value *delivered, const imd_value *output);
imd_comparison: Any = CFUNCTYPE(c_int, c_void_p, imd_value_p, imd_value_p)

# int (*imd_filter)(void *context, const imd_value *action, const imd_value *old_state,
#                   const imd_value *new_state);
imd_filter: Any = CFUNCTYPE(c_int, c_void_p, imd_value_p, imd_value_p, imd_value_p)

# int (*imd_dependency_comparison)(void *context, size_t index, const imd_value *last,
#                                  const imd_value *output);
imd_dependency_comparison: Any = CFUNCTYPE(c_int, c_void_p, c_size_t, imd_value_p, imd_value_p)


class imd_observer_functions(Structure):
    _fields_ = [
        ("observer", imd_observer),
        ("did_change", imd_comparison),
        ("filter", imd_filter),
        ("dependency_did_change", imd_dependency_comparison),
    ]


imd_observer_functions_p = POINTER(imd_observer_functions)


class imd_header(Structure):
    _fields_ = [("name", c_char_p), ("value", c_char_p)]


imd_header_p = POINTER(imd_header)


class imd_request_info(Structure):
    _fields_ = [
        ("method", c_char_p),
        ("url", c_char_p),
        ("headers", imd_header_p),
        ("header_count", c_size_t),
        ("body", text_p),
        ("body_length", c_size_t),
        ("is_streamed", c_int),
    ]


# void (*imd_fetch)(void *context, imd_request *request, const imd_request_info *info);
imd_fetch: Any = CFUNCTYPE(None, c_void_p, imd_request_p, POINTER(imd_request_info))

# void (*imd_effect_function)(void *context, imd_effect *effect, const imd_value *arguments);
imd_effect_function: Any = CFUNCTYPE(None, c_void_p, imd_effect_p, imd_value_p)

# imd_status (*imd_rule)(void *context, const imd_value *action, const imd_value *old_state,
#                        const imd_value *new_state, imd_value **effects, imd_error *error);
imd_rule: Any = CFUNCTYPE(
    imd_status, c_void_p, imd_value_p, imd_value_p, imd_value_p, imd_value_pp, c_void_p
)

# void (*imd_effect_cancel)(void *context);
imd_effect_cancel: Any = CFUNCTYPE(None, c_void_p)

# void (*imd_effect_error_handler)(void *context, const imd_error *error);
imd_effect_error_handler: Any = CFUNCTYPE(None, c_void_p, imd_error_p)

# void (*imd_dispatch_done)(void *context, const imd_error *error);
imd_dispatch_done: Any = CFUNCTYPE(None, c_void_p, imd_error_p)

# void (*imd_trace)(void *context, const char *line, size_t length);
imd_trace: Any = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)

# int (*imd_log_progress)(void *context, size_t done, size_t total);
imd_log_progress: Any = CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t)

# imd_status (*state)(void *context, const imd_value *state, imd_value **next, imd_error *error);
imd_log_migration_function: Any = CFUNCTYPE(
    imd_status, c_void_p, imd_value_p, imd_value_pp, c_void_p
)


class imd_log_migration(Structure):
    _fields_ = (
        ("from_version", c_int),
        ("state", imd_log_migration_function),
        ("action", imd_log_migration_function),
        ("context", c_void_p),
        ("removes", POINTER(c_char_p)),
    )


imd_log_migration_p = POINTER(imd_log_migration)

# int (*imd_log_predicate)(void *context, const imd_value *entry);
imd_log_predicate: Any = CFUNCTYPE(c_int, c_void_p, imd_value_p)
