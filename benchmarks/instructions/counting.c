/* The requests to callgrind, as functions. */
#include <valgrind/callgrind.h>

void start_counting(void) {
  CALLGRIND_START_INSTRUMENTATION;
}

void stop_counting(void) {
  CALLGRIND_STOP_INSTRUMENTATION;
}

/* Begins again at 0, for all threads. */
void reset_count(void) {
  CALLGRIND_ZERO_STATS;
}

/* Writes a file with the count and a description. */
void write_count(const char *description) {
  CALLGRIND_DUMP_STATS_AT(description);
}
