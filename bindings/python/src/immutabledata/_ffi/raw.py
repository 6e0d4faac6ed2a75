"""The functions of immutabledata.h, one block each, as they stand there.

Text goes in as bytes and their count. A status other than IMD_OK comes out as an exception of the
class that it has, with what the last argument says: an imd_error of the caller's, or None.
"""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    PyDLL,
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

from .. import errors
from .loader import load

IMD_ZERO_TERMINATED = c_size_t(-1).value

imd_status = c_int

imd_kind = c_int
IMD_NULL, IMD_BOOL, IMD_INTEGER, IMD_REAL, IMD_STRING, IMD_ARRAY, IMD_OBJECT = range(7)


imd_limit_kind = c_int
IMD_LIMIT_VALUES, IMD_LIMIT_TEXT, IMD_LIMIT_INPUT, IMD_LIMIT_WORK = range(4)


class imd_error(Structure):
    _fields_ = [
        ("status", imd_status),
        ("line", c_int),
        ("column", c_int),
        ("offset", c_size_t),
        ("message", c_char * 256),
    ]


class imd_store(Structure):
    """Opaque: there are only pointers to it."""


class _imd_part_as(Union):
    _fields_ = [
        ("boolean", c_int),
        ("integer", c_int64),
        ("real", c_double),
        ("string", c_char_p),
        ("value", c_void_p),
    ]


class imd_content(Structure):
    _anonymous_ = ("as",)
    _fields_ = [("kind", imd_kind), ("count", c_size_t), ("as", _imd_part_as)]


class imd_observation(Structure):
    """Opaque: there are only pointers to it."""


class imd_stream(Structure):
    """Opaque: there are only pointers to it."""


class imd_request(Structure):
    """Opaque: there are only pointers to it."""


imd_error_p = POINTER(imd_error)
imd_content_p = POINTER(imd_content)
imd_store_p = POINTER(imd_store)
imd_store_pp = POINTER(imd_store_p)
imd_observation_p = POINTER(imd_observation)
imd_observation_pp = POINTER(imd_observation_p)
imd_stream_p = POINTER(imd_stream)
imd_stream_pp = POINTER(imd_stream_p)
imd_request_p = POINTER(imd_request)
int_p = POINTER(c_int)
size_p = POINTER(c_size_t)

# Not c_char_p, which would turn text that is handed out into bytes and lose what to free.
text_p = POINTER(c_char)
text_pp = POINTER(text_p)

# Values and cursors are plain addresses: they are made and passed by the dozen in a reducer, and a
# typed pointer would cost each call half as much again.
imd_value_p = imd_cursor_p = c_void_p
imd_value_pp = imd_cursor_pp = POINTER(c_void_p)

# imd_status (*imd_reducer)(void *context, const imd_value *state, const imd_value *action,
#                           imd_value **next, imd_error *error);
# An address for the error: it is seldom looked at, and a typed pointer is made for each call.
imd_reducer: Any = CFUNCTYPE(imd_status, c_void_p, imd_value_p, imd_value_p, imd_value_pp, c_void_p)

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

# imd_status (*imd_thunk)(void *context, imd_store *store, imd_error *error);
imd_thunk: Any = CFUNCTYPE(imd_status, c_void_p, imd_store_p, imd_error_p)


def take(text: Any, length: c_size_t) -> str:
    """Reads text that was handed out, and frees it."""
    return str(take_bytes(text, length), "utf-8")


def take_bytes(text: Any, length: c_size_t) -> bytes:
    """Reads text that was handed out as bytes, and frees it."""
    try:
        taken: bytes = text[: length.value]
        return taken
    finally:
        imd_free(text)


def _function(name: str, result: Any, *arguments: Any, brief: bool = False) -> Any:
    try:
        function = (_brief if brief else _library)[name]
    except AttributeError:
        raise ImportError(
            f"{_library._name} has no function {name}: it is not libimmutabledata, or not of the "
            "version that this package is for"
        ) from None
    function.restype = result
    function.argtypes = arguments
    return function


def _fallible(name: str, *arguments: Any, brief: bool = False) -> Any:
    function = _function(name, imd_status, *arguments, imd_error_p, brief=brief)
    function.errcheck = _check
    return function


