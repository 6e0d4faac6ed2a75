/* Dispatches with observers, and with a reader of a stream. */
#include "jobs.h"

#include "measure.h"
#include "records.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { RECORDS = 65536, OBSERVERS = 10000, OBSERVED = 8192, FEW = 64, ACTIONS = 1000000 };

static size_t calls;

static void count_call(void *context, const imd_delivery *delivery) {
  (void)context;
  calls += delivery->value != NULL;
}

/* Writes the delivery as text, as a program that displays or sends it does. */
static void write_text(void *context, const imd_delivery *delivery) {
  char *text;
  imd_error error;
  (void)context;
  check(imd_value_text(delivery->value, &text, NULL, &error), &error);
  imd_free(text);
  calls++;
}

static void define(imd_store *store, const char *name, const char *expression) {
  imd_error error;
  check(imd_store_define_selector(store, name, expression, &error), &error);
}

static void observe(imd_store *store, const char *selector, const char *arguments,
                    const char *options, imd_observer observer) {
  imd_error error;
  check(imd_store_observe(store, selector, arguments, IMD_ZERO_TERMINATED, options,
                          IMD_ZERO_TERMINATED, observer, NULL, NULL, NULL, &error),
        &error);
}

/* Adds an observer for each of the first count records. */
static void observe_records(imd_store *store, int count) {
  char arguments[32];
  define(store, "record", "get(records, $id)");
  for (int i = 0; i < count; i++) {
    sprintf(arguments, "{\"id\":\"k%d\"}", i);
    observe(store, "record", arguments, NULL, count_call);
  }
}

/* ---- As in Redux: each subscriber runs its selector after each action -------------------------- */

typedef struct subscribers {
  records *records;
  char pointers[OBSERVERS][24];
  imd_value *last[OBSERVERS];
} subscribers;

static void notify(subscribers *subscribers, imd_value *state) {
  imd_error error;
  for (int i = 0; i < OBSERVERS; i++) {
    imd_value *output;
    check(imd_value_get(state, subscribers->pointers[i], &output, &error), &error);
    calls += !imd_value_identical(output, subscribers->last[i]);
    imd_value_release(subscribers->last[i]);
    subscribers->last[i] = output;
  }
}

