/* A long log: opening it beside replaying all of it, and the memory that it takes. */
#include "jobs.h"

#include "folder.h"
#include "generate.h"
#include "measure.h"
#include "records.h"
#include "rss.h"

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

/* The process that writes it ends without closing the store, so that the last snapshot is older. */
static void make_file(const file *file) {
  pid_t child = fork();
  if (child == 0) {
    write_actions(file);
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
  make_file(&file);

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
  print_row("log: verify, 1,000,000 actions", verifying, "replay all", replaying, "s", "");
  print_peak("log: peak of compacting", compact, &file);

  free(file.state);
  free(file.path);
  free(file.snapshot);
  remove_folder(folder);
}
