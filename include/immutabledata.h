/* immutabledata - an embeddable application-state engine.
 *
 * A store holds a state that never changes in place. You send it actions, written as JSON; a
 * reducer turns state and action into the next state; you read outputs of named selectors, again
 * as JSON. The same store may be driven from C, from Python and from Swift in one process.
 *
 * A complete program (cc counter.c $(pkg-config --cflags --libs immutabledata)):
 *
 *     #include <immutabledata.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *       imd_error error;
 *       imd_store *store;
 *       if (imd_store_open("counter", NULL, IMD_ZERO_TERMINATED, &store, &error) != IMD_OK) {
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
 * Conventions
 *
 * Status      Every function that can fail returns an imd_status; IMD_OK is 0.
 * Results     Come through out-parameters, which stand after the inputs. On failure a pointer that
 *             is handed out is set to NULL and a length to 0.
 * Errors      The last parameter of a function that can fail is an imd_error that you own. It may
 *             be NULL. Every call fills it: after success its status is IMD_OK, its message empty.
 * Text        UTF-8, checked. JSON goes in as pointer and length; IMD_ZERO_TERMINATED as length
 *             means: up to the first NUL. Names (of domains and selectors) are C strings.
 *             Text that is handed out is NUL-terminated and *owned by the caller*: imd_free it.
 * JSON        RFC 8259. Numbers without fraction and exponent are integers of 64 bits, others are
 *             IEEE 754 doubles. If an object repeats a key, the last value wins. A key must
 *             not contain U+0000.
 * Limits      Arrays and objects nest at most 2,048 levels deep; a scalar is not a level.
 *             imd_set_limit sets the maximum number of values in a value, the size of its text, the
 *             size of an input, and the default budget of work. A call that would exceed a limit
 *             fails with IMD_LIMIT, and its message names the limit. The text of every value reads
 *             back as an equal value, unless it is longer than the limit of an input.
 * Memory      If memory is exhausted, the process ends, as any Swift program does: lower the limits
 *             to fit your memory. A store also caches up to 256 outputs.
 * Output      Canonical: the same state gives the same bytes. Object keys ascend by their UTF-8
 *             bytes, numbers are the shortest that read back as the same number, no white space.
 * Handles     An imd_store *, imd_observation *, imd_stream * or imd_request * is a number, not an
 *             address, and numbers are never reused. NULL yields IMD_INVALID_ARGUMENT; a closed
 *             handle yields IMD_CLOSED. Freeing or closing NULL does nothing.
 * Threads     Every function may be called from any thread. Dispatches to one store are serialized;
 *             selects never wait for a reducer. A call needs up to 64 KB of stack; one
 *             that compiles or evaluates an expression up to 160 KB. Your callbacks come on top.
 * Callbacks   Observers, reducers, fetch functions and release functions may call this library, but
 *             a reducer must not use its store, nor dispatch to any. Calls inside a callback never
 *             wait for another thread's callback, delivery, stream space or effect; this prevents
 *             deadlocks. A dispatch waits only for a reducer that runs. Each function documents
 *             what it does inside a callback.
 * fork        Inherited handles are closed in the child; it can open new ones, also of files that
 *             the parent has open. fork() waits for calls of SQLite that this library has in
 *             progress; your own use of SQLite is not covered. A child forked inside a callback may
 *             return from the callback, but exec or _exit is safer. Fetch functions, and observers
 *             called for an effect's dispatch, run on threads of this library: a child forked there
 *             must call exec or _exit.
 * Unloading   dlclose does not unload this library. A closed store has no threads left.
 * Traps       No text, name, handle or length that you pass ends the process; it gets a status and
 *             a message that says what was wrong and what to do. (A pointer to text or to a result
 *             has to be one.)
 */
#ifndef IMMUTABLEDATA_H
#define IMMUTABLEDATA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Library ------------------------------------------------------------------------------- */

#define IMD_VERSION "0.1.0"
#define IMD_VERSION_MAJOR 0
#define IMD_VERSION_MINOR 1
#define IMD_VERSION_PATCH 0

/* As a length of text: the text ends at its first NUL. */
#define IMD_ZERO_TERMINATED ((size_t)-1)

