/* Changing values: each change makes another value. */
#include "imd.h"

#include <math.h>

/* Sets plain data that is no scalar with a function of its own. */
static imd_status set_plain(Value *value, const char *pointer, PyObject *data, imd_value **out) {
  Library *library = value->library;
  imd_status status = IMD_INVALID_ARGUMENT;
  imd_value *part;
  Buffer text;
  buffer_begin(&text);
  if (json_add(&text, data) && !library->value_parse(text.bytes, text.length, &part, NULL)) {
    status = library->value_set(value_handle(value), pointer, part, out, NULL);
    library->value_release(part);
  }
  buffer_end(&text);
  return status;
}

/* Calls the function of the library for a kind of data. A status other than IMD_OK also stands for
 * data that is not handled here. */
static imd_status set(Value *value, const char *pointer, PyObject *data, imd_value **out) {
  Library *library = value->library;
  const imd_value *handle = value_handle(value);
  if (PyLong_CheckExact(data)) {
    int overflow;
    long long integer = PyLong_AsLongLongAndOverflow(data, &overflow);
    return overflow ? IMD_LIMIT : library->value_set_integer(handle, pointer, integer, out, NULL);
  }
  if (PyUnicode_CheckExact(data)) {
    Py_ssize_t length;
    PyObject *owner;
    const char *bytes = utf8_of(data, &length, &owner);
    imd_status status = IMD_INVALID_ARGUMENT;
    if (bytes)
      status = library->value_set_string(handle, pointer, bytes, length, out, NULL);
    Py_XDECREF(owner);
    return status;
  }
  if (PyBool_Check(data))
    return library->value_set_bool(handle, pointer, data == Py_True, out, NULL);
  if (PyFloat_CheckExact(data)) {
    double real = PyFloat_AsDouble(data);
    return isfinite(real) ? library->value_set_real(handle, pointer, real, out, NULL) : IMD_LIMIT;
  }
  if (value_check(library, data)) {
    const imd_value *part = value_handle((Value *)data);
    return part ? library->value_set(handle, pointer, part, out, NULL) : IMD_INVALID_ARGUMENT;
  }
  return set_plain(value, pointer, data, out);
}

PyObject *value_changed(Value *value, const char *pointer, PyObject *data) {
  imd_value *out = NULL;
  /* The empty pointer can replace the whole value by a scalar. */
  if (!*pointer || !value_handle(value) || set(value, pointer, data, &out))
    return NULL;
  return value_adopt(value->library, Py_TYPE(value), out);
}

PyObject *value_with(Value *value, PyObject *step, PyObject *data) {
  Buffer pointer;
  buffer_begin(&pointer);
  PyObject *changed =
      pointer_add_step(&pointer, step) ? value_changed(value, pointer.bytes, data) : NULL;
  buffer_end(&pointer);
  return changed;
}

bool value_equals(Value *left, Value *right) {
  if (!value_own(left) || !value_own(right))
    return false;
  const imd_value *one = left->handle, *other = right->handle;
  int is_equal;
  Py_BEGIN_ALLOW_THREADS
  is_equal = left->library->value_equal(one, other);
  Py_END_ALLOW_THREADS
  return is_equal;
}

PyObject *value_set(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  Value *value = (Value *)self;
  PyObject *changed = NULL;
  if (count == 2) {
    Buffer pointer;
    buffer_begin(&pointer);
    if (pointer_add_path(&pointer, arguments[0]))
      changed = value_changed(value, pointer.bytes, arguments[1]);
    buffer_end(&pointer);
  }
  if (changed || PyErr_Occurred())
    return changed;
  return fall_back_vector(value->library, VALUE_SET, self, arguments, count, NULL);
}
