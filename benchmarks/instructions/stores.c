/* Stores: dispatches, observed or not, and selects. */
#include "jobs.h"

#include "measure.h"
#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { OBSERVERS = 10000, BATCHED = 1000 };

static size_t calls;

static void dispatch_texts(void *context);

static void count_call(void *context, const imd_delivery *delivery) {
  (void)context;
  calls += delivery->value != NULL;
}

static void *open_store(void) {
  records *records = malloc(sizeof *records);
  open_records(records, RECORDS);
  return records;
}

/* The run that is counted reaches the limit: each dispatch drops the oldest step. */
static void *open_with_history(void) {
  records *records = malloc(sizeof *records);
  open_records_with(records, RECORDS, "{\"history\":true}");
  return records;
}

/* The schema of the actions, and of a state whose records have ten members. */
static void *open_with_schema(void) {
  records *records = malloc(sizeof *records);
  open_records_with(
      records, RECORDS,
      "{\"schema\":{\"actions\":{\"set\":{\"type\":\"object\",\"properties\":{\"id\":{"
      "\"type\":\"string\",\"minLength\":1},\"value\":{\"type\":\"integer\"}},"
      "\"required\":[\"id\",\"value\"],\"additionalProperties\":false}},\"state\":{"
      "\"properties\":{\"records\":{\"type\":\"object\",\"additionalProperties\":{"
      "\"type\":\"object\",\"properties\":{\"f0\":{\"type\":\"integer\"},"
      "\"f1\":{\"type\":\"integer\"},\"f2\":{\"type\":\"integer\"},"
      "\"f3\":{\"type\":\"integer\"},\"f4\":{\"type\":\"integer\"},"
      "\"f5\":{\"type\":\"integer\"},\"f6\":{\"type\":\"integer\"},"
      "\"f7\":{\"type\":\"integer\"},\"f8\":{\"type\":\"integer\"},"
      "\"f9\":{\"type\":\"integer\"}},\"required\":[\"f0\",\"f3\"]}}},"
      "\"required\":[\"records\"]}}}");
  return records;
}

/* No thread in the background has to help before the job ends. */
static void *open_with_log(void) {
  records *records = malloc(sizeof *records);
  const char *folder = getenv("TMPDIR");
  char options[512];
  snprintf(options, sizeof options, "{\"log\":\"%s/counted.log\"}", folder ? folder : "/tmp");
  open_records_with(records, RECORDS, options);
  return records;
}

/* Connects to an inspector, or ends the program. */
static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(client, (struct sockaddr *)&address, sizeof address) != 0) {
    perror(path);
    exit(1);
  }
  return client;
}

/* Sends a request of a method to the first store, and reads the response. */
static void request(int client, const char *method) {
  char line[128], byte = 0;
  snprintf(line, sizeof line,
           "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{\"store\":1}}\n", method);
  if (write(client, line, strlen(line)) < 0) exit(1);
  while (read(client, &byte, 1) == 1 && byte != '\n') continue;
}

/* A client that has attached does not read. Before the run that is counted, the thread of the
 * inspector has sent what it may, as the responses to another client show, and its queue is full. Then
 * it waits, and the rest is what a dispatch does. */
static void *open_inspected(void) {
  records *records = malloc(sizeof *records);
  const char *folder = getenv("TMPDIR");
  char path[100], options[512];
  snprintf(path, sizeof path, "%s/inspector", folder ? folder : "/tmp");
  snprintf(options, sizeof options, "{\"history\":true,\"inspect\":{\"path\":\"%s\"}}", path);
  open_records_with(records, RECORDS, options);
  request(connect_to(path), "attach");
  for (int i = 0; i < 22; i++) dispatch_texts(records);
  const int other = connect_to(path);
  for (int i = 0; i < 16; i++) request(other, "statistics");
  for (int i = 0; i < 8; i++) dispatch_texts(records);
  return records;
}