/* What became of a call. A number is never reused for another meaning. */
typedef enum imd_status {
  IMD_OK = 0,
  IMD_INVALID_ARGUMENT = 1, /* a NULL, a name that is not UTF-8, an unknown or ill-typed option
                               or argument */
  IMD_INVALID_JSON = 2,     /* text that is not UTF-8 or not JSON; line, column and offset say
                               where */
  IMD_INVALID_ACTION = 3,   /* JSON that is no action of the store's domain */
  IMD_UNKNOWN_DOMAIN = 4,
  IMD_UNKNOWN_SELECTOR = 5,
  IMD_INVALID_SELECTOR = 6, /* a selector that cannot be read */
  IMD_REDUCER_FAILED = 7,   /* the reducer refused the action; the message is its own */
  IMD_REENTRANT = 8,        /* a reducer used its store or dispatched; or a call that waits was made
                               inside a callback */
  IMD_LIMIT = 9,            /* beyond a limit: nesting, values, text, input, work, the range of a
                               number */
  IMD_TIMEOUT = 10,
  IMD_IO = 11,
  IMD_CORRUPT = 12,
  IMD_CLOSED = 13, /* the store was closed */
  IMD_CANCELLED = 14,
  IMD_NOT_FOUND = 15 /* nothing is where a JSON Pointer points */
} imd_status;

/* Why a call failed. Yours: make one where you like, pass it to any call, read it until the next.
 *
 * For JSON that could not be read, line and column (in code points, from 1) are those of the last
 * character that was read, and offset is the number of bytes up to its end. For an expression they
 * are where the part at fault begins: offset is the number of bytes before it. Otherwise all are 0,
 * as for a text beyond IMD_LIMIT_INPUT, and for a value beyond IMD_LIMIT_VALUES or IMD_LIMIT_TEXT.
 * The message is NUL-terminated UTF-8, cut at a character where it would not fit. It is for
 * people and may change between versions; the status is for programs and does not. */
typedef struct imd_error {
  imd_status status;
  int line;
  int column;
  size_t offset;
  char message[256];
} imd_error;

/* The version of the library that is loaded, such as "0.1.0". *Borrowed*, for good. */
const char *imd_version(void);

/* The name of a status, such as "IMD_INVALID_JSON"; "IMD_UNKNOWN_STATUS" for a number that is
 * none. *Borrowed*, for good. */
const char *imd_status_name(imd_status status);

/* The limits that can be set. */
typedef enum imd_limit_kind {
  IMD_LIMIT_VALUES = 0, /* the number of values in a value, including itself; a shared value counts
                           at each occurrence. Default: 1,073,741,824 (2^30) */
  IMD_LIMIT_TEXT = 1,   /* the size in bytes of the text of a string, array or object. Default:
                           1,073,741,824 (1 GiB) */
  IMD_LIMIT_INPUT = 2,  /* the size in bytes of a text or name that is passed in. Default:
                           268,435,456 (256 MiB) */
  IMD_LIMIT_WORK = 3    /* the units of work of a diff, patch or merge, and of an evaluation without
                           a "budget" (see imd_store_query); a "budget" may be higher. Default:
                           16,777,216 (2^24) */
} imd_limit_kind;

/* Sets a limit for the process: 1 to 2,147,483,647, or to INT64_MAX for IMD_LIMIT_WORK. It applies
 * to calls that begin after this one has returned, on any thread. Existing values and cached
 * outputs stay as they are.
 *
 * IMD_INVALID_ARGUMENT: no kind of limit, or a number out of range. */
imd_status imd_set_limit(imd_limit_kind kind, int64_t limit, imd_error *error);

/* Returns a limit as it is now; 0 for a number that is not a kind of limit. */
int64_t imd_limit(imd_limit_kind kind);

/* Frees text that a function of this library handed out. Others may have been handed the same
 * text: do not write to it. */
void imd_free(void *text);

/* Describes every domain that imd_store_open knows, as a JSON array in order of name:
 *
 *     [{"name": "counter", "summary": "…",
 *       "actions":   [{"type": "…", "summary": "…", "payload": SCHEMA}],
 *       "selectors": [{"name": "…", "summary": "…", "arguments": SCHEMA, "output": SCHEMA}],
 *       "options": SCHEMA}]
 *
 * SCHEMA is JSON Schema (draft 2020-12). An action without "payload" takes none.
 * out is *owned by the caller*; out_length may be NULL. */
imd_status imd_domains(char **out, size_t *out_length, imd_error *error);

/* ---- Store --------------------------------------------------------------------------------- */

/* One state and the reducer that alone may replace it. */
typedef struct imd_store imd_store;

/* Opens a store of a domain by name.
 *
 * options: a JSON object, or NULL for none. Every domain takes {"state": …}, the initial state, and
 * {"budget": N}, as imd_store_create takes it; imd_domains lists the others.
 * out: *owned by the caller*, closed with imd_store_close.
 *
 * IMD_UNKNOWN_DOMAIN: the message lists the names there are.
 * IMD_INVALID_ARGUMENT: an option that is unknown or of the wrong shape.
 * IMD_IO, IMD_CORRUPT: a file that an option names cannot be opened, or has other content. */
imd_status imd_store_open(const char *domain, const char *options, size_t length, imd_store **out,
                          imd_error *error);

