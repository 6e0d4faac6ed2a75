/* Reading JSON, freeing what was read, and the memory that it takes meanwhile, beside jansson. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"

#include <jansson.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text, and what it was read to. */
typedef struct reading {
  const char *text;
  size_t length;
  imd_value *value;
  json_t *json;
} reading;

static double read_value(void *context) {
  reading *reading = context;
  imd_error error;
  double start = now();
  check(imd_value_parse(reading->text, reading->length, &reading->value, &error), &error);
  return now() - start;
}

static double free_value(void *context) {
  double start = now();
  imd_value_release(((reading *)context)->value);
  return now() - start;
}

static double read_jansson(void *context) {
  reading *reading = context;
  json_error_t error;
  double start = now();
  reading->json = json_loadb(reading->text, reading->length, 0, &error);
  if (!reading->json) {
    fprintf(stderr, "jansson: %s\n", error.text);
    exit(1);
  }
  return now() - start;
}

static double free_jansson(void *context) {
  double start = now();
  json_decref(((reading *)context)->json);
  return now() - start;
}

void measure_reading(void) {
  reading reading;
  char *text = make_earthquakes(10000000, &reading.length);
  reading.text = text;
  /* Each frees what the one before it read. */
  const contestant contestants[] = {{"", read_value, &reading},
                                    {"", free_value, &reading},
                                    {"", read_jansson, &reading},
                                    {"", free_jansson, &reading}};
  double medians[4];
  measure_in_turns(contestants, 4, medians);
  print_row("read 10 MB of GeoJSON", medians[0], "jansson", medians[2], "s", "");
  print_row("free what was read", medians[1], "jansson", medians[3], "s", "");
  print_row("read and free 10 MB of GeoJSON", medians[0] + medians[1], "jansson",
            medians[2] + medians[3], "s", "ratio <= 1.5");
  free(text);
}

/* The bytes that are allocated. */
static double allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)(info.uordblks + info.hblkhd);
}

void measure_memory(void) {
  enum { COUNT = 65536 };
  char *text = make_records(COUNT);
  reading reading = {.text = text, .length = strlen(text)};
  double before = allocated();
  read_value(&reading);
  double ours = (allocated() - before) / COUNT;
  free_value(&reading);
  before = allocated();
  read_jansson(&reading);
  double theirs = (allocated() - before) / COUNT;
  free_jansson(&reading);
  print_row("memory of a record of ten integers", ours, "jansson", theirs, "B", "");
  free(text);
}
