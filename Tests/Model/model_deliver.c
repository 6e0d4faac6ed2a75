/* Computes the expected next delivery. */
#include "model.h"

#include "plain.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

static void replace(output *old, output new) {
  output_free(*old);
  *old = new;
}

/* ---- The queue ----------------------------------------------------------------------------- */

static void dequeue(model *model, size_t i) {
  model->queued--;
  memmove(model->queue + i, model->queue + i + 1, (model->queued - i) * sizeof *model->queue);
}

static size_t find(const model *model, const model_observation *observation) {
  size_t i = 0;
  while (i < model->queued && model->queue[i].observation != observation) i++;
  return i;
}

static void drop_oldest(model *model, model_observation *observation) {
  size_t i = find(model, observation);
  output_free(model->queue[i].output);
  dequeue(model, i);
  observation->skipped++;
}

/* Queues an output. Drops older ones of the same observation if the queue is full, and then the
 * next one if the observer already has it. */
static void enqueue(model *model, model_observation *observation, output output) {
  const model_options *options = &observation->options;
  int room = options->is_coalescing ? 1 : options->capacity, held = 0;
  for (size_t i = 0; i < model->queued; i++)
    held += model->queue[i].observation == observation;
  model->queue = realloc(model->queue, (model->queued + 1) * sizeof *model->queue);
  model->queue[model->queued++] = (model_queued){++model->made, observation, output_copy(output)};
  if (held < room) return;
  for (int i = options->drops_all ? held : held - room + 1; i > 0; i--)
    drop_oldest(model, observation);
  if (output_equal(model->queue[find(model, observation)].output, observation->delivered))
    drop_oldest(model, observation);
}

static model_observation *next_polled(model *model, output *output) {
  if (!model->is_polling || model->queued == 0 || model->queue[0].number > model->poll_end)
    return NULL;
  model_queued next = model->queue[0];
  dequeue(model, 0);
  *output = next.output;
  return next.observation;
}

void model_begin_poll(model *model) {
  model->is_polling = 1;
  model->poll_end = model->made;
}

void model_end_poll(model *model) {
  output output;
  model_observation *left = next_polled(model, &output);
  EXPECT(left == NULL, "a queued output was not delivered");
  model->is_polling = 0;
}

/* ---- Transitions --------------------------------------------------------------------------- */

static void transition_free(model_transition *transition) {
  json_decref(transition->old_state);
  json_decref(transition->new_state);
  json_decref(transition->actions);
  json_decref(transition->states);
  json_decref(transition->old_status);
  json_decref(transition->new_status);
}

int model_is_misused(const json_t *number) {
  return json_is_integer(number) && json_integer_value(number) % 7 == 2;
}

int model_is_far(const json_t *delivered, const json_t *output) {
  if (!json_is_integer(delivered) || !json_is_integer(output)) return 1;
  if (model_is_misused(output)) return 1;
  json_int_t step = json_integer_value(output) - json_integer_value(delivered);
  return step <= -2 || step >= 2;
}

int model_passes(const json_t *action, const json_t *old_state, const json_t *new_state) {
  json_t *old = plain_member(old_state, "n"), *new = plain_member(new_state, "n");
  return json_integer_value(old) % 3 != 0 || json_integer_value(new) % 5 == 0 ||
         model_matches("p*", action) || model_is_misused(new);
}

/* Whether an action may change the output of an observation. */
static int may_change(const model *model, const model_options *options, const json_t *action,
                      const json_t *old_state, const json_t *new_state) {
  if (options->ignored && model_matches(options->ignored, action)) return 0;
  /* A jump passes every filter, and so does an action that begins or ends an optimistic update. */
  if (model_matches("@@history/*", action)) return 1;
  if (model->is_optimistic && plain_member(plain_member(action, "meta"), "optimistic")) return 1;
  return !options->has_filter || model_passes(action, old_state, new_state);
}

static int is_excluded(const model *model, const model_observation *observation,
                       const model_transition *transition) {
  const model_options *options = &observation->options;
  json_t *action;
  size_t index;
  if (transition->is_mark) return !observation->selector->reads_history;
  if (!options->ignored && !options->has_filter) return 0;
  json_array_foreach(transition->actions, index, action) {
    if (may_change(model, options, action, json_array_get(transition->states, index),
                   json_array_get(transition->states, index + 1)))
      return 0;
  }
  return 1;
}

