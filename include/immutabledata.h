/* immutabledata - an embeddable application-state engine.
 *
 * A store holds an immutable state. You dispatch actions, written as JSON; a reducer computes the
 * next state from the state and the action; you read the state through named selectors, again as
 * JSON. C, C++, Python and Swift code in one process can use the same store.
 *
 * A complete program (cc counter.c $(pkg-config --cflags --libs immutabledata)):
 *
 *     #include <immutabledata.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *       imd_error error;
 *       imd_store *store;
 *       if (imd_store_open("counter", NULL, 0, &store, &error) != IMD_OK) {
 *         fprintf(stderr, "%s\n", error.message);
 *         return 1;
 *       }
 *       const char *increment = "{\"type\":\"didTapIncrementButton\"}";
 *       if (imd_store_dispatch(store, increment, IMD_ZERO_TERMINATED, &error) != IMD_OK)
 *         fprintf(stderr, "%s\n", error.message);
 *       char *value;
 *       if (imd_store_select(store, "selectValue", NULL, 0, &value, NULL, &error) == IMD_OK) {
 *         puts(value);
 *         imd_free(value);
 *       }
 *       imd_store_close(store);
 *     }
 *
 * Contents
 *
 * For a first program, read up to Observation:
 *
 * Library             the version, statuses, errors and limits
 * Store               opens a store of a domain, dispatches actions, selects
 * Value               JSON values that never change
 * Stores of your own  your own state and reducer
 * Observation         calls a function when an output changes
 *
 * The rest, as you need it:
 *
 * Without text        actions and outputs as values
 * Members in C11      actions from C values, in one checked line
 * Optimistic updates  changes that are shown before they are confirmed
 * Checks              schemas, functions that are not pure, interruptions
 * Selectors           named expressions, and functions of yours
 * More of a store     previews, statistics, and backups of databases
 * History             undo, redo, time travel, unsaved changes
 * Log                 a file that keeps the state, also for several programs
 * Streams             actions, for a thread of yours
 * Effects             requests, timers, and what else takes time
 * Trace               what a store does, as lines of JSON
 * Inspector           the same in a browser
 *
 * Conventions
 *
 * Status      Every function that can fail returns an imd_status; IMD_OK is 0.
 * Results     Returned through out-parameters, which follow the inputs. On failure a pointer is set
 *             to NULL and a length to 0.
 * Errors      The last parameter of a function that can fail is an imd_error that you own. It may
 *             be NULL. Every call sets it: after success its status is IMD_OK, its message empty.
 * Text        UTF-8, validated. JSON, strings and HTTP bodies are passed as pointer and length; the
 *             length IMD_ZERO_TERMINATED means up to the first NUL. JSON text must not be empty.
 *             Where NULL is allowed, its length is ignored. Names, expressions, JSON Pointers and
 *             paths are C strings. Names and keys are compared by their bytes. Text that a function
 *             returns is NUL-terminated and *owned by the caller*: release it with imd_free.
 * JSON        RFC 8259. A number without a fraction or exponent is a 64-bit integer; any other is
 *             an IEEE 754 double. If an object repeats a key, the last value wins. A key must not
 *             contain U+0000.
 * Limits      Arrays and objects nest at most 2,048 levels deep; a scalar is not a level.
 *             imd_set_limit sets the maximum number of values in a value, the size of its text, the
 *             size of an input, and the default budget of work. A call that would exceed a limit
 *             fails with IMD_LIMIT, and its message names the limit. The text of every value reads
 *             back as an equal value, unless it exceeds IMD_LIMIT_INPUT.
 * Memory      If memory is exhausted, the process ends, as any Swift program does: set limits that
 *             fit your memory. Each store also caches up to 256 outputs, of at most 64 MiB in
 *             total, not counting the largest. Keys count as a sixth of their size.
 * Output      Canonical: equal states give equal bytes. Object keys are sorted by their UTF-8
 *             bytes, numbers have the fewest significant digits that read back as the same
 *             number, and there is no white space.
 * Handles     An imd_store *, imd_observation *, imd_stream *, imd_request * or imd_effect * is a
 *             number, not an address, and numbers are never reused. NULL, or a pointer that was
 *             never a handle of this type, yields IMD_INVALID_ARGUMENT; a closed handle yields
 *             IMD_CLOSED. Closing or cancelling does nothing in these cases. Freeing NULL does
 *             nothing.
 * Threads     Every function may be called from any thread. Dispatches to one store are serialized;
 *             selects never wait for a reducer. A call needs up to 64 KB of stack, or 256 KB if it
 *             compiles an expression or evaluates one or a selector of yours, plus what your
 *             callbacks need.
 * Callbacks   The functions that you pass. They may call this library, but a reducer or a selector
 *             must not use its own store, and these, a rule, a comparison and a filter must not
 *             dispatch to any store: IMD_REENTRANT. Inside a callback, a dispatch waits only for a
 *             running reducer, and no call waits for another thread's callback, delivery, stream
 *             space or effect; this prevents deadlocks. (imd_store_backup of a database in memory
 *             waits for a transaction.) A function that behaves differently inside a callback says
 *             so.
 * fork        Inherited handles are closed in the child, and the memory of their stores is not
 *             freed. The child can open new stores, but a database file that an inherited store has
 *             open yields IMD_IO: open it after exec, or in the parent. The child can hang if,
 *             during the fork, another thread was using a function or a kind of store for the first
 *             time in the process. fork() waits until the SQLite calls that this library has in
 *             progress return; it does not wait for your own SQLite calls. A child forked inside a
 *             callback must call exec or _exit.
 * Unloading   dlclose does not unload this library. A closed store leaves no threads behind.
 * Safety      No text, name or handle that you pass can crash the process: bad input yields a
 *             status and a message that says what was wrong and what to do. Pointers must be valid
 *             for the length that you pass; the library cannot verify them.
 */
#ifndef IMMUTABLEDATA_H
#define IMMUTABLEDATA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Library ------------------------------------------------------------------------------- */

#define IMD_VERSION "0.1.0"
#define IMD_VERSION_MAJOR 0
#define IMD_VERSION_MINOR 1
#define IMD_VERSION_PATCH 0

/* A length that means: the text ends at its first NUL. */
#define IMD_ZERO_TERMINATED SIZE_MAX

/* Result codes. A number is never reused for another meaning. */
typedef enum imd_status {
  IMD_OK = 0,
  IMD_INVALID_ARGUMENT = 1, /* NULL, a pointer that is not a handle, a name or string that is not
                               UTF-8, an unknown, ill-typed or missing option or argument */
  IMD_INVALID_JSON = 2,     /* JSON text that is not UTF-8 or not JSON; line, column and offset say
                               where */
  IMD_INVALID_ACTION = 3,   /* JSON that is not an action of the store's domain */
  IMD_UNKNOWN_DOMAIN = 4,
  IMD_UNKNOWN_SELECTOR = 5,
  IMD_INVALID_SELECTOR = 6, /* an expression that cannot be compiled or evaluated, or a selector of
                               yours that failed */
  IMD_REDUCER_FAILED = 7,   /* the reducer rejected the action, with the message */
  IMD_REENTRANT = 8,        /* a reducer or a selector used its store or dispatched; a rule, a
                               comparison or a filter dispatched; or imd_store_settle or
                               imd_store_flush was called inside a callback */
  IMD_LIMIT = 9,            /* a limit was exceeded: nesting, values, text, input, work, the range
                               of a number, the body or headers of a response, a stream's capacity,
                               the number of effects, the depth of dispatches in observers, or the
                               file descriptors or fork handlers of the process */
  IMD_TIMEOUT = 10,
  IMD_IO = 11,        /* a file could not be read or written; for failed effects, see
                         imd_effect_error_handler */
  IMD_CORRUPT = 12,   /* a file is damaged, or is not of the expected kind */
  IMD_CLOSED = 13,    /* the handle was closed */
  IMD_NOT_FOUND = 15, /* a JSON Pointer points to nothing; for failed effects, see
                         imd_effect_error_handler */
  IMD_UNAVAILABLE = 16, /* a server that keeps a log cannot be reached now, or the credentials for
                           it are wrong; nothing has changed */
  IMD_REFUSED = 17,     /* a server refuses a call for good: without permission, or because an
                           entry is too large; nothing has changed */
  IMD_DIVERGED = 18,    /* a log is not the one that the store has read */
  IMD_OUTDATED = 19     /* the reducer refuses an entry of a log, which another version of the
                           program has written, or makes another state of the log */
} imd_status;

/* Why a call failed. The caller owns it: declare one anywhere, pass it to any call, and read it
 * until the next call.
 *
 * line and column (in code points, from 1) and offset (in bytes) locate the error. For JSON that is
 * invalid, nests too deep or has a number out of range: the last character read; offset counts the
 * bytes up to and including it. For an expression: the beginning of the faulty part; offset counts
 * the bytes before it. Otherwise all three are 0.
 * code tells a program why a callback refused: a reducer, a selector or a rule that returns another
 * status than IMD_OK may set it, to any number. It reaches the caller of the dispatch or select,
 * the observer, or the function of imd_store_set_effect_error_handler. Every other error has the
 * code 0.
 * The message is NUL-terminated UTF-8; if it does not fit, it is cut and ends in "…". It is for
 * people and may change between versions; the status is for programs and does not. A message of
 * your reducer, the reason of a rejected effect and the message of a server are passed on as they
 * are: escape their control characters before you write them to a terminal. */
typedef struct imd_error {
  imd_status status;
  int code;
  int line;
  int column;
  size_t offset;
  char message[256];
} imd_error;

/* Returns the version of the loaded library, such as "0.1.0". *Borrowed*, valid forever. */
const char *imd_version(void);

/* Returns the name of a status, such as "IMD_INVALID_JSON"; "IMD_UNKNOWN_STATUS" for any other
 * number. *Borrowed*, valid forever. */
const char *imd_status_name(imd_status status);

/* The limits that can be set. */
typedef enum imd_limit_kind {
  IMD_LIMIT_VALUES = 0, /* the number of values in a value, including itself; a shared value counts
                           at each occurrence. Default: 1,073,741,824 (2^30) */
  IMD_LIMIT_TEXT = 1,   /* the size in bytes of the JSON text of a string, array or object.
                           Default: 1,073,741,824 (1 GiB) */
  IMD_LIMIT_INPUT = 2,  /* the size in bytes of a text or name that is passed in. Default:
                           268,435,456 (256 MiB) */
  IMD_LIMIT_WORK = 3    /* the units of work of a diff, patch or merge, of a conversion to jansson,
                           and of an evaluation without a "budget" (see imd_store_query); a "budget"
                           may be higher. Default: 16,777,216 (2^24) */
} imd_limit_kind;

/* Sets a limit for the process: from 1 to 2,147,483,647, or up to INT64_MAX for IMD_LIMIT_WORK. It
 * applies to calls that begin after this one has returned, on any thread; a call in progress may
 * use either limit. Existing values and cached outputs stay as they are.
 *
 * IMD_INVALID_ARGUMENT: the kind is unknown, or the limit is out of range. */
imd_status imd_set_limit(imd_limit_kind kind, int64_t limit, imd_error *error);

/* Returns the current limit; 0 for an unknown kind. */
int64_t imd_limit(imd_limit_kind kind);

/* Frees text that a function of this library returned. Do not write to such text: other callers may
 * share it. */
void imd_free(void *text);

/* Describes the domains that imd_store_open knows, as a JSON array sorted by name:
 *
 *     [{"name": "counter", "summary": "…",
 *       "actions":   [{"type": "…", "summary": "…", "payload": SCHEMA}],
 *       "selectors": [{"name": "…", "summary": "…", "arguments": SCHEMA, "output": SCHEMA}],
 *       "filters":   [{"name": "…", "summary": "…", "arguments": SCHEMA}],
 *       "effects":   [{"name": "…", "summary": "…", "arguments": SCHEMA, "result": SCHEMA}],
 *       "options": SCHEMA}]
 *
 * SCHEMA is JSON Schema (draft 2020-12). An action without "payload" takes none. "filters" lists
 * those that an observation can name (imd_store_observe), and "effects" those that the domain asks
 * your program for (imd_store_set_effect). Both are left out if there are none, as are "arguments"
 * and "result" of an effect.
 * out is *owned by the caller*; out_length may be NULL.
 *
 * IMD_INVALID_ARGUMENT: in a library with domains of your own, two domains have the same name, or
 * one has an empty name. */
imd_status imd_domains(char **out, size_t *out_length, imd_error *error);

/* ---- Store --------------------------------------------------------------------------------- */

/* Holds a state, which only the reducer of the store can replace. */
typedef struct imd_store imd_store;

/* Opens a store of a domain by name.
 *
 * options: a JSON object, or NULL for none. Every domain takes {"state": …}, the initial state,
 * {"budget": N}, {"depth": N}, {"clock": …} and {"strict": …} (see imd_store_create),
 * {"history": …} (see imd_store_undo), {"log": …} (see imd_store_sync), {"trace": …} (see
 * imd_store_set_trace) and {"inspect": …} (see "Inspector"); imd_domains lists the others.
 * out: *owned by the caller*, closed with imd_store_close.
 *
 * IMD_UNKNOWN_DOMAIN: the message suggests a similar name, or lists the first known names.
 * IMD_INVALID_ARGUMENT: an option is unknown or has the wrong shape; or, in a library with domains
 * of your own, the descriptions of the domain contradict its types, two domains have the same name,
 * or one has an empty name.
 * IMD_IO, IMD_CORRUPT: a file that an option names cannot be opened, is damaged, or is of another
 * kind.
 * IMD_LIMIT: the process had no memory for the library's fork handlers (pthread_atfork). The same
 * holds for imd_store_create. */
imd_status imd_store_open(const char *domain, const char *options, size_t length, imd_store **out,
                          imd_error *error);

/* Closes a store. Calls in progress on other threads complete, but a dispatch may then return
 * without having called the observers; later calls with this handle yield IMD_CLOSED. Its
 * observations are cancelled, in the order in which they began, and its streams end, which wakes
 * threads that wait for one. Effects that have not started are dropped, and the outcome of the
 * effect in progress is discarded (imd_store_settle waits for them). Closing the store again does
 * nothing.
 *
 * Outside callbacks, waits until observers, selectors, the rule and the functions of effects have
 * returned and been released, and until the threads of its effects have ended. An effect is
 * interrupted if it waits for a request or for a file that another program has locked, or if a
 * statement of its database runs long. Inside a callback, does not wait: a callback that is
 * running is released when it returns. A function that another thread sets at the same time may be
 * released after this returns. A reducer must not close its store: the store stays open, and the
 * dispatch fails with IMD_REENTRANT. */
void imd_store_close(imd_store *store);

/* Does the same, and says whether the log of the store (see imd_store_sync) has all of its actions.
 * imd_store_close writes such a failure to standard error.
 *
 * IMD_IO: the file cannot be written, and no call has failed for that yet; the message says which
 * commits may be lost. The store is closed nonetheless: to save them, call imd_store_sync before,
 * until it succeeds.
 * IMD_CLOSED, IMD_REENTRANT: the store was closed before, or a reducer must not close it. */
