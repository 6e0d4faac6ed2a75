/* Reading values. */
#include "imd.h"

/* How many members of an object are cached: a reducer reads the same ones again and again. */
enum { MAX_CACHED = 16 };

/* The object for the content of a value; takes ownership of it. */
static PyObject *from_content(Library *library, const imd_content *content) {
  PyObject *text;
  switch (content->kind) {
  case IMD_OBJECT:
    return value_adopt(library, library->object_type, content->as.value);
  case IMD_ARRAY:
    return value_adopt(library, library->array_type, content->as.value);
  case IMD_STRING:
    text = PyUnicode_DecodeUTF8(content->as.string, content->count, NULL);
    library->free(content->as.string);
    return text;
  case IMD_INTEGER:
    return PyLong_FromLongLong(content->as.integer);
  case IMD_REAL:
    return PyFloat_FromDouble(content->as.real);
  case IMD_BOOL:
    return PyBool_FromLong(content->as.boolean);
  default:
    Py_RETURN_NONE;
  }
}

PyObject *read_part(Library *library, const imd_value *handle, const char *pointer) {
  imd_content content;
  if (library->value_read(handle, pointer, &content, NULL))
    return NULL;
  return from_content(library, &content);
}

PyObject *take(Library *library, imd_value *handle) {
  switch (library->value_kind(handle)) {
  case IMD_OBJECT:
    return value_adopt(library, library->object_type, handle);
  case IMD_ARRAY:
    return value_adopt(library, library->array_type, handle);
  default:;
  }
  PyObject *scalar = read_part(library, handle, "");
  library->value_release(handle);
  if (!scalar && !PyErr_Occurred())
    PyErr_SetString(PyExc_SystemError, "a value of immutabledata cannot be read");
  return scalar;
}

/* Reads a part at a key or an index; NULL without an exception for anything unusual. */
static PyObject *read_step(Value *value, PyObject *step) {
  const imd_value *handle = value_handle(value);
  if (!handle)
    return NULL;
  PyObject *part = NULL;
  Buffer pointer;
  buffer_begin(&pointer);
  if (pointer_add_step(&pointer, step))
    part = read_part(value->library, handle, pointer.bytes);
  buffer_end(&pointer);
  return part;
}

static bool add_to_cache(Value *value, PyObject *key, PyObject *member) {
  if (!value->cache && !(value->cache = PyDict_New()))
    return false;
  return PyDict_Size(value->cache) >= MAX_CACHED || !PyDict_SetItem(value->cache, key, member);
}

PyObject *value_peek(Value *value, PyObject *step) {
  PyObject *cached = value->cache ? PyDict_GetItemWithError(value->cache, step) : NULL;
  return cached ? Py_NewRef(cached) : read_step(value, step);
}

/* The member of an object; NULL without an exception for anything unusual. */
static PyObject *object_item(Value *value, PyObject *key) {
  if (value->cache) {
    PyObject *cached = PyDict_GetItemWithError(value->cache, key);
    if (cached)
      return Py_NewRef(cached);
  }
  PyObject *member = read_step(value, key);
  if (member && !add_to_cache(value, key, member))
    Py_CLEAR(member);
  return member;
}

/* The element of an array, as object_item. */
static PyObject *array_item(Value *value, PyObject *index) {
  int overflow;
  long long at = PyLong_AsLongLongAndOverflow(index, &overflow);
  const imd_value *handle = value_handle(value);
  if (overflow || !handle)
    return NULL;
  if (at >= 0)
    return read_step(value, index);
  at += value->library->value_count(handle);
  PyObject *positive = at < 0 ? NULL : PyLong_FromLongLong(at);
  PyObject *element = positive ? read_step(value, positive) : NULL;
  Py_XDECREF(positive);
  return element;
}

static bool is_array(Value *value) {
  return value->library && Py_TYPE(value) == value->library->array_type;
}

PyObject *value_item(Value *value, PyObject *step) {
  if (is_array(value))
    return PyLong_CheckExact(step) ? array_item(value, step) : NULL;
  return PyUnicode_CheckExact(step) ? object_item(value, step) : NULL;
}

PyObject *value_subscript(PyObject *self, PyObject *key) {
  Value *value = (Value *)self;
  PyObject *part = value_item(value, key);
  if (part || PyErr_Occurred())
    return part;
  return fall_back(value->library, is_array(value) ? ARRAY_GETITEM : OBJECT_GETITEM, self, key,
                   NULL);
}

PyObject *value_contains(PyObject *self, PyObject *key) {
  Value *value = (Value *)self;
  PyObject *member = PyUnicode_CheckExact(key) ? object_item(value, key) : NULL;
  if (member) {
    Py_DECREF(member);
    Py_RETURN_TRUE;
  }
  return PyErr_Occurred() ? NULL : fall_back(value->library, OBJECT_CONTAINS, self, key, NULL);
}

PyObject *value_length(PyObject *self, PyObject *none) {
  (void)none;
  Value *value = (Value *)self;
  const imd_value *handle = value_handle(value);
  if (!handle)
    return fall_back(value->library, VALUE_LEN, self, NULL);
  return PyLong_FromSize_t(value->library->value_count(handle));
}

PyObject *value_at(PyObject *self, PyObject *path) {
  Value *value = (Value *)self;
  const imd_value *handle = value_handle(value);
  PyObject *part = NULL;
  Buffer pointer;
  buffer_begin(&pointer);
  if (handle && pointer_add_path(&pointer, path))
    part = read_part(value->library, handle, pointer.bytes);
  buffer_end(&pointer);
  if (part || PyErr_Occurred())
    return part;
  return fall_back(value->library, VALUE_AT, self, path, NULL);
}
