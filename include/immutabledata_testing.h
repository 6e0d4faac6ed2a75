/* immutabledata: tests of a store, its rule and its effects that take no time. C11 or C++.
 *
 * Create the store with {"clock": "stepped"}: time passes in IMD_TEST_ADVANCE, which begins
 * effects, and the outcomes of effects wait for IMD_TEST_RECEIVE.
 *
 *     IMD_TEST_SEND(store, "{\"type\":\"typed\",\"payload\":\"cat\"}", "{\"text\":\"cat\"}");
 *     IMD_TEST_ADVANCE(store, 300);
 *     imd_effect_resolve(request, hits, NULL);
 *     IMD_TEST_RECEIVE(store, "found", "{\"hits\":[\"cat\"]}");
 *     IMD_TEST_END(store);
 *
 * changes is how the state differs afterwards, as a JSON Merge Patch (RFC 7396), or as a JSON Patch
 * (RFC 6902), which can say that a member becomes null; "{}" if it is the same. A check that fails
 * prints the line, and what was expected, to standard error, and calls abort, as assert does;
 * NDEBUG does not turn it off. Each check compares whole states: O(n) in what they do not share.
 * One thread at a time may test a store. */
#ifndef IMMUTABLEDATA_TESTING_H
#define IMMUTABLEDATA_TESTING_H

#include "immutabledata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Dispatches an action, which is JSON text, begins the effects that are due, and checks what has
 * changed. */
#define IMD_TEST_SEND(store, action, changes) \
  imd_test_send((store), (action), (changes), __FILE__, __LINE__)

/* Moves the clock, and begins the effects that are due; see imd_store_advance. */
#define IMD_TEST_ADVANCE(store, milliseconds) \
  imd_test_advance((store), (milliseconds), __FILE__, __LINE__)

/* Lets the oldest outcome of an effect in, and checks that the action that it becomes has a type,
 * and what it changed. */
#define IMD_TEST_RECEIVE(store, type, changes) \
  imd_test_receive((store), (type), (changes), __FILE__, __LINE__)

/* Checks that nothing is left over: no effect in flight or waiting, and no outcome. */
#define IMD_TEST_END(store) imd_test_end((store), __FILE__, __LINE__)

/* ---- What the macros call -------------------------------------------------------------------- */

static inline void imd_test_fail(const char *what, const char *details, const char *file,
                                 int line) {
  fprintf(stderr, "%s:%d: %s%s%s\n", file, line, what, details[0] ? ": " : "", details);
  abort();
}

static inline void imd_test_require(imd_status status, const imd_error *error, const char *what,
                                    const char *file, int line) {
  if (status != IMD_OK) imd_test_fail(what, error->message, file, line);
}

static inline imd_value *imd_test_state(imd_store *store, const char *file, int line) {
  imd_error error;
  imd_value *state = NULL;
  imd_test_require(imd_store_state(store, &state, &error), &error, "the state cannot be read", file,
                   line);
  return state;
}

/* Releases old_state. */
static inline void imd_test_changes(imd_store *store, imd_value *old_state, const char *changes,
                                    const char *file, int line) {
  imd_error error;
  imd_value *patch = NULL, *expected = NULL, *difference = NULL;
  imd_value *state = imd_test_state(store, file, line);
  imd_test_require(imd_value_parse(changes, IMD_ZERO_TERMINATED, &patch, &error), &error,
                   "changes is not JSON", file, line);
  imd_test_require(imd_value_kind(patch) == IMD_ARRAY
                       ? imd_value_patch(old_state, patch, &expected, &error)
                       : imd_value_merge(old_state, patch, &expected, &error),
                   &error, "changes cannot be applied", file, line);
  if (!imd_value_equal(state, expected)) {
    char *text = NULL;
    if (imd_value_diff(expected, state, &difference, &error) == IMD_OK &&
        imd_value_text(difference, &text, NULL, &error) == IMD_OK)
      imd_test_fail("the state differs from the expected one by this JSON Patch", text, file, line);
    imd_test_fail("the state differs from the expected one", error.message, file, line);
  }
  imd_value_release(old_state);
  imd_value_release(state);
  imd_value_release(patch);
  imd_value_release(expected);
}

static inline void imd_test_advance(imd_store *store, int milliseconds, const char *file,
                                    int line) {
  imd_error error;
  imd_test_require(imd_store_advance(store, milliseconds, &error), &error,
                   "the clock cannot be moved", file, line);
}

static inline void imd_test_send(imd_store *store, const char *action, const char *changes,
                                 const char *file, int line) {
  imd_error error;
  imd_value *old_state = imd_test_state(store, file, line);
  imd_test_require(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error), &error,
                   "the action was refused", file, line);
  imd_test_advance(store, 0, file, line);
  imd_test_changes(store, old_state, changes, file, line);
}

/* Lets outcomes in until one becomes an action, *owned by the caller*; NULL if none does. */
static inline imd_value *imd_test_next(imd_store *store, const char *file, int line) {
  imd_error error;
  size_t waiting = 0;
  imd_stream *stream = NULL;
  imd_value *action = NULL;
  imd_test_require(imd_store_stream(store, NULL, 0, &stream, &error), &error,
                   "the actions cannot be read", file, line);
  do {
    imd_test_require(imd_store_receive(store, &waiting, &error), &error,
                     "no outcome can be received", file, line);
  } while (imd_stream_next(stream, 0, &action, NULL, NULL, &error) != IMD_OK && waiting > 0);
  imd_stream_close(stream);
  return action;
}

static inline void imd_test_receive(imd_store *store, const char *type, const char *changes,
                                    const char *file, int line) {
  imd_error error;
  char *received = NULL, message[256];
  imd_value *old_state = imd_test_state(store, file, line);
  imd_value *action = imd_test_next(store, file, line);
  if (action == NULL) imd_test_fail("no outcome waits that becomes an action", "", file, line);
  imd_test_require(imd_value_get_string(action, "/type", &received, NULL, &error), &error,
                   "the action has no type", file, line);
  snprintf(message, sizeof message, "%s, not %s", received, type);
  if (strcmp(received, type) != 0)
    imd_test_fail("another action was received", message, file, line);
  imd_test_changes(store, old_state, changes, file, line);
  imd_free(received);
  imd_value_release(action);
}

static inline void imd_test_end(imd_store *store, const char *file, int line) {
  imd_error error;
  char *statistics = NULL;
  int64_t waiting = 0;
  imd_value *counts = NULL;
  imd_test_require(imd_store_settle(store, 0, &error), &error, "an effect was not ended", file,
                   line);
  if (imd_test_next(store, file, line) != NULL)
    imd_test_fail("an outcome was not received", "", file, line);
  if (imd_store_statistics(store, &statistics, NULL, &error) == IMD_OK &&
      imd_value_parse(statistics, IMD_ZERO_TERMINATED, &counts, &error) == IMD_OK)
    (void)imd_value_get_integer(counts, "/waitingEffects", &waiting, NULL);
  if (waiting > 0)
    imd_test_fail("an effect waits for its time, or for another one", "", file, line);
  imd_free(statistics);
  imd_value_release(counts);
}

#ifdef __cplusplus
}
#endif

#endif
