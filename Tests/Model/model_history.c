/* The history of the model: its steps, and the jumps between them. */
#include "model.h"

#include "plain.h"

#include <string.h>

static json_t *commits_of(const json_t *step) { return json_object_get(step, "commits"); }

static json_t *first_of(const json_t *step) { return json_array_get(commits_of(step), 0); }

static json_t *last_of(const json_t *step) {
  return json_array_get(commits_of(step), json_array_size(commits_of(step)) - 1);
}

static json_t *action_of(const json_t *commit) { return json_object_get(commit, "action"); }

static json_int_t number_of(const json_t *commit) {
  return json_integer_value(json_object_get(commit, "number"));
}

static json_t *state_of(const json_t *commit, const char *which) {
  return json_object_get(json_object_get(commit, which), "state");
}

/* Where the history is: the number of the last commit of a step. */
static json_int_t position_of(const model_past *past) {
  if (past->present == 0) return past->base_position;
  return number_of(last_of(json_array_get(past->steps, past->present - 1)));
}

/* ---- Recording ----------------------------------------------------------------------------- */

/* Whether the reducer returned another instance: see host_reduce. */
static int is_other_instance(const json_t *commit) {
  static const char *const equal_if_same[] = {"add", "addIfEven", "setTag", "merge"};
  const char *type = json_string_value(plain_member(action_of(commit), "type"));
  if (strncmp(type, "keep", 4) == 0) return 0;
  for (size_t i = 0; i < sizeof equal_if_same / sizeof *equal_if_same; i++)
    if (strcmp(type, equal_if_same[i]) == 0)
      return !plain_equal(state_of(commit, "before"), state_of(commit, "after"));
  return 1;
}

static int is_step(const model *model, const json_t *commits) {
  const model_history_options *options = &model->history;
  int has_step = 0;
  json_t *commit;
  size_t index;
  json_array_foreach(commits, index, commit) {
    const json_t *action = action_of(commit);
    /* In the counter, states are compared. */
    int is_changed = model->is_counter
                         ? !plain_equal(state_of(commit, "before"), state_of(commit, "after"))
                         : is_other_instance(commit);
    has_step |= is_changed && (!options->undoable || model_matches(options->undoable, action)) &&
                !(options->ignored && model_matches(options->ignored, action));
  }
  if (!has_step || !model->is_counter) return has_step;
  return !plain_equal(state_of(json_array_get(commits, 0), "before"),
                      state_of(json_array_get(commits, json_array_size(commits) - 1), "after"));
}

static int joins(const model *model, const model_past *past, const json_t *step) {
  if (!past->is_extensible || past->present == 0) return 0;
  if (json_array_size(past->savepoints) > 0) return 1;
  const json_t *last = json_array_get(past->steps, past->present - 1);
  if (model->history.joins == JOINS_NONE || past->clean == position_of(past) ||
      json_is_true(json_object_get(step, "isBatch")) ||
      json_is_true(json_object_get(last, "isBatch")))
    return 0;
  const json_t *before = action_of(last_of(last)), *after = action_of(first_of(step));
  if (model->history.joins == JOINS_TYPE)
    return plain_equal(plain_member(before, "type"), plain_member(after, "type"));
  json_t *drag = plain_member(plain_member(after, "meta"), "drag");
  return drag && plain_equal(plain_member(plain_member(before, "meta"), "drag"), drag);
}

/* Whether several actions together change nothing, and none can be rolled back. */
static int is_unchanged(const model_past *past, const json_t *commits) {
  size_t count = json_array_size(commits);
  return count > 1 && json_array_size(past->changes) == 0 &&
         plain_equal(state_of(json_array_get(commits, 0), "before"),
                     state_of(json_array_get(commits, count - 1), "after"));
}

static void drop_last(model_past *past) {
  json_array_remove(past->steps, --past->present);
  json_array_extend(past->steps, past->dropped);
  json_array_clear(past->dropped);
  past->is_extensible = 0;
}

