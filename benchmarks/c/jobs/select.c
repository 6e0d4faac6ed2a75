/* Selects while nothing changes, and the diff of two states. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"
#include "records.h"

#include <stdio.h>
#include <stdlib.h>

enum { SELECTS = 10000, CHANGES = 10 };

typedef struct states {
  imd_value *before, *after;
} states;

static double select_all(void *context) {
  records *records = context;
  imd_error error;
  double start = now();
  for (int i = 0; i < SELECTS; i++) {
    char *text;
    size_t length;
    check(imd_store_select(records->store, "all", NULL, 0, &text, &length, &error), &error);
    imd_free(text);
  }
  return (now() - start) / SELECTS;
}

static double diff(void *context) {
  states *states = context;
  imd_error error;
  imd_value *patch;
  double start = now();
  check(imd_value_diff(states->before, states->after, &patch, &error), &error);
  double time = now() - start;
  if (imd_value_count(patch) != CHANGES)
    exit(1);
  imd_value_release(patch);
  return time;
}

static void measure_select(records *records, const char *size) {
  imd_error error;
  char job[64];
  snprintf(job, sizeof job, "select of %s records, unchanged", size);
  check(imd_store_define_selector(records->store, "all", "records", &error), &error);
  compare(job, &(contestant){"", select_all, records}, NULL, "ours < 2e-7");
}

static void measure_diff(records *records, const char *size) {
  imd_error error;
  states states;
  char job[64];
  check(imd_store_state(records->store, &states.before, &error), &error);
  for (int i = 0; i < CHANGES; i++) {
    const text *action = &records->batch->operations[i].set;
    check(imd_store_dispatch(records->store, action->characters, (size_t)action->length, &error),
          &error);
  }
  check(imd_store_state(records->store, &states.after, &error), &error);
  snprintf(job, sizeof job, "diff of %s records, ten changed", size);
  compare(job, &(contestant){"", diff, &states}, NULL, "ours < 1e-3");
  imd_value_release(states.before);
  imd_value_release(states.after);
}

void measure_store(void) {
  records records;
  for (int i = 0; i < sizes_measured(); i++) {
    open_records(&records, sizes[i]);
    measure_select(&records, size_names[i]);
    if (i == sizes_measured() - 1)
      measure_diff(&records, size_names[i]);
    close_records(&records);
  }
}
