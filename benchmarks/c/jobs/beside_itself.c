/* What a call costs beside a simpler one of this library: two threads beside one, dispatches with
 * observers beside one without. */
#include "jobs.h"

#include "measure.h"
#include "records.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 65536, SELECTS = 200000, OBSERVERS = 10000 };

/* ---- Threads --------------------------------------------------------------------------------- */

static int selects(void) {
  return is_quick() ? SELECTS / 20 : SELECTS;
}

/* Computes four sums that do not depend on each other, in a cache of its own: what two threads gain at
 * most on this machine, whose processors may share a core. */
static void *compute(void *context) {
  uint64_t *sums = context;
  for (int i = 0; i < 32 * selects(); i++)
    for (int j = 0; j < 4; j++)
      sums[j] = sums[j] * 5 + (sums[j] >> 7) + (uint64_t)i;
  return NULL;
}

static void *read_often(void *context) {
  imd_error error;
  for (int i = 0; i < selects(); i++) {
    imd_value *state;
    int64_t n;
    check(imd_store_state(context, &state, &error), &error);
    check(imd_value_get_integer(state, "/n", &n, &error), &error);
    imd_value_release(state);
  }
  return NULL;
}

static void *dispatch_often(void *context) {
  imd_error error;
  for (int i = 0; i < selects(); i++)
    check(imd_store_dispatch(context, "{\"type\":\"add\"}", IMD_ZERO_TERMINATED, &error), &error);
  return NULL;
}

static imd_status add(void *context, const imd_value *state, const imd_value *action,
                      imd_value **next, imd_error *error) {
  (void)context;
  (void)action;
  int64_t n;
  imd_status status = imd_value_get_integer(state, "/n", &n, error);
  return status ? status : imd_value_set_integer(state, "/n", n + 1, next, error);
}

static void *select_often(void *context) {
  imd_store *store = context;
  imd_error error;
  for (int i = 0; i < selects(); i++) {
    char *text;
    check(imd_store_select(store, "number", NULL, 0, &text, NULL, &error), &error);
    imd_free(text);
  }
  return NULL;
}

/* A function, and what each of two threads passes to it. */
typedef struct work {
  void *(*run)(void *context);
  void *contexts[2];
} work;

static double run_on_one(void *context) {
  work *work = context;
  double start = now();
  work->run(work->contexts[0]);
  return (now() - start) / selects();
}

static double run_on_two(void *context) {
  work *work = context;
  pthread_t thread;
  double start = now();
  pthread_create(&thread, NULL, work->run, work->contexts[1]);
  work->run(work->contexts[0]);
  pthread_join(thread, NULL);
  return (now() - start) / (2 * selects());
}

static void measure_threads(void) {
  imd_store *stores[2];
  imd_error error;
  for (int i = 0; i < 2; i++) {
    check(imd_store_create("{\"n\":1}", IMD_ZERO_TERMINATED, add, NULL, NULL, NULL, 0, &stores[i],
                           &error),
          &error);
    check(imd_store_define_selector(stores[i], "number", "n", &error), &error);
  }
  static uint64_t sums[2][64];
  work computing = {compute, {sums[0], sums[1]}}, selecting = {select_often, {stores[0], stores[1]}};
  compare("computing on two threads", &(contestant){"", run_on_two, &computing},
          &(contestant){"one thread", run_on_one, &computing}, "");
  compare("select on two threads with stores of their own",
          &(contestant){"", run_on_two, &selecting},
          &(contestant){"one thread", run_on_one, &selecting}, "ratio <= 0.59");
  struct {
    const char *name;
    void *(*run)(void *context);
    const char *bound;
  } jobs[] = {{"select on two threads of one store", select_often, "ratio <= 0.59"},
              {"read of a state on two threads of one store", read_often, "ratio <= 0.59"},
              {"dispatch on two threads to one store", dispatch_often, "ratio <= 1.05"}};
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    work shared = {jobs[i].run, {stores[0], stores[0]}};
    compare(jobs[i].name, &(contestant){"", run_on_two, &shared},
            &(contestant){"one thread", run_on_one, &shared}, jobs[i].bound);
  }
  imd_store_close(stores[0]);
  imd_store_close(stores[1]);
}

/* ---- Observers ------------------------------------------------------------------------------- */

static size_t calls;

static void count_call(void *context, const imd_delivery *delivery) {
  (void)context;
  calls += delivery->value != NULL;
}

/* Observes the records from first on. */
static void open_observed(records *records, int first, int count) {
  imd_error error;
  open_records(records, RECORDS);
  check(imd_store_define_selector(records->store, "record", "get(records, $id)", &error), &error);
  for (int i = first; i < first + count; i++) {
    char arguments[32];
    sprintf(arguments, "{\"id\":\"k%d\"}", i);
    check(imd_store_observe(records->store, "record", arguments, IMD_ZERO_TERMINATED, NULL, 0,
                            count_call, NULL, NULL, NULL, &error),
          &error);
  }
}

/* Dispatches changes of one record. */
static double dispatch_to_one(void *context) {
  records *records = context;
  imd_error error;
  double start = now();
  for (int i = 0; i < BATCH; i++) {
    char changed[64];
    int length = sprintf(changed, "{\"type\":\"set\",\"payload\":{\"id\":\"k0\",\"value\":%d}}", i);
    check(imd_store_dispatch(records->store, changed, (size_t)length, &error), &error);
  }
  return (now() - start) / BATCH;
}

static void measure_observers(void) {
  enum { STORES = 4 };
  records stores[STORES];
  double times[STORES];
  contestant contestants[STORES];
  open_observed(&stores[0], 0, 0);
  open_observed(&stores[1], 0, 1);
  open_observed(&stores[2], 0, OBSERVERS);
  open_observed(&stores[3], 1, 1);
  for (int i = 0; i < STORES; i++)
    contestants[i] = (contestant){"", dispatch_to_one, &stores[i]};
  measure_in_turns(contestants, STORES, times);
  print_row("added to a dispatch by an observer of the record", times[1] - times[0],
            "dispatch without", times[0], "s", "ours < 3e-7");
  print_row("added to a dispatch by observers of 10,000 records", times[2] - times[0],
            "dispatch without", times[0], "s", "ours < 5e-7");
  print_row("added to a dispatch by an observer of another record", times[3] - times[0],
            "dispatch without", times[0], "s", "ours < 8e-8");
  for (int i = 0; i < STORES; i++)
    close_records(&stores[i]);
}

void measure_beside_itself(void) {
  measure_threads();
  measure_observers();
}
