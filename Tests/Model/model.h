/* The naive model of a store: every value is a copy, and every output is computed anew.
 *
 * The library calls observers in the middle of a call. So the model does not compute the deliveries
 * of a call in advance: each observer that is called asks the model what has to be delivered next.
 * What observers do in the meantime happens to the model too. */
#ifndef MODEL_H
#define MODEL_H

#include <immutabledata.h>
#include <jansson.h>
#include <stddef.h>

/* ---- Reducers and selectors ---------------------------------------------------------------- */

/* Reduces an action: IMD_OK and the next state, owned by the caller, or the status that its
 * dispatch has to return. */
imd_status model_reduce(int is_counter, const json_t *state, const json_t *action, json_t **next);

/* The context of the same reducer for the library: its own store, and what it may misuse. */
typedef struct host {
  imd_store *store, *other;
  imd_stream *stream;
  int released;
} host;

imd_status host_reduce(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error);

/* What a selector has for a state: nothing was computed yet, a value, or a failure and why. */
typedef struct output {
  enum { OUTPUT_NONE, OUTPUT_VALUE, OUTPUT_FAILURE } kind;
  json_t *value;
} output;

output output_copy(output output);
void output_free(output output);
int output_equal(output left, output right);

typedef struct selector {
  const char *name, *expression;
  const char *argument; /* the name of the one that it has, or NULL */
  output (*evaluate)(const json_t *state, const json_t *argument);
} selector;

extern const selector host_selectors[];
extern const int host_selector_count;
extern const selector counter_selector;

/* ---- Observations -------------------------------------------------------------------------- */

typedef struct model_options {
  int is_initial, is_patch, is_queued, is_coalescing, drops_all;
  int capacity;
  const char *filter; /* a pattern, or NULL */
  const selector *dependency;
  const char *label;
} model_options;

typedef struct model_observation {
  const selector *selector;
  json_t *argument;
  model_options options;
  long number, start; /* the transitions up to start are none of its */
  int is_over, is_stale;
  output published, told, dependency;
  json_t *told_value; /* the last value, behind a failure too */
  size_t skipped;     /* what gave way since the last delivery */
} model_observation;

/* What a delivery has to be. */
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
  json_t *elements;  /* pairs of state and action */
  size_t dropped;
  int has_overflowed, is_over;
} model_stream;

/* Whether it exceeds its capacity by that. */
int model_stream_write(model_stream *stream, const json_t *state, const json_t *action);
int model_stream_is_full(const model_stream *stream);

/* The status of reading without waiting; for IMD_OK the pair, owned by the caller. */
imd_status model_stream_next(model_stream *stream, json_t **element);

/* ---- Stores -------------------------------------------------------------------------------- */

enum { MODEL_OBSERVATIONS = 12, MODEL_STREAMS = 3 };

typedef struct model_transition {
  json_t *old_state, *new_state, *actions;
} model_transition;

/* An action since the oldest change in flight began, with the state that it found. */
typedef struct model_entry {
  json_t *found, *action;
  char *key; /* while it is in flight */
} model_entry;

typedef struct model_queued {
  long number;
  model_observation *observation;
  output output;
} model_queued;

typedef struct model {
  json_t *state;
  int is_counter, is_optimistic, is_over;

  model_entry *log;
  size_t logged;

  model_transition *transitions; /* those not yet delivered */
  size_t waiting;
  long added;        /* how many transitions there were */
  int is_delivering; /* a call that is under way delivers */
  long position;     /* the number of the last observation that looked at the first of them */
  model_observation *initial; /* one whose first output comes next */

  model_observation *observations[MODEL_OBSERVATIONS]; /* those not over, as they began */
  int observing;
  long begun; /* how many there were */

  model_queued *queue;
  size_t queued;
  long made; /* how many outputs were queued */
  int is_polling;
  long poll_end;

  model_stream *streams[MODEL_STREAMS];
  long deliveries, overruns, selects_least, selects_most;
} model;

model *model_create(json_t *state, int is_counter, int is_optimistic);
void model_free(model *model);

/* Dispatches a batch, or one action in an array. */
imd_status model_dispatch(model *model, const json_t *actions, int is_batch);

/* ---- Deliveries ---------------------------------------------------------------------------- */

void model_observe(model *model, model_observation *observation);
void model_end(model *model, model_observation *observation);
void observation_free(model_observation *observation);

/* The observer of an observation is called: what with. Fails where another comes first. */
expected_delivery model_delivery(model *model, model_observation *observation);

/* All that had to be delivered has been: fails where something is left. */
void model_expect_delivered(model *model);

/* The next call to poll delivers what is queued now. */
void model_begin_poll(model *model);
void model_end_poll(model *model);

void model_close(model *model);

/* Whether a pattern such as "set*" stands for the type of an action. */
int model_matches(const char *pattern, const json_t *action);

#endif
