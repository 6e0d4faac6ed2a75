/* Calls that open, close and read stores. */
#define _POSIX_C_SOURCE 200809L

#include "exact.h"
#include "features.h"
#include "plain.h"
#include "report.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static slot *closed_slots;

/* ---- Opening and closing ------------------------------------------------------------------- */

static void release_host(void *context) { ((host *)context)->released++; }

static void define_selectors(const slot *slot) {
  for (int i = 0; i < host_selector_count; i++)
    EXPECT_STATUS(imd_store_define_selector(slot->host.store, host_selectors[i].name,
                                            host_selectors[i].expression, NULL), IMD_OK);
}

static model_history_options random_history(void) {
  static const int limits[] = {1, 2, 5, 100};
  static const char *const patterns[] = {"add*", "become*", "push", "didTapIncrement*"};
  model_history_options history = {0};
  if (!has_feature(HISTORY) || random_chance(&source, 30)) return history;
  history.is_on = 1;
  history.limit = limits[random_below(&source, 4)];
  if (random_chance(&source, 10)) history.undoable = patterns[random_below(&source, 4)];
  if (random_chance(&source, 30)) history.ignored = patterns[random_below(&source, 4)];
  history.joins = random_chance(&source, 40) ? 1 + random_below(&source, 2) : JOINS_NONE;
  return history;
}

/* The option as JSON, owned by the caller. Neighbours of one type join, no matter when. */
static char *write_history(const model_history_options *history) {
  static const char *const joins[] = {"", ",\"group\":{\"within\":86400000}",
                                      ",\"group\":{\"meta\":\"drag\"}"};
  char text[200];
  int length = snprintf(text, sizeof text, "{\"limit\":%d%s", history->limit,
                        joins[history->joins]);
  if (history->undoable)
    length += snprintf(text + length, 50, ",\"undoable\":[\"%s\"]", history->undoable);
  if (history->ignored)
    length += snprintf(text + length, 50, ",\"ignore\":[\"%s\"]", history->ignored);
  snprintf(text + length, 2, "}");
  return strdup(history->is_on ? text : "false");
}

/* The options as JSON, owned by the caller. */
static char *write_options(const opening *opening) {
  char *text = malloc(600), *history = write_history(&opening->history);
  int length = snprintf(text, 300, "{\"history\":%s", history);
  if (opening->is_counter)
    length += snprintf(text + length, 100, ",\"state\":{\"value\":%s}",
                       opening->near_end ? "9223372036854775806" : "0");
  else
    length += snprintf(text + length, 100, ",\"optimistic\":%s",
                       opening->is_optimistic ? "true" : "false");
  if (opening->log && opening->is_counter)
    length += snprintf(text + length, 200, ",\"log\":\"%s\"", opening->log);
  else if (opening->log)
    length += snprintf(text + length, 200, ",\"log\":{\"path\":\"%s\",\"version\":%d}",
                       opening->log, opening->version);
  snprintf(text + length, 2, "}");
  free(history);
  return text;
}

slot *open_slot(int index, opening opening) {
  slot *slot = calloc(1, sizeof *slot);
  const size_t z = IMD_ZERO_TERMINATED;
  char *options = write_options(&opening);
  slot->opening = opening;
  slot->descriptor = -1;
  note("open %s %s", opening.is_counter ? "counter" : "values", options);
  if (opening.is_counter) {
    const char *state = opening.near_end ? "{\"value\":9223372036854775806}" : "{\"value\":0}";
    slot->model = model_create(plain_parse(state), 1, 0, opening.history);
    EXPECT_STATUS(imd_store_open("counter", options, z, &slot->host.store, NULL), IMD_OK);
    slot->host.released = 1; /* there is no context to release */
  } else {
    const char *state = "{\"n\":0,\"list\":[1,5,7],\"sub\":{\"a\":1},\"tag\":2}";
    slot->model = model_create(plain_parse(state), 0, opening.is_optimistic, opening.history);
    EXPECT_STATUS(imd_store_create(state, z, host_reduce, &slot->host, release_host, options, z,
                                   &slot->host.store, NULL), IMD_OK);
    define_selectors(slot);
  }
  free(options);
  return slots[index] = slot;
}

void call_create(int index) {
  opening opening = {.is_counter = random_chance(&source, 20), .version = 1};
  opening.is_optimistic = !opening.is_counter && random_chance(&source, 50);
  opening.near_end = random_chance(&source, 30);
  opening.history = random_history();
  if (has_feature(LOG) && random_chance(&source, 50)) opening.log = new_log();
  open_slot(index, opening);
}

