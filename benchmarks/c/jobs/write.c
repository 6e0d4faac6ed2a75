/* Writing JSON, compared with other libraries. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"
#include "peers.h"
#include "texts.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static double write_value(void *context) {
  imd_error error;
  char *text;
  double start = now();
  check(imd_value_text(context, &text, NULL, &error), &error);
  imd_free(text);
  return now() - start;
}

static double write_jansson(void *context) {
  double start = now();
  char *text = json_dumps(context, JSON_COMPACT);
  double time = now() - start;
  if (!text)
    exit(1);
  free(text);
  return time;
}

static double write_rapidjson(void *context) {
  double start = now();
  if (rapidjson_peer->write(context) == 0)
    exit(1);
  return now() - start;
}

/* Parses a text with each library, and writes it with each in turn. */
static void measure_text(const sample *sample, const char *text, size_t length) {
  imd_error error;
  imd_value *value;
  check(imd_value_parse(text, length, &value, &error), &error);
  json_t *json = json_loadb(text, length, 0, NULL);
  void *document = rapidjson_peer ? rapidjson_peer->read(text, length) : NULL;
  const contestant contestants[] = {
      {"", write_value, value}, {"", write_jansson, json}, {"", write_rapidjson, document}};
  double medians[3];
  measure_in_turns(contestants, document ? 3 : 2, medians);
  print_row(sample->row, medians[0], "jansson", medians[1], "s", sample->goal);
  if (document) {
    print_row(sample->row, medians[0], rapidjson_peer->name, medians[2], "s", "");
    rapidjson_peer->release(document);
  }
  json_decref(json);
  imd_value_release(value);
}

void measure_writing(void) {
  static const sample samples[] = {
      {"write 10 MB of GeoJSON", make_earthquakes, 10000000, "ratio <= 0.33"},
      {"write 10 MB of doubles of 17 digits", make_doubles, 10000000, ""},
      {"write 10 MB of strings, not ASCII, with escapes", make_words, 10000000, ""},
  };
  measure_samples(samples, sizeof samples / sizeof *samples, measure_text);
}
