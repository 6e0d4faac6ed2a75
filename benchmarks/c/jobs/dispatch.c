/* One field of one of N records, selects of which nothing changed, and the diff of two states. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"
#include "records.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 3, SELECTS = 10000, CHANGES = 10 };

static const int sizes[SIZES] = {1024, 65536, 1048576};
static const char *const size_names[SIZES] = {"1,024", "65,536", "1,048,576"};

/* ---- Ours ------------------------------------------------------------------------------------ */

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
  records *records = context;
  imd_error error;
  imd_value *patch;
  double start = now();
  check(imd_value_diff(records->before, records->after, &patch, &error), &error);
  double time = now() - start;
  if (imd_value_count(patch) != CHANGES)
    exit(1);
  imd_value_release(patch);
  return time;
}

/* ---- SQLite ---------------------------------------------------------------------------------- */

typedef struct table {
  sqlite3 *database;
  sqlite3_stmt *update;
  char (*ids)[16];
} table;

static void must(int result, int expected, sqlite3 *database) {
  if (result == expected)
    return;
  fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void execute(sqlite3 *database, const char *sql) {
  must(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK, database);
}

static void open_table(table *table, int count) {
  must(sqlite3_open(":memory:", &table->database), SQLITE_OK, table->database);
  sqlite3 *database = table->database;
  execute(database, "CREATE TABLE r(id TEXT PRIMARY KEY, doc TEXT) WITHOUT ROWID");
  execute(database, "BEGIN");
  sqlite3_stmt *insert;
  must(sqlite3_prepare_v2(database, "INSERT INTO r VALUES(?, ?)", -1, &insert, NULL), SQLITE_OK,
       database);
  for (int i = 0; i < count; i++) {
    char id[16], record[256];
    sqlite3_bind_text(insert, 1, id, sprintf(id, "k%d", i), SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 2, record, write_record(record, i), SQLITE_TRANSIENT);
    must(sqlite3_step(insert), SQLITE_DONE, database);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  execute(database, "COMMIT");
  must(sqlite3_prepare_v2(database, "UPDATE r SET doc = json_set(doc, '$.f3', ?) WHERE id = ?", -1,
                          &table->update, NULL),
       SQLITE_OK, database);
  table->ids = malloc(BATCH * sizeof *table->ids);
  for (int i = 0; i < BATCH; i++)
    sprintf(table->ids[i], "k%d", scattered(i, count));
}

static void close_table(table *table) {
  sqlite3_finalize(table->update);
  sqlite3_close(table->database);
  free(table->ids);
}

static double update(void *context) {
  table *table = context;
  double start = now();
  for (int i = 0; i < BATCH; i++) {
    sqlite3_bind_int(table->update, 1, i);
    sqlite3_bind_text(table->update, 2, table->ids[i], -1, SQLITE_STATIC);
    must(sqlite3_step(table->update), SQLITE_DONE, table->database);
    sqlite3_reset(table->update);
  }
  return (now() - start) / BATCH;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

static void measure_growth(records *records) {
  contestant contestants[SIZES];
  double medians[SIZES];
  for (int i = 0; i < SIZES; i++)
    contestants[i] = (contestant){"", dispatch, &records[i]};
  measure_in_turns(contestants, SIZES, medians);
  print_row("dispatch at 65,536 records, vs. 1,024", medians[1], "ours at 1,024", medians[0],
            "s", "");
  print_row("dispatch at 1,048,576 records, vs. 1,024", medians[2], "ours at 1,024", medians[0],
            "s", "ratio <= 3");
}

static void measure_select(records *records, const char *size) {
  imd_error error;
  char job[64];
  snprintf(job, sizeof job, "select of %s records, unchanged", size);
  check(imd_store_define_selector(records->store, "all", "records", &error), &error);
  compare(job, &(contestant){"", select_all, records}, NULL, "ours < 1e-6");
}

static void measure_diff(records *records) {
  imd_error error;
  check(imd_store_state(records->store, &records->before, &error), &error);
  for (int i = 0; i < CHANGES; i++) {
    char action[72];
    sprintf(action, "{\"type\":\"set\",\"payload\":{\"id\":\"k%d\",\"value\":-1}}",
            scattered(i, records->count));
    check(imd_store_dispatch(records->store, action, IMD_ZERO_TERMINATED, &error), &error);
  }
  check(imd_store_state(records->store, &records->after, &error), &error);
  compare("diff of 1,048,576 records, ten changed", &(contestant){"", diff, records}, NULL,
          "ours < 1e-3");
  imd_value_release(records->before);
  imd_value_release(records->after);
}

void measure_dispatch(void) {
  records records;
  table table;
  open_records(&records, 65536);
  open_table(&table, 65536);
  compare("set one field of one of 65,536 records", &(contestant){"", dispatch, &records},
          &(contestant){"SQLite json_set", update, &table}, "ratio <= 1");
  close_table(&table);
  close_records(&records);
}

void measure_store(void) {
  records records[SIZES];
  for (int i = 0; i < SIZES; i++)
    open_records(&records[i], sizes[i]);
  measure_growth(records);
  for (int i = 0; i < SIZES; i++)
    measure_select(&records[i], size_names[i]);
  measure_diff(&records[SIZES - 1]);
  for (int i = 0; i < SIZES; i++)
    close_records(&records[i]);
}
