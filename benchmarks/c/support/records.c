#include "records.h"

#include "generate.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

/* {"payload": {"id": "k1", "value": 2}} sets /records/k1/f3 to 2. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  char *id, pointer[64];
  int64_t value;
  imd_status status = imd_value_get_string(action, "/payload/id", &id, NULL, error);
  if (status != IMD_OK)
    return status;
  snprintf(pointer, sizeof pointer, "/records/%s/f3", id);
  imd_free(id);
  status = imd_value_get_integer(action, "/payload/value", &value, error);
  return status == IMD_OK ? imd_value_set_integer(state, pointer, value, next, error) : status;
}

void open_records(records *records, int count) {
  imd_error error;
  char *text = make_records(count);
  records->count = count;
  check(imd_store_create(text, IMD_ZERO_TERMINATED, reduce, NULL, NULL, NULL, 0, &records->store,
                         &error),
        &error);
  free(text);
  records->actions = malloc(BATCH * sizeof(action));
  aim(records, count);
}

void aim(records *records, int count) {
  for (int i = 0; i < BATCH; i++)
    records->actions[i].length = (size_t)sprintf(
        records->actions[i].text, "{\"type\":\"set\",\"payload\":{\"id\":\"k%d\",\"value\":%d}}",
        scattered(i, count), i);
}

void close_records(records *records) {
  imd_store_close(records->store);
  free(records->actions);
}

double dispatch(void *context) {
  records *records = context;
  imd_error error;
  double start = now();
  for (int i = 0; i < BATCH; i++) {
    const action *action = &records->actions[i];
    check(imd_store_dispatch(records->store, action->text, action->length, &error), &error);
  }
  return (now() - start) / BATCH;
}
