/* SQLite in memory: a table of JSON texts by primary key. Each change is a transaction. */
#include "subject.h"

#include "generate.h"
#include "sqlite.h"

#include <stdio.h>
#include <stdlib.h>

enum { UPDATE, INSERT, DELETE, READ, SELECT, STATEMENTS };

static const char *const sql[STATEMENTS] = {
    "UPDATE r SET doc = json_set(doc, '$.f3', ?) WHERE id = ?",
    "INSERT INTO r VALUES(?, ?)",
    "DELETE FROM r WHERE id = ?",
    "SELECT json_extract(doc, '$.f4') FROM r WHERE id = ?",
    "SELECT doc FROM r WHERE json_extract(doc, '$.f3') > ? ORDER BY json_extract(doc, '$.f3')",
};

typedef struct table {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENTS];
} table;

/* Steps a statement without rows. */
static void finish(table *table, sqlite3_stmt *statement) {
  must(table->database, sqlite3_step(statement), SQLITE_DONE);
  sqlite3_reset(statement);
}

static void insert_record(table *table, const char *id, const char *record, int length) {
  sqlite3_stmt *statement = table->statements[INSERT];
  sqlite3_bind_text(statement, 1, id, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, record, length, SQLITE_STATIC);
  finish(table, statement);
}

static void *open_table(int count) {
  table *table = malloc(sizeof *table);
  must(NULL, sqlite3_open(":memory:", &table->database), SQLITE_OK);
  execute(table->database, "CREATE TABLE r(id TEXT PRIMARY KEY, doc TEXT) WITHOUT ROWID");
  for (int i = 0; i < STATEMENTS; i++)
    table->statements[i] = prepare(table->database, sql[i]);
  execute(table->database, "BEGIN");
  for (int i = 0; i < count; i++) {
    char id[16], record[256];
    sprintf(id, "k%d", i);
    insert_record(table, id, record, write_record(record, i));
  }
  execute(table->database, "COMMIT");
  return table;
}

static void *open_indexed(int count) {
  table *table = open_table(count);
  execute(table->database, "CREATE INDEX by_f3 ON r(json_extract(doc, '$.f3'))");
  return table;
}

static void close_table(void *context) {
  table *table = context;
  for (int i = 0; i < STATEMENTS; i++)
    sqlite3_finalize(table->statements[i]);
  sqlite3_close(table->database);
  free(table);
}

static void update(void *context, const batch *batch) {
  sqlite3_stmt *statement = ((table *)context)->statements[UPDATE];
  for (int i = 0; i < BATCH; i++) {
    sqlite3_bind_int(statement, 1, batch->operations[i].value);
    sqlite3_bind_text(statement, 2, batch->operations[i].id, -1, SQLITE_STATIC);
    finish(context, statement);
  }
}

static void insert(void *context, const batch *batch) {
  for (int i = 0; i < batch->inserts; i++) {
    const operation *operation = &batch->operations[i];
    insert_record(context, operation->new_id, operation->record.characters,
                  operation->record.length);
  }
}

static void delete_records(void *context, const batch *batch) {
  sqlite3_stmt *statement = ((table *)context)->statements[DELETE];
  for (int i = 0; i < batch->inserts; i++) {
    sqlite3_bind_text(statement, 1, batch->operations[i].new_id, -1, SQLITE_STATIC);
    finish(context, statement);
  }
}

static int64_t read_fields(void *context, const batch *batch) {
  sqlite3_stmt *statement = ((table *)context)->statements[READ];
  int64_t sum = 0;
  for (int i = 0; i < BATCH; i++) {
    sqlite3_bind_text(statement, 1, batch->operations[i].id, -1, SQLITE_STATIC);
    must(sqlite3_db_handle(statement), sqlite3_step(statement), SQLITE_ROW);
    sum += sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
  }
  return sum;
}

static int select_records(void *context, double limit) {
  sqlite3_stmt *statement = ((table *)context)->statements[SELECT];
  int count = 0;
  sqlite3_bind_double(statement, 1, limit);
  for (; sqlite3_step(statement) == SQLITE_ROW; count++)
    if (!sqlite3_column_text(statement, 0))
      exit(1);
  sqlite3_reset(statement);
  return count;
}

const subject sqlite_subject = {"C: SQLite",  open_table,     close_table, update,
                                insert,       delete_records, read_fields, select_records};

const subject sqlite_indexed_subject = {
    .name = "C: SQLite, indexed", .open = open_indexed, .close = close_table, .select = select_records};
