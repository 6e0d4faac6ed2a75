/* The comparison and the filter of an observer.
 *
 *     test_observer_functions [ROUNDS] */
#define _POSIX_C_SOURCE 200809L

#include "number.h"

#include <pthread.h>
#include <stdatomic.h>

/* What the functions of one observer saw, and how they answer. */
typedef struct {
  imd_store *store;
  imd_observation *observation;
  int tolerance;         /* the difference that counts as a change */
  char seen[200];        /* the deliveries */
  int compared, filtered, released;
  imd_status dispatched; /* of a dispatch inside a function */
  void (*act)(void *);   /* called inside the comparison */
} watch;

static void record(void *context, const imd_delivery *delivery) {
  watch *watch = context;
  char *text = NULL;
  const char *shown = "failure";
  if (delivery->value && imd_value_text(delivery->value, &text, NULL, NULL) == IMD_OK) shown = text;
  size_t length = strlen(watch->seen);
  snprintf(watch->seen + length, sizeof watch->seen - length, "%s ", shown);
  imd_free(text);
}

static int is_far(void *context, const imd_value *delivered, const imd_value *output) {
  watch *watch = context;
  int64_t old = 0, new = 0;
  watch->compared++;
  CHECK(imd_value_get_integer(delivered, "", &old, NULL) == IMD_OK);
  CHECK(imd_value_get_integer(output, "", &new, NULL) == IMD_OK);
  if (watch->act) watch->act(watch);
  return new - old >= watch->tolerance || old - new >= watch->tolerance;
}

/* Only payloads above the old state pass. */
static int grows(void *context, const imd_value *action, const imd_value *old_state,
                 const imd_value *new_state) {
  watch *watch = context;
  int64_t payload = 0, old = 0, new = 0;
  watch->filtered++;
  CHECK(imd_value_get_integer(action, "/payload", &payload, NULL) == IMD_OK);
  CHECK(imd_value_get_integer(old_state, "/n", &old, NULL) == IMD_OK);
  CHECK(imd_value_get_integer(new_state, "/n", &new, NULL) == IMD_OK);
  CHECK(new == payload);
  return payload > old;
}

static void count_release(void *context) { ((watch *)context)->released++; }

static void observe(watch *watch, const char *options, const imd_observer_functions *functions) {
  imd_error error;
  if (!CHECK(imd_store_observe_with_functions(watch->store, "n", NULL, 0, options,
                                              options ? IMD_ZERO_TERMINATED : 0, functions, watch,
                                              count_release, &watch->observation,
                                              &error) == IMD_OK))
    fprintf(stderr, "  %s\n", error.message);
}

static const imd_observer_functions compares = {.observer = record, .did_change = is_far};
static const imd_observer_functions filters = {.observer = record, .filter = grows};

static void test_tolerance(const char *options, const char *expected) {
  watch watch = {.store = number_open(), .tolerance = 2};
  observe(&watch, options, &compares);
  for (int n = 1; n <= 5; n++) number_set(watch.store, n);
  imd_store_poll(watch.store, NULL, NULL);
  CHECK_TEXT(watch.seen, expected);
  /* An equal output is not compared. */
  CHECK(watch.compared == 5);
  number_set(watch.store, 5);
  CHECK(watch.compared == 5 && watch.released == 0);
  imd_store_close(watch.store);
  CHECK(watch.released == 1);
}

