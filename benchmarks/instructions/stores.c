/* Stores: dispatches, observed or not, and selects. */
#include "jobs.h"

#include "measure.h"
#include "records.h"

#include <stdio.h>
#include <stdlib.h>

enum { OBSERVERS = 10000 };

static size_t calls;

static void count_call(void *context, const imd_delivery *delivery) {
  (void)context;
  calls += delivery->value != NULL;
}

static void *open_store(void) {
  records *records = malloc(sizeof *records);
  open_records(records, RECORDS);
  return records;
}

/* Adds an observer for each of the first records. */
static void *open_observed(int observers) {
  records *records = open_store();
  imd_error error;
  check(imd_store_define_selector(records->store, "record", "get(records, $id)", &error), &error);
  for (int i = 0; i < observers; i++) {
    char arguments[32];
    sprintf(arguments, "{\"id\":\"k%d\"}", i);
    check(imd_store_observe(records->store, "record", arguments, IMD_ZERO_TERMINATED, NULL, 0,
                            count_call, NULL, NULL, NULL, &error),
          &error);
  }
  return records;
}

static void *open_observed_once(void) {
  return open_observed(1);
}

static void *open_observed_often(void) {
  return open_observed(OBSERVERS);
}

/* Each run changes other records. */
static void dispatch_actions(void *context) {
  static int next;
  records *records = context;
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    const text *action = &records->batch->operations[next++].set;
    check(imd_store_dispatch(records->store, action->characters, (size_t)action->length, &error),
          &error);
  }
}

/* Each action changes the record that is observed. */
static void dispatch_observed(void *context) {
  static int value;
  records *records = context;
  imd_error error;
  size_t before = calls;
  for (int i = 0; i < OPERATIONS; i++) {
    char action[72];
    int length = sprintf(action, "{\"type\":\"set\",\"payload\":{\"id\":\"k0\",\"value\":%d}}",
                         1000000 + value++);
    check(imd_store_dispatch(records->store, action, (size_t)length, &error), &error);
  }
  if (calls != before + OPERATIONS)
    exit(1);
}

static void *open_selected(void) {
  records *records = open_store();
  imd_error error;
  const char *expression = "length(records.* | [?f3 > $limit])";
  check(imd_store_define_selector(records->store, "high", expression, &error), &error);
  return records;
}

static void select_limit(records *records, int limit) {
  imd_error error;
  char arguments[32], *text;
  int length = sprintf(arguments, "{\"limit\":%d}", limit);
  check(imd_store_select(records->store, "high", arguments, (size_t)length, &text, NULL, &error),
        &error);
  imd_free(text);
}

static void select_unchanged(void *context) {
  for (int i = 0; i < OPERATIONS; i++)
    select_limit(context, 65000);
}

/* A new limit each time, so that no output is cached. */
static void filter(void *context) {
  static int limit = 65000;
  select_limit(context, limit++);
}

const job store_jobs[] = {
    {"dispatch, 65,536 records", OPERATIONS, open_store, dispatch_actions},
    {"dispatch, one observer", OPERATIONS, open_observed_once, dispatch_observed},
    {"dispatch, 10,000 observers", OPERATIONS, open_observed_often, dispatch_observed},
    {"select a number, unchanged", OPERATIONS, open_selected, select_unchanged},
    {"filter 65,536 records", 1, open_selected, filter},
    {0},
};
