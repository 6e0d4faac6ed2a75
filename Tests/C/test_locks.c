/* Inside callbacks no call waits for another thread's callback, delivery, stream space or effect.
 *
 * If a call waited, the program would hang. The threads synchronize with semaphores. */
#define _POSIX_C_SOURCE 200809L

#include "number.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

enum { ROUNDS = 2000 };

static imd_store *store, *other;
static imd_observation *observation;
static sem_t entered, resume;
static int runs, releases;

static void count_release(void *context) {
  (void)context;
  releases++;
}

static void begin(void) {
  store = number_open();
  other = number_open();
  sem_init(&entered, 0, 0);
  sem_init(&resume, 0, 0);
  runs = releases = 0;
}

static void end(void) {
  imd_store_close(store);
  imd_store_close(other);
  sem_destroy(&entered);
  sem_destroy(&resume);
}

/* ---- Cancel and close do not wait for another thread's callback ------------------------------ */

static void block(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  runs++;
  sem_post(&entered);
  sem_wait(&resume);
}

static void *poll_store(void *context) {
  CHECK(imd_store_poll(context, NULL, NULL) == IMD_OK);
  return NULL;
}

static void cancel_running(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  imd_observation_cancel(observation);
  imd_observation_cancel(observation);
  CHECK(releases == 0);
}

static void close_running(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  imd_store_close(store);
  CHECK(releases == 0);
}

/* An observer, called by another thread's poll, runs while `observer` cancels it or closes its
 * store. */
static void end_running_observer(imd_observer observer) {
  begin();
  observation = number_observe(store, "{\"when\":\"queued\"}", block, NULL, count_release);
  pthread_t poller;
  pthread_create(&poller, NULL, poll_store, store);
  sem_wait(&entered);
  number_observe(other, NULL, observer, NULL, NULL);
  sem_post(&resume);
  pthread_join(poller, NULL);
  CHECK(runs == 1 && releases == 1);
  CHECK(number_set(store, 1) == (observer == close_running ? IMD_CLOSED : IMD_OK));
  imd_store_poll(store, NULL, NULL);
  CHECK(runs == 1 && releases == 1);
  end();
}

/* ---- Close waits for cancelled observers that are still running or being released ------------ */

static int is_closed;

static void linger(void) {
  sem_post(&entered);
  for (int i = 0; i < 200; i++) {
    sched_yield();
    CHECK(!__atomic_load_n(&is_closed, __ATOMIC_ACQUIRE));
  }
}

static void cancel_itself_and_linger(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  imd_observation_cancel(observation);
  linger();
}

static void linger_in_release(void *context) {
  if (context) linger();
  releases++;
}

static void ignore(void *context, const imd_delivery *delivery) { (void)context, (void)delivery; }

static void *cancel_observation(void *context) {
  (void)context;
  imd_observation_cancel(observation);
  return NULL;
}

static void close_waits_for_cancelled_observers(int in_release) {
  for (int i = 0; i < 50; i++) {
    begin();
    is_closed = 0;
    observation = number_observe(store, "{\"when\":\"queued\"}",
                                 in_release ? ignore : cancel_itself_and_linger,
                                 in_release ? &runs : NULL, linger_in_release);
    pthread_t thread;
    pthread_create(&thread, NULL, in_release ? cancel_observation : poll_store, store);
    sem_wait(&entered);
    imd_store_close(store);
    __atomic_store_n(&is_closed, 1, __ATOMIC_RELEASE);
    CHECK(releases == 1);
    pthread_join(thread, NULL);
    end();
  }
}

/* ---- The delivering thread also delivers for other dispatches -------------------------------- */

static int seen[8], seen_count;

static void record(void *context, const imd_delivery *delivery) {
  (void)context;
  if (seen_count < 8) seen[seen_count++] = number_of(delivery);
}

static void *dispatch_first(void *context) {
  CHECK(number_set(context, 1) == IMD_OK);
  return NULL;
}

static void block_at_one(void *context, const imd_delivery *delivery) {
  if (number_of(delivery) == 1) block(context, delivery);
}

static void use_store(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  CHECK(number_set(store, 2) == IMD_OK);
  number_observe(store, NULL, record, NULL, NULL);
  CHECK(number_set(store, 3) == IMD_OK);
  CHECK(number_set(store, 4) == IMD_OK);
  imd_observation *ended = number_observe(store, NULL, record, NULL, count_release);
  imd_observation_cancel(ended);
  CHECK(releases == 1);
  CHECK(seen_count == 0); /* the other thread has not delivered yet */
}

static void the_delivering_thread_delivers_for_callbacks(void) {
  begin();
  seen_count = 0;
  number_observe(store, NULL, block_at_one, NULL, NULL);
  pthread_t dispatcher;
  pthread_create(&dispatcher, NULL, dispatch_first, store);
  sem_wait(&entered);
  number_observe(other, NULL, use_store, NULL, NULL);
  sem_post(&resume);
  pthread_join(dispatcher, NULL);
  /* Everything was delivered before the delivering dispatch returned: the output at the start of
   * the observation, and all later ones. */
  CHECK(seen_count == 3 && seen[0] == 2 && seen[1] == 3 && seen[2] == 4);
  CHECK(number_statistic(store, "observations") == 2);
  end();
}

