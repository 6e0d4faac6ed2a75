/* The peak memory of parsing, without the text itself, compared with jansson. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"
#include "texts.h"

#include <jansson.h>
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

static int read_value(const char *text, size_t length) {
  imd_value *value;
  return imd_value_parse(text, length, &value, NULL) == IMD_OK;
}

static int read_jansson(const char *text, size_t length) {
  return json_loadb(text, length, 0, NULL) != NULL;
}

/* The peak memory of parsing for each byte of text. Measured in a child process, which has no freed
 * memory to reuse. */
static double peak(int (*reads)(const char *, size_t), const char *text, size_t length) {
  int ends[2];
  if (pipe(ends) != 0)
    exit(1);
  pid_t child = fork();
  if (child == 0) {
    reset_peak();
    double before = status_field("VmRSS:");
    double bytes = reads(text, length) ? status_field("VmHWM:") - before : -1;
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
  return bytes / (double)length;
}

static void measure_text(const sample *sample, const char *text, size_t length) {
  print_row(sample->row, peak(read_value, text, length), "jansson",
            peak(read_jansson, text, length), "B", sample->goal);
}

void measure_peaks(void) {
  static const sample samples[] = {
      {"peak of reading [1,1,…], for each byte", make_ones, 40000000, "ours <= 6"},
      {"peak of reading GeoJSON, for each byte", make_earthquakes, 10000000, "ours <= 3"},
      {"peak of reading doubles, for each byte", make_doubles, 10000000, ""},
      {"peak of reading strings, for each byte", make_words, 10000000, ""},
  };
  measure_samples(samples, sizeof samples / sizeof *samples, measure_text);
}
