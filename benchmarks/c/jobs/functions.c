/* Dispatches and selects with selectors that are functions. */
#include "jobs.h"

#include "measure.h"
#include "records.h"

#include <stdio.h>
#include <stdlib.h>

enum { FEW = 16384, MANY = 65536 };

static size_t calls, deliveries;

static void count_delivery(void *context, const imd_delivery *delivery) {
  (void)context;
  deliveries += delivery->value != NULL;
}

/* Returns a field of the record that is the first input. */
static imd_status field(void *context, const imd_value *const *inputs, size_t count,
                        const imd_value *arguments, imd_value **out, imd_error *error) {
  (void)context, (void)count, (void)arguments;
  calls++;
  return imd_value_get(inputs[0], "/f3", out, error);
}

static imd_status first(void *context, const imd_value *const *inputs, size_t count,
                        const imd_value *arguments, imd_value **out, imd_error *error) {
  (void)context, (void)count, (void)arguments, (void)error;
  calls++;
  *out = imd_value_retain(inputs[0]);
  return IMD_OK;
}

static void define(imd_store *store, const char *options, imd_selector selector) {
  imd_error error;
  check(imd_store_define_function(store, "function", options, IMD_ZERO_TERMINATED, selector, NULL,
                                  NULL, &error),
        &error);
}

static void observe(imd_store *store) {
  imd_error error;
  check(imd_store_observe(store, "function", NULL, 0, NULL, 0, count_delivery, NULL, NULL, NULL,
                          &error),
        &error);
}

static void must_have_called(size_t expected, size_t count) {
  if (count == expected)
    return;
  fprintf(stderr, "the function was called %zu times instead of %zu\n", count, expected);
  exit(1);
}

/* ---- A function whose inputs do not change --------------------------------------------------- */

static double dispatch_beside(void *context) {
  size_t before = calls;
  double time = dispatch(context);
  must_have_called(0, calls - before);
  return time;
}

/* Each action changes another field than those that the inputs read or, with "length(records)",
 * makes the store evaluate an input again. */
static void measure_unchanged(void) {
  static const char *const options[] = {
      "{\"inputs\":[\"records.k1.f5\",\"records.k2.f5\",\"records.k3.f5\"]}",
      "{\"inputs\":[\"length(records)\",\"records.k2.f5\",\"records.k3.f5\"]}"};
  records none, apart, read;
  records *const stores[] = {&none, &apart, &read};
  contestant contestants[3];
  double medians[3];
  for (int i = 0; i < 3; i++) {
    open_records(stores[i], FEW);
    if (i > 0) {
      define(stores[i]->store, options[i - 1], first);
      observe(stores[i]->store);
    }
    contestants[i] = (contestant){"", dispatch_beside, stores[i]};
  }
  measure_in_turns(contestants, 3, medians);
  print_row("dispatch, a function of three inputs observed", medians[1], "no selector", medians[0],
            "s", "ratio <= 1.05");
  print_row("dispatch, a function of three inputs observed, one evaluated", medians[2],
            "no selector", medians[0], "s", "");
  for (int i = 0; i < 3; i++)
    close_records(stores[i]);
}

/* ---- A function of each record, of which one changes ----------------------------------------- */

/* A store, and a record for direct calls. */
typedef struct each {
  records records;
  imd_value *record;
} each;

static double dispatch_and_call(void *context) {
  each *each = context;
  imd_error error;
  renew_batch(each->records.batch);
  double start = now();
  for (int i = 0; i < BATCH; i++) {
    const text *action = &each->records.batch->operations[i].set;
    const imd_value *input = each->record;
    imd_value *output = NULL;
    check(imd_store_dispatch(each->records.store, action->characters, (size_t)action->length,
                             &error),
          &error);
    check(field(NULL, &input, 1, NULL, &output, &error), &error);
    imd_value_release(output);
  }
  return (now() - start) / BATCH;
}

static double dispatch_observed(void *context) {
  each *each = context;
  size_t before = calls, delivered = deliveries;
  double time = dispatch(&each->records);
  must_have_called(BATCH, calls - before);
  must_have_called(BATCH, deliveries - delivered);
  return time;
}

static double dispatch_and_select(void *context) {
  each *each = context;
  imd_error error;
  size_t before = calls;
  renew_batch(each->records.batch);
  double start = now();
  for (int i = 0; i < BATCH; i++) {
    const text *action = &each->records.batch->operations[i].set;
    imd_value *output;
    check(imd_store_dispatch(each->records.store, action->characters, (size_t)action->length,
                             &error),
          &error);
    check(imd_store_select_value(each->records.store, "function", NULL, NULL, &output, &error),
          &error);
    imd_value_release(output);
  }
  double time = (now() - start) / BATCH;
  must_have_called(BATCH, calls - before);
  return time;
}

static void measure_each(void) {
  each stores[3];
  imd_error error;
  double medians[3];
  for (int i = 0; i < 3; i++) {
    open_records(&stores[i].records, MANY);
    check(imd_value_parse("{\"f3\":3}", IMD_ZERO_TERMINATED, &stores[i].record, &error), &error);
    if (i > 0)
      define(stores[i].records.store, "{\"each\":\"records\"}", field);
  }
  observe(stores[1].records.store);
  imd_value *output;
  check(imd_store_select_value(stores[2].records.store, "function", NULL, NULL, &output, &error),
        &error);
  imd_value_release(output);
  const contestant contestants[] = {{"", dispatch_and_call, &stores[0]},
                                    {"", dispatch_observed, &stores[1]},
                                    {"", dispatch_and_select, &stores[2]}};
  measure_in_turns(contestants, 3, medians);
  const char *peer = "dispatch and one call";
  print_row("dispatch, a function of each of 65,536 records observed", medians[1], peer,
            medians[0], "s", "");
  print_row("the same without dispatch and call", medians[1] - medians[0], "", 0, "s",
            "ours < 2e-6");
  print_row("dispatch and select, a function of each of 65,536 records", medians[2], peer,
            medians[0], "s", "");
  print_row("the same without dispatch and call, selected", medians[2] - medians[0], "", 0, "s",
            "ours < 2e-6");
  for (int i = 0; i < 3; i++) {
    imd_value_release(stores[i].record);
    close_records(&stores[i].records);
  }
}

void measure_functions(void) {
  measure_unchanged();
  measure_each();
}
