/* The C extension of the Python package: the most frequent calls, without ctypes.
 *
 * It stands before the package, not in its place. Each function here handles the usual arguments of
 * one method of the package. For all others, and to report an error, it calls that method, which
 * uses ctypes and is complete. So both ways have the same rules and messages.
 *
 * Every function holds the GIL, and releases it only around calls of the library that can wait or
 * take long. The files: library.c the functions and classes that belong to one library, value.c the
 * type of values, reading.c, cursor.c and changing.c their
 * methods, draft.c drafts, store.c and select.c those of stores,
 * reducer.c the calls of reducers, thread.c what these pass to each other, guard.c the calls of
 * other functions, pointer.c and json.c text, module.c the module. */
#ifndef IMD_EXTENSION_H
#define IMD_EXTENSION_H

#define Py_LIMITED_API 0x030A0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <immutabledata.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- library.c ------------------------------------------------------------------------------ */

/* The functions of the library that are called here. */
#define FUNCTIONS(X)                                                                               \
  X(cursor_close)                                                                                  \
  X(cursor_next)                                                                                   \
  X(cursor_open)                                                                                   \
  X(free)                                                                                          \
  X(store_dispatch)                                                                                \
  X(store_dispatch_batch)                                                                          \
  X(store_query_value)                                                                             \
  X(store_select_value)                                                                            \
  X(store_state)                                                                                   \
  X(value_count)                                                                                   \
  X(value_equal)                                                                                   \
  X(value_get)                                                                                     \
  X(value_identical)                                                                               \
  X(value_insert)                                                                                  \
  X(value_kind)                                                                                    \
  X(value_parse)                                                                                   \
  X(value_read)                                                                                    \
  X(value_release)                                                                                 \
  X(value_remove)                                                                                  \
  X(value_retain)                                                                                  \
  X(value_set)                                                                                     \
  X(value_set_bool)                                                                                \
  X(value_set_integer)                                                                             \
  X(value_set_real)                                                                                \
  X(value_set_string)                                                                              \
  X(value_text)

/* The functions of the package that are called for what is not handled here. */
typedef enum {
  OBJECT_GETITEM,
  OBJECT_CONTAINS,
  ARRAY_GETITEM,
  VALUE_LEN,
  VALUE_AT,
  VALUE_SET,
  VALUE_REMOVE,
  VALUE_INSERT,
  VALUE_IS_IDENTICAL,
  VALUE_HAS_SAME_JSON,
  VALUE_TO_JSON,
  OBJECT_GET,
  MAKE_VALUE, /* (data): the Value, or the scalar */
  OBJECT_DRAFT_GETITEM,
  OBJECT_DRAFT_SETITEM,
  OBJECT_DRAFT_DELITEM,
  ARRAY_DRAFT_GETITEM,
  ARRAY_DRAFT_SETITEM,
  ARRAY_DRAFT_DELITEM,
  DRAFT_APPEND,
  DRAFT_FINISH,
  DRAFT_END, /* (draft, what the reducer returned): the next state */
  PRODUCE,   /* (reducer, state, action): the next state */
  STORE_DISPATCH,
  STORE_DISPATCH_BATCH,
  STORE_SELECT,
  STORE_QUERY,
  STORE_STATE,
  DISPATCH_FAILED, /* (store, action or list of them, bytes of the imd_error, exception or None) */
  DISPATCHED,      /* (store, type): after a dispatch that may need a warning */
  SELECT_FAILED,   /* (store, bytes of the imd_error) */
  FIND_REDUCER,    /* (number) -> function */
  REJECTED,        /* (exception, address of the imd_error) -> status */
  CONVERTED,       /* (what a reducer returned) -> reference */
  FALLBACK_COUNT
} Fallback;

/* A loaded library: its functions, and the classes of the instance of the package that uses it. It
 * lives until the process ends, as the loaded library does. */
typedef struct {
  PyObject_HEAD
#define DECLARE(name) __typeof__(&imd_##name) name;
  FUNCTIONS(DECLARE)
#undef DECLARE
  PyTypeObject *object_type, *array_type;
  PyTypeObject *object_draft_type, *array_draft_type;
  PyObject *fallbacks[FALLBACK_COUNT];
  PyObject *arguments; /* recent arguments of selectors: their text, and the value */
} Library;

extern PyTypeObject *library_type;
PyTypeObject *library_make_type(void);

/* The library whose reducers have a number; NULL if there is none. */
Library *library_of(intptr_t number);

/* Calls a function of the package; the arguments end with NULL. */
PyObject *fall_back(Library *library, Fallback fallback, ...);