imd_status imd_store_try_close(imd_store *store, imd_error *error);

/* Dispatches an action: {"type": "…", "payload": {…}, "meta": {…}} (a Flux Standard Action, but
 * without the member "error").
 *
 * type names the action. payload is present if the action takes one. meta is for your own use and
 * is not passed to the reducer of a domain. Returns after the new state has been committed. If
 * anything fails, the state does not change. The only exception is the outcome of an optimistic
 * update, see "Optimistic updates".
 *
 * IMD_INVALID_JSON, IMD_LIMIT: the text cannot be read.
 * IMD_INVALID_ACTION: not an object, a missing or unknown type, or one that begins with "@@", a
 * payload of the wrong shape, or an unknown member.
 * IMD_REDUCER_FAILED: the reducer rejected the action; the message is the reducer's.
 * IMD_REENTRANT: called inside a reducer, selector, rule, comparison or filter, of this or any
 * other store. The dispatch that runs the reducer then fails too. A rule that dispatches fails, but
 * the dispatch that triggered the rule does not: see imd_rule.
 *
 * Outside callbacks, returns after the observers have been called. Inside a callback, if another
 * thread is calling observers of this store, that thread calls them for this action too.
 *
 * A thunk, which selects and dispatches as it goes, is a function that takes the store; call it.
 * imd_store_dispatch_object takes the members of an action as C values: no text needs escapes. */
imd_status imd_store_dispatch(imd_store *store, const char *action, size_t length,
                              imd_error *error);

/* Dispatches a JSON array of actions atomically: either all are reduced, with no other action and
 * no visible state between them, or none is and the message says which one failed (except for
 * IMD_REENTRANT). Observers are called once. An empty array does nothing. */
imd_status imd_store_dispatch_batch(imd_store *store, const char *actions, size_t length,
                                    imd_error *error);

/* Hears what came of an action: error->status is IMD_OK, or that of imd_store_dispatch. error is
 * *borrowed for the call*. */
typedef void (*imd_dispatch_done)(void *context, const imd_error *error);

/* Dispatches an action without waiting, also inside a callback: a thread of the store dispatches
 * it, after those that were passed to this function before, and then calls done once, as a
 * callback; NULL for none. imd_store_settle waits for it. imd_store_close does not: for an action
 * that was not dispatched yet, done hears of IMD_CLOSED before it returns.
 *
 * For a log that a server keeps, all actions that have come meanwhile share an append.
 *
 * IMD_INVALID_JSON, IMD_LIMIT: the text cannot be read, or 65,536 actions wait. IMD_REENTRANT,
 * IMD_CLOSED: as imd_store_dispatch. If the call fails, done is not called. */
imd_status imd_store_dispatch_async(imd_store *store, const char *action, size_t length,
                                    imd_dispatch_done done, void *context, imd_error *error);

/* Limits how long a dispatch, or a dispatch of a batch, waits for room in streams with "overflow":
 * "block": up to timeout_ms milliseconds; forever if negative, which is the default. It then yields
 * IMD_TIMEOUT, and the state does not change. So a program can handle a signal and dispatch again.
 * The outcome of an effect always waits. */
imd_status imd_store_set_dispatch_timeout(imd_store *store, int timeout_ms, imd_error *error);

/* Returns the output of a selector for the current state. An output is cached until something that
 * the selector reads changes; in a store of a domain, for a selector that does not declare what it
 * reads, until the next action.
 *
 * arguments: a JSON object, or NULL for none; imd_domains lists them.
 * out: JSON, *owned by the caller*. out_length gets its length and may be NULL.
 *
 * IMD_UNKNOWN_SELECTOR: the message suggests similar names, or lists the first known names.
 * IMD_INVALID_ARGUMENT: an argument is missing, unknown or of the wrong shape.
 * IMD_INVALID_SELECTOR, IMD_REENTRANT: a selector that your program defined failed, or used its
 * store; see imd_store_define_selector and imd_selector. */
imd_status imd_store_select(imd_store *store, const char *selector, const char *arguments,
                            size_t length, char **out, size_t *out_length, imd_error *error);

/* ---- Value ---------------------------------------------------------------------------------- */

/* An immutable JSON value. Updates use structural sharing: a new value shares every unchanged part
 * with the old one, so a copy, a snapshot, or a change of one record among a million is cheap.
 *
 * Functions that return a value return a new reference, *owned by the caller*: release it with
 * imd_value_release. Values passed to a callback, and those of a cursor, are *borrowed*: the
 * library releases them. Values may be used from any thread, and may outlive their store. Unlike an
 * imd_store *, an imd_value * is an address: do not use it after its release, nor a borrowed one
 * after the borrow ends.
 *
 * A pointer is a JSON Pointer (RFC 6901), a C string: "" is the whole value, "/a~1b/0" the first
 * element of the member "a/b". NULL means "". Complexities are for one step of a pointer into an
 * array or object of n elements. */
typedef struct imd_value imd_value;

typedef enum imd_kind {
  IMD_NULL = 0,
  IMD_BOOL = 1,
  IMD_INTEGER = 2, /* 64 bits, signed */
  IMD_REAL = 3,    /* an IEEE 754 double, always finite */
  IMD_STRING = 4,
  IMD_ARRAY = 5,
  IMD_OBJECT = 6
} imd_kind;

/* Reads JSON text. O(length). */
imd_status imd_value_parse(const char *text, size_t length, imd_value **out, imd_error *error);

/* Creates a value from a C scalar. IMD_INVALID_ARGUMENT: the number is not finite, or the text is
 * not UTF-8. */
imd_status imd_value_from_bool(int boolean, imd_value **out, imd_error *error);
imd_status imd_value_from_integer(int64_t integer, imd_value **out, imd_error *error);
imd_status imd_value_from_real(double real, imd_value **out, imd_error *error);
imd_status imd_value_from_string(const char *text, size_t length, imd_value **out,
                                 imd_error *error);

/* A member of an object or an element of an array, as a C value. All of its pointers are *borrowed
 * for the call*. In C11, macros make it: see IMD_MEMBER. Otherwise set what its kind needs, and the
 * rest to 0. */
typedef struct imd_member {
  const char *name; /* the key, a C string; not read for an element of an array */
  int kind;         /* an imd_kind, or IMD_VALUE */
  size_t count;     /* IMD_STRING: the length of the text; IMD_ARRAY, IMD_OBJECT: the number of
                       members; IMD_INTEGER: 1 if the integer was a uint64_t, otherwise 0 */
  int64_t integer;  /* IMD_INTEGER; IMD_BOOL: 0 for false */
  double real;      /* IMD_REAL */
  const char *string;               /* IMD_STRING */
  const imd_value *value;           /* IMD_VALUE: a value of any kind */
  const struct imd_member *members; /* IMD_ARRAY, IMD_OBJECT; may be NULL if count is 0 */
} imd_member;

/* The kind of an imd_member that is a value. */
#define IMD_VALUE 7

/* Creates an object of count members in any order, or an array of count elements. O(n log n), O(n)
 * for an array. Objects with the same names in the same order share the memory of their names.
 *
 *     imd_value *task;
 *     status = imd_value_object(
 *         IMD_MEMBERS(IMD_MEMBER("title", title), IMD_MEMBER("order", order)), &task, error);
 *
 * IMD_INVALID_ARGUMENT: two members have the same name; a name, text, value or list of members is
 * NULL, a name or text is not UTF-8, a number is not finite, or a kind is unknown. IMD_LIMIT: an
 * integer was a uint64_t and exceeds INT64_MAX, lists of members nest deeper than 32 levels (values
 * in them may nest deeper), or the result would exceed a value limit. The message has the pointer
 * of the member. */
imd_status imd_value_object(const imd_member *members, size_t count, imd_value **out,
                            imd_error *error);
imd_status imd_value_array(const imd_member *elements, size_t count, imd_value **out,
                           imd_error *error);

/* Returns a new reference to a value, *owned by the caller*. Use the result: for a borrowed value
 * it is a different pointer, which stays valid after the borrow ends. NULL yields NULL. O(1). */
#if defined(__GNUC__)
__attribute__((warn_unused_result))
#endif
imd_value *imd_value_retain(const imd_value *value);

/* Releases a reference that you own. Does nothing for NULL and for a borrowed value. */
void imd_value_release(const imd_value *value);

/* Returns the kind of a value; IMD_NULL for NULL. O(1). */
imd_kind imd_value_kind(const imd_value *value);

/* Returns the number of elements or members; 0 for a value that is not an array or object. O(1). */
size_t imd_value_count(const imd_value *value);

/* Returns 1 if two values have the same canonical text (so 1 and 1.0 differ), otherwise 0. NULL
 * equals only NULL. Shared parts are skipped, and repeated parts that contain arrays or objects are
 * compared once: O(n) in the memory that both occupy, even if their text is much longer. */
int imd_value_equal(const imd_value *left, const imd_value *right);

/* Returns 1 if two values are the same instance, otherwise 0. Parts that a change leaves out stay
 * the same instance; but a store of a domain encodes its state anew for each imd_store_state.
 * O(1); strings are compared by their bytes. */
int imd_value_identical(const imd_value *left, const imd_value *right);

/* Writes a value as canonical JSON. out is *owned by the caller*: imd_free it. O(length). */
imd_status imd_value_text(const imd_value *value, char **out, size_t *out_length,
                          imd_error *error);

/* Writes the JSON Pointer of some keys to a buffer: "tasks" and "a/b" give "/tasks/a~1b". Use it
 * for keys that can contain "/" or "~". In C11:
 *
 *     char pointer[128];
 *     status = imd_pointer(IMD_KEYS("tasks", id, "done"), pointer, sizeof pointer, error);
 *
 * size counts the NUL at the end. After a failure, the buffer contains "", unless size is 0.
 * IMD_LIMIT: the pointer does not fit; the message says how many bytes it needs.
 * IMD_INVALID_ARGUMENT: a key is not UTF-8, or keys, a key or buffer is NULL; keys may be if count
 * is 0. */
imd_status imd_pointer(const char *const *keys, size_t count, char *buffer, size_t size,
                       imd_error *error);

/* Returns the value at a pointer. O(log n).
 * IMD_NOT_FOUND: no such member or element; the message says which part of the pointer exists.
 * IMD_INVALID_ARGUMENT: not a JSON Pointer, or one that leads into a scalar, or into an array
 * without an index. */
imd_status imd_value_get(const imd_value *value, const char *pointer, imd_value **out,
                         imd_error *error);

/* Returns the scalar at a pointer as a C value. Fails as imd_value_get does, and with
 * IMD_INVALID_ARGUMENT for a value of another kind; get_real also converts an integer. The text of
 * a string is *owned by the caller*: release it with imd_free. */
imd_status imd_value_get_bool(const imd_value *value, const char *pointer, int *out,
                              imd_error *error);
imd_status imd_value_get_integer(const imd_value *value, const char *pointer, int64_t *out,
                                 imd_error *error);
imd_status imd_value_get_real(const imd_value *value, const char *pointer, double *out,
                              imd_error *error);
imd_status imd_value_get_string(const imd_value *value, const char *pointer, char **out,
                                size_t *out_length, imd_error *error);

/* Returns the text of the string at a pointer, *borrowed* until the reference passed as value is
 * released (a borrowed one: until the borrow ends). It is NUL-terminated, and may contain more
 * NULs: out_length, which may be NULL, gets its length. Do not write to it.
 *
 * The first call with a pointer copies the text, in O(length), and the reference holds the copy.
 * Each further call with the same pointer and reference returns the same address, in O(log n) for n
 * pointers. Any thread may use the text. Fails as imd_value_get_string does. */
imd_status imd_value_view_string(const imd_value *value, const char *pointer, const char **out,
                                 size_t *out_length, imd_error *error);

/* A kind, and the content of a value of that kind. */
typedef struct imd_content {
  imd_kind kind;
  size_t count; /* the bytes of a string, the elements of an array, or the members of an object;
                   otherwise 0 */
  union {
    int boolean;      /* IMD_BOOL: 1 or 0 */
    int64_t integer;  /* IMD_INTEGER */
    double real;      /* IMD_REAL */
    char *string;     /* IMD_STRING: *owned by the caller*, released with imd_free */
    imd_value *value; /* IMD_ARRAY, IMD_OBJECT: *owned by the caller*, imd_value_release */
  } as;               /* IMD_NULL, and after a failure: all bytes 0 */
} imd_content;

/* Returns kind and content of the value at a pointer, in one call. Fails as imd_value_get does. */
imd_status imd_value_read(const imd_value *value, const char *pointer, imd_content *out,
                          imd_error *error);

/* Returns a new value that differs from another at one pointer. O(log n); O(n) while the value is
 * so large that it might exceed IMD_LIMIT_TEXT, from about a sixth of that in strings.
 *
 * set replaces the element at the pointer. insert inserts before it in an array; in an object it is
 * the same as set. Both append to an array if the index is "-" or the number of elements, and both
 * add a missing member. All steps of the pointer except the last must exist. remove removes the
 * element at the pointer; the whole value cannot be removed. Setting a scalar equal to the one at
 * the pointer, or the array or object that is there, returns the same instance
 * (imd_value_identical). Fails as imd_value_get does. IMD_LIMIT: the result would exceed a value
 * limit. */
imd_status imd_value_set(const imd_value *value, const char *pointer, const imd_value *element,
                         imd_value **out, imd_error *error);
imd_status imd_value_insert(const imd_value *value, const char *pointer, const imd_value *element,
                            imd_value **out, imd_error *error);
imd_status imd_value_remove(const imd_value *value, const char *pointer, imd_value **out,
                            imd_error *error);

/* Returns the elements of an array from the index start up to, but without, the index end, as an
 * array that shares them. Indexes after the last element are those of the end: SIZE_MAX is the end.
 * O(log n). IMD_INVALID_ARGUMENT: not an array. */
imd_status imd_value_slice(const imd_value *array, size_t start, size_t end, imd_value **out,
                           imd_error *error);

/* imd_value_set with a C scalar as the element. Fails as imd_value_set does, and with
 * IMD_INVALID_ARGUMENT for a number that is not finite and for text that is not UTF-8. */
imd_status imd_value_set_bool(const imd_value *value, const char *pointer, int boolean,
                              imd_value **out, imd_error *error);
imd_status imd_value_set_integer(const imd_value *value, const char *pointer, int64_t integer,
                                 imd_value **out, imd_error *error);
imd_status imd_value_set_real(const imd_value *value, const char *pointer, double real,
                              imd_value **out, imd_error *error);
imd_status imd_value_set_string(const imd_value *value, const char *pointer, const char *text,
                                size_t length, imd_value **out, imd_error *error);

/* Returns a JSON Patch (RFC 6902) that turns the value "from" into the value "to". Shared parts are
 * skipped, so the cost is proportional to the change. Elements of an array that have moved are
 * operations "move", if that takes fewer operations than to change them where they are: of equal
 * elements the first is matched with the first, and as many as possible stay. This takes
 * O(m log m) for m elements that are not at the same place, nor moved together by up to 16 places.
 * Equal pairs of values have equal patches, whatever they share. IMD_LIMIT: the comparison exceeds
 * IMD_LIMIT_WORK (one unit for each comparison of two values and for each 16 bytes of text, 16 for
 * each operation; small parts and elements that differ are compared twice), or the patch exceeds a
 * value limit. A patch nests two levels deeper than the values in it: one for the array of
 * operations, one for each operation. */
