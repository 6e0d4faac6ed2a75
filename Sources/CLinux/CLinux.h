/* Functions of Linux that the module Glibc lacks. */
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>

/* Sleeps without the timer slack of the thread: by default, Linux adds up to 50 µs. */
static inline void linux_pause(long nanoseconds) {
  int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  nanosleep(&time, NULL);
  if (slack > 0) prctl(PR_SET_TIMERSLACK, slack, 0, 0, 0);
}
