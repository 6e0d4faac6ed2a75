#include "appender.h"

#include "folder.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

enum { RECORDS = 1024, LENGTH = 100 };

static void prepare_actions(appender *appender, int number) {
  for (int i = 0; i < BATCH; i++)
    pad_action(&appender->records.batch->operations[i].set, LENGTH);
  appender->next = number * RECORDS % BATCH;
}

void append(const side *side, appender *appender) {
  side->append(appender, &appender->records.batch->operations[appender->next].set);
  appender->next = (appender->next + 1) % BATCH;
}

/* ---- Stores ---------------------------------------------------------------------------------- */

static void open_log(appender *appender, const char *folder, int number, const char *member) {
  char options[256];
  snprintf(options, sizeof options, "{\"log\":{\"path\":\"%s/log\"%s}}", folder, member);
  open_records_with(&appender->records, RECORDS, options);
  prepare_actions(appender, number);
}

static void open_shared_log(appender *appender, const char *folder, int number) {
  open_log(appender, folder, number, ",\"shared\":true");
}

static void open_own_log(appender *appender, const char *folder, int number) {
  open_log(appender, folder, number, "");
}

static void open_no_log(appender *appender, const char *folder, int number) {
  (void)folder;
  open_records(&appender->records, RECORDS);
  prepare_actions(appender, number);
}

static void dispatch_action(appender *appender, const text *action) {
  imd_error error;
  imd_status status = imd_store_dispatch(appender->records.store, action->characters,
                                         (size_t)action->length, &error);
  check(status, &error);
}

static void close_store(appender *appender) {
  close_records(&appender->records);
}

/* ---- SQLite ---------------------------------------------------------------------------------- */

static void open_table(appender *appender, const char *folder, int number) {
  char *path = path_in(folder, "sqlite");
  must(NULL, sqlite3_open(path, &appender->database), SQLITE_OK);
  free(path);
  sqlite3_busy_timeout(appender->database, 60000);
  execute(appender->database,
          "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
          "CREATE TABLE IF NOT EXISTS log(id INTEGER PRIMARY KEY, action TEXT)");
  appender->begin = prepare(appender->database, "BEGIN IMMEDIATE");
  appender->select = prepare(appender->database, "SELECT id, action FROM log WHERE id > ?");
  appender->insert = prepare(appender->database, "INSERT INTO log(action) VALUES(?)");
  appender->commit = prepare(appender->database, "COMMIT");
  appender->records.batch = make_batch(RECORDS);
  prepare_actions(appender, number);
}

static void run(appender *appender, sqlite3_stmt *statement) {
  must(appender->database, sqlite3_step(statement), SQLITE_DONE);
  sqlite3_reset(statement);
}

void read_rows(appender *appender) {
  int result;
  sqlite3_bind_int64(appender->select, 1, appender->last);
  while ((result = sqlite3_step(appender->select)) == SQLITE_ROW) {
    appender->last = sqlite3_column_int64(appender->select, 0);
    if (!sqlite3_column_text(appender->select, 1))
      must(appender->database, SQLITE_NOMEM, SQLITE_ROW);
  }
  must(appender->database, result, SQLITE_DONE);
  sqlite3_reset(appender->select);
}

static void insert_action(appender *appender, const text *action) {
  run(appender, appender->begin);
  read_rows(appender);
  sqlite3_bind_text(appender->insert, 1, action->characters, action->length, SQLITE_STATIC);
  run(appender, appender->insert);
  appender->last = sqlite3_last_insert_rowid(appender->database);
  run(appender, appender->commit);
}

static void close_table(appender *appender) {
  sqlite3_finalize(appender->begin);
  sqlite3_finalize(appender->select);
  sqlite3_finalize(appender->insert);
  sqlite3_finalize(appender->commit);
  sqlite3_close(appender->database);
  free_batch(appender->records.batch);
}

/* ---- Sides ----------------------------------------------------------------------------------- */

const side shared_log_side = {open_shared_log, dispatch_action, close_store};
const side own_log_side = {open_own_log, dispatch_action, close_store};
const side no_log_side = {open_no_log, dispatch_action, close_store};
const side sqlite_side = {open_table, insert_action, close_table};
