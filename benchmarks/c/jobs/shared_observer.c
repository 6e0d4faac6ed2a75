/* A process that only observes a shared log, beside one that polls SQLite. */
#define _GNU_SOURCE
#include "jobs.h"

#include "appender.h"
#include "folder.h"
#include "generate.h"
#include "measure.h"
#include "processes.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DISPATCHES = 1000, QUICK_DISPATCHES = 20, POLL = 10000 /* µs */ };

static int dispatches(void) {
  return is_quick() ? QUICK_DISPATCHES : DISPATCHES;
}

static double idle_seconds(void) {
  return is_quick() ? 0.5 : 5;
}

static void pause_for(double microseconds) {
  struct timespec left = {(time_t)(microseconds / 1e6), (long)microseconds % 1000000 * 1000};
  while (nanosleep(&left, &left) != 0 && errno == EINTR)
    ;
}

typedef struct watched {
  const side *side;
  void (*observe)(struct watched *watched);
  const char *folder;
  int seen[2]; /* a pipe: when the idle time ended, and when the observer was called */
  double idle; /* seconds of the processor in an idle second */
  double delays[DISPATCHES]; /* seconds from the start of a dispatch to the call */
} watched;

static void must_be(int is_true) {
  if (is_true)
    return;
  perror("observer");
  exit(1);
}

static void send_time(watched *watched) {
  double time = now();
  must_be(write(watched->seen[1], &time, sizeof time) == sizeof time);
}

static double receive_time(watched *watched) {
  double time;
  must_be(read(watched->seen[0], &time, sizeof time) == sizeof time);
  return time;
}

static double processor_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* ---- Observers ------------------------------------------------------------------------------- */

static void call(void *context, const imd_delivery *delivery) {
  (void)delivery;
  send_time(context);
}

static void observe_store(watched *watched) {
  imd_error error;
  appender appender = {0};
  shared_log_side.open(&appender, watched->folder, 1);
  imd_store *store = appender.records.store;
  check(imd_store_define_selector(store, "records", "records", &error), &error);
  check(imd_store_observe(store, "records", NULL, 0, "{\"initial\":false}", IMD_ZERO_TERMINATED,
                          call, watched, NULL, NULL, &error),
        &error);
  pause_for(1e5); /* for what opening has begun */
  double before = processor_time();
  pause_for(idle_seconds() * 1e6);
  watched->idle = (processor_time() - before) / idle_seconds();
  send_time(watched);
  for (;;)
    pause();
}

/* Polls until a time, and sends the time after each change. */
static void poll_table(watched *watched, appender *appender, sqlite3_stmt *statement, double end) {
  sqlite3_int64 last = -1;
  for (; now() < end; pause_for(POLL)) {
    must(appender->database, sqlite3_step(statement), SQLITE_ROW);
    sqlite3_int64 version = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    if (version != last && last >= 0) {
      read_rows(appender);
      send_time(watched);
    }
    last = version;
  }
}

static void observe_table(watched *watched) {
  appender appender = {0};
  sqlite_side.open(&appender, watched->folder, 1);
  sqlite3_stmt *statement = prepare(appender.database, "PRAGMA data_version");
  double before = processor_time();
  poll_table(watched, &appender, statement, now() + idle_seconds());
  watched->idle = (processor_time() - before) / idle_seconds();
  send_time(watched);
  poll_table(watched, &appender, statement, INFINITY);
}

static void observe(void *context, int number) {
  watched *watched = context;
  (void)number;
  watched->observe(watched);
}

/* ---- Dispatches ------------------------------------------------------------------------------ */

/* Some 10 ms apart, so that the observer waits, and at random, so that polls are hit anywhere. */
static void dispatch_some(void *context, int number) {
  watched *watched = context;
  appender appender = {0};
  uint64_t seed = 1;
  receive_time(watched); /* the time without a change is over */
  watched->side->open(&appender, watched->folder, number);
  for (int i = 0; i < dispatches(); i++) {
    pause_for(POLL / 2 + random_below(&seed, POLL));
    double start = now();
    append(watched->side, &appender);
    watched->delays[i] = receive_time(watched) - start;
  }
  watched->side->close(&appender);
}

static void measure_side(watched *watched) {
  char *folder = make_folder();
  watched->folder = folder;
  must_be(pipe(watched->seen) == 0);
  pid_t observer = start_process(observe, watched, 1);
  end_process(start_process(dispatch_some, watched, 0));
  kill(observer, SIGKILL);
  waitpid(observer, NULL, 0);
  close(watched->seen[0]);
  close(watched->seen[1]);
  remove_folder(folder);
  qsort(watched->delays, (size_t)dispatches(), sizeof(double), ascending);
}

void measure_shared_observer(void) {
  enum { OURS, THEIRS, SIDES };
  const char *peer = "SQLite, data_version every 10 ms";
  watched *sides = share_memory(SIDES * sizeof *sides);
  sides[OURS].side = &shared_log_side;
  sides[OURS].observe = observe_store;
  sides[THEIRS].side = &sqlite_side;
  sides[THEIRS].observe = observe_table;
  for (int i = 0; i < SIDES; i++)
    measure_side(&sides[i]);
  int median = dispatches() / 2, most = dispatches() * 99 / 100;
  print_row("shared log: observer in another process is called, median",
            sides[OURS].delays[median], peer, sides[THEIRS].delays[median], "s", "ours <= 1e-3");
  print_row("shared log: observer in another process is called, 99 %", sides[OURS].delays[most],
            peer, sides[THEIRS].delays[most], "s", "");
  print_row("shared log: processor time of an observer in an idle second", sides[OURS].idle, peer,
            sides[THEIRS].idle, "s", "");
  munmap(sides, SIDES * sizeof *sides);
}
