/* A naive model of a store: every value is a copy, and every output is recomputed.
 *
 * The library calls observers during a call. Therefore the model does not compute the deliveries
 * of a call in advance: each observer that is called asks the model for the expected delivery.
 * The calls that observers make are applied to the model too. */
#ifndef MODEL_H
#define MODEL_H

#include <immutabledata.h>
#include <jansson.h>
#include <stddef.h>

/* ---- Reducers and selectors ---------------------------------------------------------------- */

/* Reduces an action. Returns IMD_OK and the next state, owned by the caller, or the expected status
 * of the dispatch. */
imd_status model_reduce(int is_counter, const json_t *state, const json_t *action, json_t **next);

/* The context of the same reducer for the library: its own store, and objects to misuse. */
typedef struct host {
  imd_store *store, *other;
  imd_stream *stream;
  int released;
} host;

imd_status host_reduce(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error);

/* The output of a selector: not computed yet, a value, or a failure with its reason. */
typedef struct output {
  enum { OUTPUT_NONE, OUTPUT_VALUE, OUTPUT_FAILURE } kind;
  json_t *value;
} output;

output output_copy(output output);
void output_free(output output);
int output_equal(output left, output right);

typedef struct selector {
  const char *name, *expression;
  const char *argument; /* the name of its argument, or NULL */
  output (*evaluate)(const json_t *state, const json_t *argument);
  int reads_history; /* the state is that of the history, see model_status */
} selector;

extern const selector host_selectors[];
extern const int host_selector_count;
extern const selector counter_selector;
extern const selector history_selector;

/* ---- Observations -------------------------------------------------------------------------- */

typedef struct model_options {
  int is_initial, is_patch, is_queued, is_coalescing, drops_all;
  int capacity;
  const char *ignored; /* a pattern, or NULL */
  int has_comparison;  /* model_is_far decides whether an output has changed */
  int has_filter;      /* model_passes decides which actions may change it */
  const selector *dependency;
  const char *label;
} model_options;

typedef struct model_observation {
  const selector *selector;
  json_t *argument;
  model_options options;
  long number, start; /* commits up to start do not concern it */
  int is_over, is_stale;
  output published, delivered, dependency;
  json_t *delivered_value; /* the last value, also after a failure */
  size_t skipped;     /* outputs dropped since the last delivery */
} model_observation;

/* An expected delivery. */
typedef struct expected_delivery {
  imd_delivery_kind kind;
  json_t *value; /* the new output; NULL for a failure. Borrowed until the next call of the model */
  size_t skipped;
} expected_delivery;

/* ---- Streams ------------------------------------------------------------------------------- */

typedef enum overflow { OVERFLOW_FAIL, OVERFLOW_DROP, OVERFLOW_BLOCK } overflow;

typedef struct model_stream {
  int capacity;
  overflow overflow;
  const char *types; /* a pattern, or NULL */
  json_t *elements;  /* triples: action, old state, new state */
  size_t dropped;
  int has_overflowed, is_over;
} model_stream;

/* Appends an element. Returns whether the stream exceeds its capacity. */
int model_stream_write(model_stream *stream, const json_t *action, const json_t *old_state,
                       const json_t *new_state);
int model_stream_is_full(const model_stream *stream);

/* The status of reading without waiting; for IMD_OK the triple, owned by the caller. */
imd_status model_stream_next(model_stream *stream, json_t **element);

/* ---- Stores -------------------------------------------------------------------------------- */

enum { MODEL_OBSERVATIONS = 12, MODEL_STREAMS = 3 };

typedef struct model_transition {
  long number; /* that of the last commit */
  json_t *old_state, *new_state, *actions;
  json_t *states; /* the state before each action, and the one after the last */
  json_t *old_status, *new_status;
  int is_mark; /* not a commit: only the status may have changed */
} model_transition;

/* The option "history". */
typedef struct model_history_options {
  int is_on, limit;
  const char *undoable, *ignored; /* patterns, or NULL */
  enum { JOINS_NONE, JOINS_TYPE, JOINS_META } joins;
} model_history_options;

/* What led to a state. Its JSON is shared, and never changed. */
typedef struct model_past {
  json_t *line;    /* {"state": …, "records": [{"number", "action", "before": the state}, …]} */
  json_t *changes; /* in flight, oldest first: [{"key", "number"}, …] */
  json_t *steps;   /* [{"commits": [{"number", "action", "before": line, "after"}, …], "isBatch"}] */
  json_int_t number; /* of the last commit */
  size_t present;    /* how many steps have not been undone */
  json_int_t base, base_position;
  json_int_t clean;  /* -1 for a position that is gone */
  json_t *savepoints; /* when each open group began: [{"line", "number"}, …] */
  int is_extensible;  /* whether actions may join the last step */
  json_t *dropped;    /* the steps that it has dropped, which then may come back */
} model_past;

