/* The functions of the package that the library calls through ctypes.
 *
 * A signal handler runs between any two instructions of Python, also before the first one of such a
 * function, where that cannot catch what the handler raises. ctypes only prints it. So a guard, in
 * which no code of Python runs, stands before the function. */
#include "imd.h"

typedef struct {
  PyObject_HEAD
  PyObject *function, *escaped, *result;
} Guard;

/* Guard(function, escaped, result): calls function. What leaves it is passed to escaped, which
   returns whether that counts as handled; the call then returns result. */
static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *names) {
  PyObject *function, *escaped, *result;
  (void)names;
  if (!PyArg_ParseTuple(arguments, "OOO", &function, &escaped, &result))
    return NULL;
  Guard *guard = (Guard *)PyType_GenericAlloc(type, 0);
  if (!guard)
    return NULL;
  guard->function = Py_NewRef(function);
  guard->escaped = Py_NewRef(escaped);
  guard->result = Py_NewRef(result);
  return (PyObject *)guard;
}

static PyObject *call(PyObject *self, PyObject *arguments, PyObject *names) {
  Guard *guard = (Guard *)self;
  PyObject *result = PyObject_Call(guard->function, arguments, names);
  /* A second signal may interrupt escaped. */
  for (int attempt = 0; !result && attempt < 3; attempt++) {
    PyObject *raised = fetch_raised();
    PyObject *is_handled =
        raised ? PyObject_CallFunctionObjArgs(guard->escaped, raised, NULL) : NULL;
    if (is_handled == Py_True)
      result = Py_NewRef(guard->result);
    else if (is_handled)
      PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_XDECREF(raised);
    Py_XDECREF(is_handled);
    if (is_handled)
      break;
  }
  return result;
}

static void deallocate(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Guard *guard = (Guard *)self;
  Py_XDECREF(guard->function);
  Py_XDECREF(guard->escaped);
  Py_XDECREF(guard->result);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyTypeObject *guard_make_type(void) {
  static PyType_Slot slots[] = {
      {Py_tp_new, make}, {Py_tp_call, call}, {Py_tp_dealloc, deallocate}, {0, NULL}};
  static PyType_Spec spec = {"immutabledata._imd.Guard", sizeof(Guard), 0, Py_TPFLAGS_DEFAULT,
                             slots};
  return (PyTypeObject *)PyType_FromSpec(&spec);
}