imd_status imd_value_diff(const imd_value *from, const imd_value *to, imd_value **out,
                          imd_error *error);

/* Applies a JSON Patch (RFC 6902): all of its operations or, if one fails, none.
 * IMD_INVALID_ARGUMENT: not a patch, a "test" failed, or a new key contains U+0000. IMD_NOT_FOUND:
 * an operation points to nothing. IMD_LIMIT: an operation exceeds a value limit, or all operations
 * together exceed IMD_LIMIT_WORK. The message says which operation failed. */
imd_status imd_value_patch(const imd_value *value, const imd_value *patch, imd_value **out,
                           imd_error *error);

/* Applies a JSON Merge Patch (RFC 7396): members of the patch replace those of the value; null
 * removes a member. IMD_LIMIT: the result would exceed a value limit, or merging exceeds
 * IMD_LIMIT_WORK. */
imd_status imd_value_merge(const imd_value *value, const imd_value *patch, imd_value **out,
                           imd_error *error);

/* Iterates over the elements of an array, or over the members of an object in order of their keys.
 * Like an imd_value *, an imd_cursor * is an address: do not use it after imd_cursor_close. */
typedef struct imd_cursor imd_cursor;

/* Opens a cursor before the first element or member or, with a from_key, before the first member
 * whose key is not less than it. The cursor retains the value, so you may release your reference.
 * out is *owned by the caller*, closed with imd_cursor_close. O(log n).
 * IMD_INVALID_ARGUMENT: a value that is neither array nor object; an array with a from_key. */
imd_status imd_cursor_open(const imd_value *value, const char *from_key, imd_cursor **out,
                           imd_error *error);

/* Advances to the next element or member. Returns 1, or 0 at the end and for NULL. key, key_length
 * and value may be NULL if you do not need them; the results are *borrowed until the next call*
 * with this cursor. A key is NUL-terminated; in an array it is NULL. Only one thread at a time may
 * use a cursor. O(1) amortized. */
int imd_cursor_next(imd_cursor *cursor, const char **key, size_t *key_length,
                    const imd_value **value);

/* Closes a cursor. */
void imd_cursor_close(imd_cursor *cursor);

/* ---- Stores of your own --------------------------------------------------------------------- */

/* Your reducer: computes the next state from a state and an action, both *borrowed for the call*.
 *
 * It returns IMD_OK and sets *next, which is NULL at first, to one of:
 *   - NULL: the state does not change;
 *   - a value that you own, such as a result of imd_value_set: the store takes over your reference,
 *     so retain a value that you also keep;
 *   - a borrowed value: the state, the action, or a value of a cursor that is still open.
 * Or it returns another status, and may set message and code of error (never NULL here; both are
 * empty at first): the dispatch then fails with IMD_REDUCER_FAILED, that message and that code, the
 * state does not change, and a value in *next that you own is released. For IMD_TIMEOUT, see
 * "Checks".
 *
 * A reducer must be pure: same input, same output. It must not use its store, its observations or
 * its streams, nor dispatch to any store: such a call yields IMD_REENTRANT or, if it returns no
 * status, does nothing. The dispatch then fails with IMD_REENTRANT, whatever the reducer returns.
 * (If another thread closes the store meanwhile, the call yields IMD_CLOSED, and the dispatch goes
 * on.) A reducer never runs on two threads at once for one store. */
typedef imd_status (*imd_reducer)(void *context, const imd_value *state, const imd_value *action,
                                  imd_value **next, imd_error *error);

/* Creates a store with a state and a reducer of your own.
 *
 * state: JSON text, the initial state.
 * context: passed to the reducer. release (which may be NULL) is called with it after the store has
 * been closed and its last call has returned; not if this function fails.
 * options: a JSON object, or NULL for none:
 *     "optimistic"  true: the meta of an action may begin and end an optimistic update, see
 *                   "Optimistic updates"
 *     "history"     true, or an object: actions can be undone, see imd_store_undo
 *     "log"         the path of a file, or an object: actions are kept in it, see imd_store_sync
 *     "budget"      the default budget of an evaluation of an expression, in units of work; see
 *                   imd_store_query
 *     "depth"       how many dispatches may follow from one, each inside an observer of the one
 *                   before: 1 to 1,000,000 (default 1000); see imd_observer
 *     "schema"      what actions, the state and other data look like, see "Checks"
 *     "clock"       "manual" or "stepped": time passes only in imd_store_advance, for tests
 *     "strict"      true, or {"slow": N}: functions of your program are checked, for tests; see
 *                   "Checks"
 *     "interruptible"  true: the reducer confirms each result, see "Checks"
 *     "trace"       what to write to stderr or to a file, for debugging; see imd_store_set_trace
 *     "inspect"     true, or an object: other programs of the user can look into the store, see
 *                   "Inspector"
 * out: *owned by the caller*, closed with imd_store_close.
 *
 * The actions of such a store may have any type but "" and those that begin with "@@", and any
 * payload; the whole action is passed to the reducer. The state keeps its kind: a reducer that
 * returns null for an object, for example, fails. Integers and reals are of one kind, and any state
 * can replace null. */
imd_status imd_store_create(const char *state, size_t length, imd_reducer reducer, void *context,
                            void (*release)(void *context), const char *options,
                            size_t options_length, imd_store **out, imd_error *error);

/* Returns a snapshot of the state: later actions do not change it. O(1) for a store that
 * imd_store_create made; otherwise the state is encoded, in O(n). */
imd_status imd_store_state(imd_store *store, imd_value **out, imd_error *error);

/* Evaluates a JMESPath expression over the state.
 *
 * Extensions to the language of https://jmespath.org: "$name" is the argument of that name; "let"
 * binds more variables (JEP-18); get(orders, $id) is the member of "orders" whose key is the value
 * of $id, also if it is an integer, or the element of an array at that index. Compiled expressions
 * are cached. An output is cached until something under the paths that the expression can read
 * changes; in a store of a domain, until the next action.
 *
 * An expression nests at most 110 levels deep. An evaluation has a work budget: that of the call,
 * otherwise that of the store, otherwise IMD_LIMIT_WORK. Visiting, comparing and creating values
 * and text costs units (docs/selectors.md has a table); an evaluation that would exceed its budget
 * fails with IMD_LIMIT. With the default, an expression and arguments of 1 KB, evaluated over a
 * state of 10 MB, take about a second and 256 MB at most, unless the state or the expression has
 * keys of hundreds of bytes.
 *
 * IMD_INVALID_SELECTOR: the expression cannot be compiled or evaluated; the message has the
 * position. IMD_INVALID_ARGUMENT: an argument is missing, or is not used by the expression.
 * IMD_LIMIT: the expression nests too deep, takes too much work, or creates a value beyond the
 * value limits. */
imd_status imd_store_query(imd_store *store, const char *expression, const char *arguments,
                           size_t length, char **out, size_t *out_length, imd_error *error);

/* ---- Observation ---------------------------------------------------------------------------- */

/* The kinds of deliveries. */
typedef enum imd_delivery_kind {
  IMD_DELIVERY_VALUE = 0,  /* value is the output of the selector */
  IMD_DELIVERY_PATCH = 1,  /* value is a JSON Patch (RFC 6902) of the output delivered before */
  IMD_DELIVERY_FAILURE = 2 /* the selector failed for this state; error says why */
} imd_delivery_kind;

/* What an observer is called with. All of it is *borrowed for the call*. */
typedef struct imd_delivery {
  imd_delivery_kind kind;
  const imd_value *value; /* NULL for a failure */
  const imd_error *error; /* NULL except for a failure */
  size_t skipped;         /* how many outputs were dropped since the last delivery */
} imd_delivery;

/* Your observer. It cannot veto: it runs after the commit.
 *
 * It may use the store. An action that it dispatches is reduced immediately; observers are called
 * for it after those of the current action. It may start observations, and cancel any, including
 * its own. It must not wait for another thread that dispatches to the same store. It runs on the
 * thread that dispatched, on one that dispatches to or observes the store at the same time, or on a
 * thread of the library for an action that an effect dispatched, or for a change by another store
 * of a shared log. With "when": "queued", it runs on the thread that calls imd_store_poll.
 *
 * Observers that dispatch in a circle, also through several stores, must end it: by comparing
 * before they dispatch, for example. If more than 1000 dispatches follow from one, each inside an
 * observer of the one before, the next one fails with IMD_LIMIT and has no effect; its message
 * names the last observers and what they were called for. It fails too if 100,000 actions wait for
 * that observer, as in a circle that branches. Jumps in the history count as dispatches. The option
 * "depth" of the store that is dispatched to sets another limit, and 100 times as many actions may
 * wait. Dispatches of queued observers, of effects and of imd_store_dispatch_async begin anew: they
 * do not keep a dispatch from returning. */
typedef void (*imd_observer)(void *context, const imd_delivery *delivery);

/* An observer and its selector. A handle, like an imd_store *. */
typedef struct imd_observation imd_observation;

/* Calls the observer whenever the selector's output changes.
 *
 * Observers are called in the order of the dispatches, each with the output for the state right
 * after a dispatch (a batch is one); for one dispatch, in the order in which they were added. An
 * observer is not called if the output equals the last one delivered. An action that does not
 * change what the selector reads costs the observer nothing. There are two exceptions: a store of a
 * domain evaluates expressions, and selectors that do not declare what they read, after each
 * action; and an observation that has ignored a change ("ignore", a filter) examines each action
 * until one passes. Inside a callback, if another thread is calling observers of this store, that
 * thread makes the initial call.
 *
 * arguments: as imd_store_select takes them, or NULL.
 * options: a JSON object, or NULL for none:
 *   "initial"       true (default): the observer is called with the current output first
 *   "deliver"       "value" (default): the output; "patch": the output first, then what changed, or
 *                   the output again if imd_value_diff would yield IMD_LIMIT
 *   "when"          "inline" (default): before the dispatch returns, on its thread or on another
 *                   (see imd_observer); "queued": when you call imd_store_poll
 *   "coalesce"      true: only the latest output is delivered: inline, the one for the state at the
 *                   time of the call; queued, the last one waiting
 *   "ignore"        patterns of action types to ignore, such as ["mouse*"]; "*" matches any text.
 *                   A change by an ignored action is delivered after the next action that is not
 *                   ignored
 *   "filter"        the name of a filter of the domain ("filters" of imd_domains), such as
 *                   "filterAnimals": actions that do not pass it are ignored, as by "ignore". It
 *                   gets those of the arguments that it declares. Actions that begin or end
 *                   optimistic updates, and jumps in the history, always pass. For a store of your
 *                   own, see imd_store_observe_with_functions
 *   "dependencies"  names of selectors: the output is evaluated only if one of their outputs
 *                   changed. Each gets those of the arguments that it declares; the observed
 *                   selector must accept all
 *   "capacity"      how many outputs can wait for imd_store_poll: 1 to 1,048,576 (default 1024)
 *   "overflow"      beyond the capacity, "dropOldest" (default) drops the oldest output, "coalesce"
 *                   drops all but the latest. Inline, no output waits, so "capacity" and "overflow"
 *                   have no effect
 *   "label"         the name of the observation in messages
 *   "budget"        the units of work that each evaluation of an expression may take, instead of
 *                   the store's. If the first evaluation exceeds it, this call fails; after a
 *                   dispatch, a failure is delivered. A cached output takes no work. A patch that
 *                   exceeds the budget is replaced by the value
 * context: passed to the observer. release (which may be NULL) is called with it once, when the
 * observer will not be called again; not if this function fails.
 * out: for imd_observation_cancel; set before the observer is first called. It may be NULL if you
 * will not cancel: the observation then ends with its store.
 *
 * This function evaluates the current output even if "initial" is false, because later outputs are
 * compared with it. Therefore it fails as imd_store_select does, and with IMD_INVALID_ARGUMENT for
 * an option that is unknown or has the wrong shape. */
imd_status imd_store_observe(imd_store *store, const char *selector, const char *arguments,
                             size_t length, const char *options, size_t options_length,
                             imd_observer observer, void *context, void (*release)(void *context),
                             imd_observation **out, imd_error *error);

/* Your comparison: decides whether an output has changed. Returns 0 if it has not: the observer is
 * then not called. Both values are *borrowed for the call*.
 *
 * delivered is the output delivered last or, if outputs are queued, the last queued; so small steps
 * add up until they count as a change. For the first change it is the output at the beginning, even
 * if "initial" is false. The comparison is called only for two outputs that differ as JSON: an
 * output that follows a failure is always a change, and so is a failure, unless it equals the last
 * one. */
typedef int (*imd_comparison)(void *context, const imd_value *delivered, const imd_value *output);

/* Your comparison for a dependency: decides whether its output has changed since the last one that
 * counted as a change, or since the beginning. index: that of the dependency in "dependencies". As
 * imd_comparison otherwise. */
typedef int (*imd_dependency_comparison)(void *context, size_t index, const imd_value *last,
                                         const imd_value *output);

/* Your filter: decides whether an action may change the output. Returns 0 if it may not: the action
 * is then ignored, as by "ignore". All values are *borrowed for the call*; old_state and new_state
 * are the states before and after the action. It is called for actions that changed something that
 * the selector reads or, with "dependencies", that one of these reads. Once an ignored action
 * changed such a part, it is called for every action until one passes. It is not called for those
 * that "ignore" names, nor, with the option "optimistic" of the store, for an action that begins a
 * change or is an outcome, nor for a jump in the history: these always pass. For a batch, it is
 * called for each action, with the states before and after that action, until one passes. */
typedef int (*imd_filter)(void *context, const imd_value *action, const imd_value *old_state,
                          const imd_value *new_state);

/* The functions of an observer; all get the same context.
 *
 * Comparison and filter must be quick and pure: same input, same output. They run on the thread
 * that dispatched, on one that dispatches to or observes the store at the same time, or on a thread
 * of the library for an action that an effect dispatched, one call at a time; with "when":
 * "queued", the observer may run on another thread at the same time. Inside them, a dispatch to any
 * store yields IMD_REENTRANT, and the result does not count: the output has changed, or the action
 * passes. */
typedef struct imd_observer_functions {
  imd_observer observer;
  imd_comparison did_change; /* NULL: outputs are compared as JSON */
  imd_filter filter;         /* NULL: every action may change the output */
  imd_dependency_comparison dependency_did_change; /* NULL: compared as JSON */
} imd_observer_functions;

/* imd_store_observe with a comparison, a filter, or both:
 *
 *     imd_observer_functions functions = {.observer = show, .did_change = is_far};
 *
 * functions: read during this call only. release is called when none of them runs or will run.
 * IMD_INVALID_ARGUMENT: also if there is a filter, and the store is one of a domain: passing each
 * state as JSON would cost O(n). The message lists the filters of the domain, if there are any. */