/* Closes a store. Calls in progress on other threads complete; later calls with this handle yield
 * IMD_CLOSED. Its observations are cancelled, in the order in which they began, and its streams
 * end, so that threads that wait for one continue; effects in flight are abandoned
 * (imd_store_settle waits for them). Closing it again does nothing.
 *
 * Outside callbacks, waits until observers and the fetch function have returned and been released,
 * and the threads of its effects have ended. An effect that waits for a request, or for a file that
 * another program has locked, is abandoned. Inside a callback, does not wait: release follows a run
 * in progress. Inside a reducer of the store, takes effect after the dispatch has committed;
 * nothing is delivered for that dispatch. */
void imd_store_close(imd_store *store);

/* Sends one action: {"type": "…", "payload": {…}, "meta": {…}} (a Flux Standard Action).
 *
 * The type names the action; payload is there if the action takes one; meta is yours and reaches no
 * reducer of a domain. Returns when the new state is in place. If anything fails, the state is as
 * before.
 *
 * IMD_INVALID_JSON, IMD_LIMIT: text that could not be read.
 * IMD_INVALID_ACTION: no object, no or an unknown type, a payload of the wrong shape, or a member
 * that no action has.
 * IMD_REDUCER_FAILED: the reducer refused, in its own words.
 * IMD_REENTRANT: called inside a reducer, of this or any other store; the dispatch of that reducer
 * fails with it too.
 *
 * Outside callbacks, returns after the observers have been called. Inside a callback, if another
 * thread is calling observers of this store, that thread calls them for this action too. */
imd_status imd_store_dispatch(imd_store *store, const char *action, size_t length,
                              imd_error *error);

/* Sends a JSON array of actions as one: either all of them happen, with no other action between
 * them and no state in between to be seen, or none does and the message says which one failed. */
imd_status imd_store_dispatch_batch(imd_store *store, const char *actions, size_t length,
                                    imd_error *error);

/* Reads the output of a selector for the current state. It is kept, and handed out again while
 * nothing changed that the selector reads.
 *
 * arguments: a JSON object, or NULL for none; imd_domains lists them.
 * out: JSON, *owned by the caller*; its length goes to out_length, which may be NULL.
 *
 * IMD_UNKNOWN_SELECTOR: the message lists the names that are near.
 * IMD_INVALID_ARGUMENT: an argument that is missing, unknown or of the wrong shape. */
imd_status imd_store_select(imd_store *store, const char *selector, const char *arguments,
                            size_t length, char **out, size_t *out_length, imd_error *error);

/* The same, with options: a JSON object, or NULL for none:
 *     "budget"  the units of work that evaluating an expression may take, in place of the store's;
 *               1 or more. Handing out a cached output takes no units, nor does a selector of the
 *               domain's own. See imd_store_query. */
imd_status imd_store_select_with(imd_store *store, const char *selector, const char *arguments,
                                 size_t length, const char *options, size_t options_length,
                                 char **out, size_t *out_length, imd_error *error);

/* ---- Value ---------------------------------------------------------------------------------- */

/* An immutable JSON value. What is made from one shares with it all that did not change, so that a
 * copy, a snapshot and a change of one record among a million cost little.
 *
 * Functions that return a value return a new reference, *owned by the caller*: imd_value_release
 * it. Values that a callback gets, and those of a cursor, are *borrowed*: the library releases
 * them. Values may be used from any thread, and outlive the store they come from. Unlike an
 * imd_store *, an imd_value * is an address: do not use it after its release, nor a borrowed one
 * after the borrow ends.
 *
 * A pointer is a JSON Pointer (RFC 6901), a C string: "" is the whole value, "/a~1b/0" the first
 * element of the member "a/b". NULL counts as "". Costs are for n elements where the pointer
 * leads; a pointer of several steps adds them up. */
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

/* Make a value of a C one. A number that is not finite is IMD_INVALID_ARGUMENT. */
imd_status imd_value_from_bool(int boolean, imd_value **out, imd_error *error);
imd_status imd_value_from_integer(int64_t integer, imd_value **out, imd_error *error);
imd_status imd_value_from_real(double real, imd_value **out, imd_error *error);
imd_status imd_value_from_string(const char *text, size_t length, imd_value **out,
                                 imd_error *error);

/* Returns a new reference to a value, *owned by the caller*. Use the result: for a borrowed value
 * it is a different pointer, which stays valid after the borrow ends. NULL yields NULL. O(1). */
#if defined(__GNUC__)
__attribute__((warn_unused_result))
#endif
imd_value *imd_value_retain(const imd_value *value);

/* Releases a reference that you own. Does nothing for NULL and for a borrowed value. */
void imd_value_release(const imd_value *value);

/* What a value is; IMD_NULL for NULL. O(1). */
imd_kind imd_value_kind(const imd_value *value);

/* How many elements or members there are; 0 for what is no array or object. O(1). */
size_t imd_value_count(const imd_value *value);

