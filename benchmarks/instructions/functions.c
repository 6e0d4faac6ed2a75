/* Dispatches with selectors that are functions. */
#include "jobs.h"

#include "measure.h"
#include "records.h"

#include <stdlib.h>

static size_t calls;

static void ignore(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
}

/* Returns a field of the record that is the last input. */
static imd_status field(void *context, const imd_value *const *inputs, size_t count,
                        const imd_value *arguments, imd_value **out, imd_error *error) {
  (void)context, (void)arguments;
  calls++;
  return imd_value_get(inputs[count - 1], "/f3", out, error);
}

/* Opens a store, and observes a function. */
static void *open_function(const char *options) {
  records *records = malloc(sizeof *records);
  imd_error error;
  open_records(records, RECORDS);
  check(imd_store_define_function(records->store, "function", options, IMD_ZERO_TERMINATED, field,
                                  NULL, NULL, &error),
        &error);
  check(imd_store_observe(records->store, "function", NULL, 0, NULL, 0, ignore, NULL, NULL, NULL,
                          &error),
        &error);
  return records;
}

static void *open_unchanged(void) {
  return open_function("{\"inputs\":[\"records.k1.f5\",\"records.k2.f5\",\"records.k3\"]}");
}

static void *open_each(void) {
  return open_function("{\"each\":\"records\"}");
}

/* Each run performs other operations. */
static void dispatch_texts(void *context, size_t expected) {
  static int next;
  records *records = context;
  imd_error error;
  size_t before = calls;
  for (int i = 0; i < OPERATIONS; i++) {
    const text *action = &records->batch->operations[next++].set;
    check(imd_store_dispatch(records->store, action->characters, (size_t)action->length, &error),
          &error);
  }
  if (calls != before + expected)
    exit(1);
}

static void dispatch_unchanged(void *context) {
  dispatch_texts(context, 0);
}

static void dispatch_each_changed(void *context) {
  dispatch_texts(context, OPERATIONS);
}

const job function_jobs[] = {
    {"dispatch, a function, no input changed", OPERATIONS, open_unchanged, dispatch_unchanged},
    {"dispatch, a function of each record", OPERATIONS, open_each, dispatch_each_changed},
    {0},
};