static int drop_last_if_unchanged(model_past *past) {
  if (!past->is_extensible || past->present == 0 ||
      !is_unchanged(past, commits_of(json_array_get(past->steps, past->present - 1))))
    return 0;
  drop_last(past);
  return 1;
}

int past_settle(model_past *past) {
  int is_dropped = drop_last_if_unchanged(past);
  past->is_extensible = 0;
  json_array_clear(past->dropped);
  return is_dropped;
}

void model_record(const model *model, model_past *past, json_t *commits, int is_batch) {
  if (!model->history.is_on || !is_step(model, commits) || is_unchanged(past, commits)) return;
  json_t *step = json_pack("{s:O,s:b}", "commits", commits, "isBatch", is_batch);
  if (joins(model, past, step)) {
    json_t *last = json_array_get(past->steps, past->present - 1);
    json_t *all = json_copy(commits_of(last));
    json_array_extend(all, commits);
    json_array_set_new(past->steps, past->present - 1,
                       json_pack("{s:o,s:O}", "commits", all, "isBatch",
                                 json_object_get(last, "isBatch")));
    json_decref(step);
    if (json_array_size(past->savepoints) == 0) drop_last_if_unchanged(past);
    return;
  }
  past->is_extensible = json_array_size(past->savepoints) > 0 ||
                        (model->history.joins != JOINS_NONE && !is_batch);
  json_array_clear(past->dropped);
  while (json_array_size(past->steps) > past->present) {
    if (past->is_extensible)
      json_array_append(past->dropped, json_array_get(past->steps, past->present));
    json_array_remove(past->steps, past->present);
  }
  json_array_append_new(past->steps, step);
  past->present++;
  while (past->present > (size_t)model->history.limit) {
    const json_t *oldest = json_array_get(past->steps, 0);
    past->base = number_of(first_of(oldest));
    past->base_position = number_of(last_of(oldest));
    json_array_remove(past->steps, 0);
    past->present--;
  }
}

/* ---- Jumps --------------------------------------------------------------------------------- */

static json_int_t present_number(const model_past *past) {
  if (past->present == 0) return past->base;
  return number_of(first_of(json_array_get(past->steps, past->present - 1)));
}

/* Takes over the past. */
static void jump_in_group(model *model, model_past past, const char *kind, json_t *line,
                          size_t present) {
  json_t *change, *record, *states = json_array();
  json_array_append_new(states, json_deep_copy(model->state));
  json_incref(line);
  json_decref(past.line);
  past.line = line;
  for (size_t i = 0; (change = json_array_get(past.changes, i)) != NULL;) {
    size_t index;
    int is_there = 0;
    json_array_foreach(json_object_get(line, "records"), index, record)
      is_there |= number_of(record) == number_of(change);
    if (is_there) i++;
    else json_array_remove(past.changes, i);
  }
  past.present = present;
  past.number++;
  json_array_append_new(states, json_deep_copy(json_object_get(line, "state")));
  json_t *actions = json_pack("[{s:s,s:{s:I}}]", "type", kind, "payload", "number",
                              present_number(&past));
  model_commit(model, &past, actions, states);
  json_decref(actions);
  json_decref(states);
}

/* Takes over the past, and ends its groups. */
static void jump(model *model, model_past past, const char *kind, json_t *line, size_t present) {
  json_array_clear(past.savepoints);
  json_array_clear(past.dropped);
  past.is_extensible = 0;
  jump_in_group(model, past, kind, line, present);
}

static json_t *line_before(const model_past *past, size_t index) {
  return json_object_get(first_of(json_array_get(past->steps, index)), "before");
}

static json_t *line_after(const model_past *past, size_t index) {
  return json_object_get(last_of(json_array_get(past->steps, index)), "after");
}