imd_status imd_store_observe_with_functions(imd_store *store, const char *selector,
                                            const char *arguments, size_t length,
                                            const char *options, size_t options_length,
                                            const imd_observer_functions *functions, void *context,
                                            void (*release)(void *context), imd_observation **out,
                                            imd_error *error);

/* Ends an observation. When this returns, the observer neither runs nor will run, and release has
 * been called. Inside a callback, does not wait for an observer that is running, on another thread
 * or further up this stack: release is called when it returns. A second call, or a call after the
 * store has been closed, does nothing. Inside a reducer of the store, the observation continues and
 * the dispatch fails with IMD_REENTRANT. */
void imd_observation_cancel(imd_observation *observation);

/* Calls observers that have "when": "queued" with the outputs waiting for them, on the calling
 * thread. Outputs that arrive meanwhile wait for the next poll. delivered, which may be NULL, gets
 * the number of calls: 0 inside such an observer, and while another thread polls this store. */
imd_status imd_store_poll(imd_store *store, size_t *delivered, imd_error *error);

/* Returns a file descriptor that is readable while an output waits for imd_store_poll, for poll(2)
 * and event loops. Do not read or close it. It is closed with the store: stop watching it first.
 * IMD_LIMIT: the process has no descriptors left. */
imd_status imd_store_fd(imd_store *store, int *out, imd_error *error);

/* ---- Without text -------------------------------------------------------------------------- */

/* The functions of a store for programs that hold values: no text is written or read. They do what
 * the functions for text do, with the same budgets and errors, except IMD_INVALID_JSON.
 * IMD_LIMIT_INPUT applies only to names and expressions. The values that you pass stay yours, and
 * may be borrowed. */

/* imd_store_dispatch with the action as a value. */
imd_status imd_store_dispatch_value(imd_store *store, const imd_value *action, imd_error *error);

/* imd_store_dispatch with the members of the action as C values. In C11, an action is one line:
 *
 *     status = imd_store_dispatch_object(
 *         store, IMD_ACTION("added", IMD_MEMBER("title", title), IMD_MEMBER("id", id)), error);
 *
 * Fails as imd_value_object does, too. */
imd_status imd_store_dispatch_object(imd_store *store, const imd_member *members, size_t count,
                                     imd_error *error);

/* imd_store_dispatch_batch with the array of actions as a value. */
imd_status imd_store_dispatch_batch_value(imd_store *store, const imd_value *actions,
                                          imd_error *error);

/* imd_store_select with arguments and output as values, and with options. arguments and options may
 * be NULL. out is *owned by the caller*. While the output is cached, every call returns the same
 * instance (imd_value_identical) in O(1), however long its text is.
 *
 * options: an object:
 *     "budget"  the units of work that evaluating an expression may take, instead of the store's
 *               budget; 1 or more. It does not apply to cached outputs or to selectors of the
 *               domain. See imd_store_query. */
imd_status imd_store_select_value(imd_store *store, const char *selector,
                                  const imd_value *arguments, const imd_value *options,
                                  imd_value **out, imd_error *error);

/* imd_store_query with arguments and output as values, and with the same options. */
imd_status imd_store_query_value(imd_store *store, const char *expression,
                                 const imd_value *arguments, const imd_value *options,
                                 imd_value **out, imd_error *error);

/* ---- Members in C11 ------------------------------------------------------------------------- */

/* Macros for imd_value_object, imd_value_array, imd_store_dispatch_object and imd_pointer, in C11
 * and later. What they make lasts until the enclosing block ends. Arguments are evaluated once. */

/* A member of an object: IMD_MEMBER("title", title). The type of the value gives the kind:
 *     bool, and the words true and false               IMD_BOOL
 *     short, int, long, long long, and unsigned ones   IMD_INTEGER
 *     float, double                                    IMD_REAL
 *     char *, a C string                               IMD_STRING
 *     imd_value *                                      IMD_VALUE
 *     void *, which must be NULL                       IMD_NULL
 * A pointer may be one to const. Another type, such as char, does not compile. Before C23, a
 * comparison or a negation is an int: write (bool)!done. */
#define IMD_MEMBER(name, value) IMD_MEMBER_OF_TYPE(name, value, #value)

/* An element of an array: IMD_ELEMENT(7). */
#define IMD_ELEMENT(value) IMD_MEMBER_OF_TYPE(NULL, value, #value)

/* A member that is an object: IMD_OBJECT_MEMBER("size", IMD_MEMBER("x", 3), IMD_MEMBER("y", 4)). */
#define IMD_OBJECT_MEMBER(name, ...) IMD_MEMBER_OF_LIST(name, IMD_OBJECT, __VA_ARGS__)

/* A member that is an array: IMD_ARRAY_MEMBER("tags", IMD_ELEMENT("new"), IMD_ELEMENT("cat")). */
#define IMD_ARRAY_MEMBER(name, ...) IMD_MEMBER_OF_LIST(name, IMD_ARRAY, __VA_ARGS__)

/* Members or elements as two arguments of a function: the list and its count. There may be none. */
#define IMD_MEMBERS(...) IMD_MEMBER_LIST(__VA_ARGS__), IMD_MEMBER_COUNT(__VA_ARGS__)

/* The members of an action as two arguments of a function. IMD_ACTION("added", IMD_MEMBER("n", 1))
 * is {"type": "added", "payload": {"n": 1}}, and IMD_ACTION("cleared") is {"type": "cleared"}. For
 * a payload that is no object, or a "meta", use IMD_MEMBERS. */
#define IMD_ACTION(...) IMD_ACTION_OF_TYPE(__VA_ARGS__, )

/* The keys of a pointer as two arguments of imd_pointer: IMD_KEYS("tasks", id). */
#define IMD_KEYS(...) \
  (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)

#ifndef __cplusplus /* the rest is for the macros above */

#define IMD_MEMBER_OF_TYPE(key, source, text) \
  ((imd_member){.name = (key), \
                .kind = IMD_KIND_OF(source, text), \
                .count = IMD_COUNT_OF(source), \
                .integer = (int64_t)IMD_INTEGER_OF(source), \
                .real = _Generic((source), float: (source), double: (source), default: 0), \
                .string = _Generic((source), char *: (source), const char *: (source), \
                                   default: NULL), \
                .value = _Generic((source), imd_value *: (source), const imd_value *: (source), \
                                  void *: (source), const void *: (source), default: NULL)})

/* true and false are of type int before C23, but they have these words. */
#define IMD_KIND_OF(source, text) \
  _Generic((source), \
      int: strcmp(text, "true") == 0 || strcmp(text, "false") == 0 ? IMD_BOOL : IMD_INTEGER, \
      _Bool: IMD_BOOL, short: IMD_INTEGER, unsigned short: IMD_INTEGER, unsigned: IMD_INTEGER, \
      long: IMD_INTEGER, unsigned long: IMD_INTEGER, long long: IMD_INTEGER, \
      unsigned long long: IMD_INTEGER, float: IMD_REAL, double: IMD_REAL, char *: IMD_STRING, \
      const char *: IMD_STRING, imd_value *: IMD_VALUE, const imd_value *: IMD_VALUE, \
      void *: IMD_NULL, const void *: IMD_NULL)

#define IMD_COUNT_OF(source) \
  _Generic((source), unsigned long: 1, unsigned long long: 1, char *: IMD_ZERO_TERMINATED, \
      const char *: IMD_ZERO_TERMINATED, default: 0)

#define IMD_INTEGER_OF(source) \
  _Generic((source), float: 0, double: 0, char *: 0, const char *: 0, imd_value *: 0, \
      const imd_value *: 0, void *: 0, const void *: 0, default: (source))

#define IMD_MEMBER_OF_LIST(key, container, ...) \
  ((imd_member){.name = (key), \
                .kind = (container), \
                .count = IMD_MEMBER_COUNT(__VA_ARGS__), \
                .members = IMD_MEMBER_LIST(__VA_ARGS__)})

/* The first member of the array is not part of the list, which may be empty. */
#define IMD_MEMBER_ARRAY(...) ((const imd_member[]){(imd_member){.name = NULL}, __VA_ARGS__})
#define IMD_MEMBER_LIST(...) (IMD_MEMBER_ARRAY(__VA_ARGS__) + 1)
#define IMD_MEMBER_COUNT(...) (sizeof IMD_MEMBER_ARRAY(__VA_ARGS__) / sizeof(imd_member) - 1)

#define IMD_ACTION_OF_TYPE(type, ...) \
  ((const imd_member[]){IMD_MEMBER_OF_TYPE("type", type, ""), \
                        IMD_MEMBER_OF_LIST("payload", IMD_OBJECT, __VA_ARGS__)}), \
      (IMD_MEMBER_COUNT(__VA_ARGS__) == 0 ? 1 : 2)

#endif

/* ---- Optimistic updates -------------------------------------------------------------------- */

/* An optimistic update is a change that is shown before the effect that confirms it, such as a
 * request to a server, has succeeded. With the option "optimistic", the meta of an action may have
 * a member "optimistic":
 *     {"begin": "KEY"}    reduces the action now; it is in flight until its outcome
 *     {"succeed": "KEY"}  the outcome: the action in flight is confirmed
 *     {"fail": "KEY"}     the outcome: the action in flight is rolled back, as if it had never
 *                         happened
 * An outcome is itself an action and is reduced like any other. To roll back, the store returns to
 * the state before the action in flight, reduces all later actions again, leaving out those that
 * the reducer now rejects, and then reduces the outcome. Observers see this as one change.
 *
 * An outcome ends its update even if the reducer rejects it: the action in flight is confirmed or
 * rolled back, the outcome itself is not reduced, observers are called, streams get the outcome,
 * and the dispatch yields IMD_REDUCER_FAILED with a message that says so. In a batch, a rejected
 * outcome fails the batch: nothing changes, and the action stays in flight. If the reducer was
 * interrupted, the action stays in flight too. So it does if the reducer returns IMD_LIMIT for one
 * of the later actions, for example because a limit was lowered since: nothing changes, and the
 * dispatch yields IMD_REDUCER_FAILED with a message that says so. Raise the limit, and dispatch the
 * outcome again.
 *
 * A key is any text, compared by its bytes. If several actions are in flight with the same key, an
 * outcome belongs to the oldest. An outcome without an action in flight is an ordinary action. The
 * log begins with the oldest action in flight and holds up to 1,024 actions; beyond that, the
 * oldest action in flight is confirmed. While nothing is in flight, the log is empty. A dispatch
 * yields IMD_INVALID_ACTION if "optimistic" has any other shape, or if the store was created
 * without the option. */

/* Returns the state to save: a snapshot without the optimistic updates in flight, as if all of them
 * had failed now. If none is in flight, it is the state. Otherwise it waits for a running reducer,
 * and calls the reducer for the other actions since the oldest update in flight; those that the
 * reducer now rejects are left out. The store does not change.
 *
 * IMD_REENTRANT: called inside a reducer, selector, rule, comparison or filter, of this or any
 * other store. IMD_REDUCER_FAILED: the reducer was interrupted. IMD_LIMIT: it exceeded a limit. */
imd_status imd_store_confirmed_state(imd_store *store, imd_value **out, imd_error *error);

/* ---- Checks -------------------------------------------------------------------------------- */

/* With the option "schema", what comes into the store is checked. It is an object:
 *     "actions"         the schemas of the payloads by the types of actions. An action that does
 *                       not fit, or whose type is missing here, is refused with IMD_INVALID_ACTION
 *                       before the reducer runs. An action without a payload is checked as if that
 *                       were {}
 *     "unknownActions"  "allow": actions of other types are not refused
 *     "state"           the schema of the state. If the initial state does not fit,
 *                       imd_store_create yields IMD_INVALID_ARGUMENT; if the next state of a
 *                       reducer does not, the dispatch fails with IMD_REDUCER_FAILED. Only what
 *                       changed is checked
 *     "arguments"       the schemas of the arguments by the names of selectors: other arguments
 *                       yield IMD_INVALID_ARGUMENT
 *     "effects"         the schemas of the arguments by the names of effects. If a rule asks for
 *                       another effect, or for an outcome whose type is not in "actions", none of
 *                       what it returned begins, and the error is passed to the function of
 *                       imd_store_set_effect_error_handler
 *     "$defs"           schemas by name, to which all others may refer: {"$ref": "#/$defs/NAME"}
 * Schemas are those of JSON Schema, draft 2020-12, with the keywords that docs/schemas.md lists;
 * another keyword yields IMD_INVALID_ARGUMENT. A check beyond the limit "work" yields IMD_LIMIT.
 * The actions of a log were accepted when they were dispatched: they are not checked again. A log
 * says the schema, and each change of it.
 *
 * With the option "strict", the reducer and the functions of selectors run twice each time, and
 * must return the same: a dispatch whose reducer does not fails with IMD_REDUCER_FAILED, and a
 * selector with IMD_INVALID_SELECTOR; the message names the action, the first difference and both
 * values. What a function reads of a coarse clock can be the same twice. A reducer, selector, rule,
 * observer or function of an effect that takes longer than N milliseconds (1 to 3,600,000, default
 * 100) is named on standard error, once.
 *
 * A reducer that returns IMD_TIMEOUT was interrupted and has not rejected anything: the dispatch or
 * batch fails with IMD_REDUCER_FAILED, and nothing changes. In some languages a callback can end
 * before it returns a status, which is then undefined: in Python, if a signal handler raises. With
 * "interruptible", the reducer confirms each result: before it returns IMD_OK, it sets *next (to
 * the state itself if nothing changes); before it returns another status, it sets error->status to
 * the same. Any other result is an interruption. */

/* ---- Selectors ------------------------------------------------------------------------------ */

/* Names an expression, so that it can be selected and observed, and used as a dependency or as an
 * input of a function.
 *
 * A name can be defined again; one of the domain cannot. Outside callbacks, observers of the name,
 * and of functions that depend on it, have been called when this returns, if their outputs changed.
 * Inside a callback, if another thread is calling observers of this store, that thread calls them.
 *
 * IMD_INVALID_ARGUMENT: the name is empty, or is that of a selector of the domain.
 * IMD_INVALID_SELECTOR: the expression cannot be compiled. IMD_LIMIT: it nests too deep. */
imd_status imd_store_define_selector(imd_store *store, const char *name, const char *expression,
                                     imd_error *error);

/* Returns what is probably a mistake in an expression, as a JSON array of sentences for people; []
 * if there is nothing. An expression that can only be empty for the current state is valid and
 * fails nowhere, so this looks for members that nothing in the state has: in
 * todos[?lane == "todo"], "todo" is the name of a member, and 'todo' the text. An empty array or
 * object says nothing about its elements, and a member that is tested for absence may be missing.
 * It also looks for text compared by < or >, which order only numbers.
 * Call it during development, with the expressions of queries and before imd_store_define_selector.
 * out is *owned by the caller*; out_length may be NULL.
 * IMD_INVALID_SELECTOR, IMD_LIMIT: as imd_store_define_selector. */
imd_status imd_store_check_expression(imd_store *store, const char *expression, char **out,
                                      size_t *out_length, imd_error *error);