/* Whether two values write the same text: 1 or 0. NULL equals NULL alone. Parts that both share are
 * skipped, and repeated parts are compared once: O(n) in the memory of both, however long their
 * text is. */
int imd_value_equal(const imd_value *left, const imd_value *right);

/* Whether two values are the same instance: 1 or 0. What an action does not change stays the same
 * instance. O(1). */
int imd_value_identical(const imd_value *left, const imd_value *right);

/* Writes a value as canonical JSON. out is *owned by the caller*: imd_free it. O(length). */
imd_status imd_value_text(const imd_value *value, char **out, size_t *out_length,
                          imd_error *error);

/* The value at a pointer. O(log n).
 * IMD_NOT_FOUND: there is no such member or element; the message says where the way ends.
 * IMD_INVALID_ARGUMENT: text that is no JSON Pointer, or one that leads into a scalar, or into an
 * array by what is no index. */
imd_status imd_value_get(const imd_value *value, const char *pointer, imd_value **out,
                         imd_error *error);

/* The C value at a pointer. IMD_INVALID_ARGUMENT also if it is of another kind; a real is taken of
 * an integer too. The text of a string is *owned by the caller*: imd_free it. */
imd_status imd_value_get_bool(const imd_value *value, const char *pointer, int *out,
                              imd_error *error);
imd_status imd_value_get_integer(const imd_value *value, const char *pointer, int64_t *out,
                                 imd_error *error);
imd_status imd_value_get_real(const imd_value *value, const char *pointer, double *out,
                              imd_error *error);
imd_status imd_value_get_string(const imd_value *value, const char *pointer, char **out,
                                size_t *out_length, imd_error *error);

/* What imd_value_read finds: a kind, and the content that a value of that kind has. */
typedef struct imd_part {
  imd_kind kind;
  size_t count; /* the bytes of a string, the elements of an array, the members of an object; of
                   others 0 */
  union {
    int boolean;      /* IMD_BOOL: 1 or 0 */
    int64_t integer;  /* IMD_INTEGER */
    double real;      /* IMD_REAL */
    char *string;     /* IMD_STRING; *owned by the caller*: imd_free it */
    imd_value *value; /* IMD_ARRAY, IMD_OBJECT; *owned by the caller*: imd_value_release it */
  } as;               /* of IMD_NULL, and after a failure: all bytes 0 */
} imd_part;

/* The kind and content of what is at a pointer, in one call: for what may be of any kind. */
imd_status imd_value_read(const imd_value *value, const char *pointer, imd_part *out,
                          imd_error *error);

/* Make a value that differs from another at one pointer. O(log n).
 *
 * set puts an element there, in place of what is there; insert puts it into an array before what
 * is there; both put it at the end of an array for the index "-" or the count of elements, and add
 * a member that is not there yet. What the pointer goes through has to be there. remove takes out
 * what is there; the whole value cannot be removed. IMD_LIMIT: the result would exceed a limit of
 * values. IMD_INVALID_ARGUMENT: a new key with U+0000 in it. */
imd_status imd_value_set(const imd_value *value, const char *pointer, const imd_value *element,
                         imd_value **out, imd_error *error);
imd_status imd_value_insert(const imd_value *value, const char *pointer, const imd_value *element,
                            imd_value **out, imd_error *error);
imd_status imd_value_remove(const imd_value *value, const char *pointer, imd_value **out,
                            imd_error *error);

/* The same as imd_value_set, with a C value for an element. */
imd_status imd_value_set_bool(const imd_value *value, const char *pointer, int boolean,
                              imd_value **out, imd_error *error);
imd_status imd_value_set_integer(const imd_value *value, const char *pointer, int64_t integer,
                                 imd_value **out, imd_error *error);
imd_status imd_value_set_real(const imd_value *value, const char *pointer, double real,
                              imd_value **out, imd_error *error);
imd_status imd_value_set_string(const imd_value *value, const char *pointer, const char *text,
                                size_t length, imd_value **out, imd_error *error);

/* What changed between two values, as a JSON Patch (RFC 6902): imd_value_patch with it makes the
 * new of the old. Shared parts are not looked at, so the cost is that of what changed. IMD_LIMIT:
 * comparing exceeds IMD_LIMIT_WORK (a pair of values takes one unit, 16 bytes of text one, an
 * operation 16), or the patch exceeds a limit of values. A patch nests two levels deeper than the
 * values in it: one for the array of operations, one for each operation. */
imd_status imd_value_diff(const imd_value *from, const imd_value *to, imd_value **out,
                          imd_error *error);

/* Applies a JSON Patch (RFC 6902): all of its operations or, if one fails, none.
 * IMD_INVALID_ARGUMENT: what is no patch, and a "test" that does not hold; IMD_NOT_FOUND: an
 * operation that points to nowhere; IMD_LIMIT: an operation makes more than a value may be, or all
 * exceed IMD_LIMIT_WORK. The message says which operation it was. */
