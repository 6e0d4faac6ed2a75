/* The requests to callgrind, as functions. */
#include <valgrind/callgrind.h>

void start_counting(void) {
  CALLGRIND_START_INSTRUMENTATION;
}

void stop_counting(void) {
  CALLGRIND_STOP_INSTRUMENTATION;
}