/* Your selector: a function that computes an output from its inputs, as in Reselect.
 *
 * inputs: count values, in the order of the options. arguments: an object with the arguments that
 * the options name; empty if they name none. All are *borrowed for the call*.
 *
 * It returns IMD_OK and sets *out (NULL when it is called) to one of these:
 *   - a new value or a retained one, which the library then owns;
 *   - a borrowed value: an input, the arguments, or a value of a cursor that is still open.
 * Or it returns another status, and may set a message and a code in error (never NULL here): the
 * evaluation then fails with IMD_INVALID_SELECTOR, and a value in *out that you own is released. So
 * it does if it returns IMD_OK and leaves *out NULL.
 *
 * It must be pure: same input, same output. It may run on several threads at once, and again for
 * the same inputs if the output left the cache. It must not use its store (name what it needs as an
 * input) nor dispatch to any: such a call, and then the evaluation, yields IMD_REENTRANT. */
typedef imd_status (*imd_selector)(void *context, const imd_value *const *inputs, size_t count,
                                   const imd_value *arguments, imd_value **out, imd_error *error);

/* Names a function, so that it can be selected and observed, and used as a dependency or as an
 * input of another function. The function is called only if one of its inputs has changed. If it
 * returns a value that equals the last one, the output has not changed, and no observer is called.
 *
 * options: a JSON object, or NULL for none:
 *   "inputs"     an array of the names of selectors, or of expressions over the state. A name means
 *                the selector that is defined when this is called, if there is one; otherwise it is
 *                an expression, such as "todos". The function's own name is always an expression
 *   "each"       a further input, an array or an object: the function gets one of its elements or
 *                members, then the other inputs, and is called only for those that changed, or for
 *                all if another input did. Members are matched by key, elements by position; a few
 *                inserted or removed elements in some places are recognized. The output is the
 *                array or object of the results, and shares what did not change; of null, null
 *   "arguments"  an array of the names of the arguments that the function gets. The selector takes
 *                these and those of its inputs, all of them required; each input gets its own
 * Without "inputs" and "each", the function gets the state.
 *
 * A name can be defined again, as with imd_store_define_selector; functions that depend on it then
 * use the new selector. An observation whose arguments it does not take gets a failure. Outside
 * callbacks, waits for calls of the old function on other threads, as imd_store_close does. A
 * function that failed is called again, also for the same inputs.
 *
 * context: passed to the function. release (which may be NULL) is called with it once, when the
 * function was replaced or the store closed, and the function neither runs nor will run; not if
 * this fails.
 *
 * A change costs what the inputs cost, and with "each", O(k log n) for k changed elements of n. The
 * last inputs and output are kept for each observation, and for the last 256 different arguments:
 * for fewer if these, inputs and outputs are large.
 *
 * IMD_INVALID_ARGUMENT: an option is unknown or has the wrong shape; the name is empty, or is that
 * of a selector of the domain; or the function would be its own input, by way of others: the
 * message has the path. IMD_INVALID_SELECTOR: an input is neither the name of a selector nor an
 * expression. IMD_LIMIT: functions nest deeper than 64. */
imd_status imd_store_define_function(imd_store *store, const char *name, const char *options,
                                     size_t length, imd_selector selector, void *context,
                                     void (*release)(void *context), imd_error *error);

/* Describes a store as a JSON object. For a store of a domain, it has the members that imd_domains
 * lists. "selectors" also has those that were defined, in the order of their names:
 *     {"name": "…", "arguments": SCHEMA, "expression": "…", "incremental": false, "because": "…"}
 *     {"name": "…", "arguments": SCHEMA, "inputs": ["…"], "each": "…"}
 * "each" is left out if there is none. "incremental" is true if an evaluation after a change takes
 * time for the changed elements of large collections only (docs/selectors.md); otherwise "because"
 * names what reads all of them.
 * A store with the option "schema" also has "actions" and "effects" as a domain, "state", and
 * "$defs", to which these refer; each is left out if the option lacks it. out is *owned by the
 * caller*; out_length may be NULL. */
imd_status imd_store_describe(imd_store *store, char **out, size_t *out_length, imd_error *error);

/* ---- More of a store ------------------------------------------------------------------------ */

/* Computes what actions would do, for example to ask "Delete 3 items?" before it happens. actions
 * is a JSON array, reduced as imd_store_dispatch_batch would reduce it: on the state that is shown,
 * with the optimistic updates in flight. Nothing is committed: the state does not change, no
 * effects begin, and no rule, observer or stream is notified. Waits for a running reducer.
 *
 * state: the state after the actions, *owned by the caller*: imd_value_release it.
 * patch: the JSON Patch (RFC 6902) from the state before them to that one, *owned by the caller*:
 * imd_free it. patch_length gets its length. Each of the three may be NULL.
 *
 * Fails as imd_store_dispatch_batch does, except that it never yields IMD_TIMEOUT. IMD_LIMIT also:
 * as imd_value_diff, if patch is not NULL. */
imd_status imd_store_preview(imd_store *store, const char *actions, size_t length,
                             imd_value **state, char **patch, size_t *patch_length,
                             imd_error *error);

/* Returns the counters of a store as a JSON object:
 *     "selects"        calls to imd_store_select and imd_store_query that returned an output
 *     "evaluations"    selects that required evaluating a selector
 *     "observations"   observations that have not ended
 *     "visits"         how often a dispatch may have affected an observation, even if "ignore", a
 *                      filter or "dependencies" then made its evaluation unnecessary
 *     "deliveries"     calls to observers
 *     "overruns"       actions added to full streams ("overflow": "block")
 *     "optimisticUpdates"  optimistic updates in flight (only if the store can have them)
 *     "effects"        effects that have begun, also those that are in flight or have no function
 *                      (only if the domain has effects, or the store had a rule)
 *     "effectsInFlight"  effects that wait or that the program performs; at most 65,536 (likewise)
 *     "failedEffects"  failed effects (see imd_rule), and failures of the rule (likewise)
 *     "waitingEffects"  effects of the rule that have not begun, or wait to be tried again (only if
 *                      the store had a rule, like the next two)
 *     "cancelledEffects"  effects of the rule that were cancelled
 *     "lateOutcomes"   answers of the program to cancelled effects without a cancel function
 *     "incremental"    only if expressions have kept partial results: {"expressions": N,
 *                      "bytes": N, "evaluations": N, "elements": N}: how many keep some now, and
 *                      about how much memory these take (up to 64 MiB, not counting the largest);
 *                      how many evaluations used or made them, and how many elements of
 *                      collections these evaluated
 *     "log"            only with a log: {"entries": N, "bytes": N, "unwrittenBytes": N,
 *                      "unsyncedBytes": N, "writes": N, "syncs": N, "snapshots": N,
 *                      "snapshotBytes": N, "failedSnapshots": N, "cutLines": N, "cutBytes": N,
 *                      "problem": null, "compactions": N, "compactionTime": null,
 *                      "compactionProblem": null, "firstEntry": null, "skippedCommits": N}:
 *                      what was appended since it was opened, and the length of the file; what is
 *                      not written, and not on the disk; what opening cut off the end; the message
 *                      of why the file cannot be written, or followed any more; how often it was
 *                      compacted, when it was last (in milliseconds since 1970), why it could not
 *                      be; with "keep", the number of the first entry; and how many commits of
 *                      others the store did not get, since the file was compacted twice before
 *                      the store could read it: it got their state in one step. Also
 *                      "missingMembers": [NAME], those of the initial state that the state in the
 *                      file lacks, if there are any; and in a store that follows the file,
 *                      "watch": "inotify" if the system reports its changes, or "timer" if the
 *                      store looks for them every 50 ms, because the system cannot watch the file
 * and those of a domain with effects:
 *     "requestsInFlight"  requests that the program performs; at most 65,536
 *     "droppedEvents"  changes that a server sent faster than "animals" applied them, so that it
 *                      fetches everything again (only with "remote") */
imd_status imd_store_statistics(imd_store *store, char **out, size_t *out_length,
                                imd_error *error);

/* Copies the database of a store, such as that of "animals", to a new file. Other threads can use
 * the store meanwhile; effects wait while a database in memory is copied. The copy has the changes
 * that were committed when it began; imd_store_settle waits for those of effects in flight. The
 * copy is a single file, without a journal or log, and has the owner and the permissions of the
 * original, as far as the system allows. The copy of a database in memory can be read and written
 * only by its owner.
 *
 * The copy is checked for damage, and appears at the path when it is complete. Until then it is a
 * file "backup.XXXXXX" in the same directory; if the process ends meanwhile, that file remains.
 *
 * IMD_INVALID_ARGUMENT: the store has no database; the path is empty; or there is already a file at
 * the path, or a journal or log beside it ("-journal", "-wal"). No file is replaced.
 * IMD_IO: a file cannot be read or written. IMD_CORRUPT: the database is damaged. */
imd_status imd_store_backup(imd_store *store, const char *path, imd_error *error);

/* ---- History -------------------------------------------------------------------------------- */

/* A store with the option "history" keeps its past: actions can be undone and redone, and any
 * state that it keeps can be shown again. The states share what they have in common, so a step
 * takes the memory of what it changed. The option, of imd_store_open and imd_store_create, is
 * true, or an
 * object:
 *     "limit"     how many steps can be undone: 1 to 1,048,576 (default 100)
 *     "bytes"     about how many bytes only the past may keep alive; the oldest steps go first, and
 *                 the last one stays. Only for imd_store_create
 *     "paths"     JSON Pointers to the parts of the state that are undone and redone, such as
 *                 ["/board"]; others stay as they are. Only for imd_store_create
 *     "undoable"  patterns of the types of actions that are steps (default ["*"]), as for "ignore"
 *                 of imd_store_observe
 *     "ignore"    patterns of the types of actions that are no steps
 *     "group"     which neighbours are one step: {"within": N}: actions of one type, each at most N
 *                 milliseconds after the one before; or {"meta": "NAME"}: actions whose meta has an
 *                 equal member of that name; at most 4,096. A batch is always one step
 *
 * A step is one or more actions that are undone together. An action that changes nothing is no
 * step: the reducer returned the state itself, or set a scalar to an equal one. (In a domain,
 * every action counts as a change unless its State is Equatable.) Nor are several actions a step
 * that together change nothing: a batch, a group, or neighbours. Their states are compared by
 * value; while optimistic updates are in flight, several actions always count as a change.
 *
 * A step drops what has been undone, when no more actions can join it; until then it can come back,
 * if the step vanishes. What a limit has dropped does not. An action that is no step keeps what has
 * been undone: to undo and to redo go to the states that were recorded, so a change by such an
 * action after a step is lost when that step is undone. A batch is a step if one of its actions is.
 *
 * With "paths", only changes of these parts count, and jumps set only these parts; objects on the
 * way to a part that are missing are made anew. A jump then yields IMD_INVALID_ARGUMENT while an
 * optimistic update is in flight.
 *
 * Undo, redo and travel are commits: observers get one change, and streams the actions
 *     {"type": "@@history/undone", "payload": {"number": N}}
 * "@@history/redone" and "@@history/traveled", where N is the number of the step that is shown.
 * imd_store_cancel_group commits "@@history/cancelled" in the same way.
 * "ignore" and "types" match them. They have no effects, and rules and filters are not asked.
 * Actions whose types begin with "@@" cannot be dispatched. A domain can forbid to undo some of
 * its actions, because what they changed is also in a database or on a server:
 * IMD_INVALID_ARGUMENT with its reason.
 *
 * An optimistic update that is in flight stays so after a jump to a state since it began, if it
 * has not ended meanwhile. A jump to a state before takes it out for good: its outcome is then an
 * ordinary action, and a redo shows it as confirmed. When an update is rolled back, all steps since
 * it began are reduced again without it; those that the reducer now rejects are removed.
 *
 * The selector "@@history" can be selected, observed, and used as an input of a function:
 *     {"undo": 3, "redo": 0, "undoType": "items/added", "undoMeta": META, "redoType": null,
 *      "redoMeta": null, "clean": false}
 * "undo" and "redo" count steps; the types and metas are those of the first action of the step
 * that imd_store_undo takes back and that imd_store_redo brings back, or null; "clean" is whether
 * the program has saved the step that is shown, see imd_store_mark_clean.
 *
 * Without the option, the functions below yield IMD_INVALID_ARGUMENT. In a reducer, and those that
 * jump also in a selector, rule, comparison or filter, they yield IMD_REENTRANT. Undo, redo and
 * travel wait for running reducers and for room in streams as a dispatch does. Each takes O(1),
 * and O(n log n) for n optimistic updates in flight, of which there are at most 1,024. */

/* Undoes up to `steps` steps: the state is the one just before the first action of the last of
 * them. taken gets how many were undone, and may be NULL. If there is nothing to undo, that is 0,
 * nothing changes, and the status is IMD_OK. */
imd_status imd_store_undo(imd_store *store, size_t steps, size_t *taken, imd_error *error);

/* Redoes up to `steps` steps: the state is the one after the last action of the last of them. Else
 * as imd_store_undo. */
imd_status imd_store_redo(imd_store *store, size_t steps, size_t *taken, imd_error *error);

/* Shows the state after the step with a number. 0 is the state before the first step, as long as
 * no step has been dropped; then the number of the last one that was. It is a commit even if the
 * state stays the same. IMD_NOT_FOUND: there is no such step; the message says which there are. */
imd_status imd_store_travel(imd_store *store, size_t number, imd_error *error);

/* Begins a group: all actions that are steps are one step until the group ends, also those that
 * other threads dispatch. Groups nest. Undo, redo and travel end all groups. IMD_LIMIT: 256 groups
 * are open. */
imd_status imd_store_begin_group(imd_store *store, imd_error *error);

/* Ends the group that began last. Does nothing if none is open. */
imd_status imd_store_end_group(imd_store *store, imd_error *error);

/* Gives up the group that began last, and ends it: the state is the one before the group, and what
 * could be redone then can be redone again. What other threads and actions that are no steps
 * changed in the group is given up, too. It is a commit, with the action "@@history/cancelled",
 * unless nothing was committed in the group. Does nothing if none is open. If it fails, because a
 * domain forbids to undo an action in the group, the group is still open: end it. */
imd_status imd_store_cancel_group(imd_store *store, imd_error *error);

/* Declares that the program has saved the step that is shown: "clean" of the selector "@@history"
 * is true, until there is another step, and again when undo, redo or travel come back here. Changes
 * by actions that are no steps do not count. At first it is true. Observers have been called when
 * this returns, as after a dispatch; it is no commit. */
imd_status imd_store_mark_clean(imd_store *store, imd_error *error);

/* Returns the steps as JSON, oldest first:
 *     {"present": 42, "undo": 3, "redo": 0, "entries": [
 *         {"number": 40, "time": 1764000000000, "type": "items/added", "actions": 1,
 *          "undone": false}, …]}
 * "present" is the number of the step that is shown. The number of a step is that of the commit of
 * its first action: commits, which are actions and jumps, have the numbers 1, 2, 3 and so on.
 * "time" is that of the first action, in milliseconds since 1970; "type" is its type; "actions"
 * counts them.
 *
 * options: a JSON object, or NULL for none:
 *     "from"     the index of the first entry, from 0, the oldest (default 0)
 *     "count"    how many entries at most (default all)
 *     "actions"  true: an entry has an array of its actions instead of their number
 *     "patches"  true: an entry has a member "patch", a JSON Patch (RFC 6902) of what it changed
 * out: *owned by the caller*; out_length may be NULL.
 *
 * IMD_LIMIT: a patch takes more than IMD_LIMIT_WORK. */