static output read(const model_observation *observation, const json_t *state) {
  const selector *dependency = observation->options.dependency;
  if (dependency) return dependency->evaluate(state, NULL);
  return observation->selector->evaluate(state, observation->argument);
}

/* Whether its dependencies differ. */
static int is_concerned(const model_observation *observation,
                        const model_transition *transition) {
  int reads_history = observation->selector->reads_history;
  output old =
      read(observation, reads_history ? transition->old_status : transition->old_state);
  output new =
      read(observation, reads_history ? transition->new_status : transition->new_state);
  int result = !output_equal(old, new);
  output_free(old);
  output_free(new);
  return result;
}

/* Whether an output has changed since the one that was published last. */
static int has_changed(const model_observation *observation, output found) {
  if (output_equal(found, observation->published)) return 0;
  if (!observation->options.has_comparison || found.kind != OUTPUT_VALUE ||
      observation->published.kind != OUTPUT_VALUE)
    return 1;
  return model_is_far(observation->published.value, found.value);
}

/* Evaluates an observation on a state. Returns whether there is something to deliver. */
static int evaluate(model_observation *observation, const json_t *state, output *found) {
  if (observation->options.dependency) {
    output dependency = read(observation, state);
    int is_same = output_equal(dependency, observation->dependency);
    replace(&observation->dependency, dependency);
    if (is_same) return 0;
  }
  *found = observation->selector->evaluate(state, observation->argument);
  if (has_changed(observation, *found)) return 1;
  output_free(*found);
  return 0;
}

typedef struct candidate {
  model_observation *observation;
  output output;
} candidate;

/* Whether an observation began before a transition. */
static int precedes(const model_observation *observation, const model_transition *transition) {
  return observation->start < transition->number ||
         (observation->start == transition->number && transition->is_mark);
}

static model_observation *next_observation(model *model) {
  for (int i = 0; i < model->observing; i++) {
    model_observation *observation = model->observations[i];
    if (observation->number <= model->position) continue;
    model->position = observation->number;
    if (precedes(observation, &model->transitions[0])) return observation;
  }
  return NULL;
}

static void end_transition(model *model) {
  transition_free(&model->transitions[0]);
  model->waiting--;
  memmove(model->transitions, model->transitions + 1,
          model->waiting * sizeof *model->transitions);
  model->position = 0;
}

/* Whether an observation has something to deliver for the first transition. A coalescing one reads
 * the latest state, but only if the transition concerns it; others may be evaluated each time. */
static int evaluate_transition(model *model, model_observation *observation, candidate *candidate) {
  const model_transition *transition = &model->transitions[0];
  int is_coalescing = observation->options.is_coalescing;
  /* Selectors of a domain without declared dependencies are evaluated after every action. */
  int is_affected = model->is_counter || is_concerned(observation, transition);
  if (is_excluded(model, observation, transition)) {
    observation->is_stale |= is_affected;
    return 0;
  }
  if (is_coalescing && !is_affected && !observation->is_stale) return 0;
  observation->is_stale = 0;
  /* The status after a mark is also that after the commits before it, which may still wait. */
  observation->start = transition->number;
  candidate->observation = observation;
  const json_t *input = is_coalescing ? model->state : transition->new_state;
  if (observation->selector->reads_history) input = transition->new_status;
  return evaluate(observation, input, &candidate->output);
}

/* The next inline delivery. Queues the outputs for queued observations before it. */
static candidate next_inline(model *model) {
  candidate candidate = {0};
  while (model->waiting > 0) {
    model_observation *observation = next_observation(model);
    if (!observation) {
      end_transition(model);
      continue;
    }
    if (!evaluate_transition(model, observation, &candidate)) continue;
    if (!observation->options.is_queued) return candidate;
    enqueue(model, observation, candidate.output);
    replace(&observation->published, candidate.output);
  }
  return (struct candidate){0};
}

void model_expect_delivered(model *model) {
  EXPECT(!model->initial, "the initial output was not delivered");
  candidate left = next_inline(model);
  EXPECT(!left.observation, "the output of observer %ld was not delivered",
         left.observation->number);
}

/* ---- Deliveries ---------------------------------------------------------------------------- */