static void test_filter(void) {
  watch watch = {.store = number_open()};
  observe(&watch, NULL, &filters);
  number_set(watch.store, 5);
  number_set(watch.store, 3);
  CHECK_TEXT(watch.seen, "0 5 ");
  number_set(watch.store, 4);
  CHECK_TEXT(watch.seen, "0 5 4 ");
  /* A batch passes if one action does; each is passed with the state before it. */
  const char *fall = "[{\"type\":\"set\",\"payload\":2},{\"type\":\"set\",\"payload\":1}]";
  const char *rise = "[{\"type\":\"set\",\"payload\":0},{\"type\":\"set\",\"payload\":1}]";
  CHECK(imd_store_dispatch_batch(watch.store, fall, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  CHECK_TEXT(watch.seen, "0 5 4 ");
  CHECK(imd_store_dispatch_batch(watch.store, rise, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  CHECK_TEXT(watch.seen, "0 5 4 1 ");
  CHECK(watch.filtered == 7);
  imd_observation_cancel(watch.observation);
  CHECK(watch.released == 1);
  imd_store_close(watch.store);
}

/* ---- What a comparison may do --------------------------------------------------------------- */

static void dispatch_inside(void *context) {
  watch *watch = context;
  imd_error error;
  watch->dispatched = imd_store_dispatch(watch->store, "{\"type\":\"set\",\"payload\":9}",
                                         IMD_ZERO_TERMINATED, &error);
  CHECK_TEXT(error.message,
             "the comparison of an observer dispatched an action; dispatch in the observer instead");
}

static void settle_inside(void *context) {
  CHECK(imd_store_settle(((watch *)context)->store, 0, NULL) == IMD_REENTRANT);
}

static void cancel_inside(void *context) {
  watch *watch = context;
  imd_observation_cancel(watch->observation);
  CHECK(watch->released == 0);
}

static void close_inside(void *context) {
  watch *watch = context;
  imd_store_close(watch->store);
  CHECK(watch->released == 0);
}

static void test_calls_inside(const char *options) {
  watch dispatching = {.store = number_open(), .tolerance = 9, .act = dispatch_inside};
  observe(&dispatching, options, &compares);
  number_set(dispatching.store, 1);
  imd_store_poll(dispatching.store, NULL, NULL);
  CHECK(dispatching.dispatched == IMD_REENTRANT);
  /* The output counts as changed. */
  CHECK_TEXT(dispatching.seen, "0 1 ");
  dispatching.act = settle_inside;
  number_set(dispatching.store, 2);
  imd_store_close(dispatching.store);

  watch cancelling = {.store = number_open(), .act = cancel_inside};
  observe(&cancelling, options, &compares);
  imd_store_poll(cancelling.store, NULL, NULL);
  number_set(cancelling.store, 1);
  CHECK(cancelling.released == 1);
  number_set(cancelling.store, 2);
  imd_store_poll(cancelling.store, NULL, NULL);
  CHECK_TEXT(cancelling.seen, "0 ");
  CHECK(number_statistic(cancelling.store, "observations") == 0);
  imd_store_close(cancelling.store);

  watch closing = {.store = number_open(), .act = close_inside};
  observe(&closing, options, &compares);
  imd_store_poll(closing.store, NULL, NULL);
  number_set(closing.store, 1);
  CHECK(closing.released == 1);
  CHECK_TEXT(closing.seen, "0 ");
}

/* ---- Refusals ------------------------------------------------------------------------------- */

static void refuse(const char *domain, const char *options, const imd_observer_functions *functions,
                   imd_status status, const char *message) {
  imd_store *store = NULL;
  imd_observation *observation = NULL;
  imd_error error;
  watch watch = {0};
  const char *selector = domain ? "selectQuakesCount" : "n";
  if (domain)
    CHECK(imd_store_open(domain, NULL, 0, &store, NULL) == IMD_OK);
  else
    store = number_open();
  CHECK(imd_store_observe_with_functions(store, selector, NULL, 0, options,
                                         options ? IMD_ZERO_TERMINATED : 0, functions, &watch,
                                         count_release, &observation, &error) == status);
  CHECK_TEXT(error.message, message);
  CHECK(observation == NULL && watch.released == 0);
  imd_store_close(store);
}

static void test_refusals(void) {
  const imd_observer_functions none = {0}, observes = {.observer = record};
  refuse(NULL, NULL, NULL, IMD_INVALID_ARGUMENT, "functions must not be NULL");
  refuse(NULL, NULL, &none, IMD_INVALID_ARGUMENT, "observer must not be NULL");
  refuse(NULL, "{\"filter\":\"filterQuakes\"}", &observes, IMD_INVALID_ARGUMENT,
         "options/filter: unknown filter \"filterQuakes\": a store with your own reducer has no "
         "named filters; pass a filter function instead");
  refuse("quakes", NULL, &filters, IMD_INVALID_ARGUMENT,
         "a filter function needs a store with your own reducer; choose one of the domain with the "
         "option \"filter\": \"filterQuakes\"");
  refuse("quakes", "{\"filter\":\"filterQuake\"}", &observes, IMD_INVALID_ARGUMENT,
         "options/filter: unknown filter \"filterQuake\"; did you mean \"filterQuakes\"?");
}

/* ---- Threads -------------------------------------------------------------------------------- */

enum { DISPATCHERS = 2 };

static int rounds = 2000;
static atomic_int is_done;
static atomic_int running; /* the functions of the observer that is cancelled */

static int differs(void *context, const imd_value *delivered, const imd_value *output) {
  (void)context, (void)delivered, (void)output;
  atomic_fetch_add(&running, 1);
  atomic_fetch_sub(&running, 1);
  return 1;
}

static int passes(void *context, const imd_value *action, const imd_value *old_state,
                  const imd_value *new_state) {
  (void)action;
  return differs(context, old_state, new_state);
}

static void run(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  atomic_fetch_add(&running, 1);
  atomic_fetch_sub(&running, 1);
}

static void *dispatch(void *store) {
  for (int n = 0; !atomic_load(&is_done); n++) number_set(store, n);
  return NULL;
}

static void *poll_store(void *store) {
  while (!atomic_load(&is_done)) imd_store_poll(store, NULL, NULL);
  return NULL;
}

/* After a cancel, no function of the observer runs, on any thread. */
static void test_cancel_on_another_thread(void) {
  imd_store *store = number_open();
  pthread_t threads[DISPATCHERS + 1];
  const imd_observer_functions functions = {
      .observer = run, .did_change = differs, .filter = passes};
  for (int i = 0; i < DISPATCHERS; i++) pthread_create(&threads[i], NULL, dispatch, store);
  pthread_create(&threads[DISPATCHERS], NULL, poll_store, store);
  int wrong = 0;
  for (int i = 0; i < rounds; i++) {
    watch watch = {.store = store};
    observe(&watch, i % 2 ? "{\"when\":\"queued\"}" : NULL, &functions);
    imd_observation_cancel(watch.observation);
    wrong += atomic_load(&running) != 0 || watch.released != 1;
  }
  CHECK(wrong == 0);
  atomic_store(&is_done, 1);
  for (int i = 0; i <= DISPATCHERS; i++) pthread_join(threads[i], NULL);
  imd_store_close(store);
}

int main(int count, char **arguments) {
  if (count > 1) rounds = atoi(arguments[1]);
  test_tolerance(NULL, "0 2 4 ");
  test_tolerance("{\"initial\":false}", "2 4 ");
  test_tolerance("{\"deliver\":\"patch\"}",
                 "0 [{\"op\":\"replace\",\"path\":\"\",\"value\":2}] "
                 "[{\"op\":\"replace\",\"path\":\"\",\"value\":4}] ");
  test_tolerance("{\"when\":\"queued\"}", "0 2 4 ");
  test_tolerance("{\"when\":\"queued\",\"coalesce\":true}", "4 ");
  test_filter();
  test_calls_inside(NULL);
  test_calls_inside("{\"when\":\"queued\"}");
  test_refusals();
  test_cancel_on_another_thread();
  return check_report();
}
