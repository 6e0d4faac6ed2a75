/* Outputs of selectors and queries. */
#include "imd.h"

typedef imd_status (*Select)(imd_store *, const char *, const imd_value *, const imd_value *,
                             imd_value **, imd_error *);

/* ---- Arguments ------------------------------------------------------------------------------ */

/* How many recent arguments are kept as values, and of what length: a program selects again and
 * again with the same ones, and making a value takes longer than an output that has not changed. */
enum { MAX_KEPT = 64, MAX_LENGTH = 256 };

static bool add_arguments(Buffer *text, PyObject *const *values, PyObject *names) {
  const char *before = "{";
  for (Py_ssize_t at = 0; at < PyTuple_Size(names); at++) {
    PyObject *name = PyTuple_GetItem(names, at);
    if (PyUnicode_CompareWithASCIIString(name, "budget") == 0 ||
        PyUnicode_CompareWithASCIIString(name, "arguments") == 0 ||
        !buffer_add(text, before, 1) || !json_add(text, name) || !buffer_add(text, ":", 1) ||
        !json_add(text, values[at]))
      return false;
    before = ",";
  }
  return buffer_add(text, "}", 1);
}

static void keep(Library *library, PyObject *key, PyObject *value) {
  if (PyDict_Size(library->arguments) >= MAX_KEPT)
    PyDict_Clear(library->arguments);
  PyDict_SetItem(library->arguments, key, value);
}

/* The value of the arguments; NULL without an exception for anything unusual. */
static PyObject *make_arguments(Library *library, PyObject *const *values, PyObject *names) {
  Buffer text;
  buffer_begin(&text);
  PyObject *made = NULL, *key = NULL;
  if (add_arguments(&text, values, names) && text.length <= MAX_LENGTH &&
      (key = PyBytes_FromStringAndSize(text.bytes, text.length))) {
    imd_value *handle;
    made = PyDict_GetItemWithError(library->arguments, key);
    Py_XINCREF(made);
    if (!made && !PyErr_Occurred() &&
        !library->value_parse(text.bytes, text.length, &handle, NULL) &&
        (made = value_adopt(library, library->object_type, handle)))
      keep(library, key, made);
  }
  PyErr_Clear();
  Py_XDECREF(key);
  buffer_end(&text);
  return made;
}

/* ---- Select --------------------------------------------------------------------------------- */

static PyObject *fail(PyObject *self, const imd_error *error) {
  PyObject *bytes = PyBytes_FromStringAndSize((const char *)error, sizeof *error);
  PyObject *result =
      bytes ? fall_back(((Store *)self)->library, SELECT_FAILED, self, bytes, NULL) : NULL;
  Py_XDECREF(bytes);
  return result;
}

static PyObject *call(PyObject *self, Select select, const char *name, PyObject *given) {
  Store *store = (Store *)self;
  Library *library = store->library;
  const imd_value *handle = given ? value_handle((Value *)given) : NULL;
  imd_store *opened = store->handle;
  imd_value *out;
  imd_error error;
  imd_status status;
  Py_BEGIN_ALLOW_THREADS
  status = select(opened, name, handle, NULL, &out, &error);
  Py_END_ALLOW_THREADS
  return status ? fail(self, &error) : take(library, out);
}

/* The text of an exact str as a C string; NULL without an exception if it is none. */
static const char *c_string(PyObject *text) {
  Py_ssize_t length;
  const char *bytes = PyUnicode_CheckExact(text) ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
  for (Py_ssize_t at = 0; bytes && at < length; at++)
    if (!bytes[at])
      return NULL;
  if (!bytes)
    PyErr_Clear();
  return bytes;
}

static PyObject *output(PyObject *self, Fallback fallback, PyObject *const *arguments,
                        Py_ssize_t count, PyObject *names) {
  Store *store = (Store *)self;
  Library *library = store->library;
  bool is_usual = store->handle && count == 1 && !current_thread()->running;
  const char *name = is_usual ? c_string(arguments[0]) : NULL;
  bool has_arguments = names && PyTuple_Size(names);
  PyObject *given = name && has_arguments ? make_arguments(library, arguments + 1, names) : NULL;
  if (!name || (has_arguments && !given))
    return fall_back_vector(library, fallback, self, arguments, count, names);
  Select select = fallback == STORE_SELECT ? library->store_select_value
                                           : library->store_query_value;
  PyObject *result = call(self, select, name, given);
  Py_XDECREF(given);
  return result;
}

PyObject *store_select(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *names) {
  return output(self, STORE_SELECT, arguments, count, names);
}

PyObject *store_query(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                      PyObject *names) {
  return output(self, STORE_QUERY, arguments, count, names);
}