/* Calls it with the arguments of a vectorcall, after self. */
PyObject *fall_back_vector(Library *library, Fallback fallback, PyObject *self,
                           PyObject *const *arguments, Py_ssize_t count, PyObject *names);

/* ---- value.c -------------------------------------------------------------------------------- */

/* A reference to a value of the library.
 *
 * A *lent* one has the handle that a reducer was handed, which is borrowed until the reducer
 * returns. If it was kept until then, or its handle leaves this extension before, it gets a handle
 * of its own. The payload of a lent action has no handle before somebody needs one. */
typedef struct Value {
  PyObject_HEAD
  Library *library;
  imd_value *handle;
  PyObject *cache;     /* a dict of members that were read; or NULL */
  PyObject *hash;      /* an int, once it was computed; or NULL */
  PyObject *references; /* weak ones */
  struct Value *action; /* of a payload without a handle; borrowed until the reducer returns */
  bool is_lent;
} Value;

extern PyTypeObject *value_type;
PyTypeObject *value_make_type(void);

/* Makes an object that owns a handle; releases the handle if it fails. */
PyObject *value_adopt(Library *library, PyTypeObject *type, imd_value *handle);

/* Makes a lent object for a borrowed handle. */
Value *value_lend(Library *library, PyTypeObject *type, const imd_value *handle);

/* Ends the borrow: if others than the caller have the object, it gets a handle of its own. */
void value_end_lending(Value *value);

/* The handle, valid while the GIL is held; NULL without an exception if it cannot be had. */
const imd_value *value_handle(Value *value);

/* Gives a value a handle of its own, if its handle is borrowed. */
bool value_own(Value *value);

/* Whether an object is a value of a library. */
bool value_check(Library *library, PyObject *object);

/* ---- reading.c ------------------------------------------------------------------------------ */

/* Reads a part for Python. NULL without an exception: there is no such part, or the call failed. */
PyObject *read_part(Library *library, const imd_value *handle, const char *pointer);

/* Converts an owned handle for Python, and releases it or passes it on. */
PyObject *take(Library *library, imd_value *handle);

/* The part at a key or an index, which may be cached then; without caching it. NULL without an
 * exception for anything unusual. */
PyObject *value_item(Value *value, PyObject *step);
PyObject *value_peek(Value *value, PyObject *step);

PyObject *value_subscript(PyObject *self, PyObject *key);
PyObject *object_get(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                     PyObject *names);
PyObject *value_contains(PyObject *self, PyObject *key);
PyObject *value_is_identical(PyObject *self, PyObject *other);
PyObject *value_has_same_json(PyObject *self, PyObject *other);
PyObject *value_length(PyObject *self, PyObject *none);
PyObject *value_to_json(PyObject *self, PyObject *none);
PyObject *value_at(PyObject *self, PyObject *path);

/* ---- changing.c ----------------------------------------------------------------------------- */

/* The value with the part at a pointer replaced; NULL without an exception for anything unusual. */
PyObject *value_changed(Value *value, const char *pointer, PyObject *data);

/* The value with the part at a key or an index replaced, as value_changed. */
PyObject *value_with(Value *value, PyObject *step, PyObject *data);

/* Whether two values are the same as JSON. */
bool value_equals(Value *left, Value *right);

