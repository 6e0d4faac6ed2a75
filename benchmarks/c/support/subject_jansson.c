/* jansson: objects that are changed in place, so the previous state is lost. */
#include "subject.h"

#include "generate.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int condition) {
  if (condition)
    return;
  fprintf(stderr, "jansson: a call failed\n");
  exit(1);
}

static void *open_object(int count) {
  char *text = make_records(count);
  json_t *state = json_loads(text, 0, NULL);
  must(state != NULL);
  free(text);
  json_t *records = json_incref(json_object_get(state, "records"));
  json_decref(state);
  return records;
}

static void close_object(void *context) {
  json_decref(context);
}

static void change(void *context, const batch *batch) {
  for (int i = 0; i < BATCH; i++) {
    json_t *record = json_object_get(context, batch->operations[i].id);
    must(json_object_set_new(record, "f3", json_integer(batch->operations[i].value)) == 0);
  }
}

static void insert(void *context, const batch *batch) {
  for (int i = 0; i < batch->inserts; i++) {
    const text *text = &batch->operations[i].record;
    json_t *record = json_loadb(text->characters, (size_t)text->length, 0, NULL);
    must(json_object_set_new(context, batch->operations[i].new_id, record) == 0);
  }
}

static void delete_records(void *context, const batch *batch) {
  for (int i = 0; i < batch->inserts; i++)
    must(json_object_del(context, batch->operations[i].new_id) == 0);
}

static int64_t read_fields(void *context, const batch *batch) {
  int64_t sum = 0;
  for (int i = 0; i < BATCH; i++) {
    json_t *record = json_object_get(context, batch->operations[i].id);
    sum += json_integer_value(json_object_get(record, "f4"));
  }
  return sum;
}

static json_int_t f3(const json_t *record) {
  return json_integer_value(json_object_get(record, "f3"));
}

static int by_f3(const void *left, const void *right) {
  json_int_t a = f3(*(json_t *const *)left), b = f3(*(json_t *const *)right);
  return (a > b) - (a < b);
}

/* Writes the records as text, as the other subjects do. */
static int select_records(void *context, double limit) {
  json_t **found = malloc(json_object_size(context) * sizeof *found), *record;
  const char *key;
  int count = 0;
  json_object_foreach(context, key, record) {
    if ((double)f3(record) > limit)
      found[count++] = record;
  }
  qsort(found, (size_t)count, sizeof *found, by_f3);
  json_t *output = json_array();
  for (int i = 0; i < count; i++)
    json_array_append(output, found[i]);
  char *text = json_dumps(output, JSON_COMPACT);
  must(text != NULL);
  free(text);
  json_decref(output);
  free(found);
  return count;
}

const subject jansson_subject = {"C: jansson, in place", open_object,    close_object, change,
                                 insert,                 delete_records, read_fields,  select_records};
