/* Selects after each change, of one record and over many, beside queries of SQLite with an index. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"
#include "records.h"
#include "sqlite.h"

#include <stdio.h>
#include <stdlib.h>

enum { RECORDS = 65536, QUICK_RECORDS = 1024, CHANGES = 2048 };

/* ---- Ours ------------------------------------------------------------------------------------ */

typedef struct selection {
  records *records;
  const char *expression;
  int is_with_dispatch; /* whether the dispatches count, too */
} selection;

static double change_and_select(void *context) {
  selection *selection = context;
  records *records = selection->records;
  imd_error error;
  double time = 0;
  renew_batch(records->batch);
  for (int i = 0; i < CHANGES; i++) {
    const text *action = &records->batch->operations[i].set;
    double start = now();
    check(imd_store_dispatch(records->store, action->characters, (size_t)action->length, &error),
          &error);
    double dispatched = now();
    char *text;
    check(imd_store_query(records->store, selection->expression, NULL, 0, &text, NULL, &error),
          &error);
    time += now() - (selection->is_with_dispatch ? start : dispatched);
    imd_free(text);
  }
  return time / CHANGES;
}

/* ---- SQLite ---------------------------------------------------------------------------------- */

typedef struct table {
  sqlite3 *database;
  sqlite3_stmt *update, *query;
  batch *batch;
} table;

/* changed is the number of records that are changed. */
static void open_table(table *table, int count, int changed, const char *query) {
  must(NULL, sqlite3_open(":memory:", &table->database), SQLITE_OK);
  execute(table->database, "CREATE TABLE r(id TEXT PRIMARY KEY, doc TEXT) WITHOUT ROWID; BEGIN");
  sqlite3_stmt *insert = prepare(table->database, "INSERT INTO r VALUES(?, ?)");
  for (int i = 0; i < count; i++) {
    char id[16], record[256];
    sprintf(id, "k%d", i);
    int length = write_record(record, i);
    sqlite3_bind_text(insert, 1, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, record, length, SQLITE_STATIC);
    must(table->database, sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  execute(table->database, "COMMIT; CREATE INDEX by_f3 ON r(json_extract(doc, '$.f3'))");
  table->update =
      prepare(table->database, "UPDATE r SET doc = json_set(doc, '$.f3', ?) WHERE id = ?");
  table->query = prepare(table->database, query);
  table->batch = make_batch(changed);
}

static void close_table(table *table) {
  sqlite3_finalize(table->update);
  sqlite3_finalize(table->query);
  sqlite3_close(table->database);
  free_batch(table->batch);
}

static double update_and_query(void *context) {
  table *table = context;
  size_t bytes = 0;
  int result;
  renew_batch(table->batch);
  double start = now();
  for (int i = 0; i < CHANGES; i++) {
    const operation *operation = &table->batch->operations[i];
    sqlite3_bind_int(table->update, 1, operation->value);
    sqlite3_bind_text(table->update, 2, operation->id, -1, SQLITE_STATIC);
    must(table->database, sqlite3_step(table->update), SQLITE_DONE);
    sqlite3_reset(table->update);
    while ((result = sqlite3_step(table->query)) == SQLITE_ROW) {
      sqlite3_column_text(table->query, 0);
      bytes += (size_t)sqlite3_column_bytes(table->query, 0);
    }
    must(table->database, result, SQLITE_DONE);
    sqlite3_reset(table->query);
  }
  double time = (now() - start) / CHANGES;
  if (bytes == 0)
    exit(1);
  return time;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

void measure_incremental(void) {
  static const char *const jobs[][2] = {
      {"sum of %s records, one changed", "sum(records.*.f3)"},
      {"maximum of %s records, one changed", "max(records.*.f3)"},
      {"number of %s records in a filter, one changed", "length(records.* | [?f3 > `500000`])"},
  };
  int count = is_quick() ? QUICK_RECORDS : RECORDS;
  const char *size = is_quick() ? "1,024" : "65,536";
  char job[80];
  records records;
  table table;
  open_records(&records, count);
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    selection ours = {&records, jobs[i][1], 0};
    snprintf(job, sizeof job, jobs[i][0], size);
    compare(job, &(contestant){"", change_and_select, &ours}, NULL, "ours < 2e-5");
  }
  open_table(&table, count, count,
             "SELECT doc FROM r ORDER BY json_extract(doc, '$.f3') DESC LIMIT 10");
  selection top = {&records, "sort_by(records.*, &f3)[-10:]", 1};
  snprintf(job, sizeof job, "dispatch and top 10 of %s records", size);
  compare(job, &(contestant){"", change_and_select, &top},
          &(contestant){"SQLite with an index", update_and_query, &table}, "ratio <= 1.5");
  close_table(&table);
  limit_batch(&records, 1);
  open_table(&table, count, 1, "SELECT doc FROM r WHERE id = 'k0'");
  selection one = {&records, "records.k0", 1};
  snprintf(job, sizeof job, "dispatch and select of one of %s records", size);
  compare(job, &(contestant){"", change_and_select, &one},
          &(contestant){"SQLite", update_and_query, &table}, "ratio <= 0.6");
  close_table(&table);
  close_records(&records);
}
