/* The C function of every reducer; its context is the number of the reducer.
 *
 * Only the reducer and the functions of the package run code of Python, and so signal handlers.
 * What a handler raises in them fails the reducer as any exception does. */
#include "imd.h"

#include <string.h>

/* What the reducer gets: each a value or, for the state, a scalar. */
typedef struct {
  PyObject *state, *action, *payload;
} Given;

static PyObject *lend_state(Library *library, const imd_value *handle) {
  switch (library->value_kind(handle)) {
  case IMD_OBJECT:
    return (PyObject *)value_lend(library, library->object_type, handle);
  case IMD_ARRAY:
    return (PyObject *)value_lend(library, library->array_type, handle);
  default:
    return read_part(library, handle, "");
  }
}

/* The action; its scalars, and those of its payload, are those that were dispatched. */
static bool lend_action(Library *library, const imd_value *handle, const Action *sent,
                        Given *given) {
  Value *action = value_lend(library, library->object_type, handle);
  given->action = (PyObject *)action;
  if (!action || !sent)
    return action;
  action->cache = Py_NewRef(sent->members);
  if (!sent->scalars)
    return true;
  Value *payload = value_lend(library, library->object_type, NULL);
  if (!payload)
    return false;
  payload->is_lent = false; /* What it gets is its own. */
  payload->action = action;
  payload->cache = Py_NewRef(sent->scalars);
  given->payload = (PyObject *)payload;
  return !PyDict_SetItem(action->cache, name_payload, given->payload);
}

/* Ends the borrow of what the reducer got; what it kept stays valid. */
static void end_lending(Library *library, Given *given) {
  Value *payload = (Value *)given->payload, *action = (Value *)given->action;
  if (payload) {
    /* The action and this function have the payload, too. */
    if (Py_REFCNT(payload) > 2 || Py_REFCNT(action) > 1)
      value_handle(payload);
    payload->action = NULL;
  }
  if (action)
    value_end_lending(action);
  if (given->state && value_check(library, given->state))
    value_end_lending((Value *)given->state);
  Py_XDECREF(given->payload);
  Py_XDECREF(given->action);
  Py_XDECREF(given->state);
}

/* The function of a reducer; a new reference. */
static PyObject *find_function(Library *library, intptr_t number, const Sent *sent) {
  if (sent)
    return Py_NewRef(sent->function);
  PyObject *key = PyLong_FromSsize_t(number);
  PyObject *function = key ? fall_back(library, FIND_REDUCER, key, NULL) : NULL;
  Py_XDECREF(key);
  return function;
}

/* Passes what a reducer returned to the library. */
static bool pass_on(Library *library, PyObject *result, imd_value **next) {
  PyObject *converted = NULL;
  if (!value_check(library, result)) {
    converted = fall_back(library, CONVERTED, result, NULL);
    if (!converted)
      return false;
    result = converted;
  }
  Value *value = (Value *)result;
  if (Py_REFCNT(value) == 1 && value->handle && !value->is_lent) {
    *next = value->handle; /* Nobody else has it. */
    value->handle = NULL;
  } else {
    const imd_value *handle = value_handle(value);
    *next = handle ? library->value_retain(handle) : NULL;
  }
  Py_XDECREF(converted);
  return *next;
}

PyObject *fetch_raised(void) {
  PyObject *type, *raised, *traceback;
  PyErr_Fetch(&type, &raised, &traceback);
  PyErr_NormalizeException(&type, &raised, &traceback);
  if (traceback && raised)
    PyException_SetTraceback(raised, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return raised;
}

/* Fails the call of a reducer that raised: sets the error, and keeps the exception. */
static imd_status reject(Library *library, imd_error *error) {
  for (int attempt = 0; attempt < 2; attempt++) {
    PyObject *raised = fetch_raised();
    PyObject *address = PyLong_FromVoidPtr(error);
    PyObject *status =
        raised && address ? fall_back(library, REJECTED, raised, address, NULL) : NULL;
    Py_XDECREF(raised);
    Py_XDECREF(address);
    if (status) {
      error->status = PyLong_AsLong(status);
      Py_DECREF(status);
      return error->status;
    }
    /* A signal handler raised: that counts. */
  }
  PyErr_Clear();
  strcpy(error->message, "the reducer failed");
  return error->status = IMD_REDUCER_FAILED;
}

static imd_status call(Library *library, PyObject *function, const imd_value *state, Given *given,
                       imd_value **next, imd_error *error) {
  PyObject *result = PyObject_CallFunctionObjArgs(function, given->state, given->action, NULL);
  bool is_passed = result;
  if (result == given->state)
    *next = (imd_value *)state;
  else if (result)
    is_passed = pass_on(library, result, next);
  Py_XDECREF(result);
  return is_passed ? IMD_OK : reject(library, error);
}

imd_status reducer_call(void *context, const imd_value *state, const imd_value *action,
                        imd_value **next, imd_error *error) {
  intptr_t number = (intptr_t)context;
  Library *library = library_of(number);
  PyGILState_STATE gil = PyGILState_Ensure();
  Thread *thread = current_thread();
  Sent *sent = thread->sent && thread->sent->number == number ? thread->sent : NULL;
  const Action *dispatched = sent ? sent->next++ : NULL;
  thread->sent = NULL;
  if (thread->may_repeat > 0)
    Py_CLEAR(thread->raised); /* Of an earlier action that the reducer rejected. */
  intptr_t outer = thread->running;
  thread->running = number;
  Given given = {NULL, NULL, NULL};
  imd_status status;
  PyObject *function = find_function(library, number, sent);
  given.state = function ? lend_state(library, state) : NULL;
  if (given.state && lend_action(library, action, dispatched, &given))
    status = call(library, function, state, &given, next, error);
  else
    status = reject(library, error);
  thread->running = outer;
  if (sent && sent->next < sent->end && status == IMD_OK)
    thread->sent = sent;
  end_lending(library, &given);
  Py_XDECREF(function);
  PyGILState_Release(gil);
  return status;
}
