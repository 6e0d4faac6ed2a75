/* A dispatch of the model: reduces, and records the data to roll back a change in flight. */
#define _POSIX_C_SOURCE 200809L

#include "model.h"

#include "plain.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_CAPACITY = 1024 };

/* ---- The log of changes in flight ---------------------------------------------------------- */

typedef struct timeline {
  json_t *state;
  model_entry *log;
  size_t logged;
} timeline;

static void entry_free(model_entry *entry) {
  json_decref(entry->state_before);
  json_decref(entry->action);
  free(entry->key);
}

static timeline timeline_copy(const model *model) {
  timeline copy = {json_deep_copy(model->state), NULL, model->logged};
  copy.log = malloc((model->logged + 1) * sizeof *copy.log);
  for (size_t i = 0; i < model->logged; i++) {
    const model_entry *entry = &model->log[i];
    copy.log[i] = (model_entry){json_deep_copy(entry->state_before), json_deep_copy(entry->action),
                                entry->key ? strdup(entry->key) : NULL};
  }
  return copy;
}

static void timeline_free(timeline *timeline) {
  for (size_t i = 0; i < timeline->logged; i++) entry_free(&timeline->log[i]);
  free(timeline->log);
  json_decref(timeline->state);
}

/* The index of the oldest entry in flight with a key; the number of entries if none has it. */
static size_t find(const timeline *timeline, const char *key) {
  size_t i = 0;
  while (i < timeline->logged && !(timeline->log[i].key && strcmp(timeline->log[i].key, key) == 0))
    i++;
  return i;
}

/* Confirms the oldest change with a key. Returns whether one was in flight. */
static int confirm(timeline *timeline, const char *key) {
  size_t i = find(timeline, key), removed = 0;
  if (i == timeline->logged) return 0;
  free(timeline->log[i].key);
  timeline->log[i].key = NULL;
  while (removed < timeline->logged && !timeline->log[removed].key)
    entry_free(&timeline->log[removed++]);
  timeline->logged -= removed;
  memmove(timeline->log, timeline->log + removed, timeline->logged * sizeof *timeline->log);
  return 1;
}

static void append(timeline *timeline, const json_t *state_before, const json_t *action,
                   const char *key) {
  if (timeline->logged == 0 && !key) return;
  timeline->log = realloc(timeline->log, (timeline->logged + 2) * sizeof *timeline->log);
  timeline->log[timeline->logged++] = (model_entry){
      json_deep_copy(state_before), json_deep_copy(action), key ? strdup(key) : NULL};
  if (timeline->logged > LOG_CAPACITY) {
    char *oldest = strdup(timeline->log[0].key);
    confirm(timeline, oldest);
    free(oldest);
  }
}

/* Rolls back the oldest change with a key. Actions rejected on replay are dropped. Returns whether
 * one was in flight. */
static int roll_back(timeline *timeline, const char *key) {
  size_t i = find(timeline, key), end = timeline->logged;
  if (i == end) return 0;
  model_entry *later = malloc((end - i) * sizeof *later);
  memcpy(later, timeline->log + i, (end - i) * sizeof *later);
  timeline->logged = i;
  json_decref(timeline->state);
  timeline->state = json_deep_copy(later[0].state_before);
  for (size_t j = 1; j < end - i; j++) {
    json_t *next;
    if (model_reduce(0, timeline->state, later[j].action, &next) != IMD_OK) continue;
    append(timeline, timeline->state, later[j].action, later[j].key);
    json_decref(timeline->state);
    timeline->state = next;
  }
  for (size_t j = 0; j < end - i; j++) entry_free(&later[j]);
  free(later);
  return 1;
}

/* ---- Dispatch ------------------------------------------------------------------------------ */

static imd_status check_optimism(json_t *optimistic) {
  const char *key;
  json_t *value;
  if (!json_is_object(optimistic) || json_object_size(optimistic) != 1) return IMD_INVALID_ACTION;
  json_object_foreach(optimistic, key, value) {
    int is_known = strcmp(key, "begin") == 0 || strcmp(key, "succeed") == 0 ||
                   strcmp(key, "fail") == 0;
    if (!is_known || !json_is_string(value)) return IMD_INVALID_ACTION;
  }
  return IMD_OK;
}

/* A rejected outcome still ends its change: then *has_ended is 1. */
static imd_status reduce(const model *model, timeline *timeline, const json_t *action,
                         int *has_ended) {
  json_t *next, *optimistic = plain_member(plain_member(action, "meta"), "optimistic");
  if (!model->is_optimistic) optimistic = NULL;
  imd_status status = optimistic ? check_optimism(optimistic) : IMD_OK;
  if (status != IMD_OK) return status;
  const char *begun = json_string_value(plain_member(optimistic, "begin"));
  const char *kept = json_string_value(plain_member(optimistic, "succeed"));
  const char *failed = json_string_value(plain_member(optimistic, "fail"));
  if (kept) *has_ended = confirm(timeline, kept);
  if (failed) *has_ended = roll_back(timeline, failed);
  status = model_reduce(model->is_counter, timeline->state, action, &next);
  if (status != IMD_OK) return status;
  append(timeline, timeline->state, action, begun);
  json_decref(timeline->state);
  timeline->state = next;
  return IMD_OK;
}

static void commit(model *model, timeline *timeline, const json_t *actions, const json_t *states) {
  json_t *action;
  size_t index;
  for (int i = 0; i < MODEL_STREAMS; i++)
    json_array_foreach(actions, index, action) {
      if (model->streams[i])
        model->overruns +=
            model_stream_write(model->streams[i], action, json_array_get(states, index),
                               json_array_get(states, index + 1));
    }
  model->transitions =
      realloc(model->transitions, (model->waiting + 1) * sizeof *model->transitions);
  model->transitions[model->waiting++] = (model_transition){
      json_deep_copy(model->state), json_deep_copy(timeline->state), json_deep_copy(actions),
      json_deep_copy(states)};
  model->added++;
  struct timeline old = {model->state, model->log, model->logged};
  model->state = timeline->state;
  model->log = timeline->log;
  model->logged = timeline->logged;
  timeline_free(&old);
}

imd_status model_dispatch(model *model, const json_t *actions, int is_batch) {
  if (model->is_over) return IMD_CLOSED;
  timeline timeline = timeline_copy(model);
  json_t *action, *states = json_array();
  size_t index;
  int has_ended = 0;
  imd_status status = IMD_OK;
  json_array_foreach(actions, index, action) {
    const char *type = json_string_value(plain_member(action, "type"));
    if (!type || (model->is_counter && strncmp(type, "didTap", 6) != 0))
      status = IMD_INVALID_ACTION;
  }
  json_array_foreach(actions, index, action) {
    if (status != IMD_OK) break;
    json_array_append_new(states, json_deep_copy(timeline.state));
    status = reduce(model, &timeline, action, &has_ended);
  }
  json_array_append_new(states, json_deep_copy(timeline.state));
  int is_committed =
      status == IMD_OK || (status == IMD_REDUCER_FAILED && has_ended && !is_batch);
  if (is_committed && json_array_size(actions) > 0)
    commit(model, &timeline, actions, states);
  else
    timeline_free(&timeline);
  json_decref(states);
  return status;
}