static double dispatch_to_subscribers(void *context) {
  subscribers *subscribers = context;
  imd_error error;
  renew_batch(subscribers->records->batch);
  double start = now();
  for (int i = 0; i < FEW; i++) {
    const text *action = &subscribers->records->batch->operations[i].set;
    imd_value *state;
    check(imd_store_dispatch(subscribers->records->store, action->characters,
                             (size_t)action->length, &error),
          &error);
    check(imd_store_state(subscribers->records->store, &state, &error), &error);
    notify(subscribers, state);
    imd_value_release(state);
  }
  return (now() - start) / FEW;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

/* Dispatches actions that each change a field. */
static double dispatch_few(void *context) {
  static int value;
  records *records = context;
  imd_error error;
  double start = now();
  for (int i = 0; i < FEW; i++) {
    char text[72];
    sprintf(text, "{\"type\":\"set\",\"payload\":{\"id\":\"k%d\",\"value\":%d}}", i, --value);
    check(imd_store_dispatch(records->store, text, IMD_ZERO_TERMINATED, &error), &error);
  }
  return (now() - start) / FEW;
}

/* Compares observers with subscribers as in Redux. */
static void measure_subscribers(records *many) {
  records none;
  open_records(&none, RECORDS);
  limit_batch(&none, OBSERVED);
  subscribers *subscribers = calloc(1, sizeof *subscribers);
  subscribers->records = &none;
  for (int i = 0; i < OBSERVERS; i++)
    sprintf(subscribers->pointers[i], "/records/k%d", i);
  compare("dispatch, 10,000 observers of a record each", &(contestant){"", dispatch, many},
          &(contestant){"10,000 selectors run", dispatch_to_subscribers, subscribers}, "");
  for (int i = 0; i < OBSERVERS; i++)
    imd_value_release(subscribers->last[i]);
  free(subscribers);
  close_records(&none);
}

/* Dispatches without an observer, with one, and with 10,000 observers of a record each. Each action
 * changes an observed record. With one observer that is always the same record, which stays in the
 * cache. The dispatches to the same records without an observer show how much this matters. */
static void measure_many_observers(void) {
  records none, scattered, one, many;
  open_records(&none, RECORDS);
  open_records(&scattered, RECORDS);
  open_records(&one, RECORDS);
  open_records(&many, RECORDS);
  limit_batch(&none, 1);
  limit_batch(&scattered, OBSERVED);
  limit_batch(&one, 1);
  limit_batch(&many, OBSERVED);
  observe_records(one.store, 1);
  observe_records(many.store, OBSERVERS);
  const contestant contestants[] = {{"", dispatch, &none},
                                    {"", dispatch, &one},
                                    {"", dispatch, &many},
                                    {"", dispatch, &scattered}};
  double medians[4];
  measure_in_turns(contestants, 4, medians);
  print_row("dispatch, one observer of one record", medians[1], "no observer", medians[0], "s",
            "ratio <= 1.6");
  print_row("dispatch, 10,000 observers of a record each", medians[2], "one observer", medians[1],
            "s", "ratio <= 1.5");
  print_row("dispatch, 10,000 observers of a record each", medians[2],
            "no observer, same records", medians[3], "s", "");
  print_point("change, one observer", "C: immutabledata, store", RECORDS, medians[1], "s");
  print_point("change, 10,000 observers", "C: immutabledata, store", RECORDS, medians[2], "s");
  measure_subscribers(&many);
  close_records(&none);
  close_records(&scattered);
  close_records(&one);
  close_records(&many);
}

/* One observer of all records, which gets patches, at every size. */
static void measure_observed_growth(void) {
  records stores[SIZES];
  contestant contestants[SIZES];
  double medians[SIZES];
  int count = sizes_measured();
  for (int i = 0; i < count; i++) {
    open_records(&stores[i], sizes[i]);
    define(stores[i].store, "all", "records");
    observe(stores[i].store, "all", NULL, "{\"deliver\":\"patch\"}", count_call);
    contestants[i] = (contestant){"", dispatch, &stores[i]};
  }
  measure_in_turns(contestants, count, medians);
  char row[96];
  snprintf(row, sizeof row, "change, observed as a patch: %s records", size_names[count - 1]);
  print_row(row, medians[count - 1], "ours with 1,024", medians[0], "s", "ratio <= 2");
  for (int i = 0; i < count; i++)
    close_records(&stores[i]);
}

static void measure_patch(void) {
  records value, patch;
  open_records(&value, RECORDS);
  open_records(&patch, RECORDS);
  define(value.store, "all", "records");
  define(patch.store, "all", "records");
  observe(value.store, "all", NULL, NULL, write_text);
  observe(patch.store, "all", NULL, "{\"deliver\":\"patch\"}", write_text);
  compare("deliver a patch, 65,536 records observed", &(contestant){"", dispatch_few, &patch},
          &(contestant){"deliver the value", dispatch_few, &value}, "ratio <= 0.02");
  close_records(&value);
  close_records(&patch);
}

void measure_observation(void) {
  measure_many_observers();
  measure_observed_growth();
  measure_patch();
}

/* ---- Streams --------------------------------------------------------------------------------- */

static int action_count(void) {
  return is_quick() ? ACTIONS / 100 : ACTIONS;
}

static void *read_all(void *stream) {
  imd_error error;
  for (int i = 0; i < action_count(); i++)
    check(imd_stream_next(stream, -1, NULL, NULL, NULL, &error), &error);
  return NULL;
}

static double dispatch_many(void *context) {
  imd_store *store = context;
  imd_error error;
  static const char action[] = "{\"type\":\"didTapIncrementButton\"}";
  double start = now();
  for (int i = 0; i < action_count(); i++)
    check(imd_store_dispatch(store, action, sizeof action - 1, &error), &error);
  return (now() - start) / action_count();
}

/* The time until the last action is read. */
static double dispatch_and_read(void *context) {
  imd_store *store = context;
  imd_error error;
  imd_stream *stream;
  pthread_t thread;
  const char *options = "{\"overflow\":\"block\"}";
  check(imd_store_stream(store, options, IMD_ZERO_TERMINATED, &stream, &error), &error);
  double start = now();
  pthread_create(&thread, NULL, read_all, stream);
  dispatch_many(store);
  pthread_join(thread, NULL);
  double time = (now() - start) / action_count();
  if (imd_stream_next(stream, 0, NULL, NULL, NULL, NULL) != IMD_TIMEOUT) {
    fprintf(stderr, "the stream has more than %d actions\n", action_count());
    exit(1);
  }
  imd_stream_close(stream);
  return time;
}

void measure_stream(void) {
  imd_error error;
  imd_store *store;
  check(imd_store_open("counter", NULL, 0, &store, &error), &error);
  compare("dispatch 1,000,000 actions, all read by a thread",
          &(contestant){"", dispatch_and_read, store},
          &(contestant){"no reader", dispatch_many, store}, "");
  imd_store_close(store);
}
