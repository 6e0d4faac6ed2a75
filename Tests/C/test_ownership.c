/* The values that a reducer may return, and who releases them: borrowed, retained and new ones.
 *
 * Every result is dispatched many times; the memory in use must not grow. */
#include "check.h"

#include <immutabledata.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define STATE "{\"part\":{\"n\":1}}"
#define PART "{\"n\":1}"
#define PAYLOAD "{\"n\":2}"

/* How often each result is dispatched. */
static int dispatches = 100000;

typedef struct {
  imd_cursor *cursor;        /* open while the reducer returns a value borrowed from it */
  imd_value *owned;          /* a value owned by the program */
  const imd_value *borrowed; /* the value passed to an observer */
  int releases;
} host;

/* ---- Results --------------------------------------------------------------------------------- */

typedef imd_status (*result)(host *host, const imd_value *state, const imd_value *action,
                             imd_value **next, imd_error *error);

#define RESULT(name)                                                                    \
  static imd_status name(host *host, const imd_value *state, const imd_value *action,   \
                         imd_value **next, imd_error *error) {                          \
    (void)host, (void)state, (void)action, (void)next, (void)error;

RESULT(nothing) return IMD_OK; }
RESULT(state_itself) *next = (imd_value *)state; return IMD_OK; }
RESULT(action_itself) *next = (imd_value *)action; return IMD_OK; }
RESULT(retained_state) *next = imd_value_retain(state); return IMD_OK; }
RESULT(retained_action) *next = imd_value_retain(action); return IMD_OK; }
RESULT(part_of_state) return imd_value_get(state, "/part", next, error); }
RESULT(part_of_action) return imd_value_get(action, "/payload", next, error); }
RESULT(whole_state) return imd_value_get(state, "", next, error); }
RESULT(new_value) return imd_value_parse("{\"n\":3}", 7, next, error); }
RESULT(owned_value) *next = imd_value_retain(host->owned); return IMD_OK; }
RESULT(borrowed_by_observer) *next = (imd_value *)host->borrowed; return IMD_OK; }

RESULT(changed_in_steps)
  imd_value *value = imd_value_retain(state), *changed;
  for (int64_t step = 0; step < 3; step++) {
    imd_status status = imd_value_set_integer(value, "/part/n", step, &changed, error);
    imd_value_release(value);
    if (status != IMD_OK) return status;
    value = changed;
  }
  *next = value;
  return IMD_OK;
}

RESULT(value_of_open_cursor)
  const imd_value *value;
  imd_status status = imd_cursor_open(state, NULL, &host->cursor, error);
  if (status == IMD_OK && imd_cursor_next(host->cursor, NULL, NULL, &value))
    *next = (imd_value *)value;
  return status;
}

RESULT(retained_value_of_cursor)
  imd_cursor *cursor;
  const imd_value *value;
  imd_status status = imd_cursor_open(state, NULL, &cursor, error);
  if (status != IMD_OK) return status;
  if (imd_cursor_next(cursor, NULL, NULL, &value)) *next = imd_value_retain(value);
  imd_cursor_close(cursor);
  return IMD_OK;
}

/* Releasing borrowed values is a mistake of the program, and has no effect. */
RESULT(released_state)
  imd_value_release(state);
  imd_value_release(action);
  imd_value_release(state);
  *next = (imd_value *)state;
  return IMD_OK;
}

static const struct {
  const char *name;
  result result;
  const char *state; /* afterwards */
} results[] = {
    {"nothing", nothing, STATE},
    {"state", state_itself, STATE},
    {"action", action_itself, "{\"payload\":" PAYLOAD ",\"type\":\"x\"}"},
    {"retained state", retained_state, STATE},
    {"retained action", retained_action, "{\"payload\":" PAYLOAD ",\"type\":\"x\"}"},
    {"part of state", part_of_state, PART},
    {"part of action", part_of_action, PAYLOAD},
    {"whole state", whole_state, STATE},
    {"new value", new_value, "{\"n\":3}"},
    {"owned value", owned_value, "{\"owned\":1}"},
    {"changed in steps", changed_in_steps, "{\"part\":{\"n\":2}}"},
    {"value of open cursor", value_of_open_cursor, PART},
    {"retained value of cursor", retained_value_of_cursor, PART},
    {"released state", released_state, STATE},
};

/* ---- A store whose reducer returns a result -------------------------------------------------- */

typedef struct {
  host host;
  result result;
  imd_status status; /* returned by the reducer after it sets the result */
} program;

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  program *program = context;
  if (program->result == NULL) return imd_value_parse(STATE, IMD_ZERO_TERMINATED, next, error);
  imd_status status = program->result(&program->host, state, action, next, error);
  return status == IMD_OK ? program->status : status;
}

static void count_release(void *context) { ((program *)context)->host.releases++; }

static imd_store *create(program *program) {
  imd_store *store = NULL;
  CHECK(imd_store_create(STATE, IMD_ZERO_TERMINATED, reduce, program, count_release, NULL, 0,
                         &store, NULL) == IMD_OK);
  return store;
}

static imd_status dispatch(imd_store *store) {
  return imd_store_dispatch(store, "{\"type\":\"x\",\"payload\":" PAYLOAD "}", IMD_ZERO_TERMINATED,
                            NULL);
}

static void reset(program *program, imd_store *store) {
  result result = program->result;
  imd_status status = program->status;
  program->result = NULL;
  program->status = IMD_OK;
  CHECK(dispatch(store) == IMD_OK);
  program->result = result;
  program->status = status;
}

