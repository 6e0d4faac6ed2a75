"""The functions of values and cursors, one block each, as in the header."""

from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t

from .library import fallible, finalizer, function, unchecked
from .types import (
    imd_content_p,
    imd_cursor_p,
    imd_cursor_pp,
    imd_kind,
    imd_member_p,
    imd_value_p,
    imd_value_pp,
    size_p,
    text_pp,
)

# imd_status imd_value_parse(const char *text, size_t length, imd_value **out, imd_error *error);
imd_value_parse = fallible("imd_value_parse", c_char_p, c_size_t, imd_value_pp)

# imd_status imd_value_from_bool(int boolean, imd_value **out, imd_error *error);
imd_value_from_bool = unchecked("imd_value_from_bool", c_int, imd_value_pp)

# imd_status imd_value_from_integer(int64_t integer, imd_value **out, imd_error *error);
imd_value_from_integer = unchecked("imd_value_from_integer", c_int64, imd_value_pp)

# imd_status imd_value_from_real(double real, imd_value **out, imd_error *error);
imd_value_from_real = fallible("imd_value_from_real", c_double, imd_value_pp, holds_gil=True)

# imd_status imd_value_from_string(const char *text, size_t length, imd_value **out,
#                                  imd_error *error);
imd_value_from_string = fallible(
    "imd_value_from_string", c_char_p, c_size_t, imd_value_pp, holds_gil=True
)

# imd_status imd_value_object(const imd_member *members, size_t count, imd_value **out,
#                             imd_error *error);
imd_value_object = fallible("imd_value_object", imd_member_p, c_size_t, imd_value_pp)

# imd_status imd_value_array(const imd_member *elements, size_t count, imd_value **out,
#                            imd_error *error);
imd_value_array = fallible("imd_value_array", imd_member_p, c_size_t, imd_value_pp)

# imd_value *imd_value_retain(const imd_value *value);
imd_value_retain = function("imd_value_retain", imd_value_p, imd_value_p, holds_gil=True)

# void imd_value_release(const imd_value *value);
imd_value_release = function("imd_value_release", None, imd_value_p, holds_gil=True)
release_on_read = finalizer("imd_value_release", imd_value_p)

# imd_kind imd_value_kind(const imd_value *value);
imd_value_kind = function("imd_value_kind", imd_kind, imd_value_p, holds_gil=True)

# size_t imd_value_count(const imd_value *value);
imd_value_count = function("imd_value_count", c_size_t, imd_value_p, holds_gil=True)

# int imd_value_equal(const imd_value *left, const imd_value *right);
imd_value_equal = function("imd_value_equal", c_int, imd_value_p, imd_value_p)

# int imd_value_identical(const imd_value *left, const imd_value *right);
imd_value_identical = function(
    "imd_value_identical", c_int, imd_value_p, imd_value_p, holds_gil=True
)

# imd_status imd_value_text(const imd_value *value, char **out, size_t *out_length,
#                           imd_error *error);
imd_value_text = fallible("imd_value_text", imd_value_p, text_pp, size_p)

# imd_status imd_pointer(const char *const *keys, size_t count, char *buffer, size_t size,
#                        imd_error *error);
imd_pointer = fallible("imd_pointer", POINTER(c_char_p), c_size_t, c_char_p, c_size_t)

# imd_status imd_value_get(const imd_value *value, const char *pointer, imd_value **out,
#                          imd_error *error);
imd_value_get = fallible("imd_value_get", imd_value_p, c_char_p, imd_value_pp, holds_gil=True)

# imd_status imd_value_get_bool(const imd_value *value, const char *pointer, int *out,
#                               imd_error *error);
imd_value_get_bool = unchecked("imd_value_get_bool", imd_value_p, c_char_p, POINTER(c_int))

# imd_status imd_value_get_integer(const imd_value *value, const char *pointer, int64_t *out,
#                                  imd_error *error);
imd_value_get_integer = unchecked("imd_value_get_integer", imd_value_p, c_char_p, POINTER(c_int64))

# imd_status imd_value_get_real(const imd_value *value, const char *pointer, double *out,
#                               imd_error *error);
imd_value_get_real = unchecked("imd_value_get_real", imd_value_p, c_char_p, POINTER(c_double))

# imd_status imd_value_get_string(const imd_value *value, const char *pointer, char **out,
#                                 size_t *out_length, imd_error *error);
imd_value_get_string = unchecked("imd_value_get_string", imd_value_p, c_char_p, text_pp, size_p)

