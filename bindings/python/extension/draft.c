/* Drafts: what a draft of the package keeps, and what most reducers do with it. The methods of the
 * package, which do everything else, use the same fields; Draft in draft.py says what they mean. */
#include "imd.h"

#include <string.h>

PyTypeObject *draft_type;

/* Deeper drafts are left to Python, which checks its recursion limit. */
enum { MAX_DEPTH = 64 };

/* ---- The base class of drafts --------------------------------------------------------------- */

static PyObject *get_children(PyObject *self, void *closure) {
  Draft *draft = (Draft *)self;
  if (!draft->children)
    draft->children = PyDict_New();
  return draft->children ? Py_NewRef(draft->children) : NULL;
}

static int set_children(PyObject *self, PyObject *children, void *closure) {
  Draft *draft = (Draft *)self;
  if (!children || !PyDict_CheckExact(children)) {
    PyErr_SetString(PyExc_TypeError, "_children must be a dict");
    return -1;
  }
  PyObject *former = draft->children;
  draft->children = Py_NewRef(children);
  Py_XDECREF(former);
  return 0;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Draft *draft = (Draft *)self;
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(draft->original);
  Py_VISIT(draft->current);
  Py_VISIT(draft->pending);
  Py_VISIT(draft->children);
  Py_VISIT(draft->numbering);
  Py_VISIT(draft->scope);
  return 0;
}

static int clear(PyObject *self) {
  Draft *draft = (Draft *)self;
  Py_CLEAR(draft->original);
  Py_CLEAR(draft->current);
  Py_CLEAR(draft->pending);
  Py_CLEAR(draft->children);
  Py_CLEAR(draft->numbering);
  Py_CLEAR(draft->scope);
  return 0;
}

