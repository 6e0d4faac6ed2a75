#define _GNU_SOURCE

#include "watchdog.h"

#include "report.h"

#include <dirent.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 64, LINE_LENGTH = 64 };

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};

static int timeout, is_over;
static pthread_t thread;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t end = PTHREAD_COND_INITIALIZER;

/* Without a debugger each thread prints its own stack. */
static void print_stack(int signal) {
  (void)signal;
  void *frames[FRAMES];
  char title[LINE_LENGTH];
  int length = snprintf(title, sizeof title, "--- thread %ld\n", (long)syscall(SYS_gettid));
  if (write(STDERR_FILENO, title, (size_t)length) == length)
    backtrace_symbols_fd(frames, backtrace(frames, FRAMES), STDERR_FILENO);
}

static void signal_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; tasks && (task = readdir(tasks));) {
    long thread = strtol(task->d_name, NULL, 10);
    if (thread == 0 || thread == syscall(SYS_gettid)) continue;
    syscall(SYS_tgkill, (long)getpid(), thread, SIGUSR2);
    /* The threads print one after the other, so their stacks do not mix. */
    nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
  }
  if (tasks) closedir(tasks);
}

/* Whether gdb printed the stacks. posix_spawn runs no pthread_atfork handlers, which might wait for
 * a stuck thread. */
static int run_debugger(void) {
  char process[16];
  snprintf(process, sizeof process, "%d", (int)getpid());
  char *arguments[] = {"gdb", "-q", "-batch", "-p", process, "-ex",
                       "thread apply all backtrace 40", NULL};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  pid_t child;
  int status = 1;
  if (posix_spawnp(&child, "gdb", &files, NULL, arguments, environ) == 0)
    waitpid(child, &status, 0);
  posix_spawn_file_actions_destroy(&files);
  return status == 0;
}

/* The handler is reset to the default: the signal is raised again, and terminates the process. */
static void report_crash(int signal) {
  fprintf(stderr, "signal %d\n", signal);
  report_trail();
}

/* Whether the watchdog was stopped. */
static int wait_a_second(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec++;
  pthread_mutex_lock(&mutex);
  while (!is_over && pthread_cond_timedwait(&end, &mutex, &time) == 0) {}
  int result = is_over;
  pthread_mutex_unlock(&mutex);
  return result;
}

static void *watch(void *unused) {
  (void)unused;
  long seen = -1;
  for (int quiet = 0; quiet < timeout; quiet++) {
    if (wait_a_second()) return NULL;
    long now = noted();
    if (now != seen) quiet = 0;
    seen = now;
  }
  fprintf(stderr, "no call returned for %d s\n", timeout);
  if (!run_debugger()) signal_threads();
  report_trail();
  _exit(1);
}

void watchdog_start(int seconds) {
  timeout = seconds;
  struct sigaction action = {.sa_handler = print_stack};
  sigaction(SIGUSR2, &action, NULL);
  action = (struct sigaction){.sa_handler = report_crash, .sa_flags = SA_RESETHAND};
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i], &action, NULL);
  EXPECT(pthread_create(&thread, NULL, watch, NULL) == 0, "no thread");
}

void watchdog_stop(void) {
  pthread_mutex_lock(&mutex);
  is_over = 1;
  pthread_cond_signal(&end);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
