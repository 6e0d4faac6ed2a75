/* The actions that led to a state, and the changes in flight. */
#include "model.h"

#include "plain.h"

#include <string.h>

enum { CAPACITY = 1024 };

model_past past_copy(const model_past *past) {
  model_past copy = *past;
  json_incref(copy.line);
  copy.changes = json_copy(past->changes);
  copy.steps = json_copy(past->steps);
  copy.savepoints = json_copy(past->savepoints);
  copy.dropped = json_copy(past->dropped);
  return copy;
}

void past_free(model_past *past) {
  json_decref(past->line);
  json_decref(past->changes);
  json_decref(past->steps);
  json_decref(past->savepoints);
  json_decref(past->dropped);
}

static json_int_t number_of(const json_t *entry) {
  return json_integer_value(json_object_get(entry, "number"));
}

static int has_number(const json_t *entries, json_int_t number) {
  json_t *entry;
  size_t index;
  json_array_foreach(entries, index, entry) {
    if (number_of(entry) == number) return 1;
  }
  return 0;
}

/* ---- Actions ------------------------------------------------------------------------------- */

/* More actions than fit confirm the oldest change. */
static void confirm_oldest(model_past *past) {
  json_t *records = json_object_get(past->line, "records"), *record;
  json_int_t oldest = number_of(json_array_get(past->changes, 0));
  size_t index, count = 0;
  json_array_foreach(records, index, record) count += number_of(record) >= oldest;
  if (count > CAPACITY) json_array_remove(past->changes, 0);
}

void past_append(model_past *past, json_t *commits, const json_t *action, json_t *next,
                 const char *key) {
  json_t *records = json_copy(json_object_get(past->line, "records")), *copy;
  copy = json_deep_copy(action);
  json_array_append_new(records, json_pack("{s:I,s:O,s:O}", "number", past->number, "action", copy,
                                           "before", json_object_get(past->line, "state")));
  json_t *line = json_pack("{s:o,s:o}", "state", next, "records", records);
  json_array_append_new(commits, json_pack("{s:I,s:o,s:O,s:O}", "number", past->number, "action",
                                           copy, "before", past->line, "after", line));
  json_decref(past->line);
  past->line = line;
  if (key)
    json_array_append_new(past->changes,
                          json_pack("{s:s,s:I}", "key", key, "number", past->number));
  if (json_array_size(past->changes) > 0) confirm_oldest(past);
}

/* ---- Outcomes ------------------------------------------------------------------------------ */

/* The number of the oldest change with a key, which ends; -1 if there is none. */
static json_int_t end(model_past *past, const char *key) {
  json_t *change;
  size_t index;
  json_array_foreach(past->changes, index, change) {
    if (strcmp(json_string_value(json_object_get(change, "key")), key) != 0) continue;
    json_int_t number = number_of(change);
    json_array_remove(past->changes, index);
    return number;
  }
  return -1;
}

int past_confirm(model_past *past, const char *key) { return end(past, key) >= 0; }

/* The line without an action, and without later ones that are rejected then, which are added to
 * removed. */
static json_t *rewrite_line(json_t *line, json_int_t number, json_t *removed) {
  json_t *records = json_object_get(line, "records"), *record, *kept, *state = NULL, *next;
  size_t index;
  if (!has_number(records, number)) return json_incref(line);
  kept = json_array();
  json_array_foreach(records, index, record) {
    const json_t *action = json_object_get(record, "action");
    if (number_of(record) == number) {
      state = json_incref(json_object_get(record, "before"));
    } else if (!state) {
      json_array_append(kept, record);
    } else if (model_reduce(0, state, action, &next) == IMD_OK) {
      json_array_append_new(kept, json_pack("{s:I,s:O,s:o}", "number", number_of(record), "action",
                                            action, "before", state));
      state = next;
    } else {
      json_array_append_new(removed, json_pack("{s:I}", "number", number_of(record)));
    }
  }
  return json_pack("{s:o,s:o}", "state", state, "records", kept);
}

static json_t *rewrite_commits(const json_t *commits, json_int_t number, json_t *removed) {
  json_t *rewritten = json_array(), *commit;
  size_t index;
  json_array_foreach(commits, index, commit) {
    json_t *before = rewrite_line(json_object_get(commit, "before"), number, removed);
    json_t *after = rewrite_line(json_object_get(commit, "after"), number, removed);
    if (!has_number(removed, number_of(commit)))
      json_array_append_new(rewritten, json_pack("{s:I,s:O,s:O,s:O}", "number", number_of(commit),
                                                 "action", json_object_get(commit, "action"),
                                                 "before", before, "after", after));
    json_decref(before);
    json_decref(after);
  }
  return rewritten;
}

/* Returns whether something is left of a step, which is then added to the steps. */
static int rewrite_step(json_t *steps, const json_t *step, json_int_t number, json_t *removed) {
  json_t *commits = rewrite_commits(json_object_get(step, "commits"), number, removed);
  int is_left = json_array_size(commits) > 0;
  if (is_left)
    json_array_append_new(steps, json_pack("{s:O,s:O}", "commits", commits, "isBatch",
                                           json_object_get(step, "isBatch")));
  json_decref(commits);
  return is_left;
}

static void rewrite_steps(model_past *past, json_int_t number, json_t *removed) {
  json_t *steps = json_array(), *dropped = json_array(), *step, *savepoint;
  size_t index, present = past->present;
  int is_back = 0;
  json_array_foreach(past->steps, index, step) {
    if (rewrite_step(steps, step, number, removed)) continue;
    present -= index < past->present;
    if (index + 1 == past->present && past->is_extensible) is_back = 1;
  }
  json_array_foreach(past->dropped, index, step) rewrite_step(dropped, step, number, removed);
  if (is_back) {
    past->is_extensible = 0;
    json_array_extend(steps, dropped);
    json_array_clear(dropped);
  }
  json_decref(past->steps);
  json_decref(past->dropped);
  past->steps = steps;
  past->dropped = dropped;
  past->present = present;
  json_t *savepoints = json_array();
  json_array_foreach(past->savepoints, index, savepoint)
    json_array_append_new(
        savepoints,
        json_pack("{s:o,s:O}", "line",
                  rewrite_line(json_object_get(savepoint, "line"), number, removed), "number",
                  json_object_get(savepoint, "number")));
  json_decref(past->savepoints);
  past->savepoints = savepoints;
}

static void roll_back(model_past *past, json_int_t number, json_t **commits) {
  json_t *removed = json_pack("[{s:I}]", "number", number), *change;
  json_t *line = rewrite_line(past->line, number, removed);
  json_decref(past->line);
  past->line = line;
  for (size_t i = 0; (change = json_array_get(past->changes, i)) != NULL;) {
    if (has_number(removed, number_of(change))) json_array_remove(past->changes, i);
    else i++;
  }
  json_t *rewritten = rewrite_commits(*commits, number, removed);
  json_decref(*commits);
  *commits = rewritten;
  rewrite_steps(past, number, removed);
  if (past->clean >= number) past->clean = -1;
  json_decref(removed);
}

int past_roll_back(model_past *past, const char *key, json_t **commits) {
  json_int_t number = end(past, key);
  if (number < 0) return 0;
  roll_back(past, number, commits);
  return 1;
}

void past_roll_back_all(model_past *past) {
  json_t *none = json_array();
  size_t count;
  while ((count = json_array_size(past->changes)) > 0) {
    json_int_t number = number_of(json_array_get(past->changes, count - 1));
    json_array_remove(past->changes, count - 1);
    roll_back(past, number, &none);
  }
  json_decref(none);
}