imd_status model_undo(model *model, size_t steps, size_t *taken) {
  *taken = 0;
  if (!model->history.is_on) return IMD_INVALID_ARGUMENT;
  model_past past = past_copy(&model->past);
  drop_last_if_unchanged(&past);
  size_t count = steps < past.present ? steps : past.present;
  *taken = count;
  if (count == 0) past_free(&past);
  else jump(model, past, "@@history/undone", line_before(&past, past.present - count),
            past.present - count);
  return IMD_OK;
}

imd_status model_redo(model *model, size_t steps, size_t *taken) {
  *taken = 0;
  if (!model->history.is_on) return IMD_INVALID_ARGUMENT;
  model_past past = past_copy(&model->past);
  drop_last_if_unchanged(&past);
  size_t most = json_array_size(past.steps) - past.present, count = steps < most ? steps : most;
  *taken = count;
  if (count == 0) past_free(&past);
  else jump(model, past, "@@history/redone", line_after(&past, past.present + count - 1),
            past.present + count);
  return IMD_OK;
}

imd_status model_travel(model *model, json_int_t number) {
  static const char kind[] = "@@history/traveled";
  if (!model->history.is_on) return IMD_INVALID_ARGUMENT;
  model_past past = past_copy(&model->past);
  drop_last_if_unchanged(&past);
  if (number == past.base) {
    jump(model, past, kind,
         json_array_size(past.steps) > 0 ? line_before(&past, 0) : past.line, 0);
    return IMD_OK;
  }
  for (size_t i = 0; i < json_array_size(past.steps); i++) {
    if (number_of(first_of(json_array_get(past.steps, i))) != number) continue;
    jump(model, past, kind, line_after(&past, i), i + 1);
    return IMD_OK;
  }
  past_free(&past);
  return IMD_NOT_FOUND;
}

/* ---- Groups and the clean mark ------------------------------------------------------------- */

/* Ends the last step before a group begins or after one has ended. */
static void settle(model *model) {
  model_past past = past_copy(&model->past);
  if (past_settle(&past)) {
    model_commit(model, &past, NULL, NULL);
  } else {
    past_free(&model->past);
    model->past = past;
  }
}

imd_status model_begin_group(model *model) {
  if (!model->history.is_on) return IMD_INVALID_ARGUMENT;
  if (json_array_size(model->past.savepoints) == 0) settle(model);
  json_array_append_new(model->past.savepoints,
                        json_pack("{s:O,s:I}", "line", model->past.line, "number",
                                  model->past.number));
  return IMD_OK;
}

imd_status model_end_group(model *model) {
  if (!model->history.is_on) return IMD_INVALID_ARGUMENT;
  size_t count = json_array_size(model->past.savepoints);
  if (count == 0) return IMD_OK;
  json_array_remove(model->past.savepoints, count - 1);
  if (count == 1) settle(model);
  return IMD_OK;
}

/* Removes the actions after a group began. */
static void give_up(model_past *past, json_int_t number) {
  if (!past->is_extensible || past->present == 0) return;
  json_t *last = json_array_get(past->steps, past->present - 1), *kept = json_array(), *commit;
  size_t index;
  json_array_foreach(commits_of(last), index, commit) {
    if (number_of(commit) <= number) json_array_append(kept, commit);
  }
  json_array_set_new(past->steps, past->present - 1,
                     json_pack("{s:o,s:O}", "commits", kept, "isBatch",
                               json_object_get(last, "isBatch")));
  if (json_array_size(kept) == 0) drop_last(past);
}

imd_status model_cancel_group(model *model) {
  if (!model->history.is_on) return IMD_INVALID_ARGUMENT;
  size_t count = json_array_size(model->past.savepoints);
  if (count == 0) return IMD_OK;
  json_t *savepoint = json_array_get(model->past.savepoints, count - 1);
  if (number_of(savepoint) == model->past.number) return model_end_group(model);
  model_past past = past_copy(&model->past);
  json_incref(savepoint);
  json_array_remove(past.savepoints, count - 1);
  give_up(&past, number_of(savepoint));
  jump_in_group(model, past, "@@history/cancelled", json_object_get(savepoint, "line"),
                past.present);
  json_decref(savepoint);
  return IMD_OK;
}

