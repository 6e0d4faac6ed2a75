/* A log that is compacted while it is open: how long its dispatches wait, and how large the file becomes. */
#include "jobs.h"

#include "folder.h"
#include "measure.h"
#include "processes.h"
#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORDS = 1024, ACTIONS = 10000000, QUICK_ACTIONS = 100000, KEPT = 10000 };
enum { SHARED_RECORDS = 65536, SHARED_ACTIONS = 500000, PROCESSES = 2 };

typedef struct waits {
  double total, longest, largest;
  /* How many dispatches took so long, by the logarithm of their microseconds. */
  int counts[32];
} waits;

static double size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

static void note(waits *waits, double time) {
  int power = 0;
  while (power < 31 && time >= 1e-6 * (double)(1u << power))
    power++;
  waits->counts[power]++;
  waits->total += time;
  if (time > waits->longest)
    waits->longest = time;
}

/* The time that all but one of so many dispatches do not exceed, to a factor of 2. */
static double quantile(const waits *waits, int total, int one_of) {
  int rest = total / one_of;
  int power = 31;
  for (int above = waits->counts[31]; power > 0 && above <= rest; above += waits->counts[power])
    power--;
  return 1e-6 * (double)(1u << power);
}

/* Dispatches actions of 100 bytes. members are those of the option "log". */
static waits run(const char *path, int count, const char *members, int actions) {
  records records;
  waits waits = {0};
  char options[256];
  imd_error error;
  snprintf(options, sizeof options, "{\"log\":{\"path\":\"%s\",%s}}", path, members);
  open_records_with(&records, count, options);
  for (int i = 0; i < actions; i++) {
    if (i % BATCH == 0)
      renew_batch(records.batch);
    text action = records.batch->operations[i % BATCH].set;
    pad_action(&action, 100);
    double start = now();
    check(imd_store_dispatch(records.store, action.characters, (size_t)action.length, &error),
          &error);
    note(&waits, now() - start);
    if (i % 256 == 0 && size_of(path) > waits.largest)
      waits.largest = size_of(path);
  }
  close_records(&records);
  return waits;
}

void measure_compaction(void) {
  char *folder = make_folder();
  char *small = path_in(folder, "small"), *kept = path_in(folder, "kept"),
       *all = path_in(folder, "all");
  int actions = is_quick() ? QUICK_ACTIONS : ACTIONS;
  double needed = run(small, RECORDS, "\"keep\":\"all\"", KEPT).largest;
  waits compacted = run(kept, RECORDS, "\"keep\":{\"entries\":10000}", actions);
  /* A tenth: its file is not bounded. */
  int fewer = actions / 10;
  waits whole = run(all, RECORDS, "\"keep\":\"all\"", fewer);
  print_row("log: largest file, 10,000 entries kept", compacted.largest, "these entries", needed,
            "B", "ratio <= 3");
  print_row("log: dispatch, compacted while open", compacted.total / actions, "not compacted",
            whole.total / fewer, "s", "");
  print_row("log: dispatch, compacted while open, all but one of 1,000",
            quantile(&compacted, actions, 1000), "not compacted", quantile(&whole, fewer, 1000),
            "s", "");
  print_row("log: longest dispatch, compacted while open", compacted.longest, "not compacted",
            whole.longest, "s", "");
  free(small);
  free(kept);
  free(all);
  remove_folder(folder);
}

/* ---- Shared logs ----------------------------------------------------------------------------- */

typedef struct writers {
  const char *path, *members;
  waits *waits; /* of each process */
} writers;

static void run_shared(void *context, int number) {
  const writers *writers = context;
  int actions = is_quick() ? QUICK_ACTIONS : SHARED_ACTIONS;
  writers->waits[number] = run(writers->path, SHARED_RECORDS, writers->members, actions);
}

/* Returns the longest wait of processes that write to one log. */
static double longest_wait(const char *members, int processes) {
  char *folder = make_folder(), *path = path_in(folder, "log");
  writers writers = {path, members, share_memory(PROCESSES * sizeof(waits))};
  pid_t children[PROCESSES];
  double longest = 0;
  for (int i = 0; i < processes; i++)
    children[i] = start_process(run_shared, &writers, i);
  for (int i = 0; i < processes; i++) {
    end_process(children[i]);
    if (writers.waits[i].longest > longest)
      longest = writers.waits[i].longest;
  }
  free(path);
  remove_folder(folder);
  return longest;
}

void measure_shared_compaction(void) {
  static const char *const jobs[] = {"shared log: longest dispatch, compacted while open",
                                     "shared log: the same, 2 processes"};
  for (int i = 0; i < PROCESSES; i++) {
    double kept = longest_wait("\"shared\":true,\"keep\":{\"entries\":10000}", i + 1);
    double whole = longest_wait("\"shared\":true", i + 1);
    print_row(jobs[i], kept, "not compacted", whole, "s", "ours <= 0.02");
  }
}
