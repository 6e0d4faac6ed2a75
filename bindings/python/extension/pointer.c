/* JSON Pointers, and the buffers that hold them. */
#include "imd.h"

#include <stdlib.h>
#include <string.h>

void buffer_begin(Buffer *buffer) {
  buffer->bytes = buffer->first;
  buffer->length = 0;
  buffer->capacity = sizeof buffer->first;
}

void buffer_end(Buffer *buffer) {
  if (buffer->bytes != buffer->first)
    free(buffer->bytes);
}

bool buffer_reserve(Buffer *buffer, size_t more) {
  if (more <= buffer->capacity - buffer->length)
    return true;
  if (more > SIZE_MAX / 4 || buffer->length > SIZE_MAX / 4)
    return false;
  size_t capacity = 2 * (buffer->length + more);
  bool is_first = buffer->bytes == buffer->first;
  char *bytes = realloc(is_first ? NULL : buffer->bytes, capacity);
  if (!bytes)
    return false;
  if (is_first)
    memcpy(bytes, buffer->first, buffer->length);
  buffer->bytes = bytes;
  buffer->capacity = capacity;
  return true;
}

bool buffer_add(Buffer *buffer, const char *bytes, size_t length) {
  if (!buffer_reserve(buffer, length))
    return false;
  memcpy(buffer->bytes + buffer->length, bytes, length);
  buffer->length += length;
  return true;
}

bool buffer_add_integer(Buffer *buffer, long long integer) {
  char digits[24];
  char *end = digits + sizeof digits, *start = end;
  unsigned long long rest = integer;
  if (integer < 0)
    rest = 0 - rest;
  do {
    *--start = '0' + rest % 10;
    rest /= 10;
  } while (rest);
  if (integer < 0)
    *--start = '-';
  return buffer_add(buffer, start, end - start);
}

const char *utf8_of(PyObject *text, Py_ssize_t *length, PyObject **owner) {
  /* A str that is not ASCII keeps its UTF-8, once it was asked for it: too much for a long one. */
  const Py_ssize_t longest_kept = 1000;
  const char *bytes = NULL;
  *owner = NULL;
  if (PyUnicode_GetLength(text) <= longest_kept) {
    bytes = PyUnicode_AsUTF8AndSize(text, length);
  } else if ((*owner = PyUnicode_AsUTF8String(text))) {
    bytes = PyBytes_AsString(*owner);
    *length = PyBytes_Size(*owner);
  }
  if (!bytes)
    PyErr_Clear(); /* surrogates */
  return bytes;
}

/* Writes a key as a step; false if it has no UTF-8, or contains U+0000. */
static bool add_key(Buffer *buffer, PyObject *key) {
  Py_ssize_t length;
  PyObject *owner;
  const char *bytes = utf8_of(key, &length, &owner);
  bool is_valid = bytes && !memchr(bytes, 0, length) && buffer_reserve(buffer, 2 * length + 1);
  if (is_valid) {
    char *end = buffer->bytes + buffer->length;
    *end++ = '/';
    for (Py_ssize_t at = 0; at < length; at++) {
      char byte = bytes[at];
      if (byte == '~' || byte == '/') {
        *end++ = '~';
        byte = byte == '~' ? '0' : '1';
      }
      *end++ = byte;
    }
    buffer->length = end - buffer->bytes;
  }
  Py_XDECREF(owner);
  return is_valid;
}

static bool add_index(Buffer *buffer, PyObject *index) {
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(index, &overflow);
  return !overflow && number >= 0 && buffer_add(buffer, "/", 1) &&
         buffer_add_integer(buffer, number);
}

static bool add_step(Buffer *buffer, PyObject *step) {
  if (PyUnicode_CheckExact(step))
    return add_key(buffer, step);
  return PyLong_CheckExact(step) && add_index(buffer, step);
}

static bool terminate(Buffer *buffer) {
  if (!buffer_add(buffer, "", 1))
    return false;
  buffer->length--;
  return true;
}

bool pointer_add_step(Buffer *buffer, PyObject *step) {
  return add_step(buffer, step) && terminate(buffer);
}

/* A path that is a JSON Pointer already. */
static bool add_pointer(Buffer *buffer, PyObject *path) {
  Py_ssize_t length;
  PyObject *owner;
  const char *bytes = utf8_of(path, &length, &owner);
  bool is_valid = bytes && (length == 0 || bytes[0] == '/') && !memchr(bytes, 0, length) &&
                  buffer_add(buffer, bytes, length);
  Py_XDECREF(owner);
  return is_valid;
}

bool pointer_add_path(Buffer *buffer, PyObject *path) {
  if (PyUnicode_CheckExact(path))
    return add_pointer(buffer, path) && terminate(buffer);
  if (PyTuple_CheckExact(path)) {
    Py_ssize_t count = PyTuple_Size(path);
    for (Py_ssize_t at = 0; at < count; at++)
      if (!add_step(buffer, PyTuple_GetItem(path, at)))
        return false;
    return terminate(buffer);
  }
  return PyLong_CheckExact(path) && pointer_add_step(buffer, path);
}