def _unchecked(name: str, *arguments: Any) -> Any:
    """A function that cannot fail as it is used here, or whose status the caller looks at."""
    return _function(name, imd_status, *arguments, imd_error_p, brief=True)


def _check(status: int, function: Any, arguments: tuple[Any, ...]) -> int:
    if status == 0:
        return status
    error = arguments[-1]
    if error is None:
        raise errors.from_status(status, imd_status_name(status).decode())
    raise exception(error)


def exception(error: Any) -> errors.Error:
    """Makes the exception that an imd_error stands for."""
    message = error.message.decode("utf-8", "replace")
    return errors.from_status(error.status, message, error.line, error.column, error.offset)


_library = load()

# The same library for calls that keep the GIL, as they are done sooner than it would be had back: a
# reducer makes many, and would wait at each for every other thread. They take no lock of a store
# and call nothing of Python, so that none can wait for a thread that waits for the GIL.
_brief = PyDLL(_library._name, handle=_library._handle)

# ---- Library -------------------------------------------------------------------------------------

# const char *imd_version(void);
imd_version = _function("imd_version", c_char_p)

# const char *imd_status_name(imd_status status);
imd_status_name = _function("imd_status_name", c_char_p, imd_status)

# imd_status imd_set_limit(imd_limit_kind kind, int64_t limit, imd_error *error);
imd_set_limit = _fallible("imd_set_limit", imd_limit_kind, c_int64, brief=True)

# int64_t imd_limit(imd_limit_kind kind);
imd_limit = _function("imd_limit", c_int64, imd_limit_kind, brief=True)

# void imd_free(void *text);
imd_free = _function("imd_free", None, c_void_p, brief=True)

# imd_status imd_domains(char **out, size_t *out_length, imd_error *error);
imd_domains = _fallible("imd_domains", text_pp, size_p)

# ---- Store ---------------------------------------------------------------------------------------

# imd_status imd_store_open(const char *domain, const char *options, size_t length, imd_store **out,
#                           imd_error *error);
imd_store_open = _fallible("imd_store_open", c_char_p, c_char_p, c_size_t, imd_store_pp)

# void imd_store_close(imd_store *store);
imd_store_close = _function("imd_store_close", None, imd_store_p)

# imd_status imd_store_dispatch(imd_store *store, const char *action, size_t length,
#                               imd_error *error);
imd_store_dispatch = _fallible("imd_store_dispatch", imd_store_p, c_char_p, c_size_t)

# imd_status imd_store_dispatch_batch(imd_store *store, const char *actions, size_t length,
#                                     imd_error *error);
imd_store_dispatch_batch = _fallible("imd_store_dispatch_batch", imd_store_p, c_char_p, c_size_t)

# imd_status imd_store_select(imd_store *store, const char *selector, const char *arguments,
#                             size_t length, char **out, size_t *out_length, imd_error *error);
imd_store_select = _fallible(
    "imd_store_select", imd_store_p, c_char_p, c_char_p, c_size_t, text_pp, size_p
)

# imd_status imd_store_select_with(imd_store *store, const char *selector, const char *arguments,
#                                  size_t length, const char *options, size_t options_length,
#                                  char **out, size_t *out_length, imd_error *error);
imd_store_select_with = _fallible(
    "imd_store_select_with",
    imd_store_p,
    c_char_p,
    c_char_p,
    c_size_t,
    c_char_p,
    c_size_t,
    text_pp,
    size_p,
)

# ---- Value ---------------------------------------------------------------------------------------

# imd_status imd_value_parse(const char *text, size_t length, imd_value **out, imd_error *error);
imd_value_parse = _fallible("imd_value_parse", c_char_p, c_size_t, imd_value_pp)

# imd_status imd_value_from_bool(int boolean, imd_value **out, imd_error *error);
imd_value_from_bool = _unchecked("imd_value_from_bool", c_int, imd_value_pp)

# imd_status imd_value_from_integer(int64_t integer, imd_value **out, imd_error *error);
imd_value_from_integer = _unchecked("imd_value_from_integer", c_int64, imd_value_pp)

