/* Functions that get a trace: each action comes in order, with what it changed. */
#include "exact.h"
#include "plain.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

static void check_changes(const json_t *line, const json_t *expected) {
  char *changes = plain_text(json_object_get(line, "changes"));
  expect_patch(changes, json_object_get(expected, "old"), json_object_get(expected, "new"));
  free(changes);
}

static void trace(void *context, const char *line, size_t length) {
  tracer *tracer = context;
  EXPECT(tracer->released == 0, "a trace function that was released is called");
  EXPECT(strlen(line) == length && !strchr(line, '\n'), "%s", line);
  json_t *traced = plain_parse(line);
  const char *kind = json_string_value(json_object_get(traced, "trace"));
  note("trace %s", kind);
  if (strcmp(kind, "action") == 0) {
    json_t *expected = json_array_get(tracer->slot->model->traced, 0);
    EXPECT(expected != NULL, "traced twice: %s", line);
    EXPECT(plain_equal(json_object_get(traced, "number"), json_object_get(expected, "number")) &&
               plain_equal(json_object_get(traced, "action"), json_object_get(expected, "action")),
           "another action comes first: %s", line);
    check_changes(traced, expected);
    json_array_remove(tracer->slot->model->traced, 0);
  } else {
    EXPECT(strcmp(kind, "rejected") == 0 || strcmp(kind, "selector") == 0 ||
               strcmp(kind, "observer") == 0, "%s", line);
  }
  EXPECT(imd_store_dispatch(tracer->slot->host.store, "{\"type\":\"add\"}", IMD_ZERO_TERMINATED,
                            NULL) == IMD_REENTRANT, "a trace function dispatches");
  EXPECT(imd_store_preview(tracer->slot->host.store, "[]", IMD_ZERO_TERMINATED, NULL, NULL, NULL,
                           NULL) == IMD_REENTRANT, "a trace function previews");
  json_decref(traced);
}

static void release(void *context) {
  EXPECT(++((tracer *)context)->released == 1, "a trace function is released twice");
}

void expect_traced(slot *slot) {
  if (slot->model->is_over) return;
  EXPECT(json_array_size(slot->model->traced) == 0, "an action was not traced");
}

void expect_trace_released(slot *slot) {
  if (!slot->tracer) return;
  EXPECT(slot->tracer->released == 1, "a trace function that is over is not released");
  free(slot->tracer);
  slot->tracer = NULL;
}

void call_set_trace(slot *slot) {
  if (slot->model->is_delivering) return; /* some of what is delivered would be traced */
  tracer *tracer = random_chance(&source, 50) ? calloc(1, sizeof *tracer) : NULL;
  note("set trace %p %s", (void *)slot->host.store, tracer ? "" : "NULL");
  if (tracer) tracer->slot = slot;
  EXPECT_STATUS(imd_store_set_trace(slot->host.store, tracer ? trace : NULL, tracer,
                                    tracer ? release : NULL, NULL), IMD_OK);
  expect_trace_released(slot);
  slot->tracer = tracer;
  json_decref(slot->model->traced);
  slot->model->traced = tracer ? json_array() : NULL;
}