# imd_status imd_value_view_string(const imd_value *value, const char *pointer, const char **out,
#                                  size_t *out_length, imd_error *error);
imd_value_view_string = unchecked("imd_value_view_string", imd_value_p, c_char_p, text_pp, size_p)

# imd_status imd_value_read(const imd_value *value, const char *pointer, imd_content *out,
#                           imd_error *error);
imd_value_read = fallible("imd_value_read", imd_value_p, c_char_p, imd_content_p, holds_gil=True)

# imd_status imd_value_set(const imd_value *value, const char *pointer, const imd_value *element,
#                          imd_value **out, imd_error *error);
imd_value_set = fallible(
    "imd_value_set", imd_value_p, c_char_p, imd_value_p, imd_value_pp, holds_gil=True
)

# imd_status imd_value_insert(const imd_value *value, const char *pointer, const imd_value *element,
#                             imd_value **out, imd_error *error);
imd_value_insert = fallible(
    "imd_value_insert", imd_value_p, c_char_p, imd_value_p, imd_value_pp, holds_gil=True
)

# imd_status imd_value_remove(const imd_value *value, const char *pointer, imd_value **out,
#                             imd_error *error);
imd_value_remove = fallible("imd_value_remove", imd_value_p, c_char_p, imd_value_pp, holds_gil=True)

# imd_status imd_value_slice(const imd_value *array, size_t start, size_t end, imd_value **out,
#                            imd_error *error);
imd_value_slice = fallible(
    "imd_value_slice", imd_value_p, c_size_t, c_size_t, imd_value_pp, holds_gil=True
)

# imd_status imd_value_set_bool(const imd_value *value, const char *pointer, int boolean,
#                               imd_value **out, imd_error *error);
imd_value_set_bool = fallible(
    "imd_value_set_bool", imd_value_p, c_char_p, c_int, imd_value_pp, holds_gil=True
)

# imd_status imd_value_set_integer(const imd_value *value, const char *pointer, int64_t integer,
#                                  imd_value **out, imd_error *error);
imd_value_set_integer = fallible(
    "imd_value_set_integer", imd_value_p, c_char_p, c_int64, imd_value_pp, holds_gil=True
)

# imd_status imd_value_set_real(const imd_value *value, const char *pointer, double real,
#                               imd_value **out, imd_error *error);
imd_value_set_real = fallible(
    "imd_value_set_real", imd_value_p, c_char_p, c_double, imd_value_pp, holds_gil=True
)

# imd_status imd_value_set_string(const imd_value *value, const char *pointer, const char *text,
#                                 size_t length, imd_value **out, imd_error *error);
imd_value_set_string = fallible(
    "imd_value_set_string",
    imd_value_p,
    c_char_p,
    c_char_p,
    c_size_t,
    imd_value_pp,
    holds_gil=True,
)

# imd_status imd_value_diff(const imd_value *from, const imd_value *to, imd_value **out,
#                           imd_error *error);
imd_value_diff = fallible("imd_value_diff", imd_value_p, imd_value_p, imd_value_pp)

# imd_status imd_value_patch(const imd_value *value, const imd_value *patch, imd_value **out,
#                            imd_error *error);
imd_value_patch = fallible("imd_value_patch", imd_value_p, imd_value_p, imd_value_pp)

# imd_status imd_value_merge(const imd_value *value, const imd_value *patch, imd_value **out,
#                            imd_error *error);
imd_value_merge = fallible("imd_value_merge", imd_value_p, imd_value_p, imd_value_pp)

# imd_status imd_cursor_open(const imd_value *value, const char *from_key, imd_cursor **out,
#                            imd_error *error);
imd_cursor_open = fallible("imd_cursor_open", imd_value_p, c_char_p, imd_cursor_pp, holds_gil=True)

# int imd_cursor_next(imd_cursor *cursor, const char **key, size_t *key_length,
#                     const imd_value **value);
imd_cursor_next = function(
    "imd_cursor_next", c_int, imd_cursor_p, text_pp, size_p, imd_value_pp, holds_gil=True
)

# void imd_cursor_close(imd_cursor *cursor);
imd_cursor_close = function("imd_cursor_close", None, imd_cursor_p, holds_gil=True)
close_on_read = finalizer("imd_cursor_close", imd_cursor_p)
