/* Compares random calls with a naive model.
 *
 *     model MODE SEED CALLS [-FEATURE]…
 *
 * MODE is exact, threads or client. A SEED of 0 takes one from the clock. -FEATURE leaves out a
 * part of the contract (features.c). */
#define _GNU_SOURCE

#include "features.h"
#include "model_test.h"
#include "watchdog.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMEOUT_SECONDS = 30, ALLOWED_GROWTH = 48 << 10 };

static const struct {
  const char *name;
  void (*run)(const run *run);
  int is_repeated; /* growth in a second run is a leak; with threads, the heap differs anyway */
} modes[] = {{"exact", run_exact, 1}, {"threads", run_threads, 0}, {"client", run_client, 0}};

static size_t bytes_in_use(void) { return mallinfo2().uordblks; }

/* Makes the same calls again, and checks that they leave no more memory in use. */
static void repeat(const run *run, void (*make)(const struct run *run)) {
  size_t before = bytes_in_use();
  report_begin(run);
  make(run);
  size_t after = bytes_in_use();
  if (after > before + ALLOWED_GROWTH)
    FAIL("the same calls again leave %zu bytes more in use", after - before);
}

static int usage(void) {
  fprintf(stderr, "usage: model exact|threads|client SEED CALLS [-FEATURE]...\n");
  return 2;
}

int main(int count, char **arguments) {
  if (count < 4) return usage();
  run run = {arguments[1], strtoull(arguments[2], NULL, 10), strtol(arguments[3], NULL, 10)};
  if (run.seed == 0) run.seed = (uint64_t)time(NULL);
  for (int i = 4; i < count; i++)
    if (arguments[i][0] != '-' || !leave_out(arguments[i] + 1)) return usage();
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    if (strcmp(modes[i].name, run.mode) != 0) continue;
    watchdog_start(TIMEOUT_SECONDS);
    report_begin(&run);
    modes[i].run(&run);
    if (modes[i].is_repeated) repeat(&run, modes[i].run);
    watchdog_stop();
    printf("%s: seed %llu, %ld calls: no difference\n", run.mode, (unsigned long long)run.seed,
           run.calls);
    return 0;
  }
  return usage();
}
