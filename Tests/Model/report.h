/* Records calls, and reports failures with the seed and the last calls. */
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

/* The parameters of a run. On one thread, the same seed and count yield the same calls. */
typedef struct run {
  const char *mode;
  uint64_t seed;
  long calls;
} run;

void report_begin(const run *run);

/* The nesting depth of this thread's calls: 0 outside callbacks. */
extern _Thread_local int report_depth;

/* Records a call, which counts as progress. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The number of recorded calls. */
long noted(void);

/* Prints the seed and the last calls. */
void report_trail(void);

/* Prints the reason, the seed and the last calls, and exits with status 1. */
void fail_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

#define FAIL(...) fail_at(__FILE__, __LINE__, __VA_ARGS__)
#define EXPECT(condition, ...)               \
  do {                                       \
    if (!(condition)) FAIL(__VA_ARGS__);     \
  } while (0)

/* Checks the status of a call. */
#define EXPECT_STATUS(is, should_be)                                                 \
  do {                                                                               \
    imd_status is_ = (is), should_be_ = (should_be);                                 \
    EXPECT(is_ == should_be_, "%s, not %s: %s", imd_status_name(is_),                \
           imd_status_name(should_be_), #is);                                        \
  } while (0)

#endif
