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

/* A store that defines an expression or a function, and perhaps observes it. */
typedef struct contender {
  const char *name, *expression, *options;
  int is_observed, is_selected;
  records records;
  imd_value *record; /* for direct calls of the function; or NULL */
} contender;

static void select_output(imd_store *store) {
  imd_error error;
  imd_value *output;
  check(imd_store_select_value(store, "output", NULL, NULL, &output, &error), &error);
  imd_value_release(output);
}

static void open_contender(contender *contender, int count, imd_selector selector) {
  imd_error error;
  open_records_beside(&contender->records, count, ",\"page\":1,\"rate\":7,\"shipping\":4");
  imd_store *store = contender->records.store;
  if (contender->expression)
    check(imd_store_define_selector(store, "output", contender->expression, &error), &error);
  if (contender->options)
    check(imd_store_define_function(store, "output", contender->options, IMD_ZERO_TERMINATED,
                                    selector, NULL, NULL, &error),
          &error);
  if (contender->is_observed)
    check(imd_store_observe(store, "output", NULL, 0, NULL, 0, count_delivery, NULL, NULL, NULL,
                            &error),
          &error);
  else if (contender->options || contender->expression)
    select_output(store);
}

static void must_be(const char *what, size_t expected, size_t count) {
  if (count == expected)
    return;
  fprintf(stderr, "%zu %s instead of %zu\n", count, what, expected);
  exit(1);
}

/* ---- A function whose inputs do not change --------------------------------------------------- */

enum { NONE, EXPRESSION, DEFINED, OBSERVED, RECORDS, LENGTH, UNCHANGED };

static double dispatch_beside(void *context) {
  contender *contender = context;
  size_t before = calls, delivered = deliveries;
  double time = dispatch(&contender->records);
  must_be("calls", 0, calls - before);
  must_be("deliveries", 0, deliveries - delivered);
  return time;
}

/* The actions change other members of the state than the inputs read; or other records; or the
 * store evaluates an input again, because it depends on all records. */
static void measure_unchanged(void) {
  static const char three[] = "{\"inputs\":[\"page\",\"rate\",\"shipping\"]}";
  contender contenders[UNCHANGED] = {
      [NONE] = {.name = "no selector"},
      [EXPRESSION] = {.name = "an expression observed",
                      .expression = "[page, rate, shipping]",
                      .is_observed = 1},
      [DEFINED] = {.options = three},
      [OBSERVED] = {.options = three, .is_observed = 1},
      [RECORDS] = {.options = "{\"inputs\":[\"records.k1.f5\",\"records.k2.f5\","
                              "\"records.k3.f5\"]}",
                   .is_observed = 1},
      [LENGTH] = {.options = "{\"inputs\":[\"page\",\"rate\",\"length(records)\"]}",
                  .is_observed = 1},
  };
  static const struct {
    const char *job;
    int ours, theirs;
    const char *goal;
  } rows[] = {
      {"dispatch, a function of three inputs", DEFINED, NONE, "ratio <= 1.05"},
      {"dispatch, a function of three inputs observed", OBSERVED, EXPRESSION, "ratio <= 1.05"},
      {"dispatch, a function of three inputs observed", OBSERVED, NONE, ""},
      {"dispatch, a function of three records observed", RECORDS, NONE, ""},
      {"dispatch, a function of the number of records observed", LENGTH, NONE, ""},
  };
  contestant contestants[UNCHANGED];
  double medians[UNCHANGED];
  for (int i = 0; i < UNCHANGED; i++) {
    open_contender(&contenders[i], FEW, first);
    contestants[i] = (contestant){"", dispatch_beside, &contenders[i]};
  }
  calls = deliveries = 0;
  measure_in_turns(contestants, UNCHANGED, medians);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    print_row(rows[i].job, medians[rows[i].ours], contenders[rows[i].theirs].name,
              medians[rows[i].theirs], "s", rows[i].goal);
  for (int i = 0; i < UNCHANGED; i++)
    close_records(&contenders[i].records);
}

/* ---- A function of each record, of which one changes ----------------------------------------- */

enum { CALL, CALL_OBSERVED, EACH_OBSERVED, CALL_SELECTED, EACH_SELECTED, EACH };

/* One call of the function for each dispatch: by the store or, if there is a record, direct. */
static double dispatch_and_call(void *context) {
  contender *contender = context;
  imd_error error;
  size_t before = calls;
  renew_batch(contender->records.batch);
  double start = now();
  for (int i = 0; i < BATCH; i++) {
    const text *action = &contender->records.batch->operations[i].set;
    const imd_value *input = contender->record;
    imd_value *output = NULL;
    check(imd_store_dispatch(contender->records.store, action->characters, (size_t)action->length,
                             &error),
          &error);
    if (contender->is_selected)
      select_output(contender->records.store);
    if (input)
      check(field(NULL, &input, 1, NULL, &output, &error), &error);
    imd_value_release(output);
  }
  double time = (now() - start) / BATCH;
  must_be("calls", BATCH, calls - before);
  return time;
}

static void measure_each(void) {
  static const char each[] = "{\"each\":\"records\"}";
  contender contenders[EACH] = {
      [CALL] = {.name = "no selector, one call"},
      [CALL_OBSERVED] = {.name = "the records observed, one call",
                         .expression = "records",
                         .is_observed = 1},
      [EACH_OBSERVED] = {.options = each, .is_observed = 1},
      [CALL_SELECTED] = {.name = "the records selected, one call",
                         .expression = "records",
                         .is_selected = 1},
      [EACH_SELECTED] = {.options = each, .is_selected = 1},
  };
  contestant contestants[EACH];
  double medians[EACH];
  imd_error error;
  for (int i = 0; i < EACH; i++) {
    open_contender(&contenders[i], MANY, field);
    if (!contenders[i].options)
      check(imd_value_parse("{\"f3\":3}", IMD_ZERO_TERMINATED, &contenders[i].record, &error),
            &error);
    contestants[i] = (contestant){"", dispatch_and_call, &contenders[i]};
  }
  measure_in_turns(contestants, EACH, medians);
  print_row("dispatch, a function of each of 65,536 records observed", medians[EACH_OBSERVED],
            contenders[CALL].name, medians[CALL], "s", "");
  print_row("dispatch, a function of each of 65,536 records observed", medians[EACH_OBSERVED],
            contenders[CALL_OBSERVED].name, medians[CALL_OBSERVED], "s", "");
  print_row("the same without the observer, the dispatch and the call",
            medians[EACH_OBSERVED] - medians[CALL_OBSERVED], "", 0, "s", "ours < 2e-6");
  print_row("dispatch and select, a function of each of 65,536 records", medians[EACH_SELECTED],
            contenders[CALL_SELECTED].name, medians[CALL_SELECTED], "s", "");
  for (int i = 0; i < EACH; i++) {
    imd_value_release(contenders[i].record);
    close_records(&contenders[i].records);
  }
}

void measure_functions(void) {
  measure_unchanged();
  measure_each();
}
