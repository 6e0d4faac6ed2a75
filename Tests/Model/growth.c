/* Checks that memory, descriptors and threads do not grow.
 *
 *     growth KIND COUNT
 *
 * Dispatches COUNT actions, or opens and closes COUNT objects of a kind, and compares the resources
 * in use after a fifth of them with those at the end. */
#define _GNU_SOURCE

#include "exercises.h"

#include <dirent.h>
#include <limits.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* In bytes. The thread caches of the allocator and partially used pages may differ. */
enum { ALLOWED_IN_USE = 128 << 10, ALLOWED_RESIDENT = 6 << 20, TIMEOUT_SECONDS = 20 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_MEASURE_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CAN_MEASURE_MEMORY 0
#endif
#endif
#ifndef CAN_MEASURE_MEMORY
#define CAN_MEASURE_MEMORY 1
#endif

static const struct {
  const char *name;
  void (*run)(long count);
} kinds[] = {
    {"actions", exercise_actions},
    {"stores", exercise_stores},
    {"observations", exercise_observations},
    {"streams", exercise_streams},
    {"requests", exercise_requests},
    {"history", exercise_history},
    {"selectors", exercise_selectors},
    {"effects", exercise_effects},
    {"records", exercise_records},
};

typedef struct usage {
  long in_use, resident;
  int descriptors, threads;
} usage;

static int count_entries(const char *path) {
  int count = 0;
  DIR *folder = opendir(path);
  while (folder && readdir(folder)) count++;
  if (folder) closedir(folder);
  return count;
}

static long resident(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

/* An idle thread terminates by itself. */
static int settled_threads(int expected) {
  time_t end = time(NULL) + TIMEOUT_SECONDS;
  int count;
  while ((count = count_entries("/proc/self/task")) > expected && time(NULL) < end) sched_yield();
  return count;
}

static usage measure(int threads) {
  usage usage = {.threads = settled_threads(threads)};
  malloc_trim(0);
  struct mallinfo2 info = mallinfo2();
  usage.in_use = (long)(info.uordblks + info.hblkhd);
  usage.resident = resident();
  usage.descriptors = count_entries("/proc/self/fd");
  return usage;
}

int main(int count, char **arguments) {
  long total = count == 3 ? strtol(arguments[2], NULL, 10) : 0;
  mallopt(M_ARENA_MAX, 1); /* counts all memory */
  for (size_t i = 0; total > 0 && i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i].name, arguments[1]) != 0) continue;
    kinds[i].run(total / 5);
    usage before = measure(INT_MAX);
    kinds[i].run(total - total / 5);
    usage after = measure(before.threads);
    end_exercises();
    long in_use = after.in_use - before.in_use, grown = after.resident - before.resident;
    printf("%s: %ld: %ld bytes more in use, %ld more resident, %d descriptors, %d threads\n",
           arguments[1], total, in_use, grown, after.descriptors - before.descriptors,
           after.threads - before.threads);
    int has_grown = after.descriptors != before.descriptors || after.threads > before.threads;
    if (CAN_MEASURE_MEMORY)
      has_grown |= in_use >= ALLOWED_IN_USE || grown >= ALLOWED_RESIDENT;
    return has_grown;
  }
  fprintf(stderr, "usage: growth KIND COUNT\n");
  return 2;
}
