/* Random calls on one thread, each compared with the model.
 *
 * A call that can call observers is made to the model first, then to the library. Callbacks check
 * each delivery with the model, and make random calls themselves. */
#ifndef EXACT_H
#define EXACT_H

#include "model.h"
#include "random.h"

enum { SLOTS = 3 };

typedef struct slot slot;

typedef struct observer {
  model_observation expected;
  slot *slot;
  imd_observation *handle;
  imd_value *last; /* the last value that was delivered */
  int running, released;
  struct observer *next; /* in the list of ended ones */
} observer;

typedef struct stream {
  model_stream expected;
  imd_stream *handle;
  int descriptor; /* -1 until requested */
} stream;

/* The context of a trace function. */
typedef struct tracer {
  slot *slot;
  int released;
} tracer;

/* How a store is opened. */
typedef struct opening {
  int is_counter, is_optimistic, near_end;
  model_history_options history;
  char *log; /* the path of its log, owned; NULL for none */
  int version; /* of the log */
} opening;

/* An open store. */
struct slot {
  opening opening;
  model *model;
  host host;
  observer *observers[MODEL_OBSERVATIONS];
  stream *streams[MODEL_STREAMS];
  int descriptor; /* -1 until requested */
  int *fetch_released; /* of the fetch function, if there is one */
  tracer *tracer;      /* that of the trace function, if there is one */
  int defined;    /* the number of selectors beyond the fixed ones */
  long last_released;
  int is_closing;
  struct slot *next; /* in the list of closed ones */
};

extern random_source source;
extern slot *slots[SLOTS];

/* Inside a callback, calls must not block. call_budget bounds the number of calls that callbacks
 * make. */
extern int callback_depth, call_budget;

/* Makes a random call. not: a slot to leave alone, or NULL. */
void random_call(const slot *not);
slot *random_slot(const slot *not);
/* The argument of a selector; NULL if it has none. */
json_t *random_argument(const selector *selector);

/* ---- Calls --------------------------------------------------------------------------------- */

void call_create(int index);
void call_close(slot *slot);
void call_reopen(slot *slot);
void call_follow(slot *slot);
void call_dispatch(slot *slot);
void call_batch(slot *slot);
void call_preview(slot *slot);
void call_select(slot *slot);
void call_define(slot *slot);
void call_settle(slot *slot);
void call_statistics(slot *slot);
void call_fork(slot *slot);
void call_refused(slot *slot);
void call_set_fetch(slot *slot);
void call_set_trace(slot *slot);

void call_observe(slot *slot);
void call_cancel(slot *slot);
void call_poll(slot *slot);
void call_descriptor(slot *slot);

void call_undo(slot *slot);
void call_redo(slot *slot);
void call_travel(slot *slot);
void call_group(slot *slot);
void call_cancel_group(slot *slot);
void call_mark_clean(slot *slot);
void call_history(slot *slot);
void call_blame(slot *slot);

/* Inside a comparison or a filter: a call that it must not make, and one that it may. */
void call_forbidden(slot *slot);
void call_allowed(slot *slot);

void call_stream(slot *slot);
void call_next(slot *slot);
void call_stream_close(slot *slot);
void call_stream_descriptor(slot *slot);

/* ---- Between calls ------------------------------------------------------------------------- */

/* Around a call that delivers. begin returns whether an outer call delivers already; if not, end
 * expects that everything has been delivered. */
int begin_delivery(slot *slot);
void end_delivery(slot *slot, int was_delivering);

/* Opens a store, which takes over the path of the log. */
slot *open_slot(int index, opening opening);

/* The path of a new log in the folder of this run, owned by the caller. */
char *new_log(void);
void remove_log(const char *path);
void remove_folder(void);

void check_state(slot *slot);
void check_descriptors(slot *slot);

/* The fetch function was replaced, or its store closed. */
void expect_fetch_released(slot *slot);
void expect_trace_released(slot *slot);

/* All actions were traced, if the store has a trace function. */
void expect_traced(slot *slot);

/* Removes a store that is about to be closed from the slots, and ends its objects in the model. */
void retire(slot *slot);

/* Closes one of its streams. Returns whether there was one. */
int close_stream(slot *slot);

/* No callback is in progress: checks that ended objects were released once, and frees them. */
void reap_observers(void);
void reap_slots(void);
void ended(observer *observer);
void expect_text(const imd_value *value, const json_t *expected, const char *what);
/* The JSON Patch makes the new state of the old one. */
void expect_patch(const char *patch, const json_t *old, const json_t *new);

/* An action for a store. */
json_t *random_action(slot *slot);

/* Whether a dispatch would wait for a reader that is not there. */
int is_blocked(const slot *slot);

#endif
