/* Data shared by the threads: stores, observers, and the streams and effects of each store.
 *
 * No model predicts the order of commits by several threads. But each action "step" increments
 * the n of the state, so an output n identifies its commit. */
#ifndef THREADS_H
#define THREADS_H

#include "random.h"

#include <immutabledata.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { WORKERS = 4, STORES = 2, OBSERVERS = 24, STREAMS = 3 };

typedef struct shared_store shared_store;

/* A stream with a thread that reads it. */
typedef struct reader {
  imd_stream *stream;
  pthread_t thread;
  enum { READS_ALL, READS_LATEST, READS_UNTIL_FULL } kind;
  long read, next; /* the number of actions read; the expected next n */
  size_t dropped;
} reader;

struct shared_store {
  imd_store *handle;
  atomic_int is_closing, released;
  atomic_long steps[WORKERS + 1], kept, deliveries, performed;
  sem_t effects_released; /* once for the rule, and for each function of effects */
  reader readers[STREAMS];
  shared_store *next; /* in the list of closed ones */
};

typedef struct watch {
  shared_store *store;
  imd_observation *handle;
  int is_queued, is_coalescing, is_initial;
  long last; /* -1 before the first delivery */
  atomic_int running, released;
  atomic_int is_claimed; /* by the call that cancels it */
  atomic_int is_over;    /* that call has returned, outside callbacks */
  struct watch *next;
} watch;

extern _Atomic(shared_store *) stores[STORES];
extern _Atomic(watch *) watches[OBSERVERS];

/* For this thread: the nesting depth in callbacks, and the number of calls that callbacks may still
 * make before the outermost call returns. */
typedef struct worker {
  int number, depth, budget;
  random_source source;
} worker;
extern _Thread_local worker *self;

shared_store *shared_create(void);
/* Closes a store that this thread removed from stores. */
void shared_close(shared_store *store);
/* After all threads have ended: checks that the counts match the final state. */
void shared_check(shared_store *store);
/* Joins the readers of all closed stores, and checks and frees the stores. */
void shared_reap(void);

/* Sets a rule, and the function of the effects that it asks for, which use the store. */
void effects_begin(shared_store *store);
/* After the store was closed: waits until none of them runs. */
void effects_end(shared_store *store);

/* Previews, and uses the history, but does not jump: each output n comes once. */
void use_history(shared_store *store);

void reader_start(reader *reader, shared_store *store, int kind);
void reader_join(reader *reader);

void watch_begin(shared_store *store);
/* inside: the observer that makes the call, or NULL. */
void watch_cancel(watch *watch, const struct watch *inside);
/* A store was closed outside callbacks: its observers are released. */
void watch_check_closed(const shared_store *store);
void watch_check_final(const shared_store *store, long n);
int watch_count(const shared_store *store);
void watch_reap(void);

/* Makes a random call. inside: the observer that makes it, or NULL. */
void work(const watch *inside);

#endif
