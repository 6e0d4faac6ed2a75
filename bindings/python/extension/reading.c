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

/* Reads a part at a key or an index. IMD_NOT_FOUND: there is none. Any other status stands for
 * something unusual; after IMD_OK, a part that is NULL is an exception. */
static imd_status read_at(Value *value, PyObject *step, PyObject **part) {
  const imd_value *handle = value_handle(value);
  imd_status status = IMD_INVALID_ARGUMENT;
  imd_content content;
  Buffer pointer;
  buffer_begin(&pointer);
  if (handle && pointer_add_step(&pointer, step))
    status = value->library->value_read(handle, pointer.bytes, &content, NULL);
  buffer_end(&pointer);
  *part = status ? NULL : from_content(value->library, &content);
  return status;
}

/* The part; NULL without an exception if there is none, and for anything unusual. */
static PyObject *read_step(Value *value, PyObject *step) {
  PyObject *part;
  read_at(value, step, &part);
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

/* Reads the member of an object, as read_at. */
static imd_status read_member(Value *value, PyObject *key, PyObject **member) {
  *member = value->cache ? PyDict_GetItemWithError(value->cache, key) : NULL;
  if (*member) {
    Py_INCREF(*member);
    return IMD_OK;
  }
  imd_status status = read_at(value, key, member);
  if (*member && !add_to_cache(value, key, *member))
    Py_CLEAR(*member);
  return status;
}

/* The member of an object; NULL without an exception for anything unusual. */
static PyObject *object_item(Value *value, PyObject *key) {
  PyObject *member;
  read_member(value, key, &member);
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

PyObject *object_get(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                     PyObject *names) {
  Value *value = (Value *)self;
  if (!names && (count == 1 || count == 2) && PyUnicode_CheckExact(arguments[0])) {
    PyObject *member;
    imd_status status = read_member(value, arguments[0], &member);
    if (status == IMD_OK)
      return member;
    if (status == IMD_NOT_FOUND)
      return Py_NewRef(count == 2 ? arguments[1] : Py_None);
  }
  return fall_back_vector(value->library, OBJECT_GET, self, arguments, count, names);
}

PyObject *value_contains(PyObject *self, PyObject *key) {
  Value *value = (Value *)self;
  if (PyUnicode_CheckExact(key)) {
    PyObject *member;
    imd_status status = read_member(value, key, &member);
    Py_XDECREF(member);
    if (PyErr_Occurred())
      return NULL;
    if (status == IMD_OK || status == IMD_NOT_FOUND)
      return PyBool_FromLong(status == IMD_OK);
  }
  return fall_back(value->library, OBJECT_CONTAINS, self, key, NULL);
}

PyObject *value_is_identical(PyObject *self, PyObject *other) {
  Value *value = (Value *)self;
  Library *library = value->library;
  if (!library || !value_check(library, other))
    return fall_back(library, VALUE_IS_IDENTICAL, self, other, NULL);
  const imd_value *one = value_handle(value), *another = value_handle((Value *)other);
  return PyBool_FromLong(library->value_identical(one, another));
}

PyObject *value_has_same_json(PyObject *self, PyObject *other) {
  Value *value = (Value *)self;
  if (!value->library || !value_check(value->library, other))
    return fall_back(value->library, VALUE_HAS_SAME_JSON, self, other, NULL);
  return PyBool_FromLong(value_equals(value, (Value *)other));
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

PyObject *value_to_json(PyObject *self, PyObject *none) {
  (void)none;
  Value *value = (Value *)self;
  Library *library = value->library;
  char *text;
  size_t length;
  imd_status status = IMD_INVALID_ARGUMENT;
  if (library && value_own(value)) {
    Py_BEGIN_ALLOW_THREADS
    status = library->value_text(value->handle, &text, &length, NULL);
    Py_END_ALLOW_THREADS
  }
  if (status)
    return fall_back(library, VALUE_TO_JSON, self, NULL);
  PyObject *json = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, NULL);
  library->free(text);
  return json;
}
