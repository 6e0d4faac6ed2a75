#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 7, MOST_CONTESTANTS = 64 };

const int sizes[SIZES] = {1024, 8192, 65536, 1048576};
const char *const size_names[SIZES] = {"1,024", "8,192", "65,536", "1,048,576"};

int is_quick(void) {
  return getenv("BENCHMARK_QUICK") != NULL;
}

int sizes_measured(void) {
  return is_quick() ? 2 : SIZES;
}

size_t text_size(size_t size) {
  return is_quick() ? size / 100 : size;
}

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

void measure_in_turns(const contestant *contestants, int count, double *medians) {
  double times[MOST_CONTESTANTS][ROUNDS];
  int rounds = is_quick() ? 1 : ROUNDS;
  for (int round = -1; round < rounds; round++) /* the first warms up */
    for (int i = 0; i < count; i++) {
      double time = contestants[i].measure(contestants[i].context);
      if (round >= 0)
        times[i][round] = time;
    }
  for (int i = 0; i < count; i++) {
    qsort(times[i], (size_t)rounds, sizeof(double), ascending);
    medians[i] = times[i][rounds / 2];
  }
}

void print_row(const char *job, double ours, const char *peer, double theirs, const char *unit,
               const char *goal) {
  printf("%s\t%.6g\t%s\t%.6g\t%s\t%s\n", job, ours, peer, theirs, unit, goal);
  fflush(stdout);
}

void print_point(const char *job, const char *name, int size, double median, const char *unit) {
  printf("%s\t%s\t%d\t%.6g\t%s\n", job, name, size, median, unit);
  fflush(stdout);
}

void compare(const char *job, const contestant *ours, const contestant *theirs, const char *goal) {
  contestant both[2] = {*ours};
  double medians[2] = {0, 0};
  if (theirs)
    both[1] = *theirs;
  measure_in_turns(both, theirs ? 2 : 1, medians);
  print_row(job, medians[0], theirs ? theirs->name : "", medians[1], "s", goal);
}

void check(imd_status status, const imd_error *error) {
  if (status == IMD_OK)
    return;
  fprintf(stderr, "%s: %s\n", imd_status_name(status), error->message);
  exit(1);
}
