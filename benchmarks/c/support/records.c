#include "records.h"

#include "generate.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {"type": "set", "payload": {"id": "k1", "value": 2}} sets /records/k1/f3 to 2. */
static imd_status set(const imd_value *state, const imd_value *action, const char *id,
                      imd_value **next, imd_error *error) {
  char pointer[64];
  int64_t value;
  imd_status status = imd_value_get_integer(action, "/payload/value", &value, error);
  if (status != IMD_OK)
    return status;
  snprintf(pointer, sizeof pointer, "/records/%s/f3", id);
  return imd_value_set_integer(state, pointer, value, next, error);
}

/* {"type": "add", "payload": {"id": "n1", "record": {…}}} sets /records/n1. */
static imd_status add(const imd_value *state, const imd_value *action, const char *id,
                      imd_value **next, imd_error *error) {
  char pointer[64];
  imd_value *record;
  imd_status status = imd_value_get(action, "/payload/record", &record, error);
  if (status != IMD_OK)
    return status;
  snprintf(pointer, sizeof pointer, "/records/%s", id);
  status = imd_value_set(state, pointer, record, next, error);
  imd_value_release(record);
  return status;
}

/* {"type": "drop", "payload": {"id": "n1"}} removes /records/n1. */
static imd_status drop(const imd_value *state, const char *id, imd_value **next,
                       imd_error *error) {
  char pointer[64];
  snprintf(pointer, sizeof pointer, "/records/%s", id);
  return imd_value_remove(state, pointer, next, error);
}

imd_status reduce_records(void *context, const imd_value *state, const imd_value *action,
                          imd_value **next, imd_error *error) {
  (void)context;
  char *type = NULL, *id = NULL;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  if (status == IMD_OK)
    status = imd_value_get_string(action, "/payload/id", &id, NULL, error);
  if (status == IMD_OK)
    status = strcmp(type, "set") == 0   ? set(state, action, id, next, error)
             : strcmp(type, "add") == 0 ? add(state, action, id, next, error)
                                        : drop(state, id, next, error);
  imd_free(type);
  imd_free(id);
  return status;
}

static void open_state(records *records, int count, const char *members, const char *options) {
  imd_error error;
  char *of_records = make_records(count);
  size_t length = strlen(of_records) - 1;
  char *text = malloc(length + strlen(members) + 2);
  sprintf(text, "%.*s%s}", (int)length, of_records, members);
  free(of_records);
  check(imd_store_create(text, IMD_ZERO_TERMINATED, reduce_records, NULL, NULL, options,
                         IMD_ZERO_TERMINATED, &records->store, &error),
        &error);
  free(text);
  records->batch = make_batch(count);
}

void open_records(records *records, int count) {
  open_state(records, count, "", NULL);
}

void open_records_beside(records *records, int count, const char *members) {
  open_state(records, count, members, NULL);
}

void open_records_with(records *records, int count, const char *options) {
  open_state(records, count, "", options);
}

void limit_batch(records *records, int count) {
  free_batch(records->batch);
  records->batch = make_batch(count);
}

void close_records(records *records) {
  imd_store_close(records->store);
  free_batch(records->batch);
}

void dispatch_each(imd_store *store, const batch *batch) {
  imd_error error;
  for (int i = 0; i < BATCH; i++) {
    const text *action = &batch->operations[i].set;
    check(imd_store_dispatch(store, action->characters, (size_t)action->length, &error), &error);
  }
}

void make_actions(const batch *batch, imd_value **actions) {
  imd_error error;
  for (int i = 0; i < BATCH; i++) {
    const text *action = &batch->operations[i].set;
    check(imd_value_parse(action->characters, (size_t)action->length, &actions[i], &error), &error);
  }
}

void release_actions(imd_value **actions) {
  for (int i = 0; i < BATCH; i++)
    imd_value_release(actions[i]);
}

void dispatch_actions(imd_store *store, imd_value *const *actions) {
  imd_error error;
  for (int i = 0; i < BATCH; i++)
    check(imd_store_dispatch_value(store, actions[i], &error), &error);
}

double dispatch(void *context) {
  records *records = context;
  renew_batch(records->batch);
  double start = now();
  dispatch_each(records->store, records->batch);
  return (now() - start) / BATCH;
}
