/* A long log: opening it beside replaying all of it, and beside a table of SQLite with as many rows, and
 * the memory that it takes. */
#include "jobs.h"

#include "folder.h"
#include "generate.h"
#include "measure.h"
#include "records.h"
#include "rss.h"
#include "sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RECORDS = 1024, ACTIONS = 1000000, QUICK_ACTIONS = 10000 };

/* 50,000,000 actions make a log of 10 GB. */
static int actions(void) {
  const char *number = getenv("BENCHMARK_LOG_ACTIONS");
  return number ? atoi(number) : is_quick() ? QUICK_ACTIONS : ACTIONS;
}

typedef struct file {
  char *path, *snapshot;
  char *state;
} file;

static imd_store *open_file(const file *file, const char *members) {
  imd_error error;
  imd_store *store;
  char options[256];
  int length =
      snprintf(options, sizeof options, "{\"log\":{\"path\":\"%s\",%s}}", file->path, members);
  check(imd_store_create(file->state, IMD_ZERO_TERMINATED, reduce_records, NULL, NULL, options,
                         (size_t)length, &store, &error),
        &error);
  return store;
}

static void write_actions(const file *file) {
  imd_error error;
  imd_store *store = open_file(file, "\"durability\":\"none\"");
  batch *batch = make_batch(RECORDS);
  for (int i = 0; i < actions(); i++) {
    if (i % BATCH == 0)
      renew_batch(batch);
    text action = batch->operations[i % BATCH].set;
    pad_action(&action, 100);
    check(imd_store_dispatch(store, action.characters, (size_t)action.length, &error), &error);
  }
  check(imd_store_sync(store, -1, &error), &error);
}

/* The same actions in the rows of a table, in transactions of 8,192, all of which the WAL keeps. */
static void insert_actions(const file *file) {
  sqlite3 *database;
  must(NULL, sqlite3_open(file->path, &database), SQLITE_OK);
  execute(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                    "PRAGMA wal_autocheckpoint = 0;"
                    "CREATE TABLE log(number INTEGER PRIMARY KEY, action TEXT)");
  sqlite3_stmt *insert = prepare(database, "INSERT INTO log(action) VALUES(?)");
  batch *batch = make_batch(RECORDS);
  for (int i = 0; i < actions(); i++) {
    if (i % BATCH == 0) {
      renew_batch(batch);
      execute(database, i == 0 ? "BEGIN" : "COMMIT; BEGIN");
    }
    text action = batch->operations[i % BATCH].set;
    pad_action(&action, 100);
    sqlite3_bind_text(insert, 1, action.characters, action.length, SQLITE_STATIC);
    must(database, sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
  }
  execute(database, "COMMIT");
}

/* The process that writes it ends without closing it, so that the last snapshot is older, and the WAL must
 * be recovered. */
static void make_file(const file *file, void (*write)(const struct file *)) {
  pid_t child = fork();
  if (child == 0) {
    write(file);
    _exit(0);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "the log could not be made\n");
    exit(1);
  }
}

/* ---- Functions that are measured ------------------------------------------------------------- */

static int open_and_close(void *context) {
  imd_store_close(open_file(context, "\"readOnly\":true"));
  return 1;
}

static int verify(void *context) {
  imd_error error;
  const file *file = context;
  char *text;
  check(imd_log_verify(file->path, NULL, NULL, &text, NULL, &error), &error);
  imd_free(text);
  return 1;
}

static int compact(void *context) {
  imd_error error;
  const file *file = context;
  check(imd_log_compact(file->path, NULL, 0, reduce_records, NULL, &error), &error);
  return 1;
}

static double time_of_opening(void *context) {
  double start = now();
  imd_store *store = open_file(context, "\"readOnly\":true");
  double time = now() - start;
  imd_store_close(store);
  return time;
}

/* Recovers the WAL, and reads all rows, as a program would that makes its state of them. */
static int open_and_read_rows(void *context) {
  const file *file = context;
  sqlite3 *database;
  must(NULL, sqlite3_open(file->path, &database), SQLITE_OK);
  must(database, sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL), SQLITE_OK);
  sqlite3_stmt *rows = prepare(database, "SELECT action FROM log ORDER BY number");
  int count = 0;
  while (sqlite3_step(rows) == SQLITE_ROW)
    count += sqlite3_column_text(rows, 0) != NULL;
  must(database, count, actions());
  sqlite3_finalize(rows);
  sqlite3_close(database);
  return 1;
}

static int checkpoint(void *context) {
  const file *file = context;
  sqlite3 *database;
  must(NULL, sqlite3_open(file->path, &database), SQLITE_OK);
  execute(database, "PRAGMA wal_checkpoint(TRUNCATE); VACUUM");
  sqlite3_close(database);
  return 1;
}

static double time_of(peaking run, void *context) {
  double start = now();
  run(context);
  return now() - start;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

static double size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

static void print_peak(const char *job, peaking run, file *file) {
  double size = size_of(file->path);
  print_row(job, peak_growth(run, file), "the file", size, "B", "ours <= 2e7");
}

void measure_log_file(void) {
  char *folder = make_folder();
  file file = {path_in(folder, "log"), path_in(folder, "log-snapshot"), make_records(RECORDS)};
  make_file(&file, write_actions);
  struct file table = {path_in(folder, "table"), NULL, NULL};
  make_file(&table, insert_actions);

  print_peak("log: peak of opening, 1,000,000 actions", open_and_close, &file);
  print_peak("log: peak of verifying", verify, &file);
  double opening[1];
  measure_in_turns(&(contestant){"", time_of_opening, &file}, 1, opening);
  double verifying = time_of(verify, &file);

  unlink(file.snapshot);
  print_peak("log: peak of replaying all", open_and_close, &file);
  double replaying = time_of_opening(&file);
  print_row("log: open, 1,000,000 actions on 1,024 records", opening[0], "replay all",
            replaying, "s", "ratio <= 0.02");
  double reading = time_of(open_and_read_rows, &table);
  print_row("log: open, 1,000,000 actions on 1,024 records", opening[0],
            "SQLite, recover the WAL and read the rows", reading, "s", "");
  print_row("log: replay or follow 1,000,000 actions", replaying,
            "SQLite, recover the WAL and read the rows", reading, "s", "");
  print_row("log: verify, 1,000,000 actions", verifying, "replay all", replaying, "s", "");
  /* A child compacts it, once. */
  double start = now();
  print_peak("log: peak of compacting", compact, &file);
  print_row("log: compact, 1,000,000 actions", now() - start,
            "SQLite, checkpoint and VACUUM", time_of(checkpoint, &table), "s", "");

  free(table.path);
  free(file.state);
  free(file.path);
  free(file.snapshot);
  remove_folder(folder);
}