imd_status imd_value_patch(const imd_value *value, const imd_value *patch, imd_value **out,
                           imd_error *error);

/* Applies a JSON Merge Patch (RFC 7396): members of the patch replace those of the value, null
 * removes. IMD_LIMIT: the result would be more than a value may be, or merging exceeds
 * IMD_LIMIT_WORK. */
imd_status imd_value_merge(const imd_value *value, const imd_value *patch, imd_value **out,
                           imd_error *error);

/* A place among the elements of an array or the members of an object, in order. */
typedef struct imd_cursor imd_cursor;

/* Opens a cursor before the first element or member; before the first member whose key is not
 * below from, if from is not NULL. It holds on to what it goes through: you may release the value
 * meanwhile. out is *owned by the caller*, closed with imd_cursor_close. O(log n).
 * IMD_INVALID_ARGUMENT: a value that is neither; an array with a from. */
imd_status imd_cursor_open(const imd_value *value, const char *from, imd_cursor **out,
                           imd_error *error);

/* Goes on to the next: 1, or 0 at the end and for NULL. key (NULL in an array; NUL-terminated), its
 * length and value may be NULL where you do not want them; what they are given is *borrowed until
 * the next call* with this cursor. A cursor is for one thread at a time. O(1) amortised. */
int imd_cursor_next(imd_cursor *cursor, const char **key, size_t *key_length,
                    const imd_value **value);

/* Closes a cursor. */
void imd_cursor_close(imd_cursor *cursor);

/* ---- Stores of your own --------------------------------------------------------------------- */

/* Your reducer: makes the next state of a state and an action, both *borrowed for the call*.
 *
 * It returns IMD_OK with the next state in *next, which is NULL at first:
 *   - NULL: nothing changes;
 *   - a value that you own, such as one that imd_value_set made: the store takes the reference,
 *     so retain a value that you also keep;
 *   - a borrowed value: state, action, or that of a cursor which is still open.
 * Or it returns another status, with a message in error (never NULL here) if it likes: the dispatch
 * then fails with IMD_REDUCER_FAILED and that message, and the state stays as it is; a value in
 * *next that you own is released. It has to be pure: same input, same output. It must not use its
 * store, its observations or its streams, nor dispatch to any store: such a call yields
 * IMD_REENTRANT or, where it has no status, does nothing, and the dispatch fails with IMD_REENTRANT
 * whatever the reducer returns. (It may close its store, see imd_store_close.) It never runs on two
 * threads at once for one store. */
typedef imd_status (*imd_reducer)(void *context, const imd_value *state, const imd_value *action,
                                  imd_value **next, imd_error *error);

/* Creates a store with a state and a reducer of your own.
 *
 * state: JSON text, the initial state.
 * context: what the reducer gets; release (which may be NULL) is called with it when the store is
 * closed and its last call has returned. If creating fails it is not called.
 * options: a JSON object, or NULL for none:
 *     "optimistic"  true: the meta of an action may say what is in flight, see below
 *     "budget"      the units of work that evaluating an expression over its state may take, unless
 *                   the call says otherwise; see imd_store_query
 * out: *owned by the caller*, closed with imd_store_close.
 *
 * The actions of such a store may have any type and payload; the reducer gets them whole.
 *
 * Optimistic changes are shown before the effect that they wait for, such as a request to a server,
 * has succeeded. In a store with that option the meta of an action may have a member "optimistic":
 *     {"begin": "KEY"}    the action is shown from now, and is in flight
 *     {"succeed": "KEY"}  the outcome of that action: it stays
 *     {"fail": "KEY"}     the outcome of that action: the state becomes as if it had not happened
 * The outcome is an action too, and is reduced as any other. One that fails is reduced last: first
 * the reducer is given again the actions that came after the one that began; those that it now
 * refuses are left out. That is one change, of which observers are told once.
 *
 * An outcome ends its change even if the reducer refuses it: the action that began stays
 * ("succeed") or is taken out ("fail"), the outcome itself is not reduced, observers are called and
 * streams have the outcome, and the dispatch yields IMD_REDUCER_FAILED with a message that says so.
 * In a batch a refused outcome fails the batch: nothing of it happens, and the change is still in
 * flight. A reducer that returns IMD_TIMEOUT was interrupted, which is no refusal: the dispatch
 * fails, and the change stays in flight.
 *
 * A key is any text, compared by its bytes. Of several actions in flight with one key, an outcome
 * is that of the oldest; one without any is an action like others. Up to 1,024 actions are kept
 * from the oldest in flight on: with one more, that one stays. While nothing is in flight nothing
 * is kept. IMD_INVALID_ACTION from a dispatch: "optimistic" is of another shape. */
