#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "CThreadRecord.h"

/* The signals of a trap of Swift on x86-64 and arm64. */
static const int signals[] = {SIGILL, SIGTRAP};
enum { signal_count = sizeof signals / sizeof *signals };

static struct sigaction previous[signal_count];

static void trapped(int signal, siginfo_t *info, void *context) {
  (void)context;
  const char *line = thread_record_of_this_thread.trap_line;
  if (line && write(STDERR_FILENO, line, strlen(line)) < 0) {
    /* There is nothing else to tell it to. */
  }
  for (int i = 0; i < signal_count; i++) {
    if (signals[i] == signal) sigaction(signal, &previous[i], NULL);
  }
  /* A trap is repeated when this returns, now with the previous handler. */
  if (info->si_code <= 0) raise(signal);
}

static void watch(void) {
  struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < signal_count; i++) sigaction(signals[i], &action, &previous[i]);
}

void thread_record_watch_traps(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch);
}
