/* Four threads that make random calls on two short-lived stores. */
#define _POSIX_C_SOURCE 200809L

#include "threads.h"

#include "features.h"
#include "model_test.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS_OF_A_CALLBACK = 4, WARM_UP = 200 };

_Thread_local worker *self;
static long calls;

/* ---- Calls --------------------------------------------------------------------------------- */

static void expect(const shared_store *store, imd_status status, imd_status expected) {
  int is_right = status == expected || (status == IMD_CLOSED && atomic_load(&store->is_closing));
  EXPECT(is_right, "%s, not %s", imd_status_name(status), imd_status_name(expected));
}

static void dispatch(shared_store *store) {
  static const char *const types[] = {"step", "keep", "refuse"};
  char action[64], text[140];
  int kind = random_chance(&self->source, 80) ? 0 : 1 + random_below(&self->source, 2);
  int is_batch = random_chance(&self->source, 10);
  snprintf(action, sizeof action, "{\"type\":\"%s\",\"payload\":%d}", types[kind], self->number);
  /* At most one step, so that no output is skipped. */
  snprintf(text, sizeof text, is_batch ? "[%s,{\"type\":\"keep\"}]" : "%s", action);
  note("dispatch %p %s", (void *)store->handle, text);
  imd_status status =
      is_batch ? imd_store_dispatch_batch(store->handle, text, IMD_ZERO_TERMINATED, NULL)
               : imd_store_dispatch(store->handle, text, IMD_ZERO_TERMINATED, NULL);
  expect(store, status, kind == 2 ? IMD_REDUCER_FAILED : IMD_OK);
  if (status != IMD_OK) return;
  if (kind == 0) atomic_fetch_add(&store->steps[self->number], 1);
  atomic_fetch_add(&store->kept, (kind == 1) + is_batch);
}

static void read_state(shared_store *store) {
  char *text = NULL;
  imd_value *state = NULL;
  note("select %p", (void *)store->handle);
  expect(store, imd_store_select(store->handle, "n", NULL, 0, &text, NULL, NULL), IMD_OK);
  expect(store, imd_store_state(store->handle, &state, NULL), IMD_OK);
  imd_free(text);
  imd_value_release(state);
}

static void poll_store(shared_store *store) {
  size_t delivered;
  note("poll %p", (void *)store->handle);
  expect(store, imd_store_poll(store->handle, &delivered, NULL), IMD_OK);
}

static void settle(shared_store *store) {
  if (self->depth > 0 && !has_feature(SETTLE_IN_CALLBACK)) return;
  note("settle %p", (void *)store->handle);
  int timeout = random_chance(&self->source, 50) ? -1 : 0;
  imd_status status = imd_store_settle(store->handle, timeout, NULL);
  if (self->depth > 0) expect(store, status, IMD_REENTRANT);
  else if (status != IMD_TIMEOUT || timeout < 0) expect(store, status, IMD_OK);
}

/* What one more step of this thread would do. Only this thread takes such steps, so nothing has
 * changed meanwhile, unless this is inside a callback or on a thread of the engine. */
static void preview(shared_store *store) {
  char action[64], pointer[32], *patch = NULL;
  int number = self ? self->number : WORKERS;
  imd_value *state = NULL;
  int64_t count;
  snprintf(action, sizeof action, "[{\"type\":\"step\",\"payload\":%d}]", number);
  snprintf(pointer, sizeof pointer, "/threads/%d", number);
  imd_status status = imd_store_preview(store->handle, action, IMD_ZERO_TERMINATED, &state, &patch,
                                        NULL, NULL);
  expect(store, status, IMD_OK);
  if (status == IMD_OK) EXPECT_STATUS(imd_value_get_integer(state, pointer, &count, NULL), IMD_OK);
  if (status == IMD_OK && self && self->depth == 0)
    EXPECT(count == atomic_load(&store->steps[number]) + 1, "a preview counts %ld after %ld",
           (long)count, atomic_load(&store->steps[number]));
  imd_value_release(state);
  imd_free(patch);
}

void use_history(shared_store *store) {
  char *text = NULL;
  note("history %p", (void *)store->handle);
  expect(store, imd_store_begin_group(store->handle, NULL), IMD_OK);
  expect(store, imd_store_mark_clean(store->handle, NULL), IMD_OK);
  expect(store, imd_store_undo(store->handle, 0, NULL, NULL), IMD_OK);
  expect(store, imd_store_redo(store->handle, 1, NULL, NULL), IMD_OK);
  expect(store, imd_store_history(store->handle, "{\"actions\":true}", IMD_ZERO_TERMINATED, &text,
                                  NULL, NULL), IMD_OK);
  imd_free(text);
  expect(store, imd_store_blame(store->handle, "/n", "{\"count\":3}", IMD_ZERO_TERMINATED, &text,
                                NULL, NULL), IMD_OK);
  imd_free(text);
  preview(store);
  expect(store, imd_store_end_group(store->handle, NULL), IMD_OK);
}

