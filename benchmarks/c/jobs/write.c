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

/* The result of another parser. */
typedef struct peer_document {
  const peer *peer;
  void *read;
} peer_document;

static double write_peer(void *context) {
  const peer_document *document = context;
  double start = now();
  if (document->peer->write(document->read) == 0)
    exit(1);
  return now() - start;
}

/* Parses a text with each library, and writes it with each in turn. */
static void measure_text(const sample *sample, const char *text, size_t length) {
  imd_error error;
  imd_value *value;
  check(imd_value_parse(text, length, &value, &error), &error);
  json_t *json = json_loadb(text, length, 0, NULL);
  peer_document documents[2];
  contestant contestants[4] = {{"", write_value, value}, {"jansson", write_jansson, json}};
  int count = 2;
  const peer *const known[] = {rapidjson_peer, yyjson_peer};
  for (int i = 0; i < 2; i++)
    if (known[i]) {
      documents[count - 2] = (peer_document){known[i], known[i]->read(text, length)};
      contestants[count] = (contestant){known[i]->name, write_peer, &documents[count - 2]};
      count++;
    }
  double medians[4];
  measure_in_turns(contestants, count, medians);
  print_row(sample->row, medians[0], "jansson", medians[1], "s", sample->goal);
  for (int i = 2; i < count; i++) {
    const peer *peer = documents[i - 2].peer;
    print_row(sample->row, medians[0], peer->name, medians[i], "s",
              peer == yyjson_peer ? "ratio <= 2" : "");
    peer->release(documents[i - 2].read);
  }
  json_decref(json);
  imd_value_release(value);
}

void measure_writing(void) {
  static const sample samples[] = {
      {"write 10 MB of GeoJSON", make_earthquakes, 10000000, "ratio <= 0.33"},
      {"write 10 MB of mixed records", make_mixed, 10000000, ""},
      {"write 10 MB of doubles of 17 digits", make_doubles, 10000000, ""},
      {"write 10 MB of strings, not ASCII, with escapes", make_words, 10000000, ""},
  };
  measure_samples(samples, sizeof samples / sizeof *samples, measure_text);
}
