/* Threads that dispatch, threads that select, and short-lived observers.
 *
 *     test_observers [ACTIONS] */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <immutabledata.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { DISPATCHERS = 4, SELECTORS = 4, OBSERVERS = 2 };

static imd_store *store;
static long actions = 1000000;
static atomic_int should_stop;

/* {"type":"0"} adds 1 to the count of thread 0. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  char *type = NULL, pointer[32];
  int64_t count = 0;
  imd_value *value = NULL;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  snprintf(pointer, sizeof pointer, "/counts/%s", type ? type : "");
  imd_free(type);
  if (status == IMD_OK) status = imd_value_get_integer(state, pointer, &count, error);
  if (status == IMD_OK) status = imd_value_from_integer(count + 1, &value, error);
  if (status == IMD_OK) status = imd_value_set(state, pointer, value, next, error);
  imd_value_release(value);
  return status;
}

typedef struct {
  int number;
  long failed;
} worker;

/* The counts delivered to an observer: each only increases, by one at a time. */
typedef struct {
  int64_t last;
  long deliveries, wrong;
  int released;
} watch;

static void record(void *context, const imd_delivery *delivery) {
  watch *watch = context;
  int64_t count = -1;
  if (imd_value_get_integer(delivery->value, "", &count, NULL) != IMD_OK) watch->wrong++;
  if (watch->deliveries && count != watch->last + 1) watch->wrong++;
  watch->last = count;
  watch->deliveries++;
}

static void count_release(void *context) { ((watch *)context)->released++; }

static imd_observation *observe(int number, const char *options, watch *watch) {
  char selector[2] = {(char)('0' + number), 0};
  imd_observation *observation = NULL;
  CHECK(imd_store_observe(store, selector, NULL, 0, options, IMD_ZERO_TERMINATED, record, watch,
                          count_release, &observation, NULL) == IMD_OK);
  return observation;
}

static void *dispatch_actions(void *context) {
  worker *worker = context;
  char action[32];
  snprintf(action, sizeof action, "{\"type\":\"%d\"}", worker->number);
  for (long i = 0; i < actions / DISPATCHERS; i++)
    if (imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) != IMD_OK) worker->failed++;
  return NULL;
}

static void *select_counts(void *context) {
  worker *worker = context;
  char selector[2] = {(char)('0' + worker->number), 0};
  for (long last = 0; !atomic_load(&should_stop);) {
    char *text = NULL;
    if (imd_store_select(store, selector, NULL, 0, &text, NULL, NULL) != IMD_OK) worker->failed++;
    long count = text ? strtol(text, NULL, 10) : -1;
    if (count < last) worker->failed++;
    last = count;
    imd_free(text);
  }
  return NULL;
}

static void *observe_and_cancel(void *context) {
  worker *worker = context;
  while (!atomic_load(&should_stop)) {
    watch watch = {0};
    imd_observation *observation = observe(worker->number, NULL, &watch);
    imd_observation_cancel(observation);
    /* No call is in progress, so its results may be read. */
    if (watch.wrong || watch.released != 1 || watch.deliveries < 1) worker->failed++;
    sched_yield();
  }
  return NULL;
}

int main(int count, char **arguments) {
  if (count > 1) actions = strtol(arguments[1], NULL, 10);
  CHECK(actions > 0);
  CHECK(imd_store_create("{\"counts\":{\"0\":0,\"1\":0,\"2\":0,\"3\":0}}", IMD_ZERO_TERMINATED,
                         reduce, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  for (int i = 0; i < DISPATCHERS; i++) {
    char name[2] = {(char)('0' + i), 0}, expression[16];
    snprintf(expression, sizeof expression, "counts.\"%d\"", i);
    CHECK(imd_store_define_selector(store, name, expression, NULL) == IMD_OK);
  }

  watch watches[DISPATCHERS] = {{0}}, queued = {0};
  for (int i = 0; i < DISPATCHERS; i++) observe(i, NULL, &watches[i]);
  observe(0, "{\"when\":\"queued\",\"capacity\":1048576}", &queued);

  /* Called once before there are threads: ThreadSanitizer does not recognize the one-time
   * initialization of Swift globals, and reports a race for the second thread that reads one. */
  worker first = {0};
  long wanted = actions;
  actions = DISPATCHERS;
  dispatch_actions(&first);
  actions = wanted;
  size_t delivered = 0, polled = 0;
  CHECK(imd_store_poll(store, &polled, NULL) == IMD_OK && polled == 2);
  imd_observation_cancel(observe(0, NULL, &(watch){0}));
  char *text = NULL;
  CHECK(imd_store_select(store, "0", NULL, 0, &text, NULL, NULL) == IMD_OK);
  imd_free(text);

  pthread_t threads[DISPATCHERS + SELECTORS + OBSERVERS];
  worker workers[DISPATCHERS + SELECTORS + OBSERVERS] = {{0}};
  for (int i = 0; i < DISPATCHERS + SELECTORS + OBSERVERS; i++) {
    workers[i].number = i % 4;
    CHECK(pthread_create(&threads[i], NULL,
                         i < DISPATCHERS               ? dispatch_actions
                         : i < DISPATCHERS + SELECTORS ? select_counts
                                                       : observe_and_cancel,
                         &workers[i]) == 0);
  }
  for (int i = 0; i < DISPATCHERS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  atomic_store(&should_stop, 1);
  for (int i = DISPATCHERS; i < DISPATCHERS + SELECTORS + OBSERVERS; i++)
    CHECK(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < DISPATCHERS + SELECTORS + OBSERVERS; i++) CHECK(workers[i].failed == 0);

  /* Every change was delivered, in order, before its dispatch returned. */
  long each = actions / DISPATCHERS;
  for (int i = 0; i < DISPATCHERS; i++) {
    CHECK(watches[i].wrong == 0);
    CHECK(watches[i].last == each + (i == 0));
  }
  CHECK(imd_store_poll(store, &delivered, NULL) == IMD_OK);
  CHECK(delivered == (size_t)each);
  CHECK(queued.wrong == 0 && queued.last == each + 1);
  imd_store_close(store);
  return check_report();
}
