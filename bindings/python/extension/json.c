/* Writes plain data as JSON, as Python's json does without spaces and with all characters. */
#include "imd.h"

#include <math.h>
#include <string.h>

/* Deeper data is left to Python, which checks its recursion limit and finds cycles. */
enum { MAX_DEPTH = 64 };

static bool add_data(Buffer *buffer, PyObject *data, int depth);

bool is_scalar(PyObject *data) {
  return data == Py_None || PyUnicode_CheckExact(data) || PyLong_CheckExact(data) ||
         PyBool_Check(data) || PyFloat_CheckExact(data);
}

static bool needs_escape(unsigned char byte) { return byte < 0x20 || byte == '"' || byte == '\\'; }

static bool add_escape(Buffer *buffer, unsigned char byte) {
  static const char hex[] = "0123456789abcdef";
  if (byte >= 0x20)
    return buffer_add(buffer, (char[]){'\\', byte}, 2);
  return buffer_add(buffer, (char[]){'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]}, 6);
}

static bool add_utf8(Buffer *buffer, const char *bytes, size_t length) {
  size_t start = 0;
  for (size_t at = 0; at < length; at++) {
    if (needs_escape(bytes[at])) {
      if (!buffer_add(buffer, bytes + start, at - start) || !add_escape(buffer, bytes[at]))
        return false;
      start = at + 1;
    }
  }
  return buffer_add(buffer, bytes + start, length - start);
}

static bool add_string(Buffer *buffer, PyObject *text) {
  Py_ssize_t length;
  PyObject *owner;
  const char *bytes = utf8_of(text, &length, &owner);
  bool is_valid = bytes && buffer_reserve(buffer, length + 2);
  if (is_valid) {
    buffer->bytes[buffer->length++] = '"';
    is_valid = add_utf8(buffer, bytes, length) && buffer_add(buffer, "\"", 1);
  }
  Py_XDECREF(owner);
  return is_valid;
}

static bool add_integer(Buffer *buffer, PyObject *integer) {
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(integer, &overflow);
  return !overflow && buffer_add_integer(buffer, number);
}

static bool add_real(Buffer *buffer, PyObject *real) {
  double number = PyFloat_AsDouble(real);
  if (!isfinite(number))
    return false;
  char *text = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
  if (!text) {
    PyErr_Clear();
    return false;
  }
  bool is_added = buffer_add(buffer, text, strlen(text));
  PyMem_Free(text);
  return is_added;
}

static bool add_object(Buffer *buffer, PyObject *members, int depth) {
  PyObject *key, *member;
  Py_ssize_t at = 0;
  const char *before = "{";
  /* Nothing here runs code of Python, which could change the dict. */
  while (PyDict_Next(members, &at, &key, &member)) {
    if (!PyUnicode_CheckExact(key) || !buffer_add(buffer, before, 1) ||
        !add_string(buffer, key) || !buffer_add(buffer, ":", 1) ||
        !add_data(buffer, member, depth))
      return false;
    before = ",";
  }
  return (*before == ',' || buffer_add(buffer, "{", 1)) && buffer_add(buffer, "}", 1);
}

static bool add_array(Buffer *buffer, PyObject *elements, int depth) {
  bool is_list = PyList_CheckExact(elements);
  Py_ssize_t count = is_list ? PyList_Size(elements) : PyTuple_Size(elements);
  if (!buffer_add(buffer, "[", 1))
    return false;
  for (Py_ssize_t at = 0; at < count; at++) {
    PyObject *element = is_list ? PyList_GetItem(elements, at) : PyTuple_GetItem(elements, at);
    if ((at && !buffer_add(buffer, ",", 1)) || !add_data(buffer, element, depth))
      return false;
  }
  return buffer_add(buffer, "]", 1);
}

static bool add_data(Buffer *buffer, PyObject *data, int depth) {
  if (PyUnicode_CheckExact(data))
    return add_string(buffer, data);
  if (PyLong_CheckExact(data))
    return add_integer(buffer, data);
  if (data == Py_None)
    return buffer_add(buffer, "null", 4);
  if (PyBool_Check(data))
    return data == Py_True ? buffer_add(buffer, "true", 4) : buffer_add(buffer, "false", 5);
  if (PyFloat_CheckExact(data))
    return add_real(buffer, data);
  if (depth == 0)
    return false;
  if (PyDict_CheckExact(data))
    return add_object(buffer, data, depth - 1);
  return (PyList_CheckExact(data) || PyTuple_CheckExact(data)) &&
         add_array(buffer, data, depth - 1);
}

bool json_add(Buffer *buffer, PyObject *data) { return add_data(buffer, data, MAX_DEPTH); }
