/* A dispatch of the model, and its preview. */
#include "model.h"

#include "plain.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

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
static imd_status reduce(const model *model, model_past *past, const json_t *action,
                         json_t **commits, int *has_ended) {
  json_t *next, *optimistic = plain_member(plain_member(action, "meta"), "optimistic");
  if (!model->is_optimistic) optimistic = NULL;
  imd_status status = optimistic ? check_optimism(optimistic) : IMD_OK;
  if (status != IMD_OK) return status;
  const char *begun = json_string_value(plain_member(optimistic, "begin"));
  const char *kept = json_string_value(plain_member(optimistic, "succeed"));
  const char *failed = json_string_value(plain_member(optimistic, "fail"));
  past->number++;
  if (kept) *has_ended = past_confirm(past, kept);
  if (failed) *has_ended = past_roll_back(past, failed, commits);
  status = model_reduce(model->is_counter, json_object_get(past->line, "state"), action, &next);
  if (status == IMD_OK) past_append(past, *commits, action, next, begun);
  return status;
}

/* states gets the state before each action, and the one after the last. */
static imd_status reduce_all(const model *model, model_past *past, const json_t *actions,
                             json_t *states, json_t **commits, int *has_ended) {
  json_t *action;
  size_t index;
  imd_status status = IMD_OK;
  json_array_foreach(actions, index, action) {
    const char *type = json_string_value(plain_member(action, "type"));
    if (!type || (model->is_counter && strncmp(type, "didTap", 6) != 0))
      status = IMD_INVALID_ACTION;
  }
  json_array_foreach(actions, index, action) {
    if (status != IMD_OK) break;
    json_array_append_new(states, json_deep_copy(json_object_get(past->line, "state")));
    status = reduce(model, past, action, commits, has_ended);
  }
  json_array_append_new(states, json_deep_copy(json_object_get(past->line, "state")));
  return status;
}

const json_t *model_input(const model *model, const selector *selector) {
  return selector->reads_history ? model->status : model->state;
}

/* Commits are delivered in order. A mark comes before those that wait, after the delivery in
 * progress and after earlier marks. */
static void insert(model *model, model_transition transition) {
  size_t place = model->waiting;
  if (transition.is_mark)
    for (place = model->position > 0 || model->is_asking; place < model->waiting; place++)
      if (!model->transitions[place].is_mark) break;
  model->transitions =
      realloc(model->transitions, (model->waiting + 1) * sizeof *model->transitions);
  memmove(model->transitions + place + 1, model->transitions + place,
          (model->waiting - place) * sizeof *model->transitions);
  model->transitions[place] = transition;
  model->waiting++;
}

void model_commit(model *model, model_past *past, const json_t *actions, const json_t *states) {
  json_t *action, *status = model_status(model, past);
  const json_t *state = json_object_get(past->line, "state");
  size_t index;
  for (int i = 0; i < MODEL_STREAMS; i++)
    json_array_foreach(actions, index, action) {
      if (model->streams[i])
        model->overruns +=
            model_stream_write(model->streams[i], action, json_array_get(states, index),
                               json_array_get(states, index + 1));
    }
  json_array_foreach(actions, index, action) {
    if (model->traced)
      json_array_append_new(model->traced,
                            json_pack("{s:I,s:O,s:O,s:O}", "number",
                                      model->past.number + 1 + (json_int_t)index, "action", action,
                                      "old", json_array_get(states, index), "new",
                                      json_array_get(states, index + 1)));
  }
  model->added += actions != NULL;
  insert(model, (model_transition){
      model->added, json_deep_copy(model->state), json_deep_copy(state), json_deep_copy(actions),
      json_deep_copy(states), model->status, json_incref(status), actions == NULL});
  past_free(&model->past);
  model->past = *past;
  model->state = state;
  model->status = status;
}

imd_status model_dispatch(model *model, const json_t *actions, int is_batch) {
  if (model->is_over) return IMD_CLOSED;
  model_past past = past_copy(&model->past);
  json_t *states = json_array(), *commits = json_array();
  int has_ended = 0;
  imd_status status = reduce_all(model, &past, actions, states, &commits, &has_ended);
  /* One action that is left of a batch is none. */
  if (status == IMD_OK) model_record(model, &past, commits, json_array_size(commits) > 1);
  int is_committed =
      status == IMD_OK || (status == IMD_REDUCER_FAILED && has_ended && !is_batch);
  if (is_committed && json_array_size(actions) > 0)
    model_commit(model, &past, actions, states);
  else
    past_free(&past);
  json_decref(commits);
  json_decref(states);
  return status;
}

imd_status model_preview(const model *model, const json_t *actions, json_t **next) {
  model_past past = past_copy(&model->past);
  json_t *states = json_array(), *commits = json_array();
  imd_status status = reduce_all(model, &past, actions, states, &commits, &(int){0});
  *next = status == IMD_OK ? json_deep_copy(json_object_get(past.line, "state")) : NULL;
  past_free(&past);
  json_decref(commits);
  json_decref(states);
  return status;
}