imd_status imd_store_history(imd_store *store, const char *options, size_t length, char **out,
                             size_t *out_length, imd_error *error);

/* Returns the commits that changed the value at a JSON Pointer (RFC 6901), as JSON, newest first:
 *     [{"number": 42, "step": 40, "time": 1764000000000, "type": "items/added", "before": …,
 *       "after": …}, …]
 * "step" is the number of the step that the commit belongs to, as for imd_store_travel.
 * "before" or "after" is left out if the state had no value there. With a shared log, there is also
 * the number of the "writer". Only the steps are searched that
 * have not been undone; of neighbours of one type in a step, such as the movements of a drag, only
 * the first and the last. O(1) for each step, and O(log n) for each commit until "count" is
 * reached; in a store of a domain, each state is encoded.
 *
 * options: a JSON object, or NULL for none: "count", how many commits at most (default all); "log":
 * true to go on in the log of the store (see imd_store_sync), before the first step of its history.
 * That repeats the log from its base, as imd_store_replay does; its commits have no "step".
 * out: *owned by the caller*; out_length may be NULL.
 *
 * IMD_INVALID_ARGUMENT: not a JSON Pointer. */
imd_status imd_store_blame(imd_store *store, const char *pointer, const char *options,
                           size_t length, char **out, size_t *out_length, imd_error *error);

/* imd_store_blame with a value, *owned by the caller*, whatever its size: imd_value_release it. */
imd_status imd_store_blame_value(imd_store *store, const char *pointer, const char *options,
                                 size_t length, imd_value **out, imd_error *error);

/* ---- Log ------------------------------------------------------------------------------------ */

/* A store with the option "log" keeps every action in a file. When it is opened again, it has the
 * state that it had: nothing is lost, the last action before a crash included. What can be undone
 * and redone is kept, too. The option, of imd_store_open and imd_store_create, is the path of the
 * file, or an object:
 *     "path"         the path of the file; a file that does not exist is created
 *     "durability"   what a dispatch waits for, after its commit:
 *                      "full"    its entry is on the disk: it survives a power cut. Threads that
 *                                dispatch at the same time share one write to the disk
 *                      "normal"  its entry was handed to the operating system: it survives the end
 *                                of the process (the default)
 *                      "none"    for nothing: the entry is written soon, in the background. If the
 *                                file is slower than the dispatches, they wait for room
 *     "application"  a name; a file with another name is refused
 *     "version"      the version of the shape of state and actions, from 1 (the default)
 *     "keep"         which entries stay when the file is compacted: "all" (the default), the last
 *                    {"entries": N}, {"days": N} or {"bytes": N}. It is compacted when it has more
 *                    than twice as many: when it is opened, and by a thread of the library while
 *                    it is open, once it also has twice the bytes that stayed the last time, and
 *                    at least 64 KB more. Actions go on meanwhile; at the end, one may wait until
 *                    64 KB are copied and on the disk. If they come faster than the file is
 *                    compacted, each waits up to 10 ms, so that it has at most about three times
 *                    what stays, or 3 MB more
 *     "recover"      "before damage": if the file is damaged, the store goes on with the entries
 *                    before the damage. The damaged file becomes PATH-damaged, or PATH-damaged-2
 *                    if there is one, and so on. A "shared" file stays as it is while another
 *                    store has it open
 *     "defaults"     members that the states of the file may lack, because an older program has
 *                    written it: an object of JSON Pointers and values, such as {"/tags": []}.
 *                    They are added to each state that is read from the file
 *     "readOnly"     true: the store reads the file and does not change it. While another store
 *                    writes the file, this one follows: a thread of the library calls its reducer
 *                    and its observers, usually within a millisecond. If the system does not
 *                    report a change, such as one by another computer, it takes at most 1 s. It
 *                    has no effects and no rule, and a dispatch yields IMD_INVALID_ARGUMENT
 *     "shared"       true: other stores write to the file, too, in any process (see below)
 *     "author"       with "shared": a name of the store of at most 256 bytes, which the file keeps
 *     "at"           with "readOnly": the store has the state after the commit with this number,
 *                    and does not follow. IMD_NOT_FOUND: the file has no such commit
 *
 * The state that is passed to imd_store_create, or the option "state", is that of a new file only.
 * Opening calls the reducer with the actions since the last snapshot (see below) before it returns.
 * It runs no effects: their outcomes are actions, which the file has. Observers, streams and rules
 * begin afterwards. Optimistic updates whose outcome the file lacks are rolled back, in one entry.
 *
 * Inside callbacks nothing waits for the file; a thread of the store writes the entry. Effects and
 * functions of effects begin when the entry of their action is as durable as asked.
 *
 * If the file cannot be written, such as when the disk is full, the dispatch yields IMD_IO, and the
 * store keeps its new state, which is ahead of the file. Further dispatches yield IMD_IO and change
 * nothing, until imd_store_sync has written what is missing. Outcomes of effects wait for that.
 *
 * One store writes a file at a time, in all processes: a second one yields IMD_IO, with the id of
 * the process in the message. The child of a fork does not write.
 *
 * Unless all open it with "shared": then any number of stores write to one file, in any number of
 * processes of this computer, with the same reducer. A dispatch waits until no other store appends,
 * commits what the others have appended, and then its own action: the reducer gets the state of all
 * actions before, and the order is the same for all. So it calls the reducer for actions of others,
 * and their observers and streams get those as their own; rules and effects do not. Without a
 * dispatch, a store hears of the others usually within a millisecond, as with "readOnly".
 *     - IMD_TIMEOUT: another store has kept the file locked for 10 seconds. Nothing has changed;
 *       the message names the process, and says if it is stopped.
 *     - If the file cannot be written, the dispatch yields IMD_IO, and nothing has changed.
 *     - A process that ends at any moment loses nothing that its dispatches have returned. What it
 *       has written in part is cut, and kept in PATH-cut.
 *     - A group, joined actions, the clean mark of the history and the keys of optimistic updates
 *       belong to the store that made them. The updates that a store leaves in flight when it is
 *       closed or its process ends are rolled back by another one, within a second, or by the next
 *       that opens the file. imd_store_undo undoes the newest step of any store;
 *       IMD_INVALID_ARGUMENT if another store has changed the state since by an action that is no
 *       step, which would be lost.
 *     - The options of the history are those of the file; others are refused. So are the durability
 *       "none", and a file on a network file system. imd_log_compact makes a file shared that was
 *       not, or the reverse.
 *     - imd_log_migrate, imd_log_redact, and imd_log_compact with "shared", need the file alone:
 *       they yield IMD_IO while a store has it open to write, with the id of the process in the
 *       message. A store that is opened meanwhile waits. "keep" and imd_log_compact without
 *       "shared" compact it at any time; the stores go over to the new file.
 *     - The locks are bytes of PATH-lock, which must not be removed. They end with the process.
 *
 * In place of a path, "log" or its "path" may be the address of a log that a server keeps for
 * programs on any number of machines, such as "postgresql://db.example/app?log=board-7". The part
 * before "://" names a driver (see immutabledata_log.h), which the program has registered. Such a
 * log is "shared", and as durable as its server makes it; it has the options "application",
 * "version", "defaults", "readOnly", "at", "author", and
 *     "timeout"  how many milliseconds a call waits for a server that cannot be reached; 10,000 by
 *                default. Later calls fail at once, between attempts that the store makes at most
 *                5 seconds apart
 * A dispatch returns when the log has its entry: it waits for the server, so a callback dispatches
 * with imd_store_dispatch_async (imd_store_dispatch yields IMD_REENTRANT). The reducer has run on
 * exactly the state before the entry; if others were faster, it runs again. All else is as with a
 * shared file, except:
 *     - IMD_UNAVAILABLE: the server cannot be reached. The store has its last state, and goes on by
 *       itself. IMD_REFUSED: the server refuses, for example without permission. Nothing has
 *       changed, in both cases.
 *     - IMD_TIMEOUT: the server has not answered, so it is not known whether the log has the
 *       action; the store learns it when it reaches the server again. Do not dispatch the action
 *       again before you see that it is missing.
 *     - IMD_OUTDATED: the reducer refuses an entry, or makes another state of the entries than the
 *       store that puts a snapshot. It stops there and can be read: another version of the program
 *       is needed, or a deterministic reducer.
 *     - IMD_DIVERGED: the log is not the one that the store has read; the server was restored from
 *       a backup, for example. The store stops and can be read. Open another one to go on with what
 *       the server has.
 *     - Optimistic updates, "durability", "keep" and "recover" are refused. imd_store_sync has
 *       nothing to do. No writer is known to have ended.
 *     - "@@log" also has "connection": "following", or why the store does not have what the server
 *       has: "waiting" (for the server), "needs auth", "update needed", "diverged" or "refused".
 *     - Passwords in an address are in no message and no output of the library.
 *
 * If another program deletes, moves, replaces, shortens or overwrites the file of an open store,
 * the next dispatch that writes yields IMD_IO, as do imd_store_sync and imd_store_refresh; the
 * store keeps its state. A file of the same length, with another last line in place of the old one,
 * is found by the next write to the disk: by imd_store_sync, and with "full" by each dispatch. What
 * was changed before that line is found when the file is opened next. To go on, put the same file
 * back and call imd_store_sync; or close the store and open it again, which has what the file has
 * then.
 *
 * The selector "@@log" can be selected, observed, and used as an input of a function:
 *     {"path": "/home/ada/board.imd", "problem": null, "readOnly": false, "writer": null}
 * "writer" is the number of the store in a log that it shares with others.
 * "problem" is the message of why the file cannot be written, or followed any more. Its observers
 * are called when a dispatch or imd_store_sync finds or ends a problem, and when a store with
 * "readOnly" or "shared" stops.
 *
 * The file is JSON Lines (docs/log.md has its format), and entries are only appended. Beside it,
 * PATH-snapshot is a later state, from which opening goes on; it can be deleted. After a power
 * cut, the end of the file can be damaged: it is cut off, kept in PATH-cut, and counted
 * ("log" of imd_store_statistics). Other damage, and a file of another kind, yield IMD_CORRUPT; a
 * log of another domain, application or version yields IMD_INVALID_ARGUMENT. The file then stays as
 * it is, unless "recover" says otherwise.
 *
 * A file that replaces or copies the log, or is beside it, has its owner, group, mode and access
 * control list, as far as the system allows, and never more users. */

/* Waits until all commits so far are on the disk: up to timeout_ms milliseconds, forever if
 * negative. After a failure, writes what is missing, and dispatches continue. Does nothing for a
 * store without a log, or with "readOnly". Closing a store does the same, but reports nothing.
 *
 * IMD_IO: the file cannot be written. IMD_TIMEOUT: another thread is still writing.
 * IMD_REENTRANT: called inside a callback. */
imd_status imd_store_sync(imd_store *store, int timeout_ms, imd_error *error);

/* Brings a store with "readOnly" or "shared" to what its file has now, and returns after its
 * observers have been called. Does nothing for any other store.
 *
 * IMD_IO, IMD_CORRUPT: the file cannot be read any more, or is another log, and the store no longer
 * follows it. That is also passed to the function of imd_store_set_effect_error_handler, once, as
 * nobody may be waiting.
 * IMD_REENTRANT: called inside a callback. */
imd_status imd_store_refresh(imd_store *store, imd_error *error);

/* Your function that gets the progress of a call: how many bytes of a file it has read, of how
 * many. Called on the calling thread. Returns 0 to cancel the call, which then yields
 * IMD_TIMEOUT. */
typedef int (*imd_log_progress)(void *context, size_t done, size_t total);

/* Repeats the whole log of a store from its base, with the reducer and without effects, and
 * compares the states with those that the store has: the present one, and those of its history.
 * Finds a reducer that is not pure, or that has changed. Dispatches go on meanwhile. out is *owned
 * by the caller*, JSON:
 *     {"entries": 120, "number": 130, "difference": null}
 * "number" is that of the last commit that was compared. A difference is an object: the "number" of
 * the first commit after which the states differ, and the "patch" (RFC 6902) from the state of the
 * store to that of the log. progress may be NULL. O(length of the log).
 *
 * IMD_REDUCER_FAILED: the reducer rejects an entry; the message has its number.
 * IMD_INVALID_ARGUMENT: the store has no log, or optimistic updates are in flight.
 * IMD_REENTRANT: called inside a callback. IMD_IO, IMD_CORRUPT: as opening the file. */
imd_status imd_store_replay(imd_store *store, imd_log_progress progress, void *context, char **out,
                            size_t *out_length, imd_error *error);

/* imd_store_replay with a value, *owned by the caller*, whatever its size: imd_value_release it. */
imd_status imd_store_replay_value(imd_store *store, imd_log_progress progress, void *context,
                                  imd_value **out, imd_error *error);

/* Checks the lines of a file, their checksums, and its snapshot, without a reducer and in memory
 * for one line. Another store may have the file open. out is *owned by the caller*, JSON:
 *     {"entries": 120, "base": 0, "first": 1, "last": 130, "redacted": 0, "bytes": 20480,
 *      "unfinishedBytes": 0, "snapshot": 100}
 * "base", "first" and "last" are numbers of commits: that of the base, of the first entry and of
 * the last. "unfinishedBytes" are at the end, where a power cut or a writer has left a part of a
 * line. "snapshot" is the number of the commit from which opening goes on, or null. progress may be
 * NULL.
 *
 * IMD_IO: the file cannot be read. IMD_CORRUPT: it is damaged, in the line that the message names,
 * or it is no log. */
imd_status imd_log_verify(const char *path, imd_log_progress progress, void *context, char **out,
                          size_t *out_length, imd_error *error);

/* Reads entries of a file, oldest first, in memory for these entries. Another store may have the
 * file open. options, or NULL for none: {"from": N, "count": N, "bytes": N, "at": "…"}, the number
 * of the first commit; the maximum number of entries (default 1,000); at how many bytes of the file
 * it stops (default 1,048,576), but not before its first entry; and the "next" of an earlier call,
 * to go on there, also in a file that was compacted since. out is *owned by the caller*, JSON:
 *     {"entries": [{"number": 7, "time": 1764000000000, "actions": [ACTION]}], "next": "…"}
 * "next" is null at the end. "time" is in milliseconds since 1970. A batch is one entry, with the
 * number of its last commit. Instead of "actions", an entry may have "jump" (undo, redo, travel,
 * and the rollback of optimistic updates), "history" (marks of groups and of what was saved),
 * "options" (from here on) or, in a shared log, "opened" (a store that writes from here on); then
 * each entry also has the number of its "writer". docs/log.md describes them. The value is
 * "redacted" after imd_log_redact.
 *
 * IMD_INVALID_ARGUMENT: an option. IMD_IO, IMD_CORRUPT: as imd_log_verify. */
