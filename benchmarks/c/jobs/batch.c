/* An action in a batch, beside the same action alone, and beside SQLite's UPDATE of a column in a
 * transaction of as many. */
#include "jobs.h"

#include "measure.h"
#include "records.h"
#include "sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 65536, BATCHED = 1000, BATCHES = BATCH / BATCHED };

/* The texts of the batches are made before they are measured. */
static double dispatch_batches(void *context) {
  records *records = context;
  static char text[BATCHED * 320];
  double time = 0;
  renew_batch(records->batch);
  for (int i = 0; i < BATCHES; i++) {
    imd_error error;
    size_t length = 0;
    for (int j = 0; j < BATCHED; j++) {
      const struct text *action = &records->batch->operations[i * BATCHED + j].set;
      text[length++] = j == 0 ? '[' : ',';
      memcpy(text + length, action->characters, (size_t)action->length);
      length += (size_t)action->length;
    }
    text[length++] = ']';
    double start = now();
    check(imd_store_dispatch_batch(records->store, text, length, &error), &error);
    time += now() - start;
  }
  return time / (BATCHES * BATCHED);
}

/* ---- SQLite ---------------------------------------------------------------------------------- */

/* A column for each field of a record, and prepared statements. */
typedef struct table {
  sqlite3 *database;
  sqlite3_stmt *begin, *update, *commit;
  batch *batch;
} table;

static void run(table *table, sqlite3_stmt *statement) {
  must(table->database, sqlite3_step(statement), SQLITE_DONE);
  sqlite3_reset(statement);
}

static void open_table(table *table) {
  must(NULL, sqlite3_open(":memory:", &table->database), SQLITE_OK);
  execute(table->database,
          "CREATE TABLE r(id TEXT PRIMARY KEY, f0 INTEGER, f1 INTEGER, f2 INTEGER, f3 INTEGER,"
          " f4 INTEGER, f5 INTEGER, f6 INTEGER, f7 INTEGER, f8 INTEGER, f9 INTEGER) WITHOUT ROWID;"
          "BEGIN");
  sqlite3_stmt *insert =
      prepare(table->database, "INSERT INTO r VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (int i = 0; i < RECORDS; i++) {
    char id[16];
    sprintf(id, "k%d", i);
    sqlite3_bind_text(insert, 1, id, -1, SQLITE_STATIC);
    for (int field = 0; field < 10; field++)
      sqlite3_bind_int(insert, 2 + field, i + field);
    run(table, insert);
  }
  sqlite3_finalize(insert);
  execute(table->database, "COMMIT");
  table->begin = prepare(table->database, "BEGIN");
  table->update = prepare(table->database, "UPDATE r SET f3 = ? WHERE id = ?");
  table->commit = prepare(table->database, "COMMIT");
  table->batch = make_batch(RECORDS);
}

static void close_table(table *table) {
  sqlite3_finalize(table->begin);
  sqlite3_finalize(table->update);
  sqlite3_finalize(table->commit);
  sqlite3_close(table->database);
  free_batch(table->batch);
}

static double update_in_transactions(void *context) {
  table *table = context;
  renew_batch(table->batch);
  double start = now();
  for (int i = 0; i < BATCHES; i++) {
    run(table, table->begin);
    for (int j = 0; j < BATCHED; j++) {
      const operation *operation = &table->batch->operations[i * BATCHED + j];
      sqlite3_bind_int(table->update, 1, operation->value);
      sqlite3_bind_text(table->update, 2, operation->id, -1, SQLITE_STATIC);
      run(table, table->update);
    }
    run(table, table->commit);
  }
  return (now() - start) / (BATCHES * BATCHED);
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

void measure_batch(void) {
  records single, batched;
  table table;
  open_records(&single, RECORDS);
  open_records(&batched, RECORDS);
  open_table(&table);
  contestant ours = {"", dispatch_batches, &batched};
  compare("action in a batch of 1,000, 65,536 records", &ours,
          &(contestant){"dispatched alone", dispatch, &single}, "ratio <= 0.6");
  compare("action in a batch of 1,000, 65,536 records", &ours,
          &(contestant){"SQLite, a column in a transaction", update_in_transactions, &table},
          "ratio <= 1");
  close_records(&single);
  close_records(&batched);
  close_table(&table);
}