/* Adds an observer for each of the records from first on. All actions change the record 0. */
static void *open_observed(int first, int observers) {
  records *records = open_store();
  imd_error error;
  limit_batch(records, 1);
  check(imd_store_define_selector(records->store, "record", "get(records, $id)", &error), &error);
  for (int i = first; i < first + observers; i++) {
    char arguments[32];
    sprintf(arguments, "{\"id\":\"k%d\"}", i);
    check(imd_store_observe(records->store, "record", arguments, IMD_ZERO_TERMINATED, NULL, 0,
                            count_call, NULL, NULL, NULL, &error),
          &error);
  }
  return records;
}

static void *open_unobserved(void) {
  return open_observed(0, 0);
}

static void *open_observed_elsewhere(void) {
  return open_observed(1, 1);
}

static void *open_observed_once(void) {
  return open_observed(0, 1);
}

static void *open_observed_often(void) {
  return open_observed(0, OBSERVERS);
}

/* Adds an observer of all records, which gets patches. */
static void *open_patched(void) {
  records *records = open_store();
  imd_error error;
  const char *options = "{\"deliver\":\"patch\"}";
  check(imd_store_define_selector(records->store, "all", "records", &error), &error);
  check(imd_store_observe(records->store, "all", NULL, 0, options, IMD_ZERO_TERMINATED, count_call,
                          NULL, NULL, NULL, &error),
        &error);
  return records;
}

/* Each run performs other operations. */
static void dispatch_texts(void *context) {
  static int next;
  records *records = context;
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    const text *action = &records->batch->operations[next++].set;
    check(imd_store_dispatch(records->store, action->characters, (size_t)action->length, &error),
          &error);
  }
}

static void *open_undoable(void) {
  records *records = open_with_history();
  dispatch_texts(records);
  return records;
}

/* Each operation is one of both. */
static void undo_and_redo(void *context) {
  records *records = context;
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    size_t taken;
    check((i % 2 ? imd_store_redo : imd_store_undo)(records->store, 1, &taken, &error), &error);
    if (taken != 1)
      exit(1);
  }
}

/* A store, and the texts of two batches. */
typedef struct batched {
  records records;
  char *texts[2];
} batched;

static char *make_batch_text(const operation *operations) {
  char *batch = malloc(BATCHED * sizeof(text)), *end = batch;
  for (int i = 0; i < BATCHED; i++)
    end += sprintf(end, "%c%s", i == 0 ? '[' : ',', operations[i].set.characters);
  sprintf(end, "]");
  return batch;
}

static void *open_batched(void) {
  batched *batched = malloc(sizeof *batched);
  open_records(&batched->records, RECORDS);
  for (int i = 0; i < 2; i++)
    batched->texts[i] = make_batch_text(batched->records.batch->operations + i * BATCHED);
  return batched;
}

static void dispatch_batch(void *context) {
  static int next;
  batched *batched = context;
  imd_error error;
  check(imd_store_dispatch_batch(batched->records.store, batched->texts[next++],
                                 IMD_ZERO_TERMINATED, &error),
        &error);
}

/* A store, and actions as values, which a program makes without text. */
typedef struct valued {
  records records;
  imd_value *actions[BATCH];
} valued;

static void *open_valued(void) {
  valued *valued = malloc(sizeof *valued);
  open_records(&valued->records, RECORDS);
  make_actions(valued->records.batch, valued->actions);
  return valued;
}

static void dispatch_values(void *context) {
  static int next;
  valued *valued = context;
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++)
    check(imd_store_dispatch_value(valued->records.store, valued->actions[next++], &error), &error);
}

/* Each action changes what is observed. */
static void dispatch_observed(void *context) {
  size_t before = calls;
  dispatch_texts(context);
  if (calls != before + OPERATIONS)
    exit(1);
}

static void *open_selected(void) {
  records *records = open_store();
  imd_error error;
  const char *expression = "length(records.* | [?f3 > $limit])";
  check(imd_store_define_selector(records->store, "high", expression, &error), &error);
  return records;
}

static void select_limit(records *records, int limit) {
  imd_error error;
  char arguments[32], *text;
  int length = sprintf(arguments, "{\"limit\":%d}", limit);
  check(imd_store_select(records->store, "high", arguments, (size_t)length, &text, NULL, &error),
        &error);
  imd_free(text);
}

