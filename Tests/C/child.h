/* Children of a fork, also under ThreadSanitizer and leak checkers. */
#ifndef CHILD_H
#define CHILD_H

#include <unistd.h>

/* ThreadSanitizer by default ends a child that starts a thread. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

/* Ends a child with a status from 0 to 9. Replaces the process, so that a leak checker does not
 * report the parent's memory. */
static void end_child(int status) {
  char code[] = {(char)('0' + status), 0};
  execl("/bin/sh", "sh", "-c", "exit $0", code, (char *)NULL);
  _exit(127);
}

#endif
