/* Checks, on any thread: counts them and reports failures. The exit status is check_report(). */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <string.h>

static int checks, failures;

static int check_that(int holds, const char *what, const char *file, int line) {
  __atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED);
  if (!holds) {
    __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
    fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what);
  }
  return holds;
}

static int check_report(void) {
  int failed = __atomic_load_n(&failures, __ATOMIC_RELAXED);
  printf("%d checks, %d failed\n", __atomic_load_n(&checks, __ATOMIC_RELAXED), failed);
  return failed != 0;
}

#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)

/* Checks that two texts are equal; prints both if they are not. */
#define CHECK_TEXT(is, should_be)                                                 \
  do {                                                                            \
    const char *is_ = (is), *should_be_ = (should_be);                            \
    if (!CHECK(is_ != NULL && strcmp(is_, should_be_) == 0))                      \
      fprintf(stderr, "  is:        %s\n  should be: %s\n", is_ ? is_ : "NULL", should_be_); \
  } while (0)

#endif
