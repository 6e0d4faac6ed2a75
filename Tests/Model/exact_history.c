/* Calls that undo, redo and travel, and that read the history. */
#include "exact.h"
#include "plain.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t random_steps(void) {
  return random_chance(&source, 10) ? SIZE_MAX : (size_t)random_below(&source, 4);
}

/* ---- Jumps --------------------------------------------------------------------------------- */

static void undo_or_redo(slot *slot, int is_redo) {
  size_t steps = random_steps(), taken = 99, expected_taken;
  if (is_blocked(slot)) return;
  note("%s %p %zu", is_redo ? "redo" : "undo", (void *)slot->host.store, steps);
  int was_delivering = begin_delivery(slot);
  imd_status expected = is_redo ? model_redo(slot->model, steps, &expected_taken)
                                : model_undo(slot->model, steps, &expected_taken);
  imd_status status = is_redo ? imd_store_redo(slot->host.store, steps, &taken, NULL)
                              : imd_store_undo(slot->host.store, steps, &taken, NULL);
  EXPECT_STATUS(status, expected);
  EXPECT(taken == expected_taken, "%zu steps, not %zu", taken, expected_taken);
  end_delivery(slot, was_delivering);
}

void call_undo(slot *slot) { undo_or_redo(slot, 0); }

void call_redo(slot *slot) { undo_or_redo(slot, 1); }

void call_travel(slot *slot) {
  const model_past *past = &slot->model->past;
  if (is_blocked(slot)) return;
  size_t count = json_array_size(past->steps);
  json_int_t number = random_chance(&source, 50) ? past->base : past->number;
  if (count > 0 && random_chance(&source, 80)) {
    const json_t *step = json_array_get(past->steps, (size_t)random_below(&source, (int)count));
    number = json_integer_value(
        json_object_get(json_array_get(json_object_get(step, "commits"), 0), "number"));
  }
  note("travel %p %d", (void *)slot->host.store, (int)number);
  int was_delivering = begin_delivery(slot);
  imd_status expected = model_travel(slot->model, number);
  EXPECT_STATUS(imd_store_travel(slot->host.store, (size_t)number, NULL), expected);
  end_delivery(slot, was_delivering);
}

/* ---- Groups and the clean mark ------------------------------------------------------------- */

void call_group(slot *slot) {
  int is_end = random_chance(&source, 55);
  note("%s group %p", is_end ? "end" : "begin", (void *)slot->host.store);
  int was_delivering = begin_delivery(slot);
  imd_status expected = is_end ? model_end_group(slot->model) : model_begin_group(slot->model);
  EXPECT_STATUS(is_end ? imd_store_end_group(slot->host.store, NULL)
                       : imd_store_begin_group(slot->host.store, NULL), expected);
  end_delivery(slot, was_delivering);
}

void call_cancel_group(slot *slot) {
  if (is_blocked(slot)) return;
  note("cancel group %p", (void *)slot->host.store);
  int was_delivering = begin_delivery(slot);
  imd_status expected = model_cancel_group(slot->model);
  EXPECT_STATUS(imd_store_cancel_group(slot->host.store, NULL), expected);
  end_delivery(slot, was_delivering);
}

void call_mark_clean(slot *slot) {
  note("mark clean %p", (void *)slot->host.store);
  int was_delivering = begin_delivery(slot);
  imd_status expected = model_mark_clean(slot->model);
  EXPECT_STATUS(imd_store_mark_clean(slot->host.store, NULL), expected);
  end_delivery(slot, was_delivering);
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* Applies the patch of each entry to the state before its step, and removes it. */
static void check_patches(const slot *slot, json_t *entries, size_t from) {
  json_t *entry;
  size_t index;
  json_array_foreach(entries, index, entry) {
    const json_t *step = json_array_get(slot->model->past.steps, from + index);
    const json_t *commits = json_object_get(step, "commits");
    const json_t *first = json_array_get(commits, 0);
    const json_t *last = json_array_get(commits, json_array_size(commits) - 1);
    char *patch = plain_text(json_object_get(entry, "patch"));
    expect_patch(patch, json_object_get(json_object_get(first, "before"), "state"),
                 json_object_get(json_object_get(last, "after"), "state"));
    free(patch);
    json_object_del(entry, "patch");
  }
}

static void remove_times(json_t *entries) {
  json_t *entry;
  size_t index;
  json_array_foreach(entries, index, entry) {
    EXPECT(json_integer_value(json_object_get(entry, "time")) > 0, "an entry without a time");
    json_object_del(entry, "time");
  }
}

static void expect_json(const json_t *is, const json_t *should_be) {
  char *text = plain_text(is), *wanted = plain_text(should_be);
  EXPECT(strcmp(text, wanted) == 0, "\n  is:        %s\n  should be: %s", text, wanted);
  free(text);
  free(wanted);
}

void call_history(slot *slot) {
  char options[100], *text;
  size_t from = (size_t)random_below(&source, 3), count = (size_t)random_below(&source, 5);
  int has_count = random_chance(&source, 30), has_actions = random_chance(&source, 50);
  int has_patches = random_chance(&source, 30);
  int length = snprintf(options, sizeof options, "{\"from\":%zu,\"actions\":%s,\"patches\":%s",
                        from, has_actions ? "true" : "false", has_patches ? "true" : "false");
  if (has_count) snprintf(options + length, 30, ",\"count\":%zu}", count);
  else snprintf(options + length, 30, "}");
  note("history %p %s", (void *)slot->host.store, options);
  imd_status status =
      imd_store_history(slot->host.store, options, IMD_ZERO_TERMINATED, &text, NULL, NULL);
  EXPECT_STATUS(status, slot->model->history.is_on ? IMD_OK : IMD_INVALID_ARGUMENT);
  if (status != IMD_OK) return;
  json_t *history = plain_parse(text), *entries = json_object_get(history, "entries");
  if (has_patches) check_patches(slot, entries, from);
  remove_times(entries);
  json_t *expected = model_history(slot->model, from, has_count ? count : SIZE_MAX, has_actions);
  expect_json(history, expected);
  json_decref(expected);
  json_decref(history);
  imd_free(text);
}

/* Of neighbours of one type in a step, the store knows only the first and the last. */
static int knows_all_commits(const slot *slot) {
  json_t *step;
  size_t index;
  json_array_foreach(slot->model->past.steps, index, step) {
    if (json_array_size(json_object_get(step, "commits")) > 2) return 0;
  }
  return 1;
}

void call_blame(slot *slot) {
  static const char *const members[] = {"n", "tag", "list", "none"};
  const char *member = slot->model->is_counter ? "value" : members[random_below(&source, 4)];
  char pointer[16], options[32], *text;
  int count = random_below(&source, 4);
  if (json_array_size(slot->model->past.steps) == 0 || !knows_all_commits(slot)) return;
  snprintf(pointer, sizeof pointer, "/%s", member);
  snprintf(options, sizeof options, "{\"count\":%d}", count);
  note("blame %p %s %s", (void *)slot->host.store, pointer, options);
  EXPECT_STATUS(imd_store_blame(slot->host.store, pointer, options, IMD_ZERO_TERMINATED, &text,
                                NULL, NULL), IMD_OK);
  json_t *found = plain_parse(text);
  json_t *expected = model_blame(slot->model, member, (size_t)count);
  remove_times(found);
  expect_json(found, expected);
  json_decref(found);
  json_decref(expected);
  imd_free(text);
}
