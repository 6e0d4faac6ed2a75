/* Parsing JSON, and freeing the result, compared with other libraries. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"
#include "peers.h"
#include "texts.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text, and the results of parsing it. */
typedef struct reading {
  const char *text;
  size_t length;
  imd_value *value;
  json_t *json;
} reading;

/* A text, and the result of another parser. */
typedef struct peer_reading {
  const peer *peer;
  const char *text;
  size_t length;
  void *read;
} peer_reading;

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

static double read_peer(void *context) {
  peer_reading *reading = context;
  double start = now();
  reading->read = reading->peer->read(reading->text, reading->length);
  double time = now() - start;
  if (!reading->read) {
    fprintf(stderr, "%s: cannot read the text\n", reading->peer->name);
    exit(1);
  }
  reading->peer->release(reading->read);
  return time;
}

/* Parses a text with each library in turn, and prints a row for each peer. */
static void measure_text(const char *what, char *text, size_t length, const char *goal,
                         int prints_freeing) {
  reading reading = {.text = text, .length = length};
  peer_reading peers[3];
  /* Each free function frees the result of the contestant before it. */
  contestant contestants[7] = {{"", read_value, &reading},
                               {"", free_value, &reading},
                               {"jansson", read_jansson, &reading},
                               {"", free_jansson, &reading}};
  int count = 4;
  const peer *const known[] = {simdjson_peer, rapidjson_peer, yyjson_peer};
  for (int i = 0; i < 3; i++)
    if (known[i]) {
      peers[count - 4] = (peer_reading){known[i], text, length, NULL};
      contestants[count] = (contestant){known[i]->name, read_peer, &peers[count - 4]};
      count++;
    }
  double medians[7];
  measure_in_turns(contestants, count, medians);
  print_row(what, medians[0], "jansson", medians[2], "s", goal);
  for (int i = 4; i < count; i++)
    print_row(what, medians[0], contestants[i].name, medians[i], "s",
              peers[i - 4].peer == yyjson_peer ? "ratio <= 1.5" : "");
  if (prints_freeing) {
    print_row("free the result", medians[1], "jansson", medians[3], "s", "");
    print_row("read and free 10 MB of GeoJSON", medians[0] + medians[1], "jansson",
              medians[2] + medians[3], "s", "ratio <= 1.5");
  }
  free(text);
}

static const char action[] =
    "{\"type\":\"set\",\"payload\":{\"id\":\"k123456789\",\"value\":7654321}}";

enum { ACTIONS = 20000 };

static double read_actions(void *context) {
  reading reading = {.text = action, .length = sizeof action - 1};
  double start = now();
  for (int i = 0; i < ACTIONS; i++) {
    imd_error error;
    check(imd_value_parse(reading.text, reading.length, &reading.value, &error), &error);
    imd_value_release(reading.value);
  }
  (void)context;
  return (now() - start) / ACTIONS;
}

static double read_actions_jansson(void *context) {
  double start = now();
  for (int i = 0; i < ACTIONS; i++)
    json_decref(json_loadb(action, sizeof action - 1, 0, NULL));
  (void)context;
  return (now() - start) / ACTIONS;
}

void measure_reading(void) {
  size_t length;
  char *text = make_earthquakes(text_size(10000000), &length);
  measure_text("read 10 MB of GeoJSON", text, length, "ratio <= 0.8", 1);
  text = make_mixed(text_size(10000000), &length);
  measure_text("read 10 MB of mixed records", text, length, "", 0);
  text = make_doubles(text_size(10000000), &length);
  measure_text("read 10 MB of doubles of 17 digits", text, length, "", 0);
  text = make_words(text_size(10000000), &length);
  measure_text("read 10 MB of strings, not ASCII, with escapes", text, length, "", 0);
  text = make_ones(text_size(10000000), &length);
  measure_text("read 10 MB of [1,1,…]", text, length, "", 0);
  const contestant ours = {"", read_actions, NULL}, theirs = {"jansson", read_actions_jansson, NULL};
  _Static_assert(sizeof action - 1 == 60, "the row says so");
  compare("read and free an action of 60 bytes", &ours, &theirs, "ratio <= 0.3");
}
