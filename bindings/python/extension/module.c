/* The module immutabledata._imd. */
#include "imd.h"

PyObject *name_type, *name_payload, *name_meta;

static bool make_names(void) {
  return (name_type = PyUnicode_InternFromString("type")) &&
         (name_payload = PyUnicode_InternFromString("payload")) &&
         (name_meta = PyUnicode_InternFromString("meta"));
}

/* Its functions are those of one interpreter: a subinterpreter does without the extension. */
static bool is_main_interpreter(void) {
  return PyInterpreterState_GetID(PyInterpreterState_Get()) == 0;
}

static bool add_type(PyObject *module, const char *name, PyTypeObject *type) {
  return type && !PyModule_AddObjectRef(module, name, (PyObject *)type);
}

PyMODINIT_FUNC PyInit__imd(void) {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_imd", NULL, -1, NULL};
  if (!is_main_interpreter()) {
    PyErr_SetString(PyExc_ImportError, "the extension works in the main interpreter only");
    return NULL;
  }
  PyObject *module = PyModule_Create(&definition);
  if (module && make_names() && add_type(module, "Library", library_make_type()) &&
      add_type(module, "Value", value_make_type()) &&
      add_type(module, "Iterator", cursor_make_type()) &&
      add_type(module, "Draft", draft_make_type()) &&
      add_type(module, "Guard", guard_make_type()) &&
      add_type(module, "Store", store_make_type()) &&
      add_type(module, "ThreadState", thread_make_type()) &&
      !PyModule_AddStringConstant(module, "VERSION", IMD_VERSION))
    return module;
  Py_XDECREF(module);
  return NULL;
}