imd_status imd_store_create(const char *state, size_t length, imd_reducer reducer, void *context,
                            void (*release)(void *context), const char *options,
                            size_t options_length, imd_store **out, imd_error *error);

/* The state of a store, as a value. A snapshot: later actions do not show in it. O(1) for a store
 * that imd_store_create made; otherwise the state is written as JSON would have it. */
imd_status imd_store_state(imd_store *store, imd_value **out, imd_error *error);

/* Evaluates a JMESPath expression over the state.
 *
 * Besides the language of https://jmespath.org, "$name" is the argument of that name, and "let"
 * binds further ones (JEP-18); get(orders, $id) is the member of "orders" whose key is the value of
 * $id, or the element of an array at that index. An expression is compiled once. The output is
 * kept, and handed out again while nothing changed under the paths that the expression can read.
 *
 * An expression nests at most 110 levels deep. An evaluation has a budget of work: that of the
 * call, else that of the store, else IMD_LIMIT_WORK. Visiting, comparing and creating values and
 * text costs units (docs/selectors.md has a table); an evaluation that would exceed its budget
 * fails with IMD_LIMIT. The default keeps expressions and arguments of 1 KB over a state of 10 MB
 * to about a second and 256 MB.
 *
 * IMD_INVALID_SELECTOR: an expression that cannot be read or evaluated; the message has the
 * position. IMD_INVALID_ARGUMENT: a missing argument, or one that the expression does not use.
 * IMD_LIMIT: the expression nests too deep, takes too much work, or makes a value beyond the limits
 * of values. */
imd_status imd_store_query(imd_store *store, const char *expression, const char *arguments,
                           size_t length, char **out, size_t *out_length, imd_error *error);

/* The same, with options: {"budget": N}, the units of work of this evaluation. */
imd_status imd_store_query_with(imd_store *store, const char *expression, const char *arguments,
                                size_t length, const char *options, size_t options_length,
                                char **out, size_t *out_length, imd_error *error);

/* Gives an expression a name, by which imd_store_select then takes it.
 * IMD_INVALID_ARGUMENT: the name is taken. IMD_INVALID_SELECTOR: it cannot be read. IMD_LIMIT: it
 * nests too deep. */
imd_status imd_store_define_selector(imd_store *store, const char *name, const char *expression,
                                     imd_error *error);

/* Counts the work of a store, as a JSON object:
 *     "selects"        calls of imd_store_select and imd_store_query
 *     "evaluations"    how many of them required evaluating a selector
 *     "observations"   observations that have not ended
 *     "visits"         re-evaluations of an observation after a dispatch
 *     "deliveries"     calls of observers
 *     "overruns"       actions that streams took beyond their capacity ("overflow": "block")
 *     "effects"        effects that ran, and
 *     "failedEffects"  how many of them failed; both only if the domain has effects */
imd_status imd_store_statistics(imd_store *store, char **out, size_t *out_length,
                                imd_error *error);

/* ---- Observation ---------------------------------------------------------------------------- */

/* What an observer gets. All of it is *borrowed for the call*. */
typedef enum imd_delivery_kind {
  IMD_DELIVERY_VALUE = 0,  /* value is the output of the selector */
  IMD_DELIVERY_PATCH = 1,  /* value is a JSON Patch (RFC 6902) from the output delivered before */
  IMD_DELIVERY_FAILURE = 2 /* the selector has no output for this state; error says why */
} imd_delivery_kind;

typedef struct imd_delivery {
  imd_delivery_kind kind;
  const imd_value *value; /* NULL for a failure */
  const imd_error *error; /* NULL but for a failure */
  size_t skipped;         /* how many outputs since the last delivery were dropped */
} imd_delivery;

/* Your observer. It cannot veto: it runs after the commit.
 *
 * It may use the store. What it dispatches takes effect at once; observers are called for it after
 * those of the current action. It may observe, and may cancel any observation, its own too. It must
 * not wait for another thread that dispatches to the same store. It runs on the thread that
 * dispatched, on that of a dispatch at the same time, or on one of the library for what an effect
 * dispatches. */
typedef void (*imd_observer)(void *context, const imd_delivery *delivery);

/* An observer and the selector whose output it gets. A handle, as an imd_store * is. */
typedef struct imd_observation imd_observation;

