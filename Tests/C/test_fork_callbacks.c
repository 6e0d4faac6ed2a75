/* Forks inside each callback, with and without another thread inside the store. The child replaces
 * itself, and the parent continues. */
#define _POSIX_C_SOURCE 200809L

#include "child.h"
#include "number.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum callback { REDUCER, INLINE, QUEUED, INITIAL, RELEASE, CLOSE, RULE, COMPARISON, FILTER, CALLBACKS };

static imd_store *store;
static _Thread_local enum callback fork_callback;
static _Thread_local int is_armed;

static void fork_in(enum callback callback) {
  if (!is_armed || callback != fork_callback) return;
  is_armed = 0;
  int status = -1;
  pid_t child = fork();
  if (child == 0) end_child(0);
  if (!CHECK(waitpid(child, &status, 0) == child && status == 0))
    fprintf(stderr, "  callback %d: status %#x\n", (int)callback, (unsigned)status);
}

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  fork_in(REDUCER);
  return number_reduce(context, state, action, next, error);
}

static void observe(void *context, const imd_delivery *delivery) {
  (void)delivery;
  fork_in(*(enum callback *)context);
}

static void ignore(void *context, const imd_delivery *delivery) { (void)context, (void)delivery; }

static void release(void *context) { fork_in(*(enum callback *)context); }

static imd_status ask(void *context, const imd_value *action, const imd_value *old_state,
                      const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)context, (void)action, (void)old_state, (void)new_state, (void)effects, (void)error;
  fork_in(RULE);
  return IMD_OK;
}

static int compare(void *context, const imd_value *delivered, const imd_value *output) {
  (void)context, (void)delivered, (void)output;
  fork_in(COMPARISON);
  return 1;
}

static int filter(void *context, const imd_value *action, const imd_value *old_state,
                  const imd_value *new_state) {
  (void)context, (void)action, (void)old_state, (void)new_state;
  fork_in(FILTER);
  return 1;
}

static enum callback callbacks[] = {REDUCER, INLINE, QUEUED,     INITIAL, RELEASE,
                                    CLOSE,   RULE,   COMPARISON, FILTER};

/* Calls that trigger each of the callbacks. */
static void use_store(void) {
  static _Thread_local int n;
  number_set(store, ++n);
  imd_store_poll(store, NULL, NULL);
  imd_observation *observation = NULL;
  imd_store_observe(store, "n", NULL, 0, NULL, 0, observe, callbacks + INITIAL, NULL, &observation,
                    NULL);
  imd_observation_cancel(observation);
  imd_store_observe(store, "n", NULL, 0, NULL, 0, ignore, callbacks + RELEASE, release,
                    &observation, NULL);
  imd_observation_cancel(observation);
  imd_store *closed = number_open();
  for (int i = 0; i < 2; i++)
    imd_store_observe(closed, "n", NULL, 0, NULL, 0, ignore, callbacks + CLOSE, release, NULL,
                      NULL);
  imd_store_close(closed);
}

static atomic_int should_stop;

static void *keep_dispatching(void *context) {
  (void)context;
  while (!should_stop) {
    number_set(store, 3);
    imd_observation_cancel(
        number_observe(store, "{\"when\":\"queued\"}", ignore, NULL, NULL));
  }
  return NULL;
}

static void fork_in_each_callback(void) {
  for (int i = 0; i < CALLBACKS; i++) {
    fork_callback = callbacks[i];
    is_armed = 1;
    while (is_armed) use_store();
  }
}

int main(void) {
  store = number_create(reduce, NULL);
  CHECK(imd_store_set_rule(store, ask, NULL, NULL, NULL) == IMD_OK);
  number_observe(store, NULL, observe, callbacks + INLINE, NULL);
  number_observe(store, "{\"when\":\"queued\"}", observe, callbacks + QUEUED, NULL);
  const imd_observer_functions functions = {
      .observer = ignore, .did_change = compare, .filter = filter};
  CHECK(imd_store_observe_with_functions(store, "n", NULL, 0, NULL, 0, &functions, NULL, NULL, NULL,
                                         NULL) == IMD_OK);
  fork_in_each_callback();
  pthread_t other;
  CHECK(pthread_create(&other, NULL, keep_dispatching, NULL) == 0);
  fork_in_each_callback();
  should_stop = 1;
  pthread_join(other, NULL);
  imd_store_close(store);
  return check_report();
}
