/* Dispatches, and the state of a store. */
#include "imd.h"

#include <string.h>

/* ---- The base class of stores --------------------------------------------------------------- */

/* _connect(library, address, number, reducer, selectors, is_optimistic, taken) */
static PyObject *connect_store(PyObject *self, PyObject *arguments) {
  Store *store = (Store *)self;
  PyObject *library, *address, *reducer, *selectors, *taken;
  Py_ssize_t number;
  int is_optimistic;
  if (!PyArg_ParseTuple(arguments, "O!OnOO!pO", library_type, &library, &address, &number,
                        &reducer, &PyDict_Type, &selectors, &is_optimistic, &taken))
    return NULL;
  void *handle = PyLong_AsVoidPtr(address);
  if (!handle)
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "NULL");
  store->library = (Library *)library;
  store->number = number;
  store->reducer = reducer == Py_None ? NULL : Py_NewRef(reducer);
  store->selectors = Py_NewRef(selectors);
  store->is_optimistic = is_optimistic;
  store->taken = taken == Py_None ? NULL : Py_NewRef(taken);
  store->handle = handle;
  Py_RETURN_NONE;
}

static PyObject *disconnect_store(PyObject *self, PyObject *none) {
  ((Store *)self)->handle = NULL;
  Py_RETURN_NONE;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Store *store = (Store *)self;
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(store->reducer);
  Py_VISIT(store->selectors);
  Py_VISIT(store->taken);
  return 0;
}

static int clear(PyObject *self) {
  Store *store = (Store *)self;
  Py_CLEAR(store->reducer);
  Py_CLEAR(store->selectors);
  Py_CLEAR(store->taken);
  return 0;
}

