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
 *             IEEE 754 doubles; arrays and objects nest up to 2,048 deep. Of a key that stands
 *             twice in an object the last value counts. A key with U+0000 in it is refused.
 * Output      Canonical: the same state gives the same bytes. Object keys ascend by their UTF-8
 *             bytes, numbers are the shortest that read back as the same number, no white space.
 * Handles     An imd_store * is a number, not an address, and no number is given twice. NULL is
 *             answered with IMD_INVALID_ARGUMENT, a closed store with IMD_CLOSED. Freeing or
 *             closing NULL does nothing.
 * Threads     Every function may be called from any thread. Dispatches to one store take turns;
 *             selects never wait for a reducer. Text that nests to the limit takes 400 KB of stack.
 * Traps       No text, name, handle or length that you pass ends the process; it gets a status and
 *             a message that says what was wrong and what to do. (A pointer to text or to a result
 *             has to be one.)
 */
#ifndef IMMUTABLEDATA_H
#define IMMUTABLEDATA_H

#include <stddef.h>

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
  IMD_REENTRANT = 8,        /* a reducer used its own store */
  IMD_LIMIT = 9,            /* more than is held: nesting, the range of a number, a length */
  IMD_TIMEOUT = 10,
  IMD_IO = 11,
  IMD_CORRUPT = 12,
  IMD_CLOSED = 13, /* the store was closed */
  IMD_CANCELLED = 14
} imd_status;

/* Why a call failed. Yours: make one where you like, pass it to any call, read it until the next.
 *
 * For JSON that could not be read, line and column (in code points) count from 1, offset (in
 * bytes) from 0, and all three stand just behind what could not be read. Otherwise they are 0.
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

/* Frees text that a function of this library handed out. */
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
 * options: a JSON object, or NULL for none. Every domain takes {"state": …}, the initial state;
 * imd_domains lists the others.
 * out: *owned by the caller*, closed with imd_store_close.
 *
 * IMD_UNKNOWN_DOMAIN: the message lists the names there are.
 * IMD_INVALID_ARGUMENT: an option that is unknown or of the wrong shape. */
imd_status imd_store_open(const char *domain, const char *options, size_t length, imd_store **out,
                          imd_error *error);

/* Closes a store. Calls that other threads have under way finish on the state that they hold;
 * later calls with this handle do nothing and answer IMD_CLOSED. Closing it again does nothing. */
void imd_store_close(imd_store *store);

/* Sends one action: {"type": "…", "payload": {…}, "meta": {…}} (a Flux Standard Action).
 *
 * The type names the action; payload is there if the action takes one; meta is yours and reaches
 * no reducer. Returns when the new state is in place. If anything fails, the state is as before.
 *
 * IMD_INVALID_JSON, IMD_LIMIT: text that could not be read.
 * IMD_INVALID_ACTION: no object, no or an unknown type, a payload of the wrong shape, or a member
 * that no action has.
 * IMD_REDUCER_FAILED: the reducer refused, in its own words.
 * IMD_REENTRANT: called from a reducer of this very store. */
imd_status imd_store_dispatch(imd_store *store, const char *action, size_t length,
                              imd_error *error);

/* Sends a JSON array of actions as one: either all of them happen, with no other action between
 * them and no state in between to be seen, or none does and the message says which one failed. */
imd_status imd_store_dispatch_batch(imd_store *store, const char *actions, size_t length,
                                    imd_error *error);

/* Reads the output of a selector for the current state.
 *
 * arguments: a JSON object, or NULL for none; imd_domains lists them.
 * out: JSON, *owned by the caller*; its length goes to out_length, which may be NULL.
 *
 * IMD_UNKNOWN_SELECTOR: the message lists the names that are near.
 * IMD_INVALID_ARGUMENT: an argument that is missing, unknown or of the wrong shape. */
imd_status imd_store_select(imd_store *store, const char *selector, const char *arguments,
                            size_t length, char **out, size_t *out_length, imd_error *error);

#ifdef __cplusplus
}
#endif

#endif /* IMMUTABLEDATA_H */
