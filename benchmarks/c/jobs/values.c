/* Actions that are values, beside others. */
#include "jobs.h"

#include "measure.h"
#include "records.h"
#include "subject.h"

#include <stdio.h>

/* The values are made before they are dispatched, as the texts of other actions are. */
static double dispatch_values(void *context) {
  static imd_value *actions[BATCH];
  records *records = context;
  renew_batch(records->batch);
  make_actions(records->batch, actions);
  double start = now();
  dispatch_actions(records->store, actions);
  double time = now() - start;
  release_actions(actions);
  return time / BATCH;
}

typedef struct table {
  void *context;
  batch *batch;
} table;

static double update_table(void *context) {
  table *table = context;
  renew_batch(table->batch);
  double start = now();
  sqlite_subject.change(table->context, table->batch);
  return (now() - start) / BATCH;
}

void measure_values(void) {
  int size = sizes_measured() > 2 ? 2 : 0;
  records records;
  open_records(&records, sizes[size]);
  table table = {sqlite_subject.open(sizes[size]), make_batch(sizes[size])};
  char row[96];
  snprintf(row, sizeof row, "change one of %s records, by an action that is a value",
           size_names[size]);
  compare(row, &(contestant){"", dispatch_values, &records},
          &(contestant){"SQLite", update_table, &table}, "ratio <= 0.5");
  close_records(&records);
  sqlite_subject.close(table.context);
  free_batch(table.batch);
}