static void deallocate(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyTypeObject *store_make_type(void) {
  static PyMethodDef methods[] = {{"_connect", connect_store, METH_VARARGS, NULL},
                                  {"_disconnect", disconnect_store, METH_NOARGS, NULL},
                                  {NULL}};
  static PyType_Slot slots[] = {{Py_tp_methods, methods},
                                {Py_tp_dealloc, deallocate},
                                {Py_tp_traverse, traverse},
                                {Py_tp_clear, clear},
                                {0, NULL}};
  static PyType_Spec spec = {"immutabledata._imd.Store", sizeof(Store), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  return (PyTypeObject *)PyType_FromSpec(&spec);
}

/* ---- Actions -------------------------------------------------------------------------------- */

/* The arguments of a dispatch; NULL where absent. */
typedef struct {
  PyObject *type, *payload, *meta;
} Action;

/* A name, not JSON text, which is refused with a message. */
static bool is_type(PyObject *type) {
  if (!PyUnicode_CheckExact(type))
    return false;
  Py_UCS4 first = PyUnicode_GetLength(type) ? PyUnicode_ReadChar(type, 0) : 0;
  return first != '{' && first != '[';
}

/* Reads the arguments type, payload and meta; false for all others. */
static bool read_arguments(Action *action, PyObject *const *arguments, Py_ssize_t count,
                           PyObject *names) {
  if (count < 1 || count > 2 || !is_type(arguments[0]))
    return false;
  *action = (Action){arguments[0], count > 1 ? arguments[1] : NULL, NULL};
  for (Py_ssize_t at = 0; names && at < PyTuple_Size(names); at++) {
    PyObject *name = PyTuple_GetItem(names, at);
    bool is_payload = PyUnicode_CompareWithASCIIString(name, "payload") == 0;
    if (!is_payload && PyUnicode_CompareWithASCIIString(name, "meta"))
      return false;
    PyObject **place = is_payload ? &action->payload : &action->meta;
    if (*place)
      return false;
    *place = arguments[count + at];
  }
  return true;
}

static bool add_action(Buffer *text, const Action *action) {
  return buffer_add(text, "{\"type\":", 8) && json_add(text, action->type) &&
         (!action->payload ||
          (buffer_add(text, ",\"payload\":", 11) && json_add(text, action->payload))) &&
         (!action->meta || (buffer_add(text, ",\"meta\":", 8) && json_add(text, action->meta))) &&
         buffer_add(text, "}", 1);
}

/* ---- What the reducer sees of an action before it asks the library -------------------------- */

/* A larger payload is read from the library. */
enum { MAX_MEMBERS = 16 };

/* The scalars of a payload, copied: the program may change it meanwhile. */
static PyObject *copy_scalars(PyObject *payload) {
  PyObject *copy = PyDict_Copy(payload), *key, *member;
  Py_ssize_t at = 0;
  while (copy && PyDict_Next(payload, &at, &key, &member))
    if (!is_scalar(member) && PyDict_DelItem(copy, key))
      Py_CLEAR(copy);
  return copy;
}

static bool prepare(Sent *sent, const Action *action) {
  PyObject *payload = action->payload;
  if (!(sent->members = PyDict_New()) ||
      PyDict_SetItem(sent->members, name_type, action->type))
    return false;
  if (!payload)
    return true;
  if (is_scalar(payload))
    return !PyDict_SetItem(sent->members, name_payload, payload);
  if (PyDict_CheckExact(payload) && PyDict_Size(payload) <= MAX_MEMBERS)
    return (sent->payload = copy_scalars(payload));
  return true;
}

/* ---- Dispatch ------------------------------------------------------------------------------- */

/* The state of the thread during a dispatch; an observer may dispatch inside another dispatch. */
typedef struct {
  PyObject *raised;
  int may_repeat;
} Outer;

static imd_status send(Store *store, Buffer *text, Sent *sent, PyObject **raised,
                       imd_error *error) {
  Thread *thread = current_thread();
  Outer outer = {thread->raised, thread->may_repeat};
  thread->sent = sent->function ? sent : NULL;
  thread->raised = NULL;
  thread->may_repeat = 0;
  imd_status status;
  Library *library = store->library;
  imd_store *handle = store->handle;
  Py_BEGIN_ALLOW_THREADS
  status = library->store_dispatch(handle, text->bytes, text->length, error);
  Py_END_ALLOW_THREADS
  *raised = thread->raised;
  thread->sent = NULL;
  thread->raised = outer.raised;
  thread->may_repeat = outer.may_repeat;
  return status;
}

static PyObject *fail(PyObject *self, const Action *action, PyObject *raised,
                      const imd_error *error) {
  Library *library = ((Store *)self)->library;
  PyObject *whole = PyDict_New();
  PyObject *bytes = PyBytes_FromStringAndSize((const char *)error, sizeof *error);
  PyObject *result = NULL;
  if (whole && bytes && !PyDict_SetItemString(whole, "type", action->type) &&
      (!action->payload || !PyDict_SetItemString(whole, "payload", action->payload)) &&
      (!action->meta || !PyDict_SetItemString(whole, "meta", action->meta)))
    result = fall_back(library, DISPATCH_FAILED, self, whole, bytes, raised ? raised : Py_None,
                       NULL);
  Py_XDECREF(whole);
  Py_XDECREF(bytes);
  return result;
}

/* Whether the package has nothing to say about a type. */
static bool is_taken(Store *store, const Action *action) {
  bool is_taken = !store->taken || PySet_Contains(store->taken, action->type) > 0;
  PyErr_Clear();
  return is_taken;
}

/* Ends a dispatch of the library as the method of the package does. */
static PyObject *finish(PyObject *self, const Action *action, imd_status status, PyObject *raised,
                        const imd_error *error) {
  Store *store = (Store *)self;
  if (status)
    return fail(self, action, raised, error);
  if (PyDict_Size(store->selectors) > 0)
    return fall_back(store->library, DISPATCHED, self, NULL);
  Py_RETURN_NONE;
}

PyObject *store_dispatch(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                         PyObject *names) {
  Store *store = (Store *)self;
  Action action;
  if (!store->handle || current_thread()->running ||
      !read_arguments(&action, arguments, count, names) ||
      (action.meta && store->is_optimistic) || !is_taken(store, &action))
    return fall_back_vector(store->library, STORE_DISPATCH, self, arguments, count, names);
  Buffer text;
  buffer_begin(&text);
  Sent sent = {store->number, store->reducer, NULL, NULL};
  PyObject *raised = NULL, *result = NULL;
  imd_error error;
  bool is_written = add_action(&text, &action);
  bool is_prepared = is_written && (!store->reducer || prepare(&sent, &action));
  imd_status status = is_prepared ? send(store, &text, &sent, &raised, &error) : IMD_OK;
  buffer_end(&text);
  /* After a wait for room in a stream, it is repeated there: nothing has happened. */
  bool has_waited = status == IMD_TIMEOUT && !raised;
  if (!is_written || has_waited)
    result = fall_back_vector(store->library, STORE_DISPATCH, self, arguments, count, names);
  else if (is_prepared)
    result = finish(self, &action, status, raised, &error);
  Py_XDECREF(sent.members);
  Py_XDECREF(sent.payload);
  Py_XDECREF(raised);
  return result;
}

/* ---- State ---------------------------------------------------------------------------------- */

PyObject *store_state(PyObject *self, void *closure) {
  Store *store = (Store *)self;
  imd_value *state = NULL;
  imd_store *handle = store->handle;
  if (handle && !current_thread()->running) {
    Library *library = store->library;
    Py_BEGIN_ALLOW_THREADS
    library->store_state(handle, &state, NULL);
    Py_END_ALLOW_THREADS
  }
  return state ? take(store->library, state)
               : fall_back(store->library, STORE_STATE, self, NULL);
}
