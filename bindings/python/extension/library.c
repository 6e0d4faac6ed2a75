/* What belongs to one loaded library, and the functions of the package behind those of here. */
#include "imd.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *library_type;

/* ---- Numbers of reducers -------------------------------------------------------------------- */

/* The numbers of a library's reducers begin at its index, shifted. */
enum { MAX_LIBRARIES = 64, INDEX_SHIFT = 48 };
static Library *libraries[MAX_LIBRARIES];

Library *library_of(intptr_t number) {
  intptr_t index = number >> INDEX_SHIFT;
  return index >= 0 && index < MAX_LIBRARIES ? libraries[index] : NULL;
}

/* ---- Making one ----------------------------------------------------------------------------- */

/* Finds the functions in the library that ctypes loaded, by its handle of the dynamic linker. */
static bool find_functions(Library *library, void *loaded) {
#define FIND(name)                                                                                 \
  if (!(library->name = (__typeof__(library->name))dlsym(loaded, "imd_" #name))) {                 \
    PyErr_SetString(PyExc_ImportError, "imd_" #name);                                              \
    return false;                                                                                  \
  }
  FUNCTIONS(FIND)
#undef FIND
  return true;
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *names) {
  PyObject *loaded;
  if (!PyArg_ParseTuple(arguments, "O", &loaded))
    return NULL;
  (void)names;
  void *handle = PyLong_AsVoidPtr(loaded);
  int index = 0;
  while (index < MAX_LIBRARIES && libraries[index])
    index++;
  if (PyErr_Occurred() || index == MAX_LIBRARIES)
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ImportError, "too many libraries");
  Library *library = (Library *)PyType_GenericAlloc(type, 0);
  if (!library || !find_functions(library, handle) || !(library->arguments = PyDict_New())) {
    Py_XDECREF(library);
    return NULL;
  }
  libraries[index] = (Library *)Py_NewRef((PyObject *)library);
  return (PyObject *)library;
}

/* ---- Falling back --------------------------------------------------------------------------- */

enum { MAX_ARGUMENTS = 6 };

PyObject *fall_back(Library *library, Fallback fallback, ...) {
  if (!library || !library->fallbacks[fallback]) {
    PyErr_SetString(PyExc_AttributeError, "the object has no content");
    return NULL;
  }
  PyObject *arguments[MAX_ARGUMENTS];
  Py_ssize_t count = 0;
  va_list rest;
  va_start(rest, fallback);
  while (count < MAX_ARGUMENTS && (arguments[count] = va_arg(rest, PyObject *)))
    count++;
  va_end(rest);
  return fall_back_vector(library, fallback, NULL, arguments, count, NULL);
}

PyObject *fall_back_vector(Library *library, Fallback fallback, PyObject *self,
                           PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
  if (!library || !library->fallbacks[fallback]) {
    PyErr_SetString(PyExc_AttributeError, "the object has no content");
    return NULL;
  }
  Py_ssize_t first = self ? 1 : 0;
  PyObject *positional = PyTuple_New(first + count);
  PyObject *keywords = names ? PyDict_New() : NULL;
  PyObject *result = NULL;
  if (!positional || (names && !keywords))
    goto end;
  if (self)
    PyTuple_SetItem(positional, 0, Py_NewRef(self));
  for (Py_ssize_t at = 0; at < count; at++)
    PyTuple_SetItem(positional, first + at, Py_NewRef(arguments[at]));
  for (Py_ssize_t at = 0; names && at < PyTuple_Size(names); at++)
    if (PyDict_SetItem(keywords, PyTuple_GetItem(names, at), arguments[count + at]))
      goto end;
  result = PyObject_Call(library->fallbacks[fallback], positional, keywords);
end:
  Py_XDECREF(positional);
  Py_XDECREF(keywords);
  return result;
}

/* ---- Putting the functions before those of the package -------------------------------------- */

typedef struct {
  const char *class, *name;
  Fallback fallback;
  void *function; /* NULL: the slot of the base class */
  int flags;
  const char *signature;
} Method;

static const Method methods[] = {
    {"ObjectValue", "__getitem__", OBJECT_GETITEM, NULL, 0, NULL},
    {"ObjectValue", "__contains__", OBJECT_CONTAINS, value_contains, METH_O, "($self, key, /)"},
    {"ArrayValue", "__getitem__", ARRAY_GETITEM, NULL, 0, NULL},
    {"Value", "__len__", VALUE_LEN, value_length, METH_NOARGS, "($self, /)"},
    {"Value", "at", VALUE_AT, value_at, METH_O, "($self, path, /)"},
    {"Value", "has_same_json", VALUE_HAS_SAME_JSON, value_has_same_json, METH_O,
     "($self, other, /)"},
    {"Value", "insert", VALUE_INSERT, value_insert, METH_FASTCALL, "($self, path, data, /)"},
    {"Value", "is_identical", VALUE_IS_IDENTICAL, value_is_identical, METH_O, "($self, other, /)"},
    {"Value", "remove", VALUE_REMOVE, value_remove, METH_O, "($self, path, /)"},
    {"Value", "to_json", VALUE_TO_JSON, value_to_json, METH_NOARGS, "($self, /)"},
    {"ObjectValue", "get", OBJECT_GET, object_get, METH_FASTCALL | METH_KEYWORDS,
     "($self, key, default=None)"},
    {NULL, "value", MAKE_VALUE, NULL, 0, NULL},
    {"Value", "set", VALUE_SET, value_set, METH_FASTCALL, "($self, path, data, /)"},
    {"ObjectDraft", "__getitem__", OBJECT_DRAFT_GETITEM, NULL, 0, NULL},
    {"ObjectDraft", "__setitem__", OBJECT_DRAFT_SETITEM, NULL, 0, NULL},
    {"ObjectDraft", "__delitem__", OBJECT_DRAFT_DELITEM, NULL, 0, NULL},
    {"ArrayDraft", "__getitem__", ARRAY_DRAFT_GETITEM, NULL, 0, NULL},
    {"ArrayDraft", "__setitem__", ARRAY_DRAFT_SETITEM, NULL, 0, NULL},
    {"ArrayDraft", "__delitem__", ARRAY_DRAFT_DELITEM, NULL, 0, NULL},
    {"ArrayDraft", "append", DRAFT_APPEND, draft_append, METH_O, "($self, value, /)"},
    {NULL, "finish", DRAFT_FINISH, NULL, 0, NULL},
    {NULL, "end", DRAFT_END, NULL, 0, NULL},
    {NULL, "produce", PRODUCE, NULL, 0, NULL},
    {"Store", "dispatch", STORE_DISPATCH, store_dispatch, METH_FASTCALL | METH_KEYWORDS,
     "($self, action, /, payload=..., *, meta=...)"},
    {"Store", "dispatch_batch", STORE_DISPATCH_BATCH, store_dispatch_batch, METH_O,
     "($self, actions, /)"},
    {"Store", "select", STORE_SELECT, store_select, METH_FASTCALL | METH_KEYWORDS,
     "($self, name, /, *, budget=None, arguments=None, **keywords)"},
    {"Store", "query", STORE_QUERY, store_query, METH_FASTCALL | METH_KEYWORDS,
     "($self, expression, /, *, budget=None, arguments=None, **keywords)"},
    {"Store", "state", STORE_STATE, store_state, -1, NULL},
    {NULL, "dispatch_failed", DISPATCH_FAILED, NULL, 0, NULL},
    {NULL, "dispatched", DISPATCHED, NULL, 0, NULL},
    {NULL, "select_failed", SELECT_FAILED, NULL, 0, NULL},
    {NULL, "find_reducer", FIND_REDUCER, NULL, 0, NULL},
    {NULL, "rejected", REJECTED, NULL, 0, NULL},
    {NULL, "converted", CONVERTED, NULL, 0, NULL},
};

static const Method *find_method(const char *class, const char *name) {
  for (size_t at = 0; at < sizeof methods / sizeof *methods; at++) {
    const Method *method = &methods[at];
    bool is_of_class = class && method->class ? !strcmp(class, method->class)
                                              : !class && !method->class;
    if (is_of_class && !strcmp(name, method->name))
      return method;
  }
  PyErr_SetString(PyExc_LookupError, name);
  return NULL;
}

static void keep(Library *library, Fallback fallback, PyObject *function) {
  Py_XDECREF(library->fallbacks[fallback]);
  library->fallbacks[fallback] = Py_NewRef(function);
}

/* The documentation of a method: its signature, and what the package says of it. Never freed. */
static char *document(const Method *method, PyObject *documentation) {
  const char *text = NULL;
  if (documentation && PyUnicode_Check(documentation))
    text = PyUnicode_AsUTF8AndSize(documentation, NULL);
  PyErr_Clear();
  size_t size = strlen(method->name) + strlen(method->signature) + (text ? strlen(text) : 0) + 8;
  char *document = malloc(size);
  if (document)
    PyOS_snprintf(document, size, "%s%s\n--\n\n%s", method->name, method->signature,
                  text ? text : "");
  return document;
}

static PyObject *make_method(PyTypeObject *class, const Method *method, PyObject *documentation) {
  PyMethodDef *definition = calloc(1, sizeof *definition); /* Never freed: its class uses it. */
  if (!definition)
    return PyErr_NoMemory();
  definition->ml_name = method->name;
  definition->ml_meth = (PyCFunction)method->function;
  definition->ml_flags = method->flags;
  definition->ml_doc = document(method, documentation);
  return PyDescr_NewMethod(class, definition);
}

static PyObject *make_property(PyTypeObject *class, const Method *method,
                               PyObject *documentation) {
  PyGetSetDef *definition = calloc(1, sizeof *definition);
  if (!definition)
    return PyErr_NoMemory();
  definition->name = method->name;
  definition->get = (getter)method->function;
  if (documentation && PyUnicode_Check(documentation)) {
    const char *text = PyUnicode_AsUTF8AndSize(documentation, NULL);
    definition->doc = text ? strdup(text) : NULL;
  }
  return PyDescr_NewGetSet(class, definition);
}

/* What replaces an attribute of a class: a slot of its base class here, or a descriptor. */
static PyObject *make_attribute(PyTypeObject *class, const Method *method, PyObject *former) {
  if (!method->function) {
    PyTypeObject *base = PyType_IsSubtype(class, value_type) ? value_type : draft_type;
    return PyObject_GetAttrString((PyObject *)base, method->name);
  }
  PyObject *documentation = PyObject_GetAttrString(former, "__doc__");
  if (!documentation)
    PyErr_Clear();
  PyObject *attribute = method->flags < 0 ? make_property(class, method, documentation)
                                          : make_method(class, method, documentation);
  Py_XDECREF(documentation);
  return attribute;
}

/* replace(class, name): puts a function before a method, which it calls for anything unusual. */
static PyObject *replace(PyObject *self, PyObject *arguments) {
  Library *library = (Library *)self;
  PyObject *class;
  const char *class_name, *name;
  if (!PyArg_ParseTuple(arguments, "Oss", &class, &class_name, &name))
    return NULL;
  const Method *method = find_method(class_name, name);
  PyObject *former = method ? PyObject_GetAttrString(class, name) : NULL;
  if (!former)
    return NULL;
  PyObject *function =
      method->flags < 0 ? PyObject_GetAttrString(former, "fget") : Py_NewRef(former);
  PyObject *attribute = make_attribute((PyTypeObject *)class, method, former);
  bool is_done = function && attribute && !PyObject_SetAttrString(class, name, attribute);
  if (is_done)
    keep(library, method->fallback, function);
  Py_DECREF(former);
  Py_XDECREF(function);
  Py_XDECREF(attribute);
  if (!is_done)
    return NULL;
  Py_RETURN_NONE;
}

/* call_back(name, function): sets a function of the package that has no method in front of it. */
static PyObject *call_back(PyObject *self, PyObject *arguments) {
  const char *name;
  PyObject *function;
  if (!PyArg_ParseTuple(arguments, "sO", &name, &function))
    return NULL;
  const Method *method = find_method(NULL, name);
  if (!method)
    return NULL;
  keep((Library *)self, method->fallback, function);
  Py_RETURN_NONE;
}

/* set_classes(object, array): the classes of values, or those of drafts. */
static PyObject *set_classes(PyObject *self, PyObject *arguments) {
  Library *library = (Library *)self;
  PyObject *object, *array;
  if (!PyArg_ParseTuple(arguments, "O!O!", &PyType_Type, &object, &PyType_Type, &array))
    return NULL;
  PyTypeObject *object_type = (PyTypeObject *)Py_NewRef(object);
  PyTypeObject *array_type = (PyTypeObject *)Py_NewRef(array);
  if (PyType_IsSubtype(object_type, value_type)) {
    library->object_type = object_type;
    library->array_type = array_type;
  } else {
    library->object_draft_type = object_type;
    library->array_draft_type = array_type;
  }
  Py_RETURN_NONE;
}

/* take(handle): an owned handle as an object, or as a scalar. */
static PyObject *take_handle(PyObject *self, PyObject *address) {
  imd_value *handle = PyLong_AsVoidPtr(address);
  return !handle && PyErr_Occurred() ? NULL : take((Library *)self, handle);
}

/* read(handle): the same for a handle that stays the caller's. */
static PyObject *read_handle(PyObject *self, PyObject *address) {
  const imd_value *handle = address == Py_None ? NULL : PyLong_AsVoidPtr(address);
  if (!handle && PyErr_Occurred())
    return NULL;
  PyObject *object = read_part((Library *)self, handle, "");
  if (!object && !PyErr_Occurred())
    PyErr_SetString(PyExc_ValueError, "the handle cannot be read");
  return object;
}

/* adopt(class, handle): makes an object that owns a handle. */
static PyObject *adopt(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  if (count != 2 || !PyType_IsSubtype((PyTypeObject *)arguments[0], value_type))
    return PyErr_Format(PyExc_TypeError, "adopt takes a class and a handle");
  void *handle = PyLong_AsVoidPtr(arguments[1]);
  if (!handle && PyErr_Occurred())
    return NULL;
  return value_adopt((Library *)self, (PyTypeObject *)arguments[0], handle);
}

static PyObject *first_number(PyObject *self, void *closure) {
  intptr_t index = 0;
  while (libraries[index] != (Library *)self)
    index++;
  return PyLong_FromSsize_t((index << INDEX_SHIFT) + 1);
}

static PyObject *reducer_address(PyObject *self, void *closure) {
  return PyLong_FromVoidPtr((void *)reducer_call);
}

PyTypeObject *library_make_type(void) {
  static PyMethodDef functions[] = {
      {"adopt", (PyCFunction)(void *)adopt, METH_FASTCALL, NULL},
      {"call_back", call_back, METH_VARARGS, NULL},
      {"items", iterate_items, METH_O, NULL},
      {"keys", iterate_keys, METH_O, NULL},
      {"produce", (PyCFunction)(void *)draft_produce, METH_FASTCALL, NULL},
      {"read", read_handle, METH_O, NULL},
      {"replace", replace, METH_VARARGS, NULL},
      {"set_classes", set_classes, METH_VARARGS, NULL},
      {"take", take_handle, METH_O, NULL},
      {"value", make_value, METH_O, NULL},
      {"values", iterate_values, METH_O, NULL},
      {NULL}};
  static PyGetSetDef attributes[] = {{"first_number", first_number, NULL, NULL},
                                     {"reducer", reducer_address, NULL, NULL},
                                     {NULL}};
  static PyType_Slot slots[] = {{Py_tp_new, make},
                                {Py_tp_methods, functions},
                                {Py_tp_getset, attributes},
                                {0, NULL}};
  static PyType_Spec spec = {"immutabledata._imd.Library", sizeof(Library), 0, Py_TPFLAGS_DEFAULT,
                             slots};
  return library_type = (PyTypeObject *)PyType_FromSpec(&spec);
}