void retire(slot *slot) {
  for (int i = 0; i < SLOTS; i++)
    if (slots[i] == slot) slots[i] = NULL;
  model_close(slot->model);
  for (int i = 0; i < MODEL_OBSERVATIONS; i++)
    if (slot->observers[i]) ended(slot->observers[i]);
  slot->is_closing = 1;
  slot->next = closed_slots;
  closed_slots = slot;
}

void call_close(slot *slot) {
  note("close %p", (void *)slot->host.store);
  retire(slot);
  imd_store_close(slot->host.store);
  slot->is_closing = 0;
  call_next(slot);
}

void reap_slots(void) {
  for (slot *slot = closed_slots, *next; slot; slot = next) {
    next = slot->next;
    EXPECT(slot->host.released == 1, "the reducer's context was released %d times",
           slot->host.released);
    EXPECT_STATUS(imd_store_statistics(slot->host.store, &(char *){0}, NULL, NULL), IMD_CLOSED);
    while (close_stream(slot)) {}
    expect_fetch_released(slot);
    expect_trace_released(slot);
    model_free(slot->model);
    if (slot->opening.log) remove_log(slot->opening.log);
    free(slot->opening.log);
    free(slot);
  }
  closed_slots = NULL;
}

/* ---- Reading ------------------------------------------------------------------------------- */

void expect_text(const imd_value *value, const json_t *expected, const char *what) {
  char *text, *wanted = plain_text(expected);
  EXPECT_STATUS(imd_value_text(value, &text, NULL, NULL), IMD_OK);
  EXPECT(strcmp(text, wanted) == 0, "%s\n  is:        %s\n  should be: %s", what, text, wanted);
  imd_free(text);
  free(wanted);
}

void expect_patch(const char *patch, const json_t *old, const json_t *new) {
  imd_value *before, *operations, *after;
  char *text = plain_text(old);
  EXPECT_STATUS(imd_value_parse(text, IMD_ZERO_TERMINATED, &before, NULL), IMD_OK);
  EXPECT_STATUS(imd_value_parse(patch, IMD_ZERO_TERMINATED, &operations, NULL), IMD_OK);
  EXPECT_STATUS(imd_value_patch(before, operations, &after, NULL), IMD_OK);
  expect_text(after, new, "a patched state");
  imd_value_release(before);
  imd_value_release(operations);
  imd_value_release(after);
  free(text);
}

void check_state(slot *slot) {
  imd_value *state;
  EXPECT_STATUS(imd_store_state(slot->host.store, &state, NULL), IMD_OK);
  expect_text(state, slot->model->state, "the state");
  imd_value_release(state);
}

static const selector *random_selector(const slot *slot) {
  if (slot->model->history.is_on && random_chance(&source, 20)) return &history_selector;
  if (slot->model->is_counter) return &counter_selector;
  return &host_selectors[random_below(&source, host_selector_count)];
}

json_t *random_argument(const selector *selector) {
  static const char *const keys[] = {"a", "b", "c"};
  if (!selector->argument) return NULL;
  return strcmp(selector->argument, "i") == 0 ? json_integer(random_below(&source, 4))
                                              : json_string(keys[random_below(&source, 3)]);
}

void call_select(slot *slot) {
  const selector *selector = random_selector(slot);
  json_t *argument = random_argument(selector);
  char *arguments = NULL, *text = NULL;
  size_t length = 0;
  int is_query = !selector->reads_history && random_chance(&source, 40);
  if (argument) {
    json_t *object = json_pack("{s:O}", selector->argument, argument);
    arguments = plain_text(object);
    json_decref(object);
  }
  note("%s %p %s %s", is_query ? "query" : "select", (void *)slot->host.store, selector->name,
       arguments ? arguments : "");
  imd_status status =
      is_query ? imd_store_query(slot->host.store, selector->expression, arguments,
                                 IMD_ZERO_TERMINATED, &text, &length, NULL)
               : imd_store_select(slot->host.store, selector->name, arguments,
                                  IMD_ZERO_TERMINATED, &text, &length, NULL);
  output expected = selector->evaluate(model_input(slot->model, selector), argument);
  EXPECT_STATUS(status, expected.kind == OUTPUT_FAILURE ? IMD_INVALID_SELECTOR : IMD_OK);
  if (expected.kind == OUTPUT_VALUE) {
    char *wanted = plain_text(expected.value);
    EXPECT(strcmp(text, wanted) == 0 && length == strlen(wanted),
           "%s\n  is:        %s\n  should be: %s", selector->name, text, wanted);
    free(wanted);
  }
  if (expected.kind == OUTPUT_VALUE) slot->model->selects++;
  imd_free(text);
  free(arguments);
  output_free(expected);
  json_decref(argument);
}

