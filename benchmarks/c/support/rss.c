#include "rss.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A field of /proc/self/status, in bytes. */
static double status_field(const char *name) {
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  double kilobytes = 0;
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, name, strlen(name)) == 0)
      kilobytes = atof(line + strlen(name));
  if (file)
    fclose(file);
  return kilobytes * 1024;
}

/* Resets the peak of this process (VmHWM) to its current memory. */
static void reset_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file || fputs("5", file) < 0 || fclose(file) != 0) {
    fprintf(stderr, "cannot write to /proc/self/clear_refs to reset the peak memory\n");
    exit(1);
  }
}

double peak_growth(peaking run, void *context) {
  int ends[2];
  if (pipe(ends) != 0)
    exit(1);
  pid_t child = fork();
  if (child == 0) {
    reset_peak();
    double before = status_field("VmRSS:");
    double bytes = run(context) ? status_field("VmHWM:") - before : -1;
    _exit(write(ends[1], &bytes, sizeof bytes) != sizeof bytes);
  }
  close(ends[1]);
  double bytes = -1;
  if (child < 0 || read(ends[0], &bytes, sizeof bytes) != sizeof bytes || bytes < 0) {
    fprintf(stderr, "the peak memory could not be measured\n");
    exit(1);
  }
  close(ends[0]);
  waitpid(child, NULL, 0);
  return bytes;
}
