/* What a thread is doing in the library. Written in C for a variable that each thread has of its
 * own: unlike thread-specific keys, of which a process has 1,024, it is always there. */
#ifndef CTHREADRECORD_H
#define CTHREADRECORD_H

/* All fields are 0 when the thread is outside of the library, so its exit frees nothing. */
typedef struct {
  /* The number of the program's functions that the thread is inside, except reducers. */
  long callbacks;
  /* The store whose reducer runs. */
  const void *_Nullable reducing_store;
  /* The CallScope.Violation of that reducer, if any. Owned. */
  void *_Nullable violation;
  /* The CallScope.PureCall of the innermost pure function. */
  void *_Nullable pure_call;
  /* The Differences.Collector of the comparison in progress. */
  void *_Nullable differences;
} thread_record;

extern _Thread_local thread_record thread_record_of_this_thread;

static inline thread_record *_Nonnull thread_record_current(void) {
  return &thread_record_of_this_thread;
}

#endif
