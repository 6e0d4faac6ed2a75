/* Dispatches, and the state of a store. */
#include "imd.h"

#include <string.h>

/* ---- The base class of stores --------------------------------------------------------------- */

/* _connect(library, address, number, reducer, selectors, is_optimistic, shares_log, taken,
   classes) */
static PyObject *connect_store(PyObject *self, PyObject *arguments) {
  Store *store = (Store *)self;
  PyObject *library, *address, *reducer, *selectors, *taken, *classes;
  Py_ssize_t number;
  int is_optimistic, shares_log;
  if (!PyArg_ParseTuple(arguments, "O!OnOO!ppOO!", library_type, &library, &address, &number,
                        &reducer, &PyDict_Type, &selectors, &is_optimistic, &shares_log, &taken,
                        &PyDict_Type, &classes))
    return NULL;
  void *handle = PyLong_AsVoidPtr(address);
  if (!handle)
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "NULL");
  store->library = (Library *)library;
  store->number = number;
  store->reducer = reducer == Py_None ? NULL : Py_NewRef(reducer);
  store->selectors = Py_NewRef(selectors);
  store->is_optimistic = is_optimistic;
  store->shares_log = shares_log;
  store->taken = taken == Py_None ? NULL : Py_NewRef(taken);
  store->classes = Py_NewRef(classes);
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
  Py_VISIT(store->classes);
  return 0;
}

