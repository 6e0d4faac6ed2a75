/* A store with history: undo, redo and travel beside a change of a value, and the memory of a step. */
#include "jobs.h"

#include "measure.h"
#include "records.h"
#include "subject.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 10000, QUICK_STEPS = 1000, RECORDS = 65536 };

/* ---- Jumps ----------------------------------------------------------------------------------- */

/* A history of BATCH steps, of which none is undone between two measurements. */
static void open_history(records *records, int count) {
  char options[48];
  snprintf(options, sizeof options, "{\"history\":{\"limit\":%d}}", BATCH);
  open_records_with(records, count, options);
  dispatch_each(records->store, records->batch);
}

typedef imd_status (*jump)(imd_store *store, size_t steps, size_t *taken, imd_error *error);

static void jump_each(imd_store *store, jump jump) {
  imd_error error;
  for (int i = 0; i < BATCH; i++) {
    size_t taken;
    check(jump(store, 1, &taken, &error), &error);
    if (taken != 1)
      exit(1);
  }
}

static double undo(void *context) {
  records *records = context;
  double start = now();
  jump_each(records->store, imd_store_undo);
  return (now() - start) / BATCH;
}

static double redo(void *context) {
  records *records = context;
  double start = now();
  jump_each(records->store, imd_store_redo);
  return (now() - start) / BATCH;
}

/* Shows each step once, in a scattered order, and the last one at the end. */
static double travel(void *context) {
  records *records = context;
  imd_error error;
  double start = now();
  for (int i = 0; i < BATCH; i++) {
    int number = BATCH - (i + 1) * 3001 % BATCH;
    check(imd_store_travel(records->store, (size_t)number, &error), &error);
  }
  return (now() - start) / BATCH;
}

typedef struct table {
  void *context;
  batch *batch;
} table;

/* Sets a field of a value, and releases the previous value. */
static double set(void *context) {
  table *value = context;
  renew_batch(value->batch);
  double start = now();
  value_subject.change(value->context, value->batch);
  return (now() - start) / BATCH;
}

static void measure_jumps(void) {
  int size = sizes_measured() - 1;
  records records;
  open_history(&records, sizes[size]);
  table value = {value_subject.open(sizes[size]), make_batch(sizes[size])};
  const contestant contestants[] = {
      {"set", set, &value}, {"undo", undo, &records}, {"redo", redo, &records},
      {"travel", travel, &records}};
  double medians[4];
  measure_in_turns(contestants, 4, medians);
  for (int i = 1; i < 4; i++) {
    char row[48];
    snprintf(row, sizeof row, "%s, %s records", contestants[i].name, size_names[size]);
    print_row(row, medians[i], "set a field of a value", medians[0], "s", "ratio <= 1.2");
  }
  close_records(&records);
  value_subject.close(value.context);
  free_batch(value.batch);
}

/* ---- Dispatches ------------------------------------------------------------------------------ */

static void measure_dispatches(void) {
  int size = sizes_measured() > 2 ? 2 : 0;
  records with, without;
  open_records_with(&with, sizes[size], "{\"history\":true}");
  open_records(&without, sizes[size]);
  char row[64];
  snprintf(row, sizeof row, "change one of %s records, with history", size_names[size]);
  compare(row, &(contestant){"", dispatch, &with},
          &(contestant){"without history", dispatch, &without}, "");
  close_records(&with);
  close_records(&without);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static double allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)(info.uordblks + info.hblkhd);
}

static const operation *step_operation(batch *batch, int step) {
  if (step > 0 && step % BATCH == 0)
    renew_batch(batch);
  return &batch->operations[step % BATCH];
}

static double memory_of_history(int steps) {
  char options[48];
  imd_error error;
  records records;
  snprintf(options, sizeof options, "{\"history\":{\"limit\":%d}}", steps);
  open_records_with(&records, RECORDS, options);
  double before = allocated();
  for (int i = 0; i < steps; i++) {
    const text *action = &step_operation(records.batch, i)->set;
    check(imd_store_dispatch(records.store, action->characters, (size_t)action->length, &error),
          &error);
  }
  double bytes = (allocated() - before) / steps;
  size_t taken;
  check(imd_store_undo(records.store, (size_t)steps, &taken, &error), &error);
  if (taken != (size_t)steps)
    exit(1);
  close_records(&records);
  return bytes;
}

/* What the states differ by: all values are kept. */
static double memory_of_values(int steps) {
  imd_error error;
  batch *batch = make_batch(RECORDS);
  imd_value **values = calloc((size_t)steps + 1, sizeof *values);
  imd_value **state = value_subject.open(RECORDS);
  values[0] = imd_value_retain(*state);
  value_subject.close(state);
  double before = allocated();
  for (int i = 0; i < steps; i++) {
    const operation *operation = step_operation(batch, i);
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/records/%s/f3", operation->id);
    check(imd_value_set_integer(values[i], pointer, operation->value, &values[i + 1], &error),
          &error);
  }
  double bytes = (allocated() - before) / steps;
  for (int i = 0; i <= steps; i++)
    imd_value_release(values[i]);
  free(values);
  free_batch(batch);
  return bytes;
}

void measure_memory_of_history(void) {
  int steps = is_quick() ? QUICK_STEPS : STEPS;
  double history = memory_of_history(steps), values = memory_of_values(steps);
  print_point("memory of a step", "C: immutabledata, store with history", RECORDS, history, "B");
  print_point("memory of a step", value_subject.name, RECORDS, values, "B");
  print_row("memory of each of 10,000 steps", history, "values that are kept", values, "B",
            "ratio <= 3");
}

void measure_history(void) {
  measure_jumps();
  measure_dispatches();
}
