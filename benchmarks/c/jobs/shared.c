/* Processes that write to one shared log, beside SQLite, in which they insert the same actions. */
#define _GNU_SOURCE
#include "jobs.h"

#include "appender.h"
#include "folder.h"
#include "measure.h"
#include "processes.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENTRIES = 16384, QUICK_ENTRIES = 512, WARM_UP = 512 };
enum { COUNTS = 4, MOST_PROCESSES = 8 };

static int entries(void) {
  return is_quick() ? QUICK_ENTRIES : ENTRIES;
}

/* ---- Appending ------------------------------------------------------------------------------- */

typedef struct measured {
  const side *side;
  int processes;
  const char *folder;
  double least; /* the least share of a process in all rounds, in percent of a fair one */
  /* What the processes share: */
  pthread_barrier_t barrier;
  atomic_int left;
  int appended[MOST_PROCESSES];
  double begun[MOST_PROCESSES], ended[MOST_PROCESSES];
} measured;

/* Each process appends until all have appended the entries together. */
static void append_some(void *context, int number) {
  measured *measured = context;
  appender appender = {0};
  measured->side->open(&appender, measured->folder, number);
  for (int i = 0; i < WARM_UP; i++)
    append(measured->side, &appender);
  pthread_barrier_wait(&measured->barrier);
  measured->begun[number] = now();
  int count = 0;
  for (; atomic_fetch_sub(&measured->left, 1) > 0; count++)
    append(measured->side, &appender);
  measured->ended[number] = now();
  measured->appended[number] = count;
  pthread_barrier_wait(&measured->barrier);
  measured->side->close(&appender);
}

/* The others find the file: processes that make a database of SQLite at once may fail. */
static void make_file(void *context, int number) {
  measured *measured = context;
  appender appender = {0};
  measured->side->open(&appender, measured->folder, number);
  measured->side->close(&appender);
}

static void start_barrier(measured *measured) {
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&measured->barrier, &attributes, (unsigned)measured->processes);
}

/* Returns the seconds of an entry. */
static double append_all(void *context) {
  measured *measured = context;
  pid_t children[MOST_PROCESSES];
  char *folder = make_folder();
  measured->folder = folder;
  measured->left = entries();
  start_barrier(measured);
  end_process(start_process(make_file, measured, 0));
  for (int i = 0; i < measured->processes; i++)
    children[i] = start_process(append_some, measured, i);
  double begun = INFINITY, ended = 0;
  for (int i = 0; i < measured->processes; i++) {
    end_process(children[i]);
    begun = fmin(begun, measured->begun[i]);
    ended = fmax(ended, measured->ended[i]);
    double share = 100.0 * measured->appended[i] * measured->processes / entries();
    if (share < measured->least)
      measured->least = share;
  }
  remove_folder(folder);
  return (ended - begun) / entries();
}

/* ---- Replaying ------------------------------------------------------------------------------- */

/* The store is stopped while another process appends. */
static void replay_some(void *context, int number) {
  imd_error error;
  measured *measured = context;
  appender appender = {0};
  measured->side->open(&appender, measured->folder, number);
  raise(SIGSTOP);
  check(imd_store_refresh(appender.records.store, &error), &error);
  measured->ended[number] = now();
  measured->side->close(&appender);
}

static void append_others(void *context, int number) {
  measured *measured = context;
  appender appender = {0};
  measured->side->open(&appender, measured->folder, number);
  for (int i = 0; i < entries(); i++)
    append(measured->side, &appender);
  measured->side->close(&appender);
}

/* Returns the seconds that a store needs to read and repeat an entry of another process. */
static double replay_all(void *context) {
  measured *measured = context;
  int status;
  char *folder = make_folder();
  measured->folder = folder;
  pid_t child = start_process(replay_some, measured, 0);
  waitpid(child, &status, WUNTRACED);
  end_process(start_process(append_others, measured, 1));
  double begun = now();
  kill(child, SIGCONT);
  end_process(child);
  remove_folder(folder);
  return (measured->ended[0] - begun) / entries();
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static const int counts[COUNTS] = {1, 2, 4, 8};
static const char *const goals[COUNTS] = {"ratio <= 0.5", "ratio <= 1", "", ""};

static void print_dispatches(double ours, double theirs, int count) {
  char job[64];
  snprintf(job, sizeof job, "shared log: dispatch, %d process%s", counts[count],
           count ? "es" : "");
  print_row(job, ours, "SQLite, a transaction", theirs, "s", goals[count]);
}

/* Each process repeats each entry once, on all processors; only one process appends at a time. */
static void print_bound(double ours, double replaying, double appending, int count) {
  char job[64], peer[64];
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  snprintf(job, sizeof job, "shared log: dispatch, %d processes", counts[count]);
  snprintf(peer, sizeof peer, "%d replays on %ld processors, and an append", counts[count],
           processors);
  double bound = counts[count] * replaying / (double)processors + appending;
  print_row(job, ours, peer, bound, "s", "ratio <= 1.5");
}

static void print_shares(double ours, double theirs, int count) {
  char job[64];
  snprintf(job, sizeof job, "shared log: least share of %d processes", counts[count]);
  print_row(job, ours, "SQLite", theirs, "%", "ours >= 25");
}

enum { NONE, OWN, REPLAY, SHARED, TABLE = SHARED + COUNTS, CONTESTANTS = TABLE + COUNTS };

static void print_rows(const measured *measured, const double *medians) {
  double appending = medians[SHARED] - medians[NONE];
  for (int i = 0; i < COUNTS; i++)
    print_dispatches(medians[SHARED + i], medians[TABLE + i], i);
  for (int i = 2; i < COUNTS; i++)
    print_bound(medians[SHARED + i], medians[REPLAY], appending, i);
  for (int i = 1; i < COUNTS; i++)
    print_shares(measured[SHARED + i].least, measured[TABLE + i].least, i);
  print_row("shared log: dispatch, 1 process", medians[SHARED], "a log of its own", medians[OWN],
            "s", "ratio <= 2.5");
  print_row("shared log: append, a dispatch less its reduce", appending, "the reduce",
            medians[NONE], "s", "");
  print_row("shared log: replay of an entry of another process", medians[REPLAY], "the reduce",
            medians[NONE], "s", "");
}

void measure_shared_log(void) {
  measured *measured = share_memory(CONTESTANTS * sizeof *measured);
  contestant contestants[CONTESTANTS];
  double medians[CONTESTANTS];
  for (int i = 0; i < CONTESTANTS; i++) {
    measured[i].side = i == NONE   ? &no_log_side
                       : i == OWN  ? &own_log_side
                       : i < TABLE ? &shared_log_side
                                   : &sqlite_side;
    measured[i].processes = i < SHARED ? 1 : counts[(i - SHARED) % COUNTS];
    measured[i].least = 100;
    contestants[i] = (contestant){"", i == REPLAY ? replay_all : append_all, &measured[i]};
  }
  measure_in_turns(contestants, CONTESTANTS, medians);
  print_rows(measured, medians);
  munmap(measured, CONTESTANTS * sizeof *measured);
}
