/* What a thread is doing in the library. Written in C for a variable that each thread has of its
 * own: unlike thread-specific keys, of which a process has 1,024, it is always there. */
#ifndef CTHREADRECORD_H
#define CTHREADRECORD_H

/* A running function of the program that must be pure. */
typedef struct pure_call {
  /* The one that called the library, which called this one. */
  struct pure_call *_Nullable outer;
  /* A CallScope.Function. */
  int function;
  /* The store whose reducer it is; null for other functions. */
  const void *_Nullable store;
  /* The CallScope.Violation of the first operation that it must not perform. Owned. */
  void *_Nullable violation;
} pure_call;

/* No field owns anything when the thread is outside of the library, so its exit frees nothing. */
typedef struct {
  /* The number of the program's functions that the thread is inside. */
  long callbacks;
  /* The innermost function that must be pure. */
  pure_call *_Nullable call;
  /* The call of a reducer. A thread runs at most one, because a reducer cannot dispatch. */
  pure_call reduction;
  /* The CommitSequence and the AnyCommit of the innermost delivery of the thread; null outside of
   * deliveries. */
  const void *_Nullable sequence, *_Nullable delivered;
  /* The Differences.Collector of the comparison in progress. */
  void *_Nullable differences;
  /* A number that few other running threads have, from 1; 0 until it is needed. */
  unsigned stripe;
  /* How many locks were taken and how often this record was looked up, in debug builds. */
  long locks, lookups;
  /* The line to write if the thread traps, in debug builds. */
  const char *_Nullable trap_line;
} thread_record;

extern _Thread_local thread_record thread_record_of_this_thread;

static inline thread_record *_Nonnull thread_record_current(void) {
  return &thread_record_of_this_thread;
}

/* Assigns the stripe of the calling thread. */
unsigned thread_record_assign_stripe(void);

static inline unsigned thread_record_stripe(void) {
  unsigned stripe = thread_record_of_this_thread.stripe;
  return stripe ? stripe : thread_record_assign_stripe();
}

/* From the first call on, a thread that traps writes its trap_line to standard error. Then the
 * signal has the effect that it had before. */
void thread_record_watch_traps(void);

/* Waits for about 100 ns without using memory, which another processor writes meanwhile. */
static inline void thread_pause(void) {
  for (int i = 0; i < 4; i++) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
  }
}

#endif