static void select_unchanged(void *context) {
  for (int i = 0; i < OPERATIONS; i++)
    select_limit(context, 65000);
}

static void *open_all(void) {
  records *records = open_store();
  imd_error error;
  check(imd_store_define_selector(records->store, "all", "records", &error), &error);
  return records;
}

static void select_all(void *context) {
  records *records = context;
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    char *text;
    check(imd_store_select(records->store, "all", NULL, 0, &text, NULL, &error), &error);
    imd_free(text);
  }
}

static void select_all_as_value(void *context) {
  records *records = context;
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    imd_value *value;
    check(imd_store_select_value(records->store, "all", NULL, NULL, &value, &error), &error);
    imd_value_release(value);
  }
}

/* A new limit each time, so that no output is cached. */
static void filter(void *context) {
  static int limit = 65000;
  select_limit(context, limit++);
}

/* Sets a new value each time, so that the output changes. */
static void dispatch_and_query(records *records, const char *expression) {
  static int value = 3000000;
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    char action[96], *text;
    int length = snprintf(action, sizeof action,
                          "{\"type\":\"set\",\"payload\":{\"id\":\"%s\",\"value\":%d}}",
                          records->batch->operations[i].id, value++);
    check(imd_store_dispatch(records->store, action, (size_t)length, &error), &error);
    check(imd_store_query(records->store, expression, NULL, 0, &text, NULL, &error), &error);
    imd_free(text);
  }
}

static void *open_first(void) {
  records *records = open_store();
  limit_batch(records, 1);
  return records;
}

static void dispatch_and_select_changed(void *context) {
  dispatch_and_query(context, "records.k0");
}

static void dispatch_and_select_unchanged(void *context) {
  dispatch_and_query(context, "records.k1");
}

static void dispatch_and_sum(void *context) {
  dispatch_and_query(context, "sum(records.*.f3)");
}

static void dispatch_and_sort(void *context) {
  dispatch_and_query(context, "sort_by(records.*, &f3)[-10:]");
}

const job store_jobs[] = {
    {"dispatch, 65,536 records", OPERATIONS, open_store, dispatch_texts},
    {"dispatch with history, 65,536 records", OPERATIONS, open_with_history, dispatch_texts},
    {"dispatch with history, inspected, 65,536 records", OPERATIONS, open_inspected,
     dispatch_texts},
    {"dispatch with a log, 65,536 records", OPERATIONS, open_with_log, dispatch_texts},
    {"dispatch with a schema, 65,536 records", OPERATIONS, open_with_schema, dispatch_texts},
    {"undo or redo, 65,536 records", OPERATIONS, open_undoable, undo_and_redo},
    {"dispatch in a batch of 1,000", BATCHED, open_batched, dispatch_batch},
    {"dispatch a value, 65,536 records", OPERATIONS, open_valued, dispatch_values},
    {"dispatch of one record", OPERATIONS, open_unobserved, dispatch_texts},
    {"dispatch, no observer of the record", OPERATIONS, open_observed_elsewhere, dispatch_texts},
    {"dispatch, one observer", OPERATIONS, open_observed_once, dispatch_observed},
    {"dispatch, 10,000 observers", OPERATIONS, open_observed_often, dispatch_observed},
    {"dispatch, observed as a patch", OPERATIONS, open_patched, dispatch_observed},
    {"select a number, unchanged", OPERATIONS, open_selected, select_unchanged},
    {"select all, unchanged", OPERATIONS, open_all, select_all},
    {"select all as a value, unchanged", OPERATIONS, open_all, select_all_as_value},
    {"filter 65,536 records", 1, open_selected, filter},
    {"dispatch and select, changed", OPERATIONS, open_first, dispatch_and_select_changed},
    {"dispatch and select, unchanged", OPERATIONS, open_first, dispatch_and_select_unchanged},
    {"dispatch and sum of 65,536 records", OPERATIONS, open_store, dispatch_and_sum},
    {"dispatch and top 10 of 65,536 records", OPERATIONS, open_store, dispatch_and_sort},
    {0},
};