static void stream(shared_store *store) {
  imd_stream *stream;
  note("stream %p", (void *)store->handle);
  imd_status status = imd_store_stream(store->handle, NULL, 0, &stream, NULL);
  expect(store, status, IMD_OK);
  if (status != IMD_OK) return;
  status = imd_stream_next(stream, self->depth > 0 ? 0 : 1, NULL, NULL, NULL, NULL);
  if (status != IMD_OK) expect(store, status, IMD_TIMEOUT);
  imd_stream_close(stream);
}

static void close_store(int index) {
  if (self->depth > 0 && !has_feature(CLOSE_IN_CALLBACK)) return;
  shared_store *store = atomic_exchange(&stores[index], NULL);
  if (!store) return;
  shared_close(store);
  atomic_store(&stores[index], shared_create());
}

/* The child has one thread, and must not use locks that other threads held. It records nothing. */
static void fork_child(void) {
  if (self->depth > 0 || !has_feature(FORK)) return;
  note("fork");
  pid_t child = fork();
  if (child == 0) {
    imd_store *store;
    alarm(120);
    const char *action = "{\"type\":\"didTapIncrementButton\"}";
    imd_status status = imd_store_open("counter", NULL, 0, &store, NULL);
    if (status == IMD_OK) status = imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL);
    imd_store_close(store);
    if (status == IMD_OK) status = imd_store_open("animals", NULL, 0, &store, NULL);
    action = "{\"type\":\"ui/animalList/onAppear\"}";
    if (status == IMD_OK) status = imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL);
    if (status == IMD_OK) status = imd_store_settle(store, -1, NULL);
    imd_store_close(store);
    _exit(status);
  }
  int status = -1;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child, "no child");
  EXPECT(status == 0, "the child of a fork ends with %#x", (unsigned)status);
}

/* Without the feature, a callback uses only its own store. */
static shared_store *choose(const watch *inside) {
  if (inside && !has_feature(CROSSING_STORES)) return inside->store;
  return atomic_load(&stores[random_below(&self->source, STORES)]);
}

void work(const watch *inside) {
  shared_store *store = choose(inside);
  watch *watch = atomic_load(&watches[random_below(&self->source, OBSERVERS)]);
  int kind = random_below(&self->source, 1000);
  if (!store) return;
  if (kind < 500) dispatch(store);
  else if (kind < 600) watch_begin(store);
  else if (kind < 700) watch ? watch_cancel(watch, inside) : (void)0;
  else if (kind < 850) poll_store(store);
  else if (kind < 930) read_state(store);
  else if (kind < 950) use_history(store);
  else if (kind < 970) stream(store);
  else if (kind < 995) settle(store);
  else if (kind < 998) close_store(random_below(&self->source, STORES));
  else if (kind < 999) fork_child();
}

/* ---- Threads ------------------------------------------------------------------------------- */

static void repeat(worker *worker, long count) {
  self = worker;
  for (long i = 0; i < count; i++) {
    worker->budget = CALLS_OF_A_CALLBACK;
    work(NULL);
  }
  self = NULL;
}

static void *run_worker(void *context) {
  repeat(context, calls);
  return NULL;
}

void run_threads(const run *run) {
  pthread_t threads[WORKERS];
  worker workers[WORKERS + 1] = {{0}};
  calls = run->calls / WORKERS;
  for (int i = 0; i <= WORKERS; i++)
    workers[i] = (worker){.number = i, .source = {run->seed * (WORKERS + 1) + (uint64_t)i}};
  for (int i = 0; i < STORES; i++) atomic_store(&stores[i], shared_create());
  /* Called before there are threads: ThreadSanitizer does not recognize the one-time
   * initialization of Swift globals, and reports a race for the second thread that reads one. */
  repeat(&workers[WORKERS], WARM_UP);
  for (int i = 0; i < WORKERS; i++)
    EXPECT(pthread_create(&threads[i], NULL, run_worker, &workers[i]) == 0, "no thread");
  for (int i = 0; i < WORKERS; i++)
    EXPECT(pthread_join(threads[i], NULL) == 0, "no thread to join");
  for (int i = 0; i < STORES; i++) shared_check(atomic_exchange(&stores[i], NULL));
  shared_reap();
  watch_reap();
}