static void check_state(imd_store *store, const char *expected) {
  imd_value *state;
  char *text;
  CHECK(imd_store_state(store, &state, NULL) == IMD_OK);
  CHECK(imd_value_text(state, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
  imd_value_release(state);
}

/* Allocated bytes; 0 if unknown. */
static size_t memory(void) {
#ifdef __GLIBC__
  return mallinfo2().uordblks;
#else
  return 0;
#endif
}

/* Much less than the memory that any leak would take over all dispatches. */
#define SLACK 65536

static void test_results(imd_status status, int dispatches) {
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
    program program = {{0}, results[i].result, status};
    imd_value_parse("{\"owned\":1}", IMD_ZERO_TERMINATED, &program.host.owned, NULL);
    imd_store *store = create(&program);
    size_t before = 0;
    for (int n = 0; n < dispatches; n++) {
      /* The first dispatches fill caches. */
      if (n == dispatches / 10) before = memory();
      reset(&program, store);
      if (dispatch(store) != (status == IMD_OK ? IMD_OK : IMD_REDUCER_FAILED)) break;
      imd_cursor_close(program.host.cursor);
      program.host.cursor = NULL;
    }
    if (!CHECK(memory() <= before + SLACK))
      fprintf(stderr, "  %s: %zu bytes more\n", results[i].name, memory() - before);
    reset(&program, store);
    CHECK(dispatch(store) == (status == IMD_OK ? IMD_OK : IMD_REDUCER_FAILED));
    check_state(store, status == IMD_OK ? results[i].state : STATE);
    imd_cursor_close(program.host.cursor);
    imd_store_close(store);
    CHECK(program.host.releases == 1);

    /* The program's value is unchanged. */
    CHECK(imd_value_count(program.host.owned) == 1);
    imd_value_release(program.host.owned);
  }
}

/* ---- Borrowed and owned ---------------------------------------------------------------------- */

RESULT(compare_handles)
  imd_value *first = imd_value_retain(state), *second = imd_value_retain(first);
  CHECK(first != state && imd_value_identical(first, state));
  CHECK(second == first);
  imd_value_release(second);
  imd_value_release(state);
  CHECK(imd_value_count(first) == 1 && imd_value_count(state) == 1);
  host->owned = first;
  return IMD_OK;
}

static void test_retaining_borrowed_values(void) {
  program program = {{0}, compare_handles, IMD_OK};
  imd_store *store = create(&program);
  CHECK(dispatch(store) == IMD_OK);
  imd_store_close(store);
  int64_t n = 0;
  CHECK(imd_value_get_integer(program.host.owned, "/part/n", &n, NULL) == IMD_OK && n == 1);
  imd_value_release(program.host.owned);
}

static imd_store *observed;

static void observe(void *context, const imd_delivery *delivery) {
  program *program = context;
  imd_value_release(delivery->value);
  imd_value_release(program->host.owned);
  program->host.owned = imd_value_retain(delivery->value);
  CHECK(program->host.owned != delivery->value);
  if (program->host.borrowed != NULL) return;
  program->host.borrowed = delivery->value;
  program->result = borrowed_by_observer;
  CHECK(dispatch(observed) == IMD_OK);
  check_state(observed, PART);
}

static void test_values_borrowed_by_an_observer(void) {
  program program = {{0}, NULL, IMD_OK};
  observed = create(&program);
  CHECK(imd_store_define_selector(observed, "part", "part", NULL) == IMD_OK);
  CHECK(imd_store_observe(observed, "part", NULL, 0, NULL, 0, observe, &program, NULL, NULL,
                          NULL) == IMD_OK);
  imd_store_close(observed);
  CHECK(imd_value_kind(program.host.owned) == IMD_NULL);
  imd_value_release(program.host.owned);
}

/* ---- Objects that end with their store ------------------------------------------------------- */

static void ignore(void *context, const imd_delivery *delivery) { (void)context, (void)delivery; }

/* Observations that are never cancelled leak nothing. */
static void test_objects_that_end_with_their_store(void) {
  size_t before = 0;
  for (int n = 0; n < dispatches; n++) {
    if (n == dispatches / 10) before = memory();
    program program = {{0}, NULL, IMD_OK};
    imd_store *store = create(&program);
    imd_observation *observation;
    CHECK(imd_store_define_selector(store, "part", "part", NULL) == IMD_OK);
    CHECK(imd_store_observe(store, "part", NULL, 0, NULL, 0, ignore, &program, count_release,
                            &observation, NULL) == IMD_OK);
    imd_store_close(store);
    CHECK(program.host.releases == 2);
    if (n % 2 == 0) imd_observation_cancel(observation);
    CHECK(program.host.releases == 2);
  }
  if (!CHECK(memory() <= before + SLACK))
    fprintf(stderr, "  stores: %zu bytes more\n", memory() - before);
}

/* A release function is a callback: no call inside it waits. */
static void settle_another_store(void *context) {
  CHECK(imd_store_settle(observed, -1, NULL) == IMD_REENTRANT);
  count_release(context);
}

static void test_calls_in_a_release(void) {
  program other = {{0}, NULL, IMD_OK}, program = {{0}, NULL, IMD_OK};
  imd_store *store;
  observed = create(&other);
  CHECK(imd_store_create(STATE, IMD_ZERO_TERMINATED, reduce, &program, settle_another_store, NULL, 0,
                         &store, NULL) == IMD_OK);
  imd_store_close(store);
  CHECK(program.host.releases == 1);
  imd_store_close(observed);
}

int main(int count, char **arguments) {
  if (count > 1) dispatches = atoi(arguments[1]);
  test_results(IMD_OK, dispatches);
  test_results(IMD_IO, dispatches / 10);
  test_retaining_borrowed_values();
  test_values_borrowed_by_an_observer();
  test_objects_that_end_with_their_store();
  test_calls_in_a_release();
  return check_report();
}
