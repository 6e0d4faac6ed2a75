/* Text: an action, and 1 MB of GeoJSON. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"

#include <stdlib.h>

enum { MEGABYTE = 1000000 };

typedef struct document {
  char *text;
  size_t length;
  imd_value *value;
} document;

static void *open_document(void) {
  document *document = malloc(sizeof *document);
  imd_error error;
  document->text = make_earthquakes(MEGABYTE, &document->length);
  check(imd_value_parse(document->text, document->length, &document->value, &error), &error);
  return document;
}

static void read_document(void *context) {
  document *document = context;
  imd_error error;
  imd_value *value;
  check(imd_value_parse(document->text, document->length, &value, &error), &error);
  imd_value_release(value);
}

static void write_document(void *context) {
  document *document = context;
  imd_error error;
  char *text;
  check(imd_value_text(document->value, &text, NULL, &error), &error);
  imd_free(text);
}

static void *open_nothing(void) {
  return NULL;
}

static void read_actions(void *context) {
  static const char action[] =
      "{\"type\":\"set\",\"payload\":{\"id\":\"k123456789\",\"value\":7654321}}";
  imd_error error;
  (void)context;
  for (int i = 0; i < OPERATIONS; i++) {
    imd_value *value;
    check(imd_value_parse(action, sizeof action - 1, &value, &error), &error);
    imd_value_release(value);
  }
}

const job text_jobs[] = {
    {"read and free an action of 60 bytes", OPERATIONS, open_nothing, read_actions},
    {"read and free 1 MB of GeoJSON", 1, open_document, read_document},
    {"write 1 MB of GeoJSON", 1, open_document, write_document},
    {0},
};