imd_status imd_log_entries(const char *path, const char *options, size_t length, char **out,
                           size_t *out_length, imd_error *error);

/* imd_log_entries with a value, *owned by the caller*: imd_value_release it. The limits of values
 * do not apply: whatever a store has written can be read. */
imd_status imd_log_entries_value(const char *path, const char *options, size_t length,
                                 imd_value **out, imd_error *error);

/* Returns the last state that a file has, without its reducer: that of its snapshot, or its base.
 * Another store may have the file open. out is *owned by the caller*, a value:
 *     {"state": STATE, "number": 100, "time": 1764000000000, "entries": 30, "last": 130}
 * "number" and "time" are those of the commit that led to the state; "entries" follow, up to the
 * commit "last". IMD_IO, IMD_CORRUPT: as imd_log_verify. O(length of the file). */
imd_status imd_log_snapshot(const char *path, imd_value **out, imd_error *error);

/* The functions below repeat a log with its reducer, as opening a store does. reducer and context
 * are those of imd_store_create; reducer is NULL for a log of a domain. They fail as opening the
 * store does: IMD_IO also if a store has the file open, except for imd_log_state_at,
 * imd_log_export, and imd_log_compact of a shared file. */

/* Returns the state after the commit with a number, *owned by the caller*: imd_value_release it.
 * Repeats the entries from the base. IMD_NOT_FOUND: the file has no such commit; the message says
 * where it begins or ends. A store with "readOnly" and "at" has the same state and selectors. */
imd_status imd_log_state_at(const char *path, size_t number, imd_reducer reducer, void *context,
                            imd_value **out, imd_error *error);

/* Writes a file anew, with its present state as its base, and replaces the old file when the new
 * one is complete, on the disk and read back. Does nothing if nothing would change.
 * options, or NULL for none, is an object:
 *     "keep"    which entries stay, as for a store. All stay by default, to be read.
 *     "shared"  true: several stores may write to the new file. false: only one may; its lines no
 *               longer say who has written them. By default, that does not change.
 * States before the base can no longer be computed; what can be undone stays.
 * IMD_INVALID_ARGUMENT: a store has the shared file open, and optimistic updates are in flight. */
imd_status imd_log_compact(const char *path, const char *options, size_t length,
                           imd_reducer reducer, void *context, imd_error *error);

/* Returns a file as a state that Redux DevTools import: a JSON object with "actionsById",
 * "computedStates" and "currentStateIndex", all actions since the base, each with the state after
 * it. Jumps in the history are actions "@@history/…". out is *owned by the caller*. */
imd_status imd_log_export(const char *path, imd_reducer reducer, void *context, char **out,
                          size_t *out_length, imd_error *error);

/* Makes a file of a state that Redux DevTools have exported: JSON text with the same members.
 * Before, reduces all actions up to the current state, and compares the states. domain: the name of
 * a domain; NULL for a log of the reducer.
 *
 * IMD_INVALID_ARGUMENT: there is a file at the path, the text has another shape, or a state
 * differs; the message names the action. IMD_INVALID_ACTION, IMD_REDUCER_FAILED: an action. Then
 * there is no file. */
imd_status imd_log_import(const char *path, const char *text, size_t length, const char *domain,
                          imd_reducer reducer, void *context, imd_error *error);

/* Your functions that turn what a program of one version has kept into what the next one expects.
 * state gets a state, and action an action, *borrowed for the call*; each sets *next to a value
 * that it owns, or to what it was passed, and returns IMD_OK. action takes an action out for good
 * if it leaves *next NULL; state must set it. A function that is NULL changes nothing. If one fails
 * as a reducer does, the migration fails with IMD_REDUCER_FAILED and its message. */
typedef struct imd_log_migration {
  int from_version; /* the version that it applies to; the result has the next one */
  imd_status (*state)(void *context, const imd_value *state, imd_value **next, imd_error *error);
  imd_status (*action)(void *context, const imd_value *action, imd_value **next, imd_error *error);
  void *context;
  const char *const *removes; /* members that it takes out of the state, and a NULL; or just NULL */
} imd_log_migration;

/* Brings a file of an older version to a version, by count migrations in any order, one from each
 * version on. Call it before the store is opened with that "version". Does nothing if there is no
 * file, or if it has the version.
 *
 * Writes a new file: the migrated base, and the entries with migrated actions. Then repeats it with
 * the reducer of the new version, unless reducer is NULL, and puts it in place of the old one. That
 * stays beside it: "board.imd-v1", or "board.imd-v1-2" if there is one, and so on. A log of a
 * domain is migrated by the domain, when a store opens it.
 *
 * IMD_INVALID_ARGUMENT: the file is newer, or a migration is missing, or there are two from one
 * version; or a state that is an object has lost a member which no migration "removes".
 * IMD_REDUCER_FAILED: a migration failed, or the reducer rejects an entry, whose number is
 * in the message: migrate such an action, or take it out. The file is then as it was. */
imd_status imd_log_migrate(const char *path, int version, const imd_log_migration *migrations,
                           size_t count, imd_reducer reducer, void *context, imd_error *error);

/* Your predicate: whether an entry with "actions" must be forgotten, which is *borrowed for the
 * call* and as imd_log_entries returns it. Other entries have nothing that you dispatched, and
 * stay. Returns 0 if not, 1 if so, or a negative number to cancel the call, which then yields
 * IMD_TIMEOUT and changes nothing. */
typedef int (*imd_log_predicate)(void *context, const imd_value *entry);

/* Replaces the actions of entries that must be forgotten by "redacted", in a file that is written
 * anew as by imd_log_compact. The checksum of the actions stays. The new base is the present state,
 * so that no replay needs them, and has no history: steps before can no longer be undone. Snapshots
 * are removed. The state may still have what the actions brought: first dispatch an action that
 * takes it out. redacted gets the number of entries, and may be NULL. */
imd_status imd_log_redact(const char *path, imd_log_predicate predicate, void *predicate_context,
                          imd_reducer reducer, void *context, size_t *redacted, imd_error *error);

/* ---- Streams -------------------------------------------------------------------------------- */

/* A queue of the actions of a store, each with the states before and after it, for a thread that
 * reads them. A handle, like an imd_store *. */
typedef struct imd_stream imd_stream;

/* Opens a stream of the actions that are dispatched from now on, those of a batch one by one, and
 * of the jumps in the history (see imd_store_undo).
 *
 * options: a JSON object, or NULL for none:
 *   "capacity"  how many actions can wait to be read: 1 to 1,048,576 (default 1024)
 *   "overflow"  beyond the capacity, "fail" (default): the stream ends after the actions that wait;
 *               "dropOldest": the oldest is dropped, and counted; "block": each dispatch waits,
 *               before its reducer runs, until there is room, even if "types" leaves its action
 *               out. Dispatches inside callbacks do not wait and may exceed the capacity; so may a
 *               batch once its first action fits ("overruns" of imd_store_statistics)
 *   "types"     patterns of action types, such as ["mouse*"]: other actions are left out
 *   "flush"     true: imd_store_flush waits until the reader has handled the actions: it has called
 *               imd_stream_next again, or closed the stream
 * out: *owned by the caller*, closed with imd_stream_close. */
imd_status imd_store_stream(imd_store *store, const char *options, size_t length, imd_stream **out,
                            imd_error *error);

/* Reads and removes the oldest action. Waits up to timeout_ms milliseconds for one, forever if
 * negative; inside a callback it does not wait. old_state and new_state are the states before and
 * after the action: O(1) in a store that imd_store_create made; otherwise each is encoded on each
 * call. Pass NULL for what you do not need. The values are *owned by the caller*, and remain valid
 * after the store was closed.
 *
 * IMD_TIMEOUT: no action came in time.
 * IMD_CLOSED: the stream was closed; or its store was, and every action has been read.
 * IMD_LIMIT: the reader fell too far behind, and has read all that waited ("overflow": "fail"). */
imd_status imd_stream_next(imd_stream *stream, int timeout_ms, imd_value **action,
                           imd_value **old_state, imd_value **new_state, imd_error *error);

/* Returns how many actions have been dropped ("overflow": "dropOldest"). */
imd_status imd_stream_dropped(imd_stream *stream, size_t *out, imd_error *error);

/* Returns a file descriptor that is readable while imd_stream_next would not wait. Do not read or
 * close it. It is closed with the stream. IMD_LIMIT: the process has no descriptors left. */
imd_status imd_stream_fd(imd_stream *stream, int *out, imd_error *error);

/* Closes a stream, and wakes threads that wait in imd_stream_next, or in a dispatch for room.
 * Inside a reducer of the store, the stream stays open and the dispatch fails with
 * IMD_REENTRANT. */
void imd_stream_close(imd_stream *stream);

/* Waits until everything so far has been handled: observers have been called for all commits, the
 * queued outputs have been delivered, and each reader of a stream with the option "flush" has asked
 * for another action or closed the stream. Waits up to timeout_ms milliseconds, forever if
 * negative. Call it before you end a program whose observers or readers save something.
 *
 * Queued outputs are delivered on the thread that polls. If this thread was the last to call
 * imd_store_poll, or no thread has, this function delivers them; otherwise it waits for the poll of
 * that thread. An output that a later one replaces meanwhile ("coalesce", "capacity") is handled;
 * the later one waits for the next poll.
 *
 * IMD_TIMEOUT: something has not been handled in time; the message says what. IMD_REENTRANT: called
 * inside a callback. IMD_CLOSED: the store was closed, which drops outputs that wait. */
imd_status imd_store_flush(imd_store *store, int timeout_ms, imd_error *error);

/* ---- Effects -------------------------------------------------------------------------------- */

/* A domain can have effects: after an action its store reads a database or asks a server, and
 * dispatches the outcome as another action. Effects run one after the other on a thread of the
 * library. The library does not use the network: a function of yours performs the HTTP requests
 * (RFC 9110).
 *
 * Other functions of yours perform what else only your program can do, such as timers, random
 * numbers, the time of day and dialogs: imd_store_set_effect. A store with your own reducer asks
 * for these through a rule: imd_store_set_rule. */

/* A header field. */
typedef struct imd_header {
  const char *name;
  const char *value;
} imd_header;

/* A request. All of it is *borrowed for the call*. */
typedef struct imd_request_info {
  const char *method; /* such as "POST" */
  const char *url;
  const imd_header *headers;
  size_t header_count;
  const char *body; /* body_length bytes, followed by a NUL */
  size_t body_length;
  int is_streamed; /* 1: the response does not end while the store is open */
} imd_request_info;

/* A request that waits for its response. A handle, like an imd_store *; you do not close it. It
 * ends when it is resolved or rejected, when its effect stops waiting, or when its store is closed.
 * If several threads end a request at the same time, exactly one succeeds; the others get
 * IMD_CLOSED. */
typedef struct imd_request imd_request;

/* Your function that performs requests. It is called on a thread of the library, for one request at
 * a time: no other request begins until it returns. Pass the request on, for example to a thread,
 * and return immediately. Respond from any thread, even before the function returns. If you never
 * respond, the effect stops waiting after a while (option "timeout" of the domain). Do not follow
 * redirects: the effect reports them. */
typedef void (*imd_fetch)(void *context, imd_request *request, const imd_request_info *info);

/* Sets the function that performs the requests of a store; NULL removes it.
 *
 * release (which may be NULL) is called with context once, when the function will not be called
 * again; immediately if fetch is NULL; not if this function fails. Outside callbacks, the previous
 * function has been released when this returns, and every function when imd_store_close returns.
 * Inside a callback, neither call waits for a fetch function that is running: that function is
 * released when it returns.
 *
 * A domain that follows a server connects when a function is set, reconnects when it is replaced,
 * and disconnects when it is removed: its streamed request ends. Other requests in flight can still
 * be resolved. */
imd_status imd_store_set_fetch(imd_store *store, imd_fetch fetch, void *context,
                               void (*release)(void *context), imd_error *error);

/* Ends a request with a response. http_status may be any HTTP status code. body is the whole body
 * or, after imd_request_receive, the rest of it. headers may be NULL if header_count is 0, and body
 * if length is 0. Appending the body and ending the request are one atomic step.
 * IMD_CLOSED: the request has ended. IMD_LIMIT: the whole body is longer than 64 MiB (unless the
 * request is streamed), there are more than 1,000 headers, or body or the name or value of a header
 * exceeds IMD_LIMIT_INPUT; the request ends. IMD_INVALID_ARGUMENT: any other pointer is NULL; the
 * request stays open. */
imd_status imd_request_resolve(imd_request *request, int http_status, const imd_header *headers,
                               size_t header_count, const char *body, size_t length,
                               imd_error *error);

/* Passes on a part of the body as it arrives; imd_request_resolve then passes the rest. Only
 * streamed requests need this. Status and headers are those of the first call: for a streamed
 * request, call this with an empty part as soon as they are known. Parts from several threads are
 * added whole, in the order of the calls. Stop when this yields IMD_CLOSED. Fails as
 * imd_request_resolve does. */
imd_status imd_request_receive(imd_request *request, int http_status, const imd_header *headers,
                               size_t header_count, const char *part, size_t length,
                               imd_error *error);

/* Ends a request without a response, or without the rest of it. reason is a message that can be
 * shown to a user, such as "connection refused"; invalid UTF-8 in it is replaced.
 * IMD_CLOSED: the request has ended. IMD_LIMIT: reason exceeds IMD_LIMIT_INPUT; the request ends.
 * IMD_INVALID_ARGUMENT: reason is NULL; the request stays open. */
imd_status imd_request_reject(imd_request *request, const char *reason, imd_error *error);

/* An effect that your program performs and that has not ended. A handle, like an imd_store *; you
 * do not close it. It ends when it is resolved or rejected, or when its store is closed. If several
 * threads end an effect at the same time, exactly one succeeds; the others get IMD_CLOSED.
 *
 * It has no timeout unless a rule gives it one, because a timer or a dialog may last: end each
 * effect. Effects in flight do not delay other effects, and take no thread. A store has at most
 * 65,536 of them, with those that wait to begin; further ones are rejected.
 *
 * An effect of a rule can be cancelled (imd_rule): nobody waits for its outcome any more, and what
 * your program still calls with it yields IMD_CLOSED. */
typedef struct imd_effect imd_effect;

/* Your function that performs the effects of one name. arguments, *borrowed for the call*, is a
 * value of kind IMD_NULL if the effect has none.
 *
 * It is called on a thread of the library, and the functions of a store are called for one effect
 * at a time: so start the effect and return immediately. End the effect on any thread, even before
 * the function returns. */
typedef void (*imd_effect_function)(void *context, imd_effect *effect,
                                    const imd_value *arguments);

/* Sets the function that performs the effects with a name; NULL removes it. An effect without a
 * function is rejected.
 *
 * release (which may be NULL) is called with context once, when the function will not be called
 * again; immediately if function is NULL; not if this call fails. When this call returns, the
 * previous function has been released; when imd_store_close returns, all functions have been.
 * Inside a callback, these two calls do not wait for a function of an effect that is running: the
 * library releases it after it has returned. Effects in flight can still be ended.
 *
 * IMD_INVALID_ARGUMENT: the name is empty or not UTF-8, or the store is one of a domain that has no
 * effect of this name ("effects" of imd_domains). */
