/* Runs test cases, each on a thread of its own with a small stack.
 *
 *     PROGRAM [KIB [CASE ...]]
 *     PROGRAM measure [CASE ...]
 *
 * KIB is the size of the stack, by default what the header states for an expression. "measure" uses
 * a large stack, and prints how much of it each case takes. */
#ifndef STACK_H
#define STACK_H

#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

typedef struct {
  const char *name;
  void (*run)(void);
} stack_case;

static void *stack_thread(void *test) {
  ((const stack_case *)test)->run();
  return NULL;
}

/* Runs a case on a stack filled with a pattern. Returns the number of bytes that it used. */
static size_t stack_run(const stack_case *test, size_t size) {
  unsigned char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  pthread_attr_t attributes;
  pthread_t thread;
  size_t untouched = 0;
  CHECK(stack != MAP_FAILED);
  /* An overflow hits this guard page instead of other memory. */
  CHECK(mprotect(stack, 4096, PROT_NONE) == 0);
  memset(stack + 4096, 0xA5, size - 4096);
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstack(&attributes, stack, size) == 0);
  CHECK(pthread_create(&thread, &attributes, stack_thread, (void *)test) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  while (4096 + untouched < size && stack[4096 + untouched] == 0xA5)
    untouched++;
  munmap(stack, size);
  return size - 4096 - untouched;
}

static int stack_main(int count, char **arguments, const stack_case *cases, size_t case_count) {
  int measure = count > 1 && strcmp(arguments[1], "measure") == 0;
  size_t size = measure ? (size_t)64 << 20 : (size_t)(count > 1 ? atoi(arguments[1]) : 256) << 10;
  for (size_t i = 0; i < case_count; i++) {
    int wanted = count < 3;
    for (int j = 2; j < count; j++)
      wanted |= strcmp(arguments[j], cases[i].name) == 0;
    if (!wanted)
      continue;
    fprintf(stderr, "%s\n", cases[i].name);
    size_t used = stack_run(&cases[i], size);
    if (measure)
      printf("%-32s %4zu KiB\n", cases[i].name, (used + 1023) / 1024);
  }
  return check_report();
}

#endif
