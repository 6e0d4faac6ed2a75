/* Calls that start and cancel observations, and observers that check each delivery. */
#include "exact.h"
#include "features.h"
#include "plain.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static observer *ended_observers;

/* ---- Callbacks ----------------------------------------------------------------------------- */

static void call_in_callback(const slot *not) {
  callback_depth++;
  report_depth++;
  for (int i = random_below(&source, 3); i > 0 && call_budget > 0 && callback_depth < 4; i--) {
    call_budget--;
    random_call(not);
  }
  report_depth--;
  callback_depth--;
}

static void check_patch(const observer *observer, const imd_delivery *delivery,
                        const expected_delivery *expected) {
  imd_value *value;
  EXPECT_STATUS(imd_value_patch(observer->last, delivery->value, &value, NULL), IMD_OK);
  expect_text(value, expected->value, "the patched output");
  imd_value_release(value);
}

static void check_failure(const observer *observer, const imd_delivery *delivery) {
  const char *label = observer->expected.options.label;
  EXPECT(delivery->value == NULL && delivery->error, "a failure has an error alone");
  EXPECT_STATUS(delivery->error->status, IMD_INVALID_SELECTOR);
  EXPECT(!label || strncmp(delivery->error->message, label, strlen(label)) == 0,
         "the message does not begin with the label: %s", delivery->error->message);
}

static void observe(void *context, const imd_delivery *delivery) {
  observer *observer = context;
  note("observer %ld of %s is called", observer->expected.number,
       observer->expected.selector->name);
  EXPECT(observer->running == 0, "an observer is called inside itself");
  EXPECT(observer->released == 0, "a released observer is called");
  expected_delivery expected = model_delivery(observer->slot->model, &observer->expected);
  EXPECT(delivery->kind == expected.kind, "delivery %d, not %d", (int)delivery->kind,
         (int)expected.kind);
  if (has_feature(SKIPPED))
    EXPECT(delivery->skipped == expected.skipped, "%zu skipped, not %zu", delivery->skipped,
           expected.skipped);
  if (delivery->kind == IMD_DELIVERY_FAILURE) check_failure(observer, delivery);
  else if (delivery->kind == IMD_DELIVERY_PATCH) check_patch(observer, delivery, &expected);
  else expect_text(delivery->value, expected.value, "the output");
  if (expected.value) {
    imd_value_release(observer->last);
    char *text = plain_text(expected.value);
    EXPECT_STATUS(imd_value_parse(text, strlen(text), &observer->last, NULL), IMD_OK);
    free(text);
  }
  observer->running = 1;
  call_in_callback(NULL);
  observer->running = 0;
}

static json_t *to_json(const imd_value *value) {
  char *text = NULL;
  EXPECT_STATUS(imd_value_text(value, &text, NULL, NULL), IMD_OK);
  json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
  imd_free(text);
  return json;
}

static void expect_unreleased(const observer *observer) {
  EXPECT(observer->released == 0, "a function of a released observer is called");
}

/* Returns 0 after a forbidden call, although that result does not count. */
static int use_store(const observer *observer, const json_t *number) {
  if (model_is_misused(number)) call_forbidden(observer->slot);
  else call_allowed(observer->slot);
  return !model_is_misused(number);
}

static int did_change(void *context, const imd_value *delivered, const imd_value *output) {
  expect_unreleased(context);
  EXPECT(!imd_value_equal(delivered, output), "equal outputs are compared");
  json_t *old = to_json(delivered), *new = to_json(output);
  int answer = use_store(context, new) && model_is_far(old, new);
  json_decref(old);
  json_decref(new);
  return answer;
}

static int passes(void *context, const imd_value *action, const imd_value *old_state,
                  const imd_value *new_state) {
  expect_unreleased(context);
  json_t *of = to_json(action), *old = to_json(old_state), *new = to_json(new_state);
  int answer = use_store(context, plain_member(new, "n")) && model_passes(of, old, new);
  json_decref(of);
  json_decref(old);
  json_decref(new);
  return answer;
}

static void release(void *context) {
  observer *observer = context;
  slot *slot = observer->slot;
  EXPECT(!observer->running, "an observer is released while it runs");
  EXPECT(++observer->released == 1, "an observer is released twice");
  EXPECT(observer->expected.is_over, "an observer is released while it observes");
  if (slot->is_closing && has_feature(RELEASE_ORDER)) {
    EXPECT(observer->expected.number > slot->last_released, "observer %ld is released after %ld",
           observer->expected.number, slot->last_released);
    slot->last_released = observer->expected.number;
  }
  call_in_callback(slot);
}

/* ---- Beginning ----------------------------------------------------------------------------- */

static const selector *find(const char *name) {
  int i = 0;
  while (strcmp(host_selectors[i].name, name) != 0) i++;
  return &host_selectors[i];
}

static void choose_options(model_options *options, const slot *slot, const selector **selector) {
  static const char *const patterns[] = {"add*", "become*", "push", "didTapIncrement*"};
  options->is_initial = random_chance(&source, 70);
  options->is_patch = random_chance(&source, 40);
  options->is_queued = random_chance(&source, 40);
  options->is_coalescing = random_chance(&source, 25);
  options->drops_all = random_chance(&source, 30);
  options->capacity = random_chance(&source, 70) ? 1 + random_below(&source, 3) : 1024;
  options->ignored = random_chance(&source, 20) ? patterns[random_below(&source, 4)] : NULL;
  options->has_comparison = random_chance(&source, 30);
  options->label = random_chance(&source, 20) ? "a label" : NULL;
  if (slot->model->is_counter) return;
  options->has_filter = random_chance(&source, 30);
  /* A coalescing observer reads a scalar: whether replacing an array by an equal one concerns the
   * observer is unspecified. */
  if (options->is_coalescing) *selector = find("n");
  else if (random_chance(&source, 20))
    options->dependency = find(random_chance(&source, 50) ? "n" : "list");
}

