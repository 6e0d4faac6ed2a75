#define _GNU_SOURCE
#include "processes.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void *share_memory(size_t size) {
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  return memory;
}

/* Others wait for the child that failed. */
static void end_parent(void) {
  kill(getppid(), SIGTERM);
}

pid_t start_process(void (*run)(void *context, int number), void *context, int number) {
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    atexit(end_parent);
    run(context, number);
    _exit(0);
  }
  if (child < 0) {
    perror("fork");
    exit(1);
  }
  return child;
}

void end_process(pid_t child) {
  int status;
  if (waitpid(child, &status, 0) == child && status == 0)
    return;
  fprintf(stderr, "a process to be measured has failed\n");
  exit(1);
}
