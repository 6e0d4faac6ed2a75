/* Dispatches with selectors that are functions. */
#include "jobs.h"

#include "measure.h"
#include "records.h"

#include <stdlib.h>

static size_t calls;

static void ignore(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
}

/* Returns a field of the record that is the only input, or else the last input. */
static imd_status compute(void *context, const imd_value *const *inputs, size_t count,
                        const imd_value *arguments, imd_value **out, imd_error *error) {
  (void)context, (void)arguments;
  calls++;
  return imd_value_get(inputs[count - 1], count == 1 ? "/f3" : "", out, error);
}

static void define(records *records, const char *options) {
  imd_error error;
  check(imd_store_define_function(records->store, "function", options, IMD_ZERO_TERMINATED, compute,
                                  NULL, NULL, &error),
        &error);
}

/* Opens a store, and observes a function. */
static void *open_function(const char *options) {
  records *records = malloc(sizeof *records);
  imd_error error;
  open_records_beside(records, RECORDS, ",\"page\":1,\"rate\":7,\"shipping\":4");
  define(records, options);
  check(imd_store_observe(records->store, "function", NULL, 0, NULL, 0, ignore, NULL, NULL, NULL,
                          &error),
        &error);
  return records;
}

static void *open_unchanged(void) {
  return open_function("{\"inputs\":[\"page\",\"rate\",\"shipping\"]}");
}

static void *open_each(void) {
  return open_function("{\"each\":\"records\"}");
}

static void select_output(records *records) {
  imd_error error;
  imd_value *output;
  check(imd_store_select_value(records->store, "function", NULL, NULL, &output, &error), &error);
  imd_value_release(output);
}

static void *open_selected(void) {
  records *records = malloc(sizeof *records);
  open_records(records, RECORDS);
  define(records, "{\"each\":\"records\"}");
  select_output(records);
  return records;
}

/* Each run performs other operations. */
static void dispatch_texts(void *context, size_t expected, int selects) {
  static int next;
  records *records = context;
  imd_error error;
  size_t before = calls;
  for (int i = 0; i < OPERATIONS; i++) {
    const text *action = &records->batch->operations[next++].set;
    check(imd_store_dispatch(records->store, action->characters, (size_t)action->length, &error),
          &error);
    if (selects)
      select_output(records);
  }
  if (calls != before + expected)
    exit(1);
}

static void dispatch_unchanged(void *context) {
  dispatch_texts(context, 0, 0);
}

static void dispatch_each_changed(void *context) {
  dispatch_texts(context, OPERATIONS, 0);
}

static void dispatch_and_select(void *context) {
  dispatch_texts(context, OPERATIONS, 1);
}

const job function_jobs[] = {
    {"dispatch, a function, no input changed", OPERATIONS, open_unchanged, dispatch_unchanged},
    {"dispatch, a function of each record", OPERATIONS, open_each, dispatch_each_changed},
    {"dispatch, select of each record", OPERATIONS, open_selected, dispatch_and_select},
    {0},
};