static int clear(PyObject *self) {
  Store *store = (Store *)self;
  Py_CLEAR(store->reducer);
  Py_CLEAR(store->selectors);
  Py_CLEAR(store->taken);
  Py_CLEAR(store->classes);
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

static void release(Action *action) {
  PyObject *references[] = {action->type, action->payload, action->meta, action->members,
                            action->scalars};
  for (size_t at = 0; at < sizeof references / sizeof *references; at++)
    Py_XDECREF(references[at]);
}

/* A name, not JSON text, which is refused with a message. */
static bool is_type(PyObject *type) {
  if (!PyUnicode_CheckExact(type))
    return false;
  Py_UCS4 first = PyUnicode_GetLength(type) ? PyUnicode_ReadChar(type, 0) : 0;
  return first != '{' && first != '[';
}

static bool is_name(PyObject *key, PyObject *name, const char *text) {
  return key == name || PyUnicode_CompareWithASCIIString(key, text) == 0;
}

/* Sets the member of an action with a name, once; false for any other. */
static bool set_member(Action *action, PyObject *name, PyObject *member) {
  PyObject **place = is_name(name, name_payload, "payload") ? &action->payload
                     : is_name(name, name_type, "type")     ? &action->type
                     : is_name(name, name_meta, "meta")     ? &action->meta
                                                            : NULL;
  if (!place || *place)
    return false;
  *place = Py_NewRef(member);
  return true;
}

/* Reads a whole action, a dict; false for anything unusual. */
static bool read_dict(Action *action, PyObject *members) {
  PyObject *key, *member;
  Py_ssize_t at = 0;
  /* Nothing here runs code of Python, which could change the dict. Later code may: so the action
     has references of its own. */
  while (PyDict_Next(members, &at, &key, &member))
    if (!PyUnicode_CheckExact(key) || !set_member(action, key, member))
      return false;
  return action->type && PyUnicode_CheckExact(action->type);
}

/* Reads an instance of a class of actions, which a function of the package makes a tuple of its
   type and payload; false for all others. */
static bool read_instance(const Store *store, Action *action, PyObject *given) {
  PyObject *write = PyDict_GetItemWithError(store->classes, (PyObject *)Py_TYPE(given));
  PyObject *written = write ? PyObject_CallFunctionObjArgs(write, given, NULL) : NULL;
  Py_ssize_t count = written && PyTuple_CheckExact(written) ? PyTuple_Size(written) : 0;
  if (count > 0)
    action->type = Py_NewRef(PyTuple_GetItem(written, 0));
  if (count > 1)
    action->payload = Py_NewRef(PyTuple_GetItem(written, 1));
  Py_XDECREF(written);
  return count > 0 && PyUnicode_CheckExact(action->type);
}

/* Reads an action: a type, a dict or an instance; false for all others. */
static bool read_action(const Store *store, Action *action, PyObject *given) {
  if (PyDict_CheckExact(given))
    return read_dict(action, given);
  if (!PyUnicode_CheckExact(given))
    return read_instance(store, action, given);
  if (!is_type(given))
    return false;
  action->type = Py_NewRef(given);
  return true;
}

/* Reads the arguments action, payload and meta; false for all others. */
static bool read_arguments(const Store *store, Action *action, PyObject *const *arguments,
                           Py_ssize_t count, PyObject *names) {
  Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  if (count < 1 || count > 2 || !read_action(store, action, arguments[0]))
    return false;
  if (count + named > 1 && PyDict_CheckExact(arguments[0]))
    return false;
  bool is_instance = !PyUnicode_CheckExact(arguments[0]);
  if (count > 1 && is_instance)
    return false;
  if (count > 1)
    action->payload = Py_NewRef(arguments[1]);
  for (Py_ssize_t at = 0; at < named; at++) {
    PyObject *name = PyTuple_GetItem(names, at);
    if ((is_instance && !is_name(name, name_meta, "meta")) ||
        !set_member(action, name, arguments[count + at]))
      return false;
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

/* The action as a dict. */
static PyObject *make_dict(const Action *action) {
  PyObject *whole = PyDict_New();
  if (whole && !PyDict_SetItem(whole, name_type, action->type) &&
      (!action->payload || !PyDict_SetItem(whole, name_payload, action->payload)) &&
      (!action->meta || !PyDict_SetItem(whole, name_meta, action->meta)))
    return whole;
  Py_XDECREF(whole);
  return NULL;
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

static bool prepare(Action *action) {
  PyObject *payload = action->payload;
  if (!(action->members = PyDict_New()) ||
      PyDict_SetItem(action->members, name_type, action->type))
    return false;
  if (!payload)
    return true;
  if (is_scalar(payload))
    return !PyDict_SetItem(action->members, name_payload, payload);
  if (PyDict_CheckExact(payload) && PyDict_Size(payload) <= MAX_MEMBERS)
    return (action->scalars = copy_scalars(payload));
  return true;
}

/* ---- Dispatch ------------------------------------------------------------------------------- */

/* The actions of a call. */
typedef struct {
  Action *actions;
  Py_ssize_t count;
  bool is_batch;
} Call;

/* The state of the thread during a dispatch; an observer may dispatch inside another dispatch. */
typedef struct {
  PyObject *raised, *interruption;
  int may_repeat;
} Outer;

/* What callbacks have raised in a dispatch: the reducer, and what interrupted another one. */
typedef struct {
  PyObject *by_reducer, *interruption;
} Raised;

static imd_status send(Store *store, const Call *call, const Buffer *text, Raised *raised,
                       imd_error *error) {
  Thread *thread = current_thread();
  Outer outer = {thread->raised, thread->interruption, thread->may_repeat};
  Sent sent = {store->number, store->reducer, call->actions, call->actions + call->count};
  /* In a store that shares its log, the reducer is first called for actions of others. */
  thread->sent = sent.function && !store->shares_log ? &sent : NULL;
  thread->raised = thread->interruption = NULL;
  thread->may_repeat = (call->is_batch || store->shares_log) && store->reducer;
  imd_status status;
  Library *library = store->library;
  imd_store *handle = store->handle;
  __typeof__(library->store_dispatch) dispatch =
      call->is_batch ? library->store_dispatch_batch : library->store_dispatch;
  Py_BEGIN_ALLOW_THREADS
  status = dispatch(handle, text->bytes, text->length, error);
  Py_END_ALLOW_THREADS
  *raised = (Raised){thread->raised, thread->interruption};
  thread->sent = NULL;
  thread->raised = outer.raised;
  thread->interruption = outer.interruption;
  thread->may_repeat = outer.may_repeat;
  return status;
}

/* What the package calls the whole: a dict, or a list of dicts for a batch. */
static PyObject *make_whole(const Call *call) {
  if (!call->is_batch)
    return make_dict(call->actions);
  PyObject *whole = PyList_New(call->count);
  for (Py_ssize_t at = 0; whole && at < call->count; at++) {
    PyObject *action = make_dict(&call->actions[at]);
    if (!action || PyList_SetItem(whole, at, action))
      Py_CLEAR(whole);
  }
  return whole;
}

static PyObject *fail(PyObject *self, const Call *call, PyObject *raised, const imd_error *error) {
  PyObject *whole = make_whole(call);
  PyObject *bytes = PyBytes_FromStringAndSize((const char *)error, sizeof *error);
  PyObject *result = NULL;
  if (whole && bytes)
    result = fall_back(((Store *)self)->library, DISPATCH_FAILED, self, whole, bytes,
                       raised ? raised : Py_None, NULL);
  Py_XDECREF(whole);
  Py_XDECREF(bytes);
  return result;
}

/* Raises what interrupted a callback, after the dispatch has ended, or failed with an exception. */
static PyObject *interrupt(PyObject *interruption) {
  PyObject *failure = PyErr_Occurred() ? fetch_raised() : NULL;
  if (failure && failure != interruption)
    PyException_SetContext(interruption, Py_NewRef(failure));
  Py_XDECREF(failure);
  PyErr_SetObject((PyObject *)Py_TYPE(interruption), interruption);
  return NULL;
}

/* Whether a dispatch has waited for room in a stream, and not for the file of a shared log. */
static bool is_full(const imd_error *error) {
  return !strncmp(error->message, "a stream ", 9);
}

/* Waits again, for room in a stream: nothing has happened, and the package repeats it. */
static PyObject *repeat(PyObject *self, const Call *call) {
  PyObject *whole = make_whole(call);
  Fallback method = call->is_batch ? STORE_DISPATCH_BATCH : STORE_DISPATCH;
  PyObject *result =
      whole ? fall_back(((Store *)self)->library, method, self, whole, NULL) : NULL;
  Py_XDECREF(whole);
  return result;
}

/* Writes actions as JSON, and notes what the reducer gets; false without an exception for anything
   unusual. */
static bool write_actions(const Store *store, const Call *call, Buffer *text) {
  if (call->is_batch && !buffer_add(text, "[", 1))
    return false;
  for (Py_ssize_t at = 0; at < call->count; at++)
    if ((at && !buffer_add(text, ",", 1)) || !add_action(text, &call->actions[at]))
      return false;
  if (call->is_batch && !buffer_add(text, "]", 1))
    return false;
  for (Py_ssize_t at = 0; store->reducer && at < call->count; at++)
    if (!prepare(&call->actions[at]))
      return false;
  return true;
}

/* Dispatches actions as the method of the package does; NULL without an exception for anything
   unusual. */
static PyObject *dispatch(PyObject *self, const Call *call) {
  Store *store = (Store *)self;
  Buffer text;
  buffer_begin(&text);
  Raised raised = {NULL, NULL};
  PyObject *result = NULL;
  if (write_actions(store, call, &text)) {
    imd_error error;
    imd_status status = send(store, call, &text, &raised, &error);
    if (status == IMD_TIMEOUT && !raised.by_reducer && is_full(&error))
      result = repeat(self, call);
    else if (status)
      result = fail(self, call, raised.by_reducer, &error);
    else if (PyDict_Size(store->selectors) > 0)
      result = fall_back(store->library, DISPATCHED, self, NULL);
    else
      result = Py_NewRef(Py_None);
  }
  if (raised.interruption) {
    Py_CLEAR(result);
    interrupt(raised.interruption);
  }
  buffer_end(&text);
  Py_XDECREF(raised.by_reducer);
  Py_XDECREF(raised.interruption);
  return result;
}

/* Whether the package has nothing to say about a type. */
static bool is_taken(Store *store, const Action *action) {
  bool is_taken = !store->taken || PySet_Contains(store->taken, action->type) > 0;
  PyErr_Clear();
  return is_taken;
}

/* Whether an action may lead to calls of the reducer for earlier ones. */
static bool may_roll_back(const Store *store, const Action *action) {
  return action->meta && store->is_optimistic;
}

PyObject *store_dispatch(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                         PyObject *names) {
  Store *store = (Store *)self;
  Action action = {NULL};
  PyObject *result = NULL;
  if (store->handle && !current_thread()->running &&
      read_arguments(store, &action, arguments, count, names) && !may_roll_back(store, &action) &&
      is_taken(store, &action))
    result = dispatch(self, &(Call){&action, 1, false});
  release(&action);
  return result || PyErr_Occurred()
             ? result
             : fall_back_vector(store->library, STORE_DISPATCH, self, arguments, count, names);
}

/* Dispatches the elements of a list or tuple, as dispatch. */
static PyObject *dispatch_all(PyObject *self, PyObject *given, Action *actions, Py_ssize_t count) {
  bool is_list = PyList_CheckExact(given);
  for (Py_ssize_t at = 0; at < count; at++) {
    PyObject *action = is_list ? PyList_GetItem(given, at) : PyTuple_GetItem(given, at);
    if (!read_action((Store *)self, &actions[at], action) || may_roll_back((Store *)self, &actions[at]))
      return NULL;
  }
  return dispatch(self, &(Call){actions, count, true});
}

PyObject *store_dispatch_batch(PyObject *self, PyObject *given) {
  Store *store = (Store *)self;
  PyObject *result = NULL;
  Py_ssize_t count = PyList_CheckExact(given)    ? PyList_Size(given)
                     : PyTuple_CheckExact(given) ? PyTuple_Size(given)
                                                 : 0;
  bool is_usual = count && store->handle && !current_thread()->running;
  Action *actions = is_usual ? PyMem_Calloc(count, sizeof *actions) : NULL;
  if (actions) {
    result = dispatch_all(self, given, actions, count);
    for (Py_ssize_t at = 0; at < count; at++)
      release(&actions[at]);
    PyMem_Free(actions);
  }
  return result || PyErr_Occurred()
             ? result
             : fall_back(store->library, STORE_DISPATCH_BATCH, self, given, NULL);
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