static void write_options(const model_options *options, char *text, size_t size) {
  int length = snprintf(text, size,
                        "{\"initial\":%s,\"deliver\":\"%s\",\"when\":\"%s\",\"coalesce\":%s,"
                        "\"overflow\":\"%s\",\"capacity\":%d",
                        options->is_initial ? "true" : "false",
                        options->is_patch ? "patch" : "value",
                        options->is_queued ? "queued" : "inline",
                        options->is_coalescing ? "true" : "false",
                        options->drops_all ? "coalesce" : "dropOldest", options->capacity);
  if (options->ignored)
    length += snprintf(text + length, size - (size_t)length, ",\"ignore\":[\"%s\"]",
                       options->ignored);
  if (options->dependency)
    length += snprintf(text + length, size - (size_t)length, ",\"dependencies\":[\"%s\"]",
                       options->dependency->name);
  if (options->label)
    length += snprintf(text + length, size - (size_t)length, ",\"label\":\"%s\"", options->label);
  snprintf(text + length, size - (size_t)length, "}");
}

static void discard(observer *observer) {
  observation_free(&observer->expected);
  imd_value_release(observer->last);
  free(observer);
}

/* Whether a selector currently has an output, which an observation requires. */
static int can_begin(const slot *slot, const model_observation *observation) {
  output output = observation->selector->evaluate(model_input(slot->model, observation->selector),
                                                  observation->argument);
  output_free(output);
  return output.kind == OUTPUT_VALUE;
}

void call_observe(slot *slot) {
  char options[320], *arguments = NULL;
  int place = 0;
  while (place < MODEL_OBSERVATIONS && slot->observers[place]) place++;
  if (place == MODEL_OBSERVATIONS) return;
  observer *observer = calloc(1, sizeof *observer);
  model_observation *expected = &observer->expected;
  observer->slot = slot;
  expected->selector = slot->model->is_counter
                           ? &counter_selector
                           : &host_selectors[random_below(&source, host_selector_count)];
  choose_options(&expected->options, slot, &expected->selector);
  if (slot->model->history.is_on && !expected->options.is_coalescing &&
      !expected->options.dependency && random_chance(&source, 20))
    expected->selector = &history_selector;
  expected->argument = random_argument(expected->selector);
  write_options(&expected->options, options, sizeof options);
  if (expected->argument) {
    json_t *object = json_pack("{s:O}", expected->selector->argument, expected->argument);
    arguments = plain_text(object);
    json_decref(object);
  }
  note("observe %p %s %s %s%s%s", (void *)slot->host.store, expected->selector->name,
       arguments ? arguments : "", options, expected->options.has_comparison ? " compared" : "",
       expected->options.has_filter ? " filtered" : "");
  int succeeds = can_begin(slot, expected), was_delivering = begin_delivery(slot);
  if (succeeds) {
    model_observe(slot->model, expected);
    slot->observers[place] = observer;
  }
  const imd_observer_functions functions = {
      .observer = observe,
      .did_change = expected->options.has_comparison ? did_change : NULL,
      .filter = expected->options.has_filter ? passes : NULL};
  imd_status status = imd_store_observe_with_functions(
      slot->host.store, expected->selector->name, arguments, IMD_ZERO_TERMINATED, options,
      IMD_ZERO_TERMINATED, &functions, observer, release, &observer->handle, NULL);
  EXPECT_STATUS(status, succeeds ? IMD_OK : IMD_INVALID_SELECTOR);
  end_delivery(slot, was_delivering);
  free(arguments);
  if (!succeeds) discard(observer);
}

/* ---- Ending -------------------------------------------------------------------------------- */

void ended(observer *observer) {
  for (int i = 0; i < MODEL_OBSERVATIONS; i++)
    if (observer->slot->observers[i] == observer) observer->slot->observers[i] = NULL;
  observer->next = ended_observers;
  ended_observers = observer;
}

void call_cancel(slot *slot) {
  observer *observer = slot->observers[random_below(&source, MODEL_OBSERVATIONS)];
  if (!observer) return;
  note("cancel observer %ld", observer->expected.number);
  model_end(slot->model, &observer->expected);
  ended(observer);
  imd_observation_cancel(observer->handle);
  EXPECT(observer->running || observer->released == 1, "a cancelled observer is not released");
  imd_observation_cancel(observer->handle);
}

void reap_observers(void) {
  for (observer *observer = ended_observers, *next; observer; observer = next) {
    next = observer->next;
    EXPECT(observer->released == 1, "observer %ld was released %d times",
           observer->expected.number, observer->released);
    imd_observation_cancel(observer->handle);
    discard(observer);
  }
  ended_observers = NULL;
}

/* ---- Polling ------------------------------------------------------------------------------- */

void call_poll(slot *slot) {
  size_t delivered = 99;
  long before = slot->model->deliveries;
  int is_nested = slot->model->is_polling;
  note("poll %p", (void *)slot->host.store);
  if (!is_nested) model_begin_poll(slot->model);
  EXPECT_STATUS(imd_store_poll(slot->host.store, &delivered, NULL), IMD_OK);
  if (!is_nested) model_end_poll(slot->model);
  long most = slot->model->deliveries - before;
  EXPECT(is_nested ? delivered == 0 : delivered <= (size_t)most,
         "%zu deliveries, and %ld were made", delivered, most);
}