typedef struct model_queued {
  long number;
  model_observation *observation;
  output output;
} model_queued;

typedef struct model {
  const json_t *state; /* that of the past */
  int is_counter, is_optimistic, is_over;

  model_history_options history;
  model_past past;
  json_t *status; /* the output of "@@history" */
  json_t *traced; /* [{"number", "action", "old", "new"}, …] yet to be traced; NULL: no trace */

  model_transition *transitions; /* those not yet delivered */
  size_t waiting;
  long added;        /* the number of the last commit; a batch counts as one */
  int is_delivering; /* a call in progress delivers */
  int is_asking;     /* a comparison or a filter is called for the first transition */
  long position;     /* the number of the last observation evaluated for the first transition */
  model_observation *initial; /* an observation whose first output comes next */

  model_observation *observations[MODEL_OBSERVATIONS]; /* active, in order of their start */
  int observing;
  long begun; /* the total number of observations */

  model_queued *queue;
  size_t queued;
  long made; /* the total number of queued outputs */
  int is_polling;
  long poll_end;

  model_stream *streams[MODEL_STREAMS];
  long deliveries, overruns;
  long selects; /* those that returned an output */
} model;

model *model_create(json_t *state, int is_counter, int is_optimistic,
                    model_history_options history);
void model_free(model *model);

/* Goes on with the past that another model had when its process ended, which it takes over. */
void model_restore(model *model, model_past *past);

/* Dispatches a batch, or one action in an array. */
imd_status model_dispatch(model *model, const json_t *actions, int is_batch);

/* What a batch would make of the state, owned by the caller; NULL if it would fail. */
imd_status model_preview(const model *model, const json_t *actions, json_t **next);

/* Replaces the past by another one, which it takes over, and delivers. */
void model_commit(model *model, model_past *past, const json_t *actions, const json_t *states);

/* What a selector reads. */
const json_t *model_input(const model *model, const selector *selector);

/* ---- The past ------------------------------------------------------------------------------ */

model_past past_copy(const model_past *past);
void past_free(model_past *past);

/* Adds a commit with the next number. Its change is in flight if it has a key. */
void past_append(model_past *past, json_t *commits, const json_t *action, json_t *next,
                 const char *key);

/* Ends the oldest change with a key. Returns whether one was in flight. Rolling back reduces all
 * later actions again, also those of commits, and drops those that are rejected. */
int past_confirm(model_past *past, const char *key);
int past_roll_back(model_past *past, const char *key, json_t **commits);

/* Ends all changes, newest first, by rolling them back. */
void past_roll_back_all(model_past *past);

/* ---- History ------------------------------------------------------------------------------- */

/* Records the commits of a dispatch as a step, or as a part of the last one. */
void model_record(const model *model, model_past *past, json_t *commits, int is_batch);

/* The output of "@@history". */
json_t *model_status(const model *model, const model_past *past);

imd_status model_undo(model *model, size_t steps, size_t *taken);
imd_status model_redo(model *model, size_t steps, size_t *taken);
imd_status model_travel(model *model, json_int_t number);
imd_status model_begin_group(model *model);
imd_status model_end_group(model *model);
imd_status model_cancel_group(model *model);

/* Ends the last step. Several actions that together change nothing are then no step. Returns whether
 * one was dropped. */
int past_settle(model_past *past);
imd_status model_mark_clean(model *model);

/* What imd_store_history returns, without times. */
json_t *model_history(const model *model, size_t from, size_t count, int has_actions);

/* What imd_store_blame returns for a member of the state, without times. */
json_t *model_blame(const model *model, const char *member, size_t count);

/* ---- Deliveries ---------------------------------------------------------------------------- */

void model_observe(model *model, model_observation *observation);
void model_end(model *model, model_observation *observation);
void observation_free(model_observation *observation);

/* Called when an observer is called. Returns the expected delivery; fails if another one is due. */
expected_delivery model_delivery(model *model, model_observation *observation);

/* Fails if a delivery is still due. */
void model_expect_delivered(model *model);

/* The next poll delivers the outputs that are queued now. */
void model_begin_poll(model *model);
void model_end_poll(model *model);

void model_close(model *model);

/* The comparison of the observers that have one: two integers must differ by 2 or more. */
int model_is_far(const json_t *delivered, const json_t *output);

/* The comparisons and filters that get such a number make a forbidden call, so that their result
 * does not count: the output has changed, or the action passes. */
int model_is_misused(const json_t *number);

/* The filter of the observers that have one. */
int model_passes(const json_t *action, const json_t *old_state, const json_t *new_state);

/* Whether a pattern such as "set*" matches the type of an action. */
int model_matches(const char *pattern, const json_t *action);

#endif
