/* Iteration over the members of objects and the elements of arrays. */
#include "imd.h"

static PyTypeObject *iterator_type;

typedef struct {
  PyObject_HEAD
  Library *library;
  imd_cursor *cursor;
  bool has_keys, has_values; /* what each step yields: one of them, or a tuple of both */
} Iterator;

static void deallocate(PyObject *self) {
  Iterator *iterator = (Iterator *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (iterator->cursor)
    iterator->library->cursor_close(iterator->cursor);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject *next(PyObject *self) {
  Iterator *iterator = (Iterator *)self;
  Library *library = iterator->library;
  const char *text;
  size_t length;
  const imd_value *handle;
  if (!library->cursor_next(iterator->cursor, &text, &length, &handle))
    return NULL;
  PyObject *key = iterator->has_keys ? PyUnicode_DecodeUTF8(text, length, NULL) : NULL;
  if (!iterator->has_values || (iterator->has_keys && !key))
    return key;
  PyObject *part = read_part(library, handle, "");
  if (!part && !PyErr_Occurred())
    PyErr_SetString(PyExc_SystemError, "a part of a value cannot be read");
  if (!iterator->has_keys)
    return part;
  PyObject *item = part ? PyTuple_Pack(2, key, part) : NULL;
  Py_DECREF(key);
  Py_XDECREF(part);
  return item;
}

PyTypeObject *cursor_make_type(void) {
  static PyType_Slot slots[] = {{Py_tp_dealloc, deallocate},
                                {Py_tp_iter, PyObject_SelfIter},
                                {Py_tp_iternext, next},
                                {0, NULL}};
  static PyType_Spec spec = {"immutabledata._imd.Iterator", sizeof(Iterator), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  return iterator_type = (PyTypeObject *)PyType_FromSpec(&spec);
}

static PyObject *iterate(PyObject *self, PyObject *container, bool has_keys, bool has_values) {
  Library *library = (Library *)self;
  const imd_value *handle =
      value_check(library, container) ? value_handle((Value *)container) : NULL;
  imd_cursor *cursor;
  if (!handle || library->cursor_open(handle, NULL, &cursor, NULL))
    return PyErr_Format(PyExc_AttributeError, "the object has no content");
  Iterator *iterator = (Iterator *)PyType_GenericAlloc(iterator_type, 0);
  if (!iterator) {
    library->cursor_close(cursor);
    return NULL;
  }
  iterator->library = library;
  iterator->cursor = cursor;
  iterator->has_keys = has_keys;
  iterator->has_values = has_values;
  return (PyObject *)iterator;
}

PyObject *iterate_keys(PyObject *self, PyObject *object) {
  return iterate(self, object, true, false);
}

PyObject *iterate_values(PyObject *self, PyObject *container) {
  return iterate(self, container, false, true);
}

PyObject *iterate_items(PyObject *self, PyObject *object) {
  return iterate(self, object, true, true);
}