static output next_output(model *model, model_observation *observation) {
  output output;
  if (observation->options.is_queued) {
    model_observation *next = next_polled(model, &output);
    EXPECT(next == observation, next ? "another observer comes first" : "nothing is queued");
    return output;
  }
  if (model->initial) {
    EXPECT(model->initial == observation, "the initial output of another observer comes first");
    model->initial = NULL;
    return output_copy(observation->published);
  }
  candidate next = next_inline(model);
  EXPECT(next.observation == observation, "observer %ld comes first",
         next.observation ? next.observation->number : 0);
  replace(&observation->published, output_copy(next.output));
  return next.output;
}

expected_delivery model_delivery(model *model, model_observation *observation) {
  EXPECT(!observation->is_over, "an observer is called after its observation ended");
  output output = next_output(model, observation);
  expected_delivery expected = {IMD_DELIVERY_VALUE, output.value, observation->skipped};
  if (output.kind == OUTPUT_FAILURE) {
    expected.kind = IMD_DELIVERY_FAILURE;
    expected.value = NULL;
  } else {
    if (observation->options.is_patch && observation->delivered_value)
      expected.kind = IMD_DELIVERY_PATCH;
    json_decref(observation->delivered_value);
    observation->delivered_value = json_deep_copy(output.value);
  }
  replace(&observation->delivered, output);
  observation->skipped = 0;
  model->deliveries++;
  return expected;
}

/* ---- Beginning and ending ------------------------------------------------------------------ */

void model_observe(model *model, model_observation *observation) {
  EXPECT(model->observing < MODEL_OBSERVATIONS, "the model has too many observations");
  observation->number = ++model->begun;
  observation->start = model->added;
  observation->published =
      observation->selector->evaluate(model_input(model, observation->selector),
                                      observation->argument);
  if (observation->options.dependency)
    observation->dependency = read(observation, model->state);
  model->observations[model->observing++] = observation;
  if (!observation->options.is_initial) return;
  if (observation->options.is_queued) enqueue(model, observation, observation->published);
  else model->initial = observation;
}

void model_end(model *model, model_observation *observation) {
  if (observation->is_over) return;
  observation->is_over = 1;
  int i = 0;
  while (model->observations[i] != observation) i++;
  model->observing--;
  memmove(model->observations + i, model->observations + i + 1,
          (size_t)(model->observing - i) * sizeof *model->observations);
  for (size_t j = 0; j < model->queued;) {
    if (model->queue[j].observation == observation) {
      output_free(model->queue[j].output);
      dequeue(model, j);
    } else {
      j++;
    }
  }
}

void observation_free(model_observation *observation) {
  json_decref(observation->argument);
  json_decref(observation->delivered_value);
  output_free(observation->published);
  output_free(observation->delivered);
  output_free(observation->dependency);
}

/* ---- Stores -------------------------------------------------------------------------------- */

model *model_create(json_t *state, int is_counter, int is_optimistic,
                    model_history_options history) {
  model *model = calloc(1, sizeof *model);
  model->past.line = json_pack("{s:o,s:[]}", "state", state, "records");
  model->past.changes = json_array();
  model->past.steps = json_array();
  model->past.savepoints = json_array();
  model->past.dropped = json_array();
  model->state = state;
  model->is_counter = is_counter;
  model->is_optimistic = is_optimistic;
  model->history = history;
  model->status = model_status(model, &model->past);
  return model;
}

void model_restore(model *model, model_past *past) {
  if (json_array_size(past->changes) > 0) {
    past_roll_back_all(past);
    past->number++;
  }
  if (json_array_size(past->savepoints) > 0) past_settle(past);
  json_array_clear(past->savepoints);
  past_free(&model->past);
  model->past = *past;
  model->state = json_object_get(model->past.line, "state");
  json_decref(model->status);
  model->status = model_status(model, &model->past);
}

void model_close(model *model) {
  while (model->observing > 0) model_end(model, model->observations[0]);
  for (int i = 0; i < MODEL_STREAMS; i++)
    if (model->streams[i]) model->streams[i]->is_over = 1;
  model->is_over = 1;
}

void model_free(model *model) {
  while (model->waiting > 0) end_transition(model);
  past_free(&model->past);
  json_decref(model->status);
  json_decref(model->traced);
  free(model->transitions);
  free(model->queue);
  free(model);
}
