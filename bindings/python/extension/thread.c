/* What a dispatch and its reducer pass to each other: both run on the same thread. */
#include "imd.h"

static _Thread_local Thread state = {.may_repeat = -1};

Thread *current_thread(void) { return &state; }

/* The attributes of any object of the class are those of the thread that asks. */

static PyObject *get(PyObject *exception) { return Py_NewRef(exception ? exception : Py_None); }

static int set(PyObject **exception, PyObject *raised) {
  PyObject *former = *exception;
  *exception = raised && raised != Py_None ? Py_NewRef(raised) : NULL;
  Py_XDECREF(former);
  return 0;
}

static PyObject *get_raised(PyObject *self, void *closure) { return get(state.raised); }

static int set_raised(PyObject *self, PyObject *raised, void *closure) {
  return set(&state.raised, raised);
}

static PyObject *get_interruption(PyObject *self, void *closure) {
  return get(state.interruption);
}

static int set_interruption(PyObject *self, PyObject *raised, void *closure) {
  return set(&state.interruption, raised);
}

static PyObject *get_may_repeat(PyObject *self, void *closure) {
  if (state.may_repeat < 0)
    Py_RETURN_NONE;
  return PyBool_FromLong(state.may_repeat);
}

static int set_may_repeat(PyObject *self, PyObject *may_repeat, void *closure) {
  state.may_repeat = may_repeat == Py_None ? -1 : may_repeat == Py_True;
  return 0;
}

static PyObject *get_running(PyObject *self, void *closure) {
  if (!state.running)
    Py_RETURN_NONE;
  return PyLong_FromSsize_t(state.running);
}

static int set_running(PyObject *self, PyObject *running, void *closure) {
  state.running = running && running != Py_None ? PyLong_AsSsize_t(running) : 0;
  return PyErr_Occurred() ? -1 : 0;
}

PyTypeObject *thread_make_type(void) {
  static PyGetSetDef attributes[] = {{"raised", get_raised, set_raised, NULL},
                                     {"interruption", get_interruption, set_interruption, NULL},
                                     {"may_repeat", get_may_repeat, set_may_repeat, NULL},
                                     {"running", get_running, set_running, NULL},
                                     {NULL}};
  static PyType_Slot slots[] = {{Py_tp_getset, attributes}, {0, NULL}};
  static PyType_Spec spec = {"immutabledata._imd.ThreadState", sizeof(PyObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return (PyTypeObject *)PyType_FromSpec(&spec);
}
