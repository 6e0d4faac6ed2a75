/* The type of references to values, from which the classes of the package derive. */
#include "imd.h"

PyTypeObject *value_type;

static Value *make(Library *library, PyTypeObject *type) {
  Value *value = (Value *)PyType_GenericAlloc(type, 0);
  if (value)
    value->library = library;
  return value;
}

PyObject *value_adopt(Library *library, PyTypeObject *type, imd_value *handle) {
  Value *value = make(library, type);
  if (value)
    value->handle = handle;
  else
    library->value_release(handle);
  return (PyObject *)value;
}

Value *value_lend(Library *library, PyTypeObject *type, const imd_value *handle) {
  Value *value = make(library, type);
  if (value) {
    value->handle = (imd_value *)handle;
    value->is_lent = true;
  }
  return value;
}

/* Gives the payload of a lent action its handle. */
static void find_payload(Value *value) {
  value->library->value_get(value->action->handle, "/payload", &value->handle, NULL);
  value->action = NULL;
}

const imd_value *value_handle(Value *value) {
  if (!value->handle && value->action)
    find_payload(value);
  return value->handle;
}

bool value_own(Value *value) {
  if (value_handle(value) && value->is_lent) {
    value->handle = value->library->value_retain(value->handle);
    value->is_lent = false;
  }
  return value->handle;
}

void value_end_lending(Value *value) {
  if (Py_REFCNT(value) > 1) {
    value_own(value);
  } else if (value->is_lent) {
    value->handle = NULL;
    value->is_lent = false;
  }
  value->action = NULL;
}

bool value_check(Library *library, PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  if (type == library->object_type || type == library->array_type)
    return true;
  return PyObject_TypeCheck(object, value_type) && ((Value *)object)->library == library;
}

static void deallocate(PyObject *self) {
  Value *value = (Value *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (value->references)
    PyObject_ClearWeakRefs(self);
  Py_XDECREF(value->cache);
  Py_XDECREF(value->hash);
  if (value->handle && !value->is_lent)
    value->library->value_release(value->handle);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject *handle_of(PyObject *self, void *closure) {
  Value *value = (Value *)self;
  if (!value->library || !value_own(value)) {
    PyErr_SetString(PyExc_AttributeError, "_handle");
    return NULL;
  }
  return PyLong_FromVoidPtr(value->handle);
}

PyTypeObject *value_make_type(void) {
  static PyGetSetDef attributes[] = {
      {"_handle", handle_of, NULL, "The address of the imd_value, for functions of ctypes."},
      {NULL}};
  static PyMemberDef members[] = {
      {"__weaklistoffset__", T_PYSSIZET, offsetof(Value, references), READONLY},
      {"_hash", T_OBJECT_EX, offsetof(Value, hash), 0},
      {NULL}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, deallocate},
                                {Py_tp_getset, attributes},
                                {Py_tp_members, members},
                                {Py_mp_subscript, value_subscript},
                                {0, NULL}};
  static PyType_Spec spec = {"immutabledata._imd.Value", sizeof(Value), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return value_type = (PyTypeObject *)PyType_FromSpec(&spec);
}
