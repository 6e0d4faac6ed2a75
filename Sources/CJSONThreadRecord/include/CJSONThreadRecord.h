/* What ImmutableJSON keeps for a thread, in a variable that each thread has of its own. */
#ifndef CJSONTHREADRECORD_H
#define CJSONTHREADRECORD_H

#include <stdbool.h>

typedef struct {
  /* A JSONParser for the next text of the thread. Owned. */
  void *_Nullable parser;
  /* The NodeDestroyer that runs. */
  void *_Nullable destroyer;
  /* Whether json_thread_record_at_exit was called, and whether the thread has come that far. */
  bool ends_at_exit, has_ended;
} json_thread_record;

extern _Thread_local json_thread_record json_thread_record_of_this_thread;

static inline json_thread_record *_Nonnull json_thread_record_current(void) {
  return &json_thread_record_of_this_thread;
}

/* Calls `end` with the record of this thread when the thread exits. Other functions that the thread
 * calls at its exit may use the record afterwards. */
void json_thread_record_at_exit(void (*_Nonnull end)(void *_Nullable record));

#endif
