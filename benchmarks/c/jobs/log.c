/* Dispatches with a log, beside those without, and beside SQLite, which inserts the same actions. */
#include "jobs.h"

#include "folder.h"
#include "measure.h"
#include "records.h"
#include "sqlite.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A turn of a contestant, of which there are eight: 1,048,576 dispatches. */
enum { RECORDS = 65536, TURN = 131072, QUICK_TURN = 8192 };
enum { THREADS = 8, EACH = 256, QUICK_EACH = 16 };

/* ---- A disk that takes 2 ms ------------------------------------------------------------------ */

static volatile int is_simulated;

/* In place of the function of the C library, also for the shared library. */
int fdatasync(int file) {
  if (is_simulated)
    return nanosleep(&(struct timespec){0, 2000000}, NULL);
  return (int)syscall(SYS_fdatasync, file);
}

/* ---- Contestants ----------------------------------------------------------------------------- */

typedef struct logged {
  records records;
  sqlite3 *database;
  sqlite3_stmt *insert;
} logged;

static void open_logged(logged *logged, const char *folder, const char *durability) {
  char options[256];
  snprintf(options, sizeof options,
           "{\"log\":{\"path\":\"%s/%s.log\",\"durability\":\"%s\"}}", folder, durability,
           durability);
  open_records_with(&logged->records, RECORDS, options);
}

static void open_table(logged *logged, const char *folder) {
  char *path = path_in(folder, "sqlite");
  must(NULL, sqlite3_open(path, &logged->database), SQLITE_OK);
  free(path);
  const char *pragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                        "CREATE TABLE log(number INTEGER PRIMARY KEY, action TEXT)";
  execute(logged->database, pragmas);
  logged->insert = prepare(logged->database, "INSERT INTO log(action) VALUES(?)");
  logged->records.batch = make_batch(RECORDS);
}

/* Calls a function for a turn of actions of 100 bytes. Returns the seconds of each call. */
static double take_turn(logged *logged, void (*call)(struct logged *, const char *, int)) {
  int turn = is_quick() ? QUICK_TURN : TURN;
  double time = 0;
  for (int done = 0; done < turn; done += BATCH) {
    renew_batch(logged->records.batch);
    for (int i = 0; i < BATCH; i++)
      pad_action(&logged->records.batch->operations[i].set, 100);
    double start = now();
    for (int i = 0; i < BATCH; i++) {
      const text *action = &logged->records.batch->operations[i].set;
      call(logged, action->characters, action->length);
    }
    time += now() - start;
  }
  return time / turn;
}

static void dispatch_action(logged *logged, const char *action, int length) {
  imd_error error;
  check(imd_store_dispatch(logged->records.store, action, (size_t)length, &error), &error);
}

static void insert_action(logged *logged, const char *action, int length) {
  sqlite3_bind_text(logged->insert, 1, action, length, SQLITE_STATIC);
  must(logged->database, sqlite3_step(logged->insert), SQLITE_DONE);
  sqlite3_reset(logged->insert);
}

/* What is left to the disk must not slow down the next contestant. */
static double dispatch_turn(void *context) {
  logged *logged = context;
  imd_error error;
  double time = take_turn(logged, dispatch_action);
  check(imd_store_sync(logged->records.store, -1, &error), &error);
  return time;
}

static double dispatch_turn_without_log(void *context) {
  return take_turn(context, dispatch_action);
}

static double insert_turn(void *context) {
  return take_turn(context, insert_action);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* A counter of the log of a store. */
static double log_counter(imd_store *store, const char *name) {
  imd_error error;
  char *text, pointer[64];
  size_t length;
  imd_value *statistics;
  int64_t counter;
  check(imd_store_statistics(store, &text, &length, &error), &error);
  check(imd_value_parse(text, length, &statistics, &error), &error);
  imd_free(text);
  snprintf(pointer, sizeof pointer, "/log/%s", name);
  check(imd_value_get_integer(statistics, pointer, &counter, &error), &error);
  imd_value_release(statistics);
  return (double)counter;
}

/* The second line has the first state, which is no entry. */
static void print_bytes(imd_store *store, double first) {
  double entries = log_counter(store, "bytes") - first;
  double number = log_counter(store, "entries");
  print_row("log: entry of an action of 100 bytes", entries / number, "the action", 100, "B",
            "");
  print_row("log: 1,000,000 entries and their snapshots",
            entries + log_counter(store, "snapshotBytes"), "the entries", entries, "B",
            "ratio <= 2.2");
}

/* ---- Sustained dispatches -------------------------------------------------------------------- */

static void measure_sustained(const char *folder) {
  logged none, normal, without, table;
  open_logged(&none, folder, "none");
  open_logged(&normal, folder, "normal");
  open_records(&without.records, RECORDS);
  open_table(&table, folder);
  double first = log_counter(normal.records.store, "bytes");
  const contestant contestants[] = {{"", dispatch_turn, &none},
                                    {"", dispatch_turn, &normal},
                                    {"", dispatch_turn_without_log, &without},
                                    {"", insert_turn, &table}};
  double medians[4];
  measure_in_turns(contestants, 4, medians);
  print_row("log: dispatch, durability none", medians[0], "without a log",
            medians[2], "s", "ratio <= 1.25");
  print_row("log: dispatch, durability normal", medians[1], "without a log",
            medians[2], "s", "");
  print_row("log: dispatch, durability normal", medians[1],
            "SQLite, synchronous=NORMAL", medians[3], "s", "ratio <= 0.5");
  print_bytes(normal.records.store, first);
  close_records(&none.records);
  close_records(&normal.records);
  close_records(&without.records);
  sqlite3_finalize(table.insert);
  sqlite3_close(table.database);
  free_batch(table.records.batch);
}

/* ---- Dispatches that wait for the disk ------------------------------------------------------- */

static int dispatches_of_thread(void) {
  return is_quick() ? QUICK_EACH : EACH;
}

static void *dispatch_some(void *context) {
  logged *logged = context;
  for (int i = 0; i < dispatches_of_thread(); i++) {
    const text *action = &logged->records.batch->operations[i].set;
    dispatch_action(logged, action->characters, action->length);
  }
  return NULL;
}

static double dispatch_by_one(void *context) {
  double start = now();
  dispatch_some(context);
  return (now() - start) / dispatches_of_thread();
}

static double dispatch_by_many(void *context) {
  pthread_t threads[THREADS];
  double start = now();
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, dispatch_some, context);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return (now() - start) / (dispatches_of_thread() * THREADS);
}

static void measure_full(const char *folder) {
  logged full;
  open_logged(&full, folder, "full");
  compare("log: dispatch, durability full", &(contestant){"", dispatch_by_one, &full}, NULL,
          "");
  is_simulated = 1;
  compare("log: dispatch of 8 threads, durability full, a sync takes 2 ms",
          &(contestant){"", dispatch_by_many, &full},
          &(contestant){"one thread", dispatch_by_one, &full}, "ratio <= 0.25");
  is_simulated = 0;
  close_records(&full.records);
}

void measure_log(void) {
  char *folder = make_folder();
  measure_sustained(folder);
  measure_full(folder);
  remove_folder(folder);
}
