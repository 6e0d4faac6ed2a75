/* Changing values: each change makes another value. */
#include "imd.h"

#include <math.h>

/* Parses JSON; NULL if the library rejects it. Long text is parsed without the GIL. */
static imd_value *parse(Library *library, const Buffer *text) {
  imd_value *handle = NULL;
  if (text->bytes == text->first) {
    library->value_parse(text->bytes, text->length, &handle, NULL);
  } else {
    Py_BEGIN_ALLOW_THREADS
    library->value_parse(text->bytes, text->length, &handle, NULL);
    Py_END_ALLOW_THREADS
  }
  return handle;
}

/* An owned handle for plain data or a Value; NULL without an exception for anything unusual. May
 * release the GIL. */
static imd_value *make_handle(Library *library, PyObject *data) {
  if (value_check(library, data)) {
    const imd_value *handle = value_handle((Value *)data);
    return handle ? library->value_retain(handle) : NULL;
  }
  imd_value *handle = NULL;
  Buffer text;
  buffer_begin(&text);
  if (json_add(&text, data))
    handle = parse(library, &text);
  buffer_end(&text);
  return handle;
}

/* Sets data that has no function of its own. */
static imd_status set_part(Value *value, const char *pointer, PyObject *data, imd_value **out) {
  imd_value *part = make_handle(value->library, data);
  if (!part)
    return IMD_INVALID_ARGUMENT;
  imd_status status =
      value->library->value_set(value_handle(value), pointer, part, out, NULL);
  value->library->value_release(part);
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
  return set_part(value, pointer, data, out);
}

PyObject *value_changed(Value *value, const char *pointer, PyObject *data) {
  imd_value *out = NULL;
  PyObject *changed = NULL;
  Py_INCREF(value); /* Another thread may take it from a draft meanwhile. */
  /* The empty pointer can replace the whole value by a scalar. */
  if (*pointer && value_handle(value) && !set(value, pointer, data, &out))
    changed = value_adopt(value->library, Py_TYPE(value), out);
  Py_DECREF(value);
  return changed;
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

/* ---- Methods -------------------------------------------------------------------------------- */

PyObject *value_set(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  Value *value = (Value *)self;
  PyObject *changed = NULL;
  Buffer pointer;
  buffer_begin(&pointer);
  if (count == 2 && pointer_add_path(&pointer, arguments[0]))
    changed = value_changed(value, pointer.bytes, arguments[1]);
  buffer_end(&pointer);
  if (changed || PyErr_Occurred())
    return changed;
  return fall_back_vector(value->library, VALUE_SET, self, arguments, count, NULL);
}

static PyObject *insert(Value *value, const char *pointer, PyObject *data) {
  imd_value *element = *pointer && value_handle(value) ? make_handle(value->library, data) : NULL;
  imd_value *out = NULL;
  if (element) {
    value->library->value_insert(value_handle(value), pointer, element, &out, NULL);
    value->library->value_release(element);
  }
  return out ? value_adopt(value->library, Py_TYPE(value), out) : NULL;
}

PyObject *value_insert(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  Value *value = (Value *)self;
  PyObject *changed = NULL;
  Buffer pointer;
  buffer_begin(&pointer);
  if (count == 2 && pointer_add_path(&pointer, arguments[0]))
    changed = insert(value, pointer.bytes, arguments[1]);
  buffer_end(&pointer);
  if (changed || PyErr_Occurred())
    return changed;
  return fall_back_vector(value->library, VALUE_INSERT, self, arguments, count, NULL);
}

PyObject *value_remove(PyObject *self, PyObject *path) {
  Value *value = (Value *)self;
  const imd_value *handle = value_handle(value);
  imd_value *out = NULL;
  Buffer pointer;
  buffer_begin(&pointer);
  if (handle && pointer_add_path(&pointer, path))
    value->library->value_remove(handle, pointer.bytes, &out, NULL);
  buffer_end(&pointer);
  return out ? value_adopt(value->library, Py_TYPE(value), out)
             : fall_back(value->library, VALUE_REMOVE, self, path, NULL);
}

PyObject *make_value(PyObject *self, PyObject *data) {
  Library *library = (Library *)self;
  if (value_check(library, data) && Py_TYPE(data) != value_type)
    return Py_NewRef(data);
  bool is_container = PyDict_CheckExact(data) || PyList_CheckExact(data);
  imd_value *handle = is_container ? make_handle(library, data) : NULL;
  return handle ? take(library, handle) : fall_back(library, MAKE_VALUE, data, NULL);
}
