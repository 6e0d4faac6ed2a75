/* Our subjects: a store with a reducer, and a value without a store. */
#include "subject.h"

#include "generate.h"
#include "measure.h"
#include "records.h"

#include <immutabledata.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- A store --------------------------------------------------------------------------------- */

static void *open_store(int count) {
  records *records = malloc(sizeof *records);
  imd_error error;
  open_records(records, count);
  const char *expression = "sort_by(records.* | [?f3 > $limit], &f3)";
  check(imd_store_define_selector(records->store, "high", expression, &error), &error);
  return records;
}

static void close_store(void *context) {
  close_records(context);
  free(context);
}

static void change(void *context, const batch *batch) {
  dispatch_each(((records *)context)->store, batch);
}

static void dispatch_text(imd_store *store, const text *action) {
  imd_error error;
  check(imd_store_dispatch(store, action->characters, (size_t)action->length, &error), &error);
}

static void insert(void *context, const batch *batch) {
  for (int i = 0; i < batch->inserts; i++)
    dispatch_text(((records *)context)->store, &batch->operations[i].add);
}

static void remove_records(void *context, const batch *batch) {
  for (int i = 0; i < batch->inserts; i++)
    dispatch_text(((records *)context)->store, &batch->operations[i].drop);
}

static int64_t read_value(const imd_value *state, const batch *batch) {
  imd_error error;
  int64_t sum = 0;
  for (int i = 0; i < BATCH; i++) {
    char pointer[64];
    int64_t integer;
    snprintf(pointer, sizeof pointer, "/records/%s/f4", batch->operations[i].id);
    check(imd_value_get_integer(state, pointer, &integer, &error), &error);
    sum += integer;
  }
  return sum;
}

static int64_t read_store(void *context, const batch *batch) {
  imd_error error;
  imd_value *state;
  check(imd_store_state(((records *)context)->store, &state, &error), &error);
  int64_t sum = read_value(state, batch);
  imd_value_release(state);
  return sum;
}

/* Counts the records in a text: each has one field f9. */
static int count_records(const char *text, size_t length) {
  int count = 0;
  for (size_t i = 0; i + 1 < length; i++)
    count += text[i] == 'f' && text[i + 1] == '9';
  return count;
}

static int select_records(void *context, double limit) {
  imd_error error;
  char arguments[48], *text;
  size_t length;
  int written = sprintf(arguments, "{\"limit\":%.6f}", limit);
  check(imd_store_select(((records *)context)->store, "high", arguments, (size_t)written, &text,
                         &length, &error),
        &error);
  int count = count_records(text, length);
  imd_free(text);
  return count;
}

const subject store_subject = {"C: immutabledata, store", open_store,     close_store, change,
                               insert,                    remove_records, read_store,  select_records};

/* ---- A value --------------------------------------------------------------------------------- */

static void *open_value(int count) {
  imd_error error;
  imd_value **value = malloc(sizeof *value);
  char *text = make_records(count);
  check(imd_value_parse(text, IMD_ZERO_TERMINATED, value, &error), &error);
  free(text);
  return value;
}

static void close_value(void *context) {
  imd_value_release(*(imd_value **)context);
  free(context);
}

static void replace(imd_value **value, imd_value *next) {
  imd_value_release(*value);
  *value = next;
}

static void set_fields(void *context, const batch *batch) {
  imd_error error;
  for (int i = 0; i < BATCH; i++) {
    char pointer[64];
    imd_value *next;
    snprintf(pointer, sizeof pointer, "/records/%s/f3", batch->operations[i].id);
    check(imd_value_set_integer(*(imd_value **)context, pointer, batch->operations[i].value, &next,
                                &error),
          &error);
    replace(context, next);
  }
}

static void set_records(void *context, const batch *batch) {
  imd_error error;
  for (int i = 0; i < batch->inserts; i++) {
    const operation *operation = &batch->operations[i];
    char pointer[64];
    imd_value *record, *next;
    check(imd_value_parse(operation->record.characters, (size_t)operation->record.length, &record,
                          &error),
          &error);
    snprintf(pointer, sizeof pointer, "/records/%s", operation->new_id);
    check(imd_value_set(*(imd_value **)context, pointer, record, &next, &error), &error);
    imd_value_release(record);
    replace(context, next);
  }
}

static void remove_members(void *context, const batch *batch) {
  imd_error error;
  for (int i = 0; i < batch->inserts; i++) {
    char pointer[64];
    imd_value *next;
    snprintf(pointer, sizeof pointer, "/records/%s", batch->operations[i].new_id);
    check(imd_value_remove(*(imd_value **)context, pointer, &next, &error), &error);
    replace(context, next);
  }
}

static int64_t read_fields(void *context, const batch *batch) {
  return read_value(*(imd_value **)context, batch);
}

const subject value_subject = {"C: immutabledata, value without a store",
                               open_value,
                               close_value,
                               set_fields,
                               set_records,
                               remove_members,
                               read_fields,
                               NULL};