/* ---- Threads that could deadlock ------------------------------------------------------------- */

static void dispatch_to(void *context, const imd_delivery *delivery) {
  if (number_of(delivery) % 2 == 1) CHECK(number_set(context, 0) == IMD_OK);
}

static void *dispatch_often(void *context) {
  for (int i = 0; i < ROUNDS; i++) CHECK(number_set(context, i % 4) == IMD_OK);
  return NULL;
}

static void two_stores_dispatch_to_each_other(void) {
  begin();
  number_observe(store, NULL, dispatch_to, other, NULL);
  number_observe(other, NULL, dispatch_to, store, NULL);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(threads + i, NULL, dispatch_often, i % 2 ? store : other);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  end();
}

static void dispatch_back(void *context, const imd_delivery *delivery) {
  (void)delivery;
  CHECK(number_set(context, 7) == IMD_OK);
}

static void cancel_queued(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  imd_observation_cancel(observation);
}

static void *poll_often(void *context) {
  for (int i = 0; i < ROUNDS; i++) CHECK(imd_store_poll(context, NULL, NULL) == IMD_OK);
  return NULL;
}

static void an_inline_observer_cancels_a_queued_one_that_dispatches(void) {
  for (int i = 0; i < ROUNDS / 20; i++) {
    begin();
    observation =
        number_observe(store, "{\"when\":\"queued\"}", dispatch_back, store, count_release);
    number_observe(store, "{\"initial\":false}", cancel_queued, NULL, NULL);
    pthread_t poller;
    pthread_create(&poller, NULL, poll_store, store);
    CHECK(number_set(store, 1) == IMD_OK);
    pthread_join(poller, NULL);
    CHECK(releases == 1);
    end();
  }
}

static void observers_come_and_go_while_threads_poll_and_dispatch(void) {
  begin();
  number_observe(store, "{\"when\":\"queued\"}", dispatch_back, other, NULL);
  number_observe(other, "{\"when\":\"queued\"}", dispatch_back, store, NULL);
  pthread_t threads[4];
  pthread_create(threads + 0, NULL, poll_often, store);
  pthread_create(threads + 1, NULL, poll_often, other);
  pthread_create(threads + 2, NULL, dispatch_often, store);
  pthread_create(threads + 3, NULL, dispatch_often, other);
  for (int i = 0; i < ROUNDS; i++)
    imd_observation_cancel(number_observe(i % 2 ? store : other, NULL, dispatch_to,
                                          i % 2 ? other : store, count_release));
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  CHECK(releases == ROUNDS);
  end();
}

/* ---- Streams, and settling ------------------------------------------------------------------- */

static imd_stream *stream;

static imd_status read_next(imd_stream *stream, int timeout_ms) {
  return imd_stream_next(stream, timeout_ms, NULL, NULL, NULL, NULL);
}

static void fill_and_wait(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  CHECK(read_next(stream, -1) == IMD_TIMEOUT);
  for (int i = 1; i <= 3; i++) CHECK(number_set(store, i) == IMD_OK);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_REENTRANT);
  CHECK(imd_store_settle(other, 0, NULL) == IMD_REENTRANT);
}

static void a_full_stream_accepts_actions_of_callbacks(void) {
  begin();
  const char *options = "{\"capacity\":1,\"overflow\":\"block\"}";
  CHECK(imd_store_stream(store, options, IMD_ZERO_TERMINATED, &stream, NULL) == IMD_OK);
  number_observe(other, NULL, fill_and_wait, NULL, NULL);
  CHECK(number_statistic(store, "overruns") == 2);
  for (int i = 1; i <= 3; i++) CHECK(read_next(stream, -1) == IMD_OK);
  CHECK(read_next(stream, 0) == IMD_TIMEOUT);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  imd_stream_close(stream);
  end();
}

static void settle_in_release(void *context) {
  CHECK(imd_store_settle(context, -1, NULL) == IMD_REENTRANT);
  releases++;
}

static void a_release_function_does_not_wait(void) {
  begin();
  imd_observation_cancel(number_observe(store, NULL, record, store, settle_in_release));
  CHECK(releases == 1);
  end();
}

int main(void) {
  end_running_observer(cancel_running);
  end_running_observer(close_running);
  close_waits_for_cancelled_observers(0);
  close_waits_for_cancelled_observers(1);
  the_delivering_thread_delivers_for_callbacks();
  two_stores_dispatch_to_each_other();
  an_inline_observer_cancels_a_queued_one_that_dispatches();
  observers_come_and_go_while_threads_poll_and_dispatch();
  a_full_stream_accepts_actions_of_callbacks();
  a_release_function_does_not_wait();
  return check_report();
}