# imd_status imd_value_from_real(double real, imd_value **out, imd_error *error);
imd_value_from_real = _fallible("imd_value_from_real", c_double, imd_value_pp, brief=True)

# imd_status imd_value_from_string(const char *text, size_t length, imd_value **out,
#                                  imd_error *error);
imd_value_from_string = _fallible(
    "imd_value_from_string", c_char_p, c_size_t, imd_value_pp, brief=True
)

# imd_value *imd_value_retain(const imd_value *value);
imd_value_retain = _function("imd_value_retain", imd_value_p, imd_value_p, brief=True)

# void imd_value_release(const imd_value *value);
imd_value_release = _function("imd_value_release", None, imd_value_p, brief=True)

# imd_kind imd_value_kind(const imd_value *value);
imd_value_kind = _function("imd_value_kind", imd_kind, imd_value_p, brief=True)

# size_t imd_value_count(const imd_value *value);
imd_value_count = _function("imd_value_count", c_size_t, imd_value_p, brief=True)

# int imd_value_equal(const imd_value *left, const imd_value *right);
imd_value_equal = _function("imd_value_equal", c_int, imd_value_p, imd_value_p)

# int imd_value_identical(const imd_value *left, const imd_value *right);
imd_value_identical = _function("imd_value_identical", c_int, imd_value_p, imd_value_p, brief=True)

# imd_status imd_value_text(const imd_value *value, char **out, size_t *out_length,
#                           imd_error *error);
imd_value_text = _fallible("imd_value_text", imd_value_p, text_pp, size_p)

# imd_status imd_value_get(const imd_value *value, const char *pointer, imd_value **out,
#                          imd_error *error);
imd_value_get = _fallible("imd_value_get", imd_value_p, c_char_p, imd_value_pp, brief=True)

# The same where it is no error that nothing is there, which an exception would make dear.
find = _unchecked("imd_value_get", imd_value_p, c_char_p, imd_value_pp)

# imd_status imd_value_get_bool(const imd_value *value, const char *pointer, int *out,
#                               imd_error *error);
imd_value_get_bool = _unchecked("imd_value_get_bool", imd_value_p, c_char_p, POINTER(c_int))

# imd_status imd_value_get_integer(const imd_value *value, const char *pointer, int64_t *out,
#                                  imd_error *error);
imd_value_get_integer = _unchecked("imd_value_get_integer", imd_value_p, c_char_p, POINTER(c_int64))

# imd_status imd_value_get_real(const imd_value *value, const char *pointer, double *out,
#                               imd_error *error);
imd_value_get_real = _unchecked("imd_value_get_real", imd_value_p, c_char_p, POINTER(c_double))

# imd_status imd_value_get_string(const imd_value *value, const char *pointer, char **out,
#                                 size_t *out_length, imd_error *error);
imd_value_get_string = _unchecked("imd_value_get_string", imd_value_p, c_char_p, text_pp, size_p)

# imd_status imd_value_read(const imd_value *value, const char *pointer, imd_content *out,
#                           imd_error *error);
imd_value_read = _fallible("imd_value_read", imd_value_p, c_char_p, imd_content_p, brief=True)

# The same where it is no error that nothing is there, which an exception would make dear.
look = _unchecked("imd_value_read", imd_value_p, c_char_p, imd_content_p)

# imd_status imd_value_set(const imd_value *value, const char *pointer, const imd_value *element,
#                          imd_value **out, imd_error *error);
imd_value_set = _fallible(
    "imd_value_set", imd_value_p, c_char_p, imd_value_p, imd_value_pp, brief=True
)

# imd_status imd_value_insert(const imd_value *value, const char *pointer, const imd_value *element,
#                             imd_value **out, imd_error *error);
imd_value_insert = _fallible(
    "imd_value_insert", imd_value_p, c_char_p, imd_value_p, imd_value_pp, brief=True
)

# imd_status imd_value_remove(const imd_value *value, const char *pointer, imd_value **out,
#                             imd_error *error);
imd_value_remove = _fallible("imd_value_remove", imd_value_p, c_char_p, imd_value_pp, brief=True)