imd_status model_mark_clean(model *model) {
  if (!model->history.is_on) return IMD_INVALID_ARGUMENT;
  model_past past = past_copy(&model->past);
  past.clean = position_of(&past);
  model_commit(model, &past, NULL, NULL);
  return IMD_OK;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static json_t *copy_or_null(json_t *value) { return value ? json_deep_copy(value) : json_null(); }

json_t *model_status(const model *model, const model_past *past) {
  if (!model->history.is_on) return json_null();
  const json_t *undo = NULL, *redo = NULL;
  size_t all = json_array_size(past->steps);
  if (past->present > 0)
    undo = action_of(first_of(json_array_get(past->steps, past->present - 1)));
  if (past->present < all) redo = action_of(first_of(json_array_get(past->steps, past->present)));
  return json_pack("{s:I,s:I,s:o,s:o,s:o,s:o,s:b}", "undo", (json_int_t)past->present, "redo",
                   (json_int_t)(all - past->present), "undoType",
                   copy_or_null(plain_member(undo, "type")), "undoMeta",
                   copy_or_null(plain_member(undo, "meta")), "redoType",
                   copy_or_null(plain_member(redo, "type")), "redoMeta",
                   copy_or_null(plain_member(redo, "meta")), "clean",
                   past->clean == position_of(past));
}

static json_t *entry(const json_t *step, int is_undone, int has_actions) {
  json_t *actions = json_array(), *commit;
  size_t index;
  json_array_foreach(commits_of(step), index, commit)
    json_array_append_new(actions, json_deep_copy(action_of(commit)));
  if (!has_actions) {
    size_t count = json_array_size(actions);
    json_decref(actions);
    actions = json_integer((json_int_t)count);
  }
  return json_pack("{s:I,s:O,s:o,s:b}", "number", number_of(first_of(step)), "type",
                   json_object_get(action_of(first_of(step)), "type"), "actions", actions,
                   "undone", is_undone);
}

json_t *model_history(const model *model, size_t from, size_t count, int has_actions) {
  const model_past *past = &model->past;
  json_t *entries = json_array();
  size_t all = json_array_size(past->steps);
  for (size_t i = from; i < all && i - from < count; i++)
    json_array_append_new(
        entries, entry(json_array_get(past->steps, i), i >= past->present, has_actions));
  return json_pack("{s:I,s:I,s:I,s:o}", "present", present_number(past), "undo",
                   (json_int_t)past->present, "redo", (json_int_t)(all - past->present), "entries",
                   entries);
}

/* The store compares instances: the array of a payload is another one, unless both are empty. */
static int is_other_array(const json_t *commit, const json_t *after) {
  const char *type = json_string_value(plain_member(action_of(commit), "type"));
  return json_array_size(after) > 0 && strcmp(type, "becomePayload") == 0;
}

json_t *model_blame(const model *model, const char *member, size_t count) {
  const model_past *past = &model->past;
  json_t *found = json_array();
  for (size_t i = past->present; i-- > 0;) {
    const json_t *step = json_array_get(past->steps, i), *commits = commits_of(step);
    for (size_t j = json_array_size(commits); j-- > 0 && json_array_size(found) < count;) {
      const json_t *commit = json_array_get(commits, j);
      json_t *before = plain_member(state_of(commit, "before"), member);
      json_t *after = plain_member(state_of(commit, "after"), member);
      if (plain_equal(before, after) && !is_other_array(commit, after)) continue;
      json_t *change =
          json_pack("{s:I,s:I,s:O}", "number", number_of(commit), "step", number_of(first_of(step)),
                    "type", json_object_get(action_of(commit), "type"));
      if (before) json_object_set_new(change, "before", json_deep_copy(before));
      if (after) json_object_set_new(change, "after", json_deep_copy(after));
      json_array_append_new(found, change);
    }
  }
  return found;
}