imd_status imd_store_set_effect(imd_store *store, const char *name, imd_effect_function function,
                                void *context, void (*release)(void *context), imd_error *error);

/* Ends an effect with its result, which stays yours; NULL is JSON null. The outcome is dispatched
 * on a thread of the library, or on the calling thread if the system cannot start another one. The
 * dispatch may end before this function returns.
 * IMD_CLOSED: the effect has ended. IMD_LIMIT: the result is too large or nests too deep for the
 * "success" action of a rule; the effect stays in flight, so end it with another result or reject
 * it. Or this is inside a reducer, selector, rule, comparison or filter, where no outcome can be
 * dispatched, and the system cannot start a thread for it; end the effect again later. */
imd_status imd_effect_resolve(imd_effect *effect, const imd_value *result, imd_error *error);

/* Ends an effect without a result. reason is a message that can be shown to a user, such as
 * "cancelled"; invalid UTF-8 in it is replaced. The outcome is dispatched as imd_effect_resolve
 * does.
 * IMD_CLOSED: the effect has ended. IMD_INVALID_ARGUMENT: reason is NULL. IMD_LIMIT: reason exceeds
 * IMD_LIMIT_INPUT, or is too large for the "failure" action of a rule. After these two the effect
 * stays in flight. */
imd_status imd_effect_reject(imd_effect *effect, const char *reason, imd_error *error);

/* Your function that is called when an effect is cancelled, or its store is closed: end the request
 * or the timer that performs it. It is called once, on a thread of the library, or on the one that
 * closes the store. */
typedef void (*imd_effect_cancel)(void *context);

/* Sets the function that is called when an effect is cancelled, in place of another one. It is
 * called at once if the effect has been cancelled already. The handle is closed after that call. A
 * cancelled effect without such a function counts as in flight, for the limit alone, until your
 * program ends it.
 *
 * release (which may be NULL) is called with context once, when the function will not be called
 * again; not if this call fails.
 * IMD_CLOSED: the effect has ended. IMD_INVALID_ARGUMENT: function is NULL. */
imd_status imd_effect_set_cancel(imd_effect *effect, imd_effect_cancel function, void *context,
                                 void (*release)(void *context), imd_error *error);

/* Your rule: decides which effects an action asks for. All values are *borrowed for the call*.
 *
 * It returns IMD_OK and sets *effects, which is NULL at first, to an array of effects, or leaves it
 * NULL for none. *effects is a reference that you own, which the library then releases, or one of
 * the borrowed values. The array has at most 1,024 effects:
 *
 *     [{"effect": "timer", "arguments": {"milliseconds": 100},
 *       "success": "timer/fired", "failure": "timer/failed"}]
 *
 *   "effect"     the name of the function that performs it
 *   "arguments"  any JSON; null if left out
 *   "success"    the action for the result: {"type": "timer/fired", "payload": RESULT}
 *   "failure"    the action for a failure:
 *                {"type": "timer/failed", "payload": {"reason": "…"}}
 *
 * Without "success" the result is dropped; without "failure" a failure counts as a failed effect.
 * Instead of a type, both may be an object with "type" and "meta": {"type": "timer/fired", "meta":
 * {"id": 7}} tells the reducer which timer fired. The actions are dispatched on a thread of the
 * library, in the order in which the effects end.
 *
 * Further members say when an effect begins, and when it is given up. Times are whole numbers of
 * milliseconds, from 0 to 2147483647:
 *
 *     {"effect": "search", "arguments": {"text": "ab"}, "success": "found", "key": "search",
 *      "delay": 300, "timeout": 5000,
 *      "retry": {"times": 3, "delay": 200, "factor": 2, "max": 1000}}
 *
 *   "key"        what it has in common with other effects of the store, of any name. It is in
 *                flight from now until its outcome is dispatched
 *   "mode"       what it does if others of its key are in flight: "latest", the default, cancels
 *                them; "first" is cancelled itself; "queue" begins when they have ended
 *   "delay"      how long it waits before it begins. With "latest": a debounce
 *   "interval"   how long it waits after the last effect of its key with an interval has begun: a
 *                throttle. Until it begins, "latest" cancels only those that wait. Needs "key"
 *   "timeout"    how long it may take from the call of your function; then it is cancelled, and
 *                has failed
 *   "retry"      how often it is tried again ("times", up to 1,000) after it was rejected or took
 *                too long, unless it has no function; and the pause before that: "delay" (0 if left
 *                out), each one "factor" (1) times longer than the one before, and at most "max".
 *                "timeout" is for each attempt, and your function is called for each with another
 *                handle
 *   "cancelled"  the action if it is cancelled, without a payload: like "success", a type or an
 *                object. If left out, a cancelled effect has no outcome
 *
 * {"cancel": "search"} in place of an effect cancels all of that key. An effect is cancelled in the
 * call of the rule; an outcome that another thread is dispatching at that moment may still follow.
 * Closing the store cancels all. Jumps in the history cancel none, and nothing of this outlasts the
 * process. To begin, to end and to cancel an effect is O(1), O(log n) with times.
 *
 * Or it returns another status, and may set message and code of error (never NULL here). These
 * count as failed effects: another status, a value of another shape, more than 1,024 effects (then
 * none begins), and an outcome that the reducer rejects. They do not affect the action, are counted
 * by imd_store_statistics, and are passed to the function of imd_store_set_effect_error_handler.
 *
 * A rule must be quick and pure: same input, same output. The dispatch waits for it. Inside a rule,
 * a dispatch to any store yields IMD_REENTRANT. The rule then counts as a failed effect, and none
 * of its effects begins, even if it ignores the status. */
typedef imd_status (*imd_rule)(void *context, const imd_value *action, const imd_value *old_state,
                               const imd_value *new_state, imd_value **effects, imd_error *error);

/* Sets the rule of a store that imd_store_create made; NULL removes it. A store has one rule:
 * combine several in one function.
 *
 * The rule is called after each action and before the observers, in the order of the dispatches,
 * with the states before and after that action (also for the actions in a batch), one call at a
 * time. It is called on the thread that dispatched, on one that dispatches to or observes the store
 * at the same time, or on a thread of the library for an action that an effect dispatched. When an
 * optimistic update is rolled back, later actions are reduced again, but the rule is not called for
 * them again; nor is it for jumps in the history. Effects in flight continue when the rule is
 * replaced or removed.
 *
 * release: as imd_store_set_effect calls it.
 * IMD_INVALID_ARGUMENT: the store is one of a domain, whose effects are part of the domain. */
imd_status imd_store_set_rule(imd_store *store, imd_rule rule, void *context,
                              void (*release)(void *context), imd_error *error);

/* Your function that is called for each failed effect ("failedEffects" of imd_store_statistics).
 * error, which says why, is *borrowed for the call*. It is called on a thread of the library, or on
 * the one that closes the store, for one error at a time. If your program performs the effect, the
 * message names it. For an effect that a domain performs itself, it names the action that caused
 * the effect:
 *
 *     the effect "save": disk full
 *     an effect after "ui/save": disk full
 *
 * The status is:
 *     IMD_IO              an effect was rejected; a file or a server of a domain failed
 *     IMD_CORRUPT         a file of a domain is damaged
 *     IMD_NOT_FOUND       there is no function for the effect or request; a record does not exist
 *     IMD_TIMEOUT         a server did not answer in time
 *     IMD_LIMIT           too many effects, or a value that is too large
 *     IMD_REENTRANT       the rule dispatched
 *     IMD_REDUCER_FAILED  the reducer rejected the outcome; an effect of a domain of your own
 *                         threw an error other than an EngineError
 * or another status: that of the rule, of the dispatch of the outcome, or of an EngineError that an
 * effect of a domain threw.
 *
 * It is also called once when a store with a log and "readOnly" can no longer follow the file, with
 * the error that imd_store_refresh yields from then on.
 *
 * Up to 1,024 errors wait for the function, and up to 1 MiB of messages. Later ones are omitted
 * until it has been called for those; then it is called once more, with IMD_LIMIT and a message
 * that has the number of omitted errors. */
typedef void (*imd_effect_error_handler)(void *context, const imd_error *error);

/* Sets the function that is called when an effect has failed, or a log is no longer followed; NULL
 * removes it. release: as imd_store_set_effect calls it. */
imd_status imd_store_set_effect_error_handler(imd_store *store, imd_effect_error_handler handler,
                                              void *context, void (*release)(void *context),
                                              imd_error *error);

/* Waits until no action of imd_store_dispatch_async waits, and no effect is in flight: the effects
 * of all actions dispatched so far have run, and the actions that they dispatched have been
 * reduced. Waits up to timeout_ms milliseconds for each, forever if negative. Effects that your
 * program performs are in flight until you end them. Does not wait for streamed requests, which
 * last as long as the store.
 *
 * IMD_TIMEOUT: an effect is still in flight. IMD_REENTRANT: called inside a callback. */
imd_status imd_store_settle(imd_store *store, int timeout_ms, imd_error *error);

/* Moves the clock of a store with the option "clock", for tests that take no time. Its clock begins
 * in 1970, and stands still between the calls. The times of commits, entries and trace lines, the
 * "within" of its history, the "delay", "interval", "timeout" and pauses of effects, and the timers
 * of a domain follow it. What waits for another process or thread does not: requests, locks, and
 * timeouts that are parameters of functions.
 *
 * Such a store has no thread for its effects: this function, imd_store_settle and imd_store_receive
 * call your functions on the calling thread. This one does what is due now, and then, in the order
 * of their times, what becomes due in so many milliseconds; 0 does not move the clock.
 * imd_store_settle does what is due now, and does not wait for effects that wait for a time.
 *
 * With "clock": "stepped", the outcomes of effects that your program performs wait for
 * imd_store_receive; what a domain's own effects dispatch does not.
 *
 * IMD_INVALID_ARGUMENT: the clock is that of the system, or milliseconds is negative.
 * IMD_REENTRANT: called inside a callback. IMD_LIMIT, also of imd_store_settle and
 * imd_store_receive: effects begin each other without end; 1,000 times the option "depth" steps ran
 * at one moment of the clock. */
imd_status imd_store_advance(imd_store *store, int milliseconds, imd_error *error);

/* Dispatches the outcome that has waited longest, in a store with "clock": "stepped", and begins
 * the effects that it asks for. waiting, which may be NULL, gets how many waited before the call: 0
 * if there was none to dispatch.
 * IMD_INVALID_ARGUMENT: outcomes do not wait. IMD_REENTRANT: called inside a callback. */
imd_status imd_store_receive(imd_store *store, size_t *waiting, imd_error *error);

/* ---- Trace ---------------------------------------------------------------------------------- */

/* A trace shows what happens in a store, for debugging. Three variables of the environment turn it
 * on for every store that is opened afterwards:
 *
 *     IMMUTABLEDATA_TRACE         what to show, such as "actions,selectors", or "all"
 *     IMMUTABLEDATA_TRACE_FILE    a file to append to, instead of writing to stderr
 *     IMMUTABLEDATA_TRACE_REDACT  JSON Pointers to what must not be shown, separated by commas
 *
 * The option "trace" of imd_store_open and imd_store_create takes precedence: true for everything,
 * false for nothing, an array of what to show, or an object:
 *
 *     "show"    an array of what to show; everything if left out:
 *                 "actions"    each action with the time of its reducer, and each failed dispatch
 *                 "changes"    actions, each with what it changed as a JSON Patch (RFC 6902)
 *                 "selectors"  each evaluation, with whether the output has changed
 *                 "observers"  each call to an observer, with how long it took
 *                 "effects"    effects, requests and failures
 *                 "all"        all of these
 *     "file"    the path of a file to append to; null to write only to a function, see imd_trace
 *     "redact"  an array of JSON Pointers, in addition to those of the environment
 *
 * On stderr, lines are for people: long values are cut, and a terminal gets colors unless NO_COLOR
 * is set. A file gets JSON Lines with whole values; docs/debugging.md lists their members.
 *
 * Each pointer to redact applies to states, to whole actions, and to the arguments and results of
 * selectors and effects: "/payload/password" in actions, "/user/password" in states. The value
 * there is replaced by "[redacted]" before anything is written. Error messages, which may quote it,
 * and the paths of requests are then left out. Headers and bodies of requests are never written.
 *
 * A mistake in the environment is reported on stderr, and everything is redacted if it is in
 * IMMUTABLEDATA_TRACE_REDACT. One in the option yields IMD_INVALID_ARGUMENT, and IMD_IO if the file
 * cannot be opened. A store that is not traced is as fast as without this feature. */

/* Your function that gets the trace, one line at a time. line is a JSON object without a line feed,
 * NUL-terminated and *borrowed for the call*.
 *
 * It is called where something happens, with no lock held: for an action after its commit, before
 * effects and observers, in order; for anything else on any thread, also on several at once. It may
 * use the store, but a dispatch to any store yields IMD_REENTRANT. What it does on its thread is
 * not traced. */
typedef void (*imd_trace)(void *context, const char *line, size_t length);

/* Sets the function that gets the trace of a store, instead of stderr or a file; NULL removes it.
 * Without the option "trace" or the environment, everything is shown. release: as
 * imd_store_set_effect calls it. */
imd_status imd_store_set_trace(imd_store *store, imd_trace function, void *context,
                               void (*release)(void *context), imd_error *error);

/* ---- Inspector ------------------------------------------------------------------------------ */

/* An inspector looks into the stores of another program while it runs: "imd inspect" in a browser,
 * "imd attach" in a terminal, or a program of your own (docs/inspector-protocol.md).
 *
 * The variable IMMUTABLEDATA_INSPECT=1 lets every store be inspected that is opened afterwards. The
 * option "inspect" of imd_store_open and imd_store_create takes precedence: true, false, or an
 * object:
 *
 *     "path"     where the program listens, at most 98 bytes; by default, NAME-PID.sock in
 *                $XDG_RUNTIME_DIR/immutabledata, or in /tmp/immutabledata-UID without that variable
 *     "control"  true: an inspector may also dispatch, undo, redo and travel. It does so on a
 *                thread of the library, which then calls the reducer and observers. Without
 *                it, that thread calls only functions of selectors that an inspector names
 *
 * The stores of a process that have the same path share a Unix socket and a thread, from the first
 * one that is opened to the last one that is closed. Only processes of the same user are served.
 * What the trace redacts is never sent, except whether it has changed. The child of a fork closes
 * the socket.
 *
 * A store that nobody inspects is as fast as without the option. While one is inspected, a dispatch
 * queues a reference to its commit, of which the thread makes what is sent; it never waits, and
 * beyond 8,192 commits the oldest are dropped. The states before commits are then kept, so that no
 * change is made in place.
 *
 * IMD_INVALID_ARGUMENT: a path that is too long or empty; IMD_IO: the socket cannot be made, or the
 * path is that of a file, or of a socket to which somebody listens; IMD_LIMIT: no descriptor or
 * thread. If the environment alone asks for the inspector, such a failure is reported on stderr
 * instead. */

#ifdef __cplusplus
}
#endif

#endif /* IMMUTABLEDATA_H */
