#define _POSIX_C_SOURCE 200809L

#include "report.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TRAIL = 50, LENGTH = 240 };

_Thread_local int report_depth;
static _Thread_local int thread_number;

static run current;
static char trail[TRAIL][LENGTH];
static long count;
static int threads;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void report_begin(const run *run) {
  pthread_mutex_lock(&mutex);
  current = *run;
  count = 0;
  pthread_mutex_unlock(&mutex);
}

void note(const char *format, ...) {
  pthread_mutex_lock(&mutex);
  if (thread_number == 0) thread_number = ++threads;
  char *line = trail[count % TRAIL];
  int length = snprintf(line, LENGTH, "%8ld  thread %d  %.*s", count, thread_number,
                        2 * report_depth, "                ");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + length, (size_t)(LENGTH - length), format, arguments);
  va_end(arguments);
  count++;
  pthread_mutex_unlock(&mutex);
}

long noted(void) {
  pthread_mutex_lock(&mutex);
  long result = count;
  pthread_mutex_unlock(&mutex);
  return result;
}

/* Takes no lock: a failed or stuck thread may hold it. */
void report_trail(void) {
  if (current.mode)
    fprintf(stderr, "run again: model %s %llu %ld\n", current.mode,
            (unsigned long long)current.seed, current.calls);
  fprintf(stderr, "the last calls:\n");
  for (long i = count > TRAIL ? count - TRAIL : 0; i < count; i++)
    fprintf(stderr, "%s\n", trail[i % TRAIL]);
}

void fail_at(const char *file, int line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&mutex);
  fprintf(stderr, "%s:%d: ", file, line);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  report_trail();
  _exit(1);
}