/* Calls the observer whenever the selector's output changes.
 *
 * Observers are called in the order of the dispatches, each with the output for the state right
 * after a dispatch (a batch is one); for one dispatch, in the order in which they began to observe.
 * An observer is not called if the output equals the last one delivered. An action costs nothing
 * for an observer unless it changed what the selector reads. Inside a callback, if another thread
 * is calling observers of this store, that thread makes the initial call.
 *
 * arguments: as imd_store_select takes them, or NULL.
 * options: a JSON object, or NULL for none of
 *   "initial"       true (default): the current output is delivered first; false: changes alone
 *   "deliver"       "value" (default): the output; "patch": what changed, after a first output; the
 *                   output again where imd_value_diff would yield IMD_LIMIT
 *   "when"          "inline" (default): before the dispatch returns, on its thread or on that of a
 *                   dispatch under way at the same time; "queued": when you call imd_store_poll
 *   "coalesce"      true: only the latest output: inline, for the state at the time of the call;
 *                   queued, the last of those that would wait
 *   "filter"        patterns of action types that cannot concern it: ["mouse*"], "*" for any text
 *   "dependencies"  names of selectors: the output is computed only if one of theirs changed; they
 *                   get those of the arguments that they have
 *   "capacity"      how many outputs wait for a poll at most (default 1024); beyond it
 *   "overflow"      "dropOldest" (default): the oldest gives way; "coalesce": all that wait do
 *   "label"         what messages call it
 *   "budget"        the units of work that evaluating an expression may take, each time, in place
 *                   of the store's; a state for which it does not suffice is delivered as a failure.
 *                   A patch that would take more to find gives way to the value
 * context: what the observer gets. release (which may be NULL) is called with it once, when the
 * observer will not be called any more; not if this fails.
 * out: for imd_observation_cancel; set before the first call of the observer. An observation that
 * is not cancelled ends with its store. NULL if you will not cancel.
 *
 * Fails as imd_store_select does, and with IMD_INVALID_ARGUMENT for an option that is unknown or of
 * the wrong shape. */
imd_status imd_store_observe(imd_store *store, const char *selector, const char *arguments,
                             size_t length, const char *options, size_t options_length,
                             imd_observer observer, void *context, void (*release)(void *context),
                             imd_observation **out, imd_error *error);

/* Ends an observation. When this returns, the observer neither runs nor will run, and release was
 * called. Inside a callback, does not wait for a run in progress, on another thread or further up
 * this stack: that run is the last, and release follows it. A second call does nothing, nor does
 * one after the store was closed. Inside a reducer of the store, the observation goes on and the
 * dispatch fails with IMD_REENTRANT. */
void imd_observation_cancel(imd_observation *observation);

/* Calls observers with "when": "queued" with the outputs that wait for them, on the calling thread.
 * Outputs that arrive meanwhile are left for the next call. delivered, which may be NULL, gets the
 * number of calls: 0 inside such an observer, and while another thread polls this store. */
imd_status imd_store_poll(imd_store *store, size_t *delivered, imd_error *error);

/* A file descriptor that is readable while something waits for imd_store_poll, for poll(2) and the
 * loops that are built on it. Watch it; do not read or close it. It is closed with the store, so
 * stop watching it before. IMD_LIMIT: the process has no descriptors left. */
imd_status imd_store_fd(imd_store *store, int *out, imd_error *error);

/* ---- Streams -------------------------------------------------------------------------------- */

/* The actions of a store, each with the state that it found, for a thread that reads them. A handle
 * as an imd_store * is. */
typedef struct imd_stream imd_stream;

/* Begins a stream of the actions that are dispatched from now on, those of a batch one by one.
 *
 * options: a JSON object, or NULL for none of
 *   "capacity"  how many actions wait to be read at most (default 1024); beyond it
 *   "overflow"  "fail" (default): the stream ends behind what it holds; "dropOldest": the oldest is
 *               dropped, and counted; "block": the dispatch waits, before its reducer runs, until
 *               there is room. Dispatches inside callbacks do not wait and may exceed the capacity;
 *               so may a batch once its first action fits ("overruns" of imd_store_statistics)
 *   "types"     patterns of the types of actions that it has, such as ["mouse*"]; without, all
 * out: *owned by the caller*, closed with imd_stream_close. */
imd_status imd_store_stream(imd_store *store, const char *options, size_t length, imd_stream **out,
                            imd_error *error);

/* Reads the oldest action, and waits for one for up to timeout_ms milliseconds; below 0, as long as
 * it takes; inside a callback, not at all. The values are *owned by the caller*; either may be
 * NULL. The state is a snapshot: it costs nothing in a store that imd_store_create made; otherwise
 * it is encoded on each call.
 *
 * IMD_TIMEOUT: none came in time.
 * IMD_CLOSED: the stream was closed, or its store was and all that it held is read.
 * IMD_LIMIT: this reader fell too far behind, and has read what was held ("overflow": "fail"). */
imd_status imd_stream_next(imd_stream *stream, int timeout_ms, imd_value **old_state,
                           imd_value **action, imd_error *error);

/* How many actions were dropped so far ("overflow": "dropOldest"). */
imd_status imd_stream_dropped(imd_stream *stream, size_t *out, imd_error *error);

/* A file descriptor that is readable while imd_stream_next would not wait. Watch it; do not read or
 * close it. It is closed with the stream. IMD_LIMIT: the process has no descriptors left. */