void call_define(slot *slot) {
  char name[32], *text = NULL;
  imd_store *store = slot->host.store;
  snprintf(name, sizeof name, "defined%d", slot->defined);
  note("define %p %s", (void *)store, name);
  EXPECT_STATUS(imd_store_select(store, name, NULL, 0, &text, NULL, NULL), IMD_UNKNOWN_SELECTOR);
  EXPECT_STATUS(imd_store_define_selector(store, name, "n +", NULL), IMD_INVALID_SELECTOR);
  EXPECT_STATUS(imd_store_define_selector(store, name, "n", NULL), IMD_OK);
  EXPECT_STATUS(imd_store_define_selector(store, name, "[n]", NULL), IMD_OK);
  EXPECT_STATUS(imd_store_define_selector(store, name, "n", NULL), IMD_OK);
  EXPECT_STATUS(imd_store_select(store, name, NULL, 0, &text, NULL, NULL), IMD_OK);
  imd_free(text);
  slot->model->selects++;
  slot->defined++;
}

void call_statistics(slot *slot) {
  char *text;
  if (callback_depth > 0) return; /* a callback in progress is not counted yet */
  EXPECT_STATUS(imd_store_statistics(slot->host.store, &text, NULL, NULL), IMD_OK);
  json_t *statistics = plain_parse(text);
  json_int_t selects = json_integer_value(json_object_get(statistics, "selects"));
  json_int_t evaluations = json_integer_value(json_object_get(statistics, "evaluations"));
  json_int_t deliveries = json_integer_value(json_object_get(statistics, "deliveries"));
  json_int_t observations = json_integer_value(json_object_get(statistics, "observations"));
  json_int_t overruns = json_integer_value(json_object_get(statistics, "overruns"));
  const model *model = slot->model;
  EXPECT(overruns == model->overruns || !has_feature(STREAM_IN_CALLBACK), "%ld overruns, not %ld",
         (long)overruns, model->overruns);
  EXPECT(selects == model->selects && evaluations <= selects &&
             deliveries == model->deliveries && observations == model->observing,
         "%s: expected %ld selects, %d observations, %ld deliveries", text, model->selects,
         model->observing, model->deliveries);
  json_decref(statistics);
  imd_free(text);
}

/* ---- Effects and handles ------------------------------------------------------------------- */

void call_settle(slot *slot) {
  if (callback_depth > 0 && !has_feature(SETTLE_IN_CALLBACK)) return;
  note("settle %p", (void *)slot->host.store);
  EXPECT_STATUS(imd_store_settle(slot->host.store, random_chance(&source, 50) ? -1 : 0, NULL),
                callback_depth > 0 ? IMD_REENTRANT : IMD_OK);
}

static int is_readable(int descriptor) {
  struct pollfd file = {.fd = descriptor, .events = POLLIN};
  return poll(&file, 1, 0) == 1;
}

void check_descriptors(slot *slot) {
  if (slot->descriptor >= 0 && has_feature(DESCRIPTOR))
    EXPECT(is_readable(slot->descriptor) == (slot->model->queued > 0),
           "%d outputs wait for a poll, and the descriptor is%s readable",
           (int)slot->model->queued, slot->model->queued > 0 ? " not" : "");
  for (int i = 0; i < MODEL_STREAMS; i++) {
    const stream *stream = slot->streams[i];
    if (!stream || stream->descriptor < 0) continue;
    size_t count = json_array_size(stream->expected.elements);
    EXPECT(is_readable(stream->descriptor) == (count > 0 || stream->expected.is_over),
           "%d actions wait to be read, and the descriptor is%s readable", (int)count,
           count > 0 || stream->expected.is_over ? " not" : "");
  }
}

void call_descriptor(slot *slot) {
  note("fd %p", (void *)slot->host.store);
  int old = slot->descriptor;
  EXPECT_STATUS(imd_store_fd(slot->host.store, &slot->descriptor, NULL), IMD_OK);
  EXPECT(old < 0 || old == slot->descriptor, "the descriptor changed");
}