# imd_status imd_value_set_bool(const imd_value *value, const char *pointer, int boolean,
#                               imd_value **out, imd_error *error);
imd_value_set_bool = _fallible(
    "imd_value_set_bool", imd_value_p, c_char_p, c_int, imd_value_pp, brief=True
)

# imd_status imd_value_set_integer(const imd_value *value, const char *pointer, int64_t integer,
#                                  imd_value **out, imd_error *error);
imd_value_set_integer = _fallible(
    "imd_value_set_integer", imd_value_p, c_char_p, c_int64, imd_value_pp, brief=True
)

# imd_status imd_value_set_real(const imd_value *value, const char *pointer, double real,
#                               imd_value **out, imd_error *error);
imd_value_set_real = _fallible(
    "imd_value_set_real", imd_value_p, c_char_p, c_double, imd_value_pp, brief=True
)

# imd_status imd_value_set_string(const imd_value *value, const char *pointer, const char *text,
#                                 size_t length, imd_value **out, imd_error *error);
imd_value_set_string = _fallible(
    "imd_value_set_string",
    imd_value_p,
    c_char_p,
    c_char_p,
    c_size_t,
    imd_value_pp,
    brief=True,
)

# imd_status imd_value_diff(const imd_value *from, const imd_value *to, imd_value **out,
#                           imd_error *error);
imd_value_diff = _fallible("imd_value_diff", imd_value_p, imd_value_p, imd_value_pp)

# imd_status imd_value_patch(const imd_value *value, const imd_value *patch, imd_value **out,
#                            imd_error *error);
imd_value_patch = _fallible("imd_value_patch", imd_value_p, imd_value_p, imd_value_pp)

# imd_status imd_value_merge(const imd_value *value, const imd_value *patch, imd_value **out,
#                            imd_error *error);
imd_value_merge = _fallible("imd_value_merge", imd_value_p, imd_value_p, imd_value_pp)

# imd_status imd_cursor_open(const imd_value *value, const char *from_key, imd_cursor **out,
#                            imd_error *error);
imd_cursor_open = _fallible("imd_cursor_open", imd_value_p, c_char_p, imd_cursor_pp, brief=True)

# int imd_cursor_next(imd_cursor *cursor, const char **key, size_t *key_length,
#                     const imd_value **value);
imd_cursor_next = _function(
    "imd_cursor_next", c_int, imd_cursor_p, text_pp, size_p, imd_value_pp, brief=True
)

# void imd_cursor_close(imd_cursor *cursor);
imd_cursor_close = _function("imd_cursor_close", None, imd_cursor_p, brief=True)

# ---- Stores of your own --------------------------------------------------------------------------

# imd_status imd_store_create(const char *state, size_t length, imd_reducer reducer, void *context,
#                             void (*release)(void *context), const char *options,
#                             size_t options_length, imd_store **out, imd_error *error);
imd_store_create = _fallible(
    "imd_store_create",
    c_char_p,
    c_size_t,
    imd_reducer,
    c_void_p,
    imd_release,
    c_char_p,
    c_size_t,
    imd_store_pp,
)

# imd_status imd_store_state(imd_store *store, imd_value **out, imd_error *error);
imd_store_state = _fallible("imd_store_state", imd_store_p, imd_value_pp)

# imd_status imd_store_query(imd_store *store, const char *expression, const char *arguments,
#                            size_t length, char **out, size_t *out_length, imd_error *error);
imd_store_query = _fallible(
    "imd_store_query", imd_store_p, c_char_p, c_char_p, c_size_t, text_pp, size_p
)

# imd_status imd_store_query_with(imd_store *store, const char *expression, const char *arguments,
#                                 size_t length, const char *options, size_t options_length,
#                                 char **out, size_t *out_length, imd_error *error);
imd_store_query_with = _fallible(
    "imd_store_query_with",
    imd_store_p,
    c_char_p,
    c_char_p,
    c_size_t,
    c_char_p,
    c_size_t,
    text_pp,
    size_p,
)