imd_status imd_stream_fd(imd_stream *stream, int *out, imd_error *error);

/* Closes a stream. Threads that wait in imd_stream_next, or in a dispatch for room, continue.
 * Inside a reducer of the store the stream stays open, and the dispatch fails with
 * IMD_REENTRANT. */
void imd_stream_close(imd_stream *stream);

/* ---- Effects -------------------------------------------------------------------------------- */

/* A domain may do more than reduce: after an action its store reads a database, or asks a server,
 * and dispatches what came of it. Such effects run one after the other on a thread of the engine.
 * The engine does no network itself: what requests of HTTP (RFC 9110) they want, a function of
 * yours makes. */

/* A field of a header. */
typedef struct imd_header {
  const char *name;
  const char *value;
} imd_header;

/* What a request is. All of it is *borrowed for the call*. */
typedef struct imd_request_info {
  const char *method; /* such as "POST" */
  const char *url;
  const imd_header *headers;
  size_t header_count;
  const char *body; /* length bytes, and a NUL behind them */
  size_t length;
  int is_streamed; /* 1: its answer goes on for as long as the store is open */
} imd_request_info;

/* A request that waits for its answer. A handle as an imd_store * is; not closed by you. It ends
 * once: when it is answered, when its effect stops waiting, or when its store is closed. If several
 * threads answer at once, exactly one succeeds; the others get IMD_CLOSED. */
typedef struct imd_request imd_request;

/* Your function that makes requests. It is called with one at a time, and no effect goes on until
 * it returns: so it hands the request to what makes it, such as a thread, and returns at once. An
 * answer may come from any thread, also before it returns; or never: effects stop waiting after a
 * while (the option "timeout" of the domain). Follow no redirect; the effect has words for it. */
typedef void (*imd_fetch)(void *context, imd_request *request, const imd_request_info *info);

/* Sets the function that performs the requests of a store, in place of another; NULL removes it.
 *
 * release (which may be NULL) is called with context once, when the function will not be called any
 * more; without a function, at once. When this returns, the function before has been released; when
 * imd_store_close returns, all have. Inside a callback neither waits for a run in progress: release
 * follows it. If this fails, release is not called.
 *
 * A domain that follows a server connects when a function is set, connects anew when another one is
 * set, and stops when it is removed; pending requests can still be answered. */
imd_status imd_store_set_fetch(imd_store *store, imd_fetch fetch, void *context,
                               void (*release)(void *context), imd_error *error);

/* Answers a request: http_status is the status code of HTTP, whichever it is, and body the rest of
 * the body, or all of it. headers may be NULL if header_count is 0. Adding the body and ending the
 * request is atomic.
 * IMD_CLOSED: the request is over. IMD_LIMIT: the body is longer than 64 MiB, or there are more
 * than 1,000 headers; the request is over. IMD_INVALID_ARGUMENT: a NULL; the request goes on. */
imd_status imd_fetch_resolve(imd_request *request, int http_status, const imd_header *headers,
                             size_t header_count, const char *body, size_t length,
                             imd_error *error);

/* Says that there will be no answer, or no more of it, and why: words that a user may be shown,
 * such as "connection refused". IMD_CLOSED: the request is over. */
imd_status imd_fetch_reject(imd_request *request, const char *reason, imd_error *error);

/* Hands over a part of the body as it comes, before imd_fetch_resolve has the rest; status and
 * headers count where they are first given. It is for requests that are streamed: no other needs
 * it. For a streamed request, call it with an empty part as soon as status and headers are known.
 * Parts from several threads are added whole, in the order of the calls. Stop when
 * it yields IMD_CLOSED: the rest is not needed. Fails as imd_fetch_resolve does. */
imd_status imd_fetch_receive(imd_request *request, int http_status, const imd_header *headers,
                             size_t header_count, const char *part, size_t length,
                             imd_error *error);

/* Waits until no effect is in flight: those of all actions dispatched so far have run, and what
 * they dispatched has been reduced. timeout_ms: how many milliseconds at most; below 0, as long as
 * it takes. What follows a server for as long as the store is open is not waited for.
 *
 * IMD_TIMEOUT: an effect is still in flight. IMD_REENTRANT: inside a callback. */
imd_status imd_store_settle(imd_store *store, int timeout_ms, imd_error *error);

/* ---- Thunks --------------------------------------------------------------------------------- */

/* A unit of work that may dispatch, select and have side effects. */
typedef imd_status (*imd_thunk)(void *context, imd_store *store, imd_error *error);

/* Runs a thunk on the calling thread. Its status, and what it wrote to error (never NULL there),
 * come out as they are. */
imd_status imd_store_run(imd_store *store, imd_thunk thunk, void *context, imd_error *error);

#ifdef __cplusplus
}
#endif

#endif /* IMMUTABLEDATA_H */