PyObject *value_set(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
PyObject *value_insert(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
PyObject *value_remove(PyObject *self, PyObject *path);

/* value(data): a method of Library. */
PyObject *make_value(PyObject *self, PyObject *data);

/* ---- cursor.c ------------------------------------------------------------------------------- */

PyTypeObject *cursor_make_type(void);

/* keys(object), values(container), items(object): methods of Library. */
PyObject *iterate_keys(PyObject *self, PyObject *object);
PyObject *iterate_values(PyObject *self, PyObject *container);
PyObject *iterate_items(PyObject *self, PyObject *object);

/* ---- draft.c -------------------------------------------------------------------------------- */

/* The fields of Draft in draft.py. */
typedef struct {
  PyObject_HEAD
  PyObject *original, *current; /* Values */
  PyObject *pending;            /* a tuple of a step and a scalar; NULL or None */
  PyObject *children;           /* a dict of tuples: a part, the Value written for it; or NULL */
  PyObject *numbering;          /* a Numbering; NULL or None */
  PyObject *scope;              /* a list */
  char is_changed, is_visited;
} Draft;

extern PyTypeObject *draft_type;
PyTypeObject *draft_make_type(void);

PyObject *draft_subscript(PyObject *self, PyObject *step);
int draft_assign_subscript(PyObject *self, PyObject *step, PyObject *data);
PyObject *draft_append(PyObject *self, PyObject *data);

/* produce(reducer, state, action): a method of Library. */
PyObject *draft_produce(PyObject *self, PyObject *const *arguments, Py_ssize_t count);

/* ---- pointer.c ------------------------------------------------------------------------------ */

/* Text that grows; begins without memory of its own. */
typedef struct {
  char *bytes;
  size_t length, capacity;
  char first[1000];
} Buffer;

void buffer_begin(Buffer *buffer);
void buffer_end(Buffer *buffer);
bool buffer_reserve(Buffer *buffer, size_t more);
bool buffer_add(Buffer *buffer, const char *bytes, size_t length);
bool buffer_add_integer(Buffer *buffer, long long integer);

/* Writes a step or a path as a JSON Pointer that ends with NUL. False without an exception: it is
 * not an exact str, an index, or a tuple of these; or no value has such a path. */
bool pointer_add_step(Buffer *buffer, PyObject *step);
bool pointer_add_path(Buffer *buffer, PyObject *path);

/* ---- json.c --------------------------------------------------------------------------------- */

/* Writes plain data as JSON. False without an exception: the data is or contains something else
 * than exact dicts with exact str as keys, lists, tuples, str, int, finite float, bool and None. */
bool json_add(Buffer *buffer, PyObject *data);

/* Whether data is an exact str, int, float, bool or None. */
bool is_scalar(PyObject *data);

/* The UTF-8 of an exact str; NULL without an exception if it has none. Release *owner, if set. */
const char *utf8_of(PyObject *text, Py_ssize_t *length, PyObject **owner);

/* ---- thread.c ------------------------------------------------------------------------------- */

/* An action that is dispatched. Its references keep what the program might remove meanwhile. */
typedef struct {
  PyObject *type, *payload, *meta; /* NULL where absent */
  PyObject *members; /* for the reducer: a dict of the scalars of the action */
  PyObject *scalars; /* a dict of the scalars of the payload, if that is a dict; or NULL */
} Action;

/* What a dispatch passes to its reducer: the first calls of the reducer are for its actions, in
 * their order. A batch that is reduced again reads them from the library. */
typedef struct {
  intptr_t number;    /* of the reducer */
  PyObject *function; /* the reducer */
  Action *next, *end; /* the actions that the reducer has not seen */
} Sent;

/* The state of a thread. */
typedef struct {
  Sent *sent;         /* between the calls of its reducer; NULL after the last one */
  PyObject *raised;   /* what the reducer raised; the dispatch raises it again */
  PyObject *interruption; /* what interrupted an observer or another callback; the dispatch raises
                             it when it has ended */
  int may_repeat;     /* whether the dispatch may call a reducer several times; -1: no dispatch */
  intptr_t running;   /* the number of the reducer that is running; 0: none; -1: another function
                         that must not dispatch. The package then checks each call. */
} Thread;

Thread *current_thread(void);
PyTypeObject *thread_make_type(void);

/* ---- guard.c -------------------------------------------------------------------------------- */

PyTypeObject *guard_make_type(void);

/* Names of members of an action. */
extern PyObject *name_type, *name_payload, *name_meta;

/* ---- reducer.c ------------------------------------------------------------------------------ */

imd_status reducer_call(void *context, const imd_value *state, const imd_value *action,
                        imd_value **next, imd_error *error);

/* The exception that is raised, as an object with its traceback; it is then no longer raised. */
PyObject *fetch_raised(void);

/* ---- store.c and select.c ------------------------------------------------------------------- */

typedef struct {
  PyObject_HEAD
  Library *library;
  imd_store *handle;    /* NULL: closed, or not connected */
  intptr_t number;      /* of the reducer; 0: the store of a domain */
  PyObject *reducer;    /* the function; or NULL */
  PyObject *selectors;  /* a dict of the functions that are selectors */
  int is_optimistic, shares_log;
  PyObject *taken;      /* a set of types that the reducer knows; NULL: of a domain, see
                           Store._warn_unless_taken */
  PyObject *classes;    /* a dict of functions that write instances, by the classes of actions */
} Store;

PyTypeObject *store_make_type(void);

PyObject *store_dispatch(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                         PyObject *names);
PyObject *store_dispatch_batch(PyObject *self, PyObject *given);
PyObject *store_select(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *names);
PyObject *store_query(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                      PyObject *names);
PyObject *store_state(PyObject *self, void *closure);

#endif