# imd_status imd_store_define_selector(imd_store *store, const char *name, const char *expression,
#                                      imd_error *error);
imd_store_define_selector = _fallible("imd_store_define_selector", imd_store_p, c_char_p, c_char_p)

# imd_status imd_store_statistics(imd_store *store, char **out, size_t *out_length,
#                                 imd_error *error);
imd_store_statistics = _fallible("imd_store_statistics", imd_store_p, text_pp, size_p)

# ---- Observation ---------------------------------------------------------------------------------

# imd_status imd_store_observe(imd_store *store, const char *selector, const char *arguments,
#                              size_t length, const char *options, size_t options_length,
#                              imd_observer observer, void *context, void (*release)(void *context),
#                              imd_observation **out, imd_error *error);
imd_store_observe = _fallible(
    "imd_store_observe",
    imd_store_p,
    c_char_p,
    c_char_p,
    c_size_t,
    c_char_p,
    c_size_t,
    imd_observer,
    c_void_p,
    imd_release,
    imd_observation_pp,
)

# void imd_observation_cancel(imd_observation *observation);
imd_observation_cancel = _function("imd_observation_cancel", None, imd_observation_p)

# imd_status imd_store_poll(imd_store *store, size_t *delivered, imd_error *error);
imd_store_poll = _fallible("imd_store_poll", imd_store_p, size_p)

# imd_status imd_store_fd(imd_store *store, int *out, imd_error *error);
imd_store_fd = _fallible("imd_store_fd", imd_store_p, int_p)

# ---- Streams -------------------------------------------------------------------------------------

# imd_status imd_store_stream(imd_store *store, const char *options, size_t length,
#                             imd_stream **out, imd_error *error);
imd_store_stream = _fallible("imd_store_stream", imd_store_p, c_char_p, c_size_t, imd_stream_pp)

# imd_status imd_stream_next(imd_stream *stream, int timeout_ms, imd_value **old_state,
#                            imd_value **action, imd_error *error);
imd_stream_next = _fallible("imd_stream_next", imd_stream_p, c_int, imd_value_pp, imd_value_pp)

# imd_status imd_stream_dropped(imd_stream *stream, size_t *out, imd_error *error);
imd_stream_dropped = _fallible("imd_stream_dropped", imd_stream_p, size_p)

# imd_status imd_stream_fd(imd_stream *stream, int *out, imd_error *error);
imd_stream_fd = _fallible("imd_stream_fd", imd_stream_p, int_p)

# void imd_stream_close(imd_stream *stream);
imd_stream_close = _function("imd_stream_close", None, imd_stream_p)

# ---- Effects -------------------------------------------------------------------------------------

# imd_status imd_store_set_fetch(imd_store *store, imd_fetch fetch, void *context,
#                                void (*release)(void *context), imd_error *error);
imd_store_set_fetch = _fallible(
    "imd_store_set_fetch", imd_store_p, imd_fetch, c_void_p, imd_release
)

# imd_status imd_request_resolve(imd_request *request, int http_status, const imd_header *headers,
#                              size_t header_count, const char *body, size_t length,
#                              imd_error *error);
imd_request_resolve = _fallible(
    "imd_request_resolve", imd_request_p, c_int, imd_header_p, c_size_t, c_char_p, c_size_t
)

# imd_status imd_request_reject(imd_request *request, const char *reason, imd_error *error);
imd_request_reject = _fallible("imd_request_reject", imd_request_p, c_char_p)

# imd_status imd_request_receive(imd_request *request, int http_status, const imd_header *headers,
#                              size_t header_count, const char *part, size_t length,
#                              imd_error *error);
imd_request_receive = _fallible(
    "imd_request_receive", imd_request_p, c_int, imd_header_p, c_size_t, c_char_p, c_size_t
)

# imd_status imd_store_settle(imd_store *store, int timeout_ms, imd_error *error);
imd_store_settle = _fallible("imd_store_settle", imd_store_p, c_int)

# ---- Thunks --------------------------------------------------------------------------------------

# imd_status imd_store_run(imd_store *store, imd_thunk thunk, void *context, imd_error *error);
imd_store_run = _fallible("imd_store_run", imd_store_p, imd_thunk, c_void_p)