static void deallocate(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyTypeObject *draft_make_type(void) {
  static PyMemberDef members[] = {{"_original", T_OBJECT_EX, offsetof(Draft, original), 0, NULL},
                                  {"_current", T_OBJECT_EX, offsetof(Draft, current), 0, NULL},
                                  {"_pending", T_OBJECT, offsetof(Draft, pending), 0, NULL},
                                  {"_numbering", T_OBJECT, offsetof(Draft, numbering), 0, NULL},
                                  {"_scope", T_OBJECT_EX, offsetof(Draft, scope), 0, NULL},
                                  {"_is_changed", T_BOOL, offsetof(Draft, is_changed), 0, NULL},
                                  {"_is_visited", T_BOOL, offsetof(Draft, is_visited), 0, NULL},
                                  {NULL}};
  static PyGetSetDef attributes[] = {{"_children", get_children, set_children, NULL, NULL},
                                     {NULL}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, deallocate},
                                {Py_tp_traverse, traverse},
                                {Py_tp_clear, clear},
                                {Py_tp_members, members},
                                {Py_tp_getset, attributes},
                                {Py_mp_subscript, draft_subscript},
                                {Py_mp_ass_subscript, draft_assign_subscript},
                                {0, NULL}};
  static PyType_Spec spec = {"immutabledata._imd.Draft", sizeof(Draft), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  return draft_type = (PyTypeObject *)PyType_FromSpec(&spec);
}

/* ---- Fields --------------------------------------------------------------------------------- */

static Draft *make_draft(Library *library, PyObject *original, PyObject *scope) {
  bool is_array = Py_TYPE(original) == library->array_type;
  PyTypeObject *type = is_array ? library->array_draft_type : library->object_draft_type;
  Draft *draft = (Draft *)PyType_GenericAlloc(type, 0);
  if (draft) {
    draft->original = Py_NewRef(original);
    draft->current = Py_NewRef(original);
    draft->scope = Py_NewRef(scope);
  }
  return draft;
}

static Library *library_of_draft(Draft *draft) {
  bool has_value = draft->original && PyObject_TypeCheck(draft->original, value_type);
  return has_value ? ((Value *)draft->original)->library : NULL;
}

/* Whether the children have the keys or indices of their parts; Numbering in numbering.py is left to
 * Python. */
static bool has_steps(Draft *draft) { return !draft->numbering || draft->numbering == Py_None; }

/* The current Value, if the draft is open and its content is here; borrowed. */
static Value *current_of(Draft *draft) {
  Library *library = library_of_draft(draft);
  bool is_open = draft->scope && PyList_Check(draft->scope) && PyList_Size(draft->scope) > 0;
  bool is_usual = library && is_open && has_steps(draft) && draft->current &&
                  value_check(library, draft->current);
  return is_usual ? (Value *)draft->current : NULL;
}

static bool is_array_draft(Draft *draft) {
  Library *library = library_of_draft(draft);
  return library && Py_TYPE(draft) == library->array_draft_type;
}

static bool has_pending(Draft *draft) { return draft->pending && draft->pending != Py_None; }

static bool has_children(Draft *draft) {
  return draft->children && PyDict_Size(draft->children) > 0;
}

static bool add_child(Draft *draft, PyObject *step, PyObject *child, PyObject *part) {
  if (!draft->children && !(draft->children = PyDict_New()))
    return false;
  PyObject *entry = PyTuple_Pack(2, child, part);
  bool is_added = entry && !PyDict_SetItem(draft->children, step, entry);
  Py_XDECREF(entry);
  return is_added;
}

static bool remove_child(Draft *draft, PyObject *step) {
  if (!has_children(draft) || !PyDict_GetItemWithError(draft->children, step))
    return !PyErr_Occurred();
  return !PyDict_DelItem(draft->children, step);
}

/* Replaces the current Value; takes ownership of the new one. */
static void put(Draft *draft, PyObject *content) {
  PyObject *former = draft->current;
  draft->current = content;
  draft->is_changed = true;
  Py_XDECREF(former);
}

/* Writes a part of the current Value. False without an exception for anything unusual. */
static bool write_part(Draft *draft, PyObject *step, PyObject *data) {
  PyObject *changed = value_with((Value *)draft->current, step, data);
  if (changed)
    put(draft, changed);
  return changed;
}

/* Writes the pending change. */
static bool flush(Draft *draft) {
  if (!has_pending(draft))
    return true;
  PyObject *pending = Py_NewRef(draft->pending);
  bool is_written =
      write_part(draft, PyTuple_GetItem(pending, 0), PyTuple_GetItem(pending, 1));
  Py_DECREF(pending);
  if (is_written)
    Py_CLEAR(draft->pending);
  return is_written;
}

/* Whether a step is a key, or an index from 0, as the draft has them. */
static bool is_step(Draft *draft, PyObject *step) {
  if (!is_array_draft(draft))
    return PyUnicode_CheckExact(step);
  if (!PyLong_CheckExact(step))
    return false;
  int overflow;
  long long at = PyLong_AsLongLongAndOverflow(step, &overflow);
  Value *current = (Value *)draft->current;
  const imd_value *handle = value_handle(current);
  return !overflow && handle && at >= 0 &&
         (size_t)at < current->library->value_count(handle);
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The part at a step, as a draft if it is a Value. NULL without an exception: anything unusual. */
static PyObject *find_child(Draft *draft, PyObject *step) {
  PyObject *entry =
      draft->children ? PyDict_GetItemWithError(draft->children, step) : NULL;
  if (entry)
    return Py_NewRef(PyTuple_GetItem(entry, 0));
  if (PyErr_Occurred() || !flush(draft))
    return NULL;
  Library *library = library_of_draft(draft);
  PyObject *part = value_peek((Value *)draft->current, step); /* The children are its cache. */
  if (!part || !value_check(library, part))
    return part;
  PyObject *child = (PyObject *)make_draft(library, part, draft->scope);
  if (child && !add_child(draft, step, child, part))
    Py_CLEAR(child);
  Py_DECREF(part);
  return child;
}

PyObject *draft_subscript(PyObject *self, PyObject *step) {
  Draft *draft = (Draft *)self;
  bool is_usual = current_of(draft) && is_step(draft, step);
  PyObject *part = is_usual ? find_child(draft, step) : NULL;
  if (part || PyErr_Occurred())
    return part;
  bool is_array = is_array_draft(draft);
  return fall_back(library_of_draft(draft), is_array ? ARRAY_DRAFT_GETITEM : OBJECT_DRAFT_GETITEM,
                   self, step, NULL);
}

/* ---- Writing -------------------------------------------------------------------------------- */

static bool is_ascii(PyObject *text) {
  Py_ssize_t length;
  PyObject *owner;
  const char *bytes = utf8_of(text, &length, &owner);
  bool is_ascii = bytes && length == PyUnicode_GetLength(text) && !memchr(bytes, 0, length);
  Py_XDECREF(owner);
  return is_ascii;
}

/* Whether data is certainly valid as a key or scalar of a value; as in draft.py. */
static bool is_simple(PyObject *data) {
  int overflow = 0;
  if (PyLong_CheckExact(data))
    return (PyLong_AsLongLongAndOverflow(data, &overflow), !overflow);
  return PyUnicode_CheckExact(data) ? is_ascii(data) : data == Py_None || PyBool_Check(data);
}

/* Whether the current Value has this scalar at a step. */
static bool has_part(Draft *draft, PyObject *step, PyObject *data) {
  PyObject *part = value_peek((Value *)draft->current, step);
  PyErr_Clear();
  bool is_same = part && Py_TYPE(part) == Py_TYPE(data) &&
                 PyObject_RichCompareBool(part, data, Py_EQ) > 0;
  Py_XDECREF(part);
  return is_same;
}

/* Sets a part to a scalar or a Value. */
static bool set_immutable(Draft *draft, PyObject *step, PyObject *data) {
  if (has_pending(draft) &&
      PyObject_RichCompareBool(PyTuple_GetItem(draft->pending, 0), step, Py_EQ) != 1 &&
      !flush(draft))
    return false;
  if (draft->is_changed || !is_simple(data) || !is_simple(step)) {
    if (!write_part(draft, step, data))
      return false;
    Py_CLEAR(draft->pending);
  } else {
    bool is_same = has_part(draft, step, data);
    PyObject *pending = is_same ? NULL : PyTuple_Pack(2, step, data);
    if (!is_same && !pending)
      return false;
    PyObject *former = draft->pending;
    draft->pending = pending;
    Py_XDECREF(former);
  }
  return remove_child(draft, step);
}

/* Sets a part to a dict or list, which may still change until the reducer returns. */
static bool set_mutable(Draft *draft, PyObject *step, PyObject *data) {
  PyObject *entry =
      draft->children ? PyDict_GetItemWithError(draft->children, step) : NULL;
  if (entry && PyTuple_GetItem(entry, 0) == data)
    return true;
  if (PyErr_Occurred() || !flush(draft))
    return false;
  PyObject *part = value_peek((Value *)draft->current, step);
  bool is_written = part || (!PyErr_Occurred() && write_part(draft, step, Py_None));
  Py_XDECREF(part);
  draft->is_changed |= is_written;
  return is_written && add_child(draft, step, data, Py_None);
}

static bool is_mutable(PyObject *data) {
  return PyDict_CheckExact(data) || PyList_CheckExact(data);
}

static bool set(Draft *draft, PyObject *step, PyObject *data) {
  if (is_scalar(data) || value_check(library_of_draft(draft), data))
    return set_immutable(draft, step, data);
  return is_mutable(data) && set_mutable(draft, step, data);
}

int draft_assign_subscript(PyObject *self, PyObject *step, PyObject *data) {
  Draft *draft = (Draft *)self;
  bool is_usual = data && current_of(draft) && is_step(draft, step);
  if (is_usual && set(draft, step, data))
    return 0;
  if (PyErr_Occurred())
    return -1;
  Library *library = library_of_draft(draft);
  bool is_array = is_array_draft(draft);
  Fallback fallback = data ? (is_array ? ARRAY_DRAFT_SETITEM : OBJECT_DRAFT_SETITEM)
                           : (is_array ? ARRAY_DRAFT_DELITEM : OBJECT_DRAFT_DELITEM);
  PyObject *result = fall_back(library, fallback, self, step, data, NULL);
  Py_XDECREF(result);
  return result ? 0 : -1;
}

/* Adds an element to the end of an array. */
static bool append(Draft *draft, PyObject *data) {
  Library *library = library_of_draft(draft);
  bool is_kept = is_mutable(data);
  if ((!is_kept && !is_scalar(data) && !value_check(library, data)) || !flush(draft))
    return false;
  Value *current = (Value *)draft->current;
  const imd_value *handle = value_handle(current);
  PyObject *step = handle ? PyLong_FromSize_t(library->value_count(handle)) : NULL;
  bool is_done = step && write_part(draft, step, is_kept ? Py_None : data) &&
                 (!is_kept || add_child(draft, step, data, Py_None));
  Py_XDECREF(step);
  return is_done;
}

PyObject *draft_append(PyObject *self, PyObject *data) {
  Draft *draft = (Draft *)self;
  if (current_of(draft) && append(draft, data))
    Py_RETURN_NONE;
  return PyErr_Occurred() ? NULL
                          : fall_back(library_of_draft(draft), DRAFT_APPEND, self, data, NULL);
}

/* ---- The next state ------------------------------------------------------------------------- */

/* A Value, the result so far, and the pointer to the draft that is being written into it. */
typedef struct {
  Library *library;
  PyObject *value;
  Buffer pointer;
  int depth;
} Result;

static bool write_draft(Result *result, Draft *draft, PyObject *written);

/* Replaces the part at the pointer. False without an exception for anything unusual. */
static bool replace(Result *result, PyObject *data) {
  PyObject *changed = result->pointer.length
                          ? value_changed((Value *)result->value, result->pointer.bytes, data)
                          : Py_NewRef(data);
  if (!changed)
    return false;
  Py_DECREF(result->value);
  result->value = changed;
  return true;
}

/* Writes a part of the draft at the pointer. */
static bool write_step(Result *result, PyObject *step, PyObject *data, PyObject *written) {
  size_t length = result->pointer.length;
  bool is_written = pointer_add_step(&result->pointer, step);
  if (is_written && written && PyObject_TypeCheck(data, draft_type))
    is_written = write_draft(result, (Draft *)data, written);
  else
    is_written = is_written && replace(result, data);
  result->pointer.length = length;
  result->pointer.bytes[length] = 0;
  return is_written;
}

static bool write_pending(Result *result, PyObject *pending) {
  Py_INCREF(pending);
  bool is_written =
      write_step(result, PyTuple_GetItem(pending, 0), PyTuple_GetItem(pending, 1), NULL);
  Py_DECREF(pending);
  return is_written;
}

static bool write_child(Result *result, PyObject *step, PyObject *entry) {
  Py_INCREF(step); /* Without the GIL, another thread may use the draft, although it must not. */
  Py_INCREF(entry);
  bool is_written =
      write_step(result, step, PyTuple_GetItem(entry, 0), PyTuple_GetItem(entry, 1));
  Py_DECREF(step);
  Py_DECREF(entry);
  return is_written;
}

static bool write_parts(Result *result, Draft *draft) {
  if (has_pending(draft) && !write_pending(result, draft->pending))
    return false;
  PyObject *step, *entry;
  Py_ssize_t at = 0;
  while (draft->children && PyDict_Next(draft->children, &at, &step, &entry))
    if (!write_child(result, step, entry))
      return false;
  return true;
}

/* The content of a draft that was written to; a new reference. */
static PyObject *make_content(Library *library, Draft *draft, int depth) {
  Result part;
  part.library = library;
  part.value = Py_NewRef(draft->current);
  part.depth = depth;
  buffer_begin(&part.pointer);
  *part.pointer.bytes = 0;
  if (!write_parts(&part, draft))
    Py_CLEAR(part.value);
  buffer_end(&part.pointer);
  if (part.value && value_equals((Value *)part.value, (Value *)draft->original)) {
    Py_DECREF(part.value);
    part.value = Py_NewRef(draft->original);
  }
  return part.value;
}

/* Writes a draft into the result, which has its original there. */
static bool write_draft(Result *result, Draft *draft, PyObject *written) {
  bool is_clean = draft->current == draft->original && !draft->is_changed;
  if (draft->original != written || !result->depth || draft->is_visited || !has_steps(draft))
    return false; /* A draft that was moved or written before, or has shifted children. */
  result->depth--;
  bool is_written;
  if (is_clean) {
    is_written = write_parts(result, draft);
  } else {
    PyObject *content = make_content(result->library, draft, result->depth);
    is_written = content && (content == written || replace(result, content));
    Py_XDECREF(content);
  }
  result->depth++;
  return is_written;
}

/* The final content of a draft; the original if it is equal. */
static PyObject *finish(Library *library, Draft *draft) {
  Result result;
  result.library = library;
  result.value = Py_NewRef(draft->original);
  result.depth = MAX_DEPTH;
  buffer_begin(&result.pointer);
  *result.pointer.bytes = 0;
  if (!current_of(draft) || !write_draft(&result, draft, draft->original))
    Py_CLEAR(result.value);
  buffer_end(&result.pointer);
  if (result.value || PyErr_Occurred())
    return result.value;
  return fall_back(library, DRAFT_FINISH, draft, NULL);
}

/* ---- Drafting reducers ---------------------------------------------------------------------- */

static void close_scope(PyObject *scope) {
  PyObject *type, *raised, *traceback;
  PyErr_Fetch(&type, &raised, &traceback);
  PyList_SetSlice(scope, 0, PyList_Size(scope), NULL);
  PyErr_Restore(type, raised, traceback);
}

static PyObject *next_state(Library *library, PyObject *recipe, Draft *draft,
                            PyObject *action) {
  PyObject *result = PyObject_CallFunctionObjArgs(recipe, draft, action, NULL);
  if (!result)
    return NULL;
  PyObject *next = result == Py_None || result == (PyObject *)draft
                       ? finish(library, draft)
                       : fall_back(library, DRAFT_END, draft, result, NULL);
  Py_DECREF(result);
  return next;
}

PyObject *draft_produce(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  Library *library = (Library *)self;
  if (count != 3 || !value_check(library, arguments[1]))
    return fall_back_vector(library, PRODUCE, NULL, arguments, count, NULL);
  PyObject *scope = PyList_New(1);
  if (!scope)
    return NULL;
  PyList_SetItem(scope, 0, Py_NewRef(Py_None));
  Draft *draft = make_draft(library, arguments[1], scope);
  PyObject *next = draft ? next_state(library, arguments[0], draft, arguments[2]) : NULL;
  close_scope(scope);
  Py_XDECREF(draft);
  Py_DECREF(scope);
  return next;
}
