/* Children that are forked inside a callback, return from it, and continue with their own stores,
 * while another thread of the parent is inside the store.
 *
 *     test_fork_callbacks [FORKS]
 *
 * An alarm terminates a child that hangs. */
#define _POSIX_C_SOURCE 200809L

#include "child.h"
#include "number.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum callback { REDUCER, INLINE, QUEUED, INITIAL, RELEASE, CLOSE, RULE, COMPARISON, FILTER, CALLBACKS };

static imd_store *store;
static _Thread_local enum callback fork_callback;
static _Thread_local int is_armed;
static _Thread_local pid_t child = -1;

static void fork_in(enum callback callback) {
  if (!is_armed || callback != fork_callback) return;
  is_armed = 0;
  child = fork();
  if (child == 0) alarm(120);
}

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  fork_in(REDUCER);
  return number_reduce(context, state, action, next, error);
}

static void observe(void *context, const imd_delivery *delivery) {
  (void)delivery;
  fork_in(*(enum callback *)context);
  if (child == 0 && number_set(store, 1) != IMD_CLOSED) _exit(2);
}

static void ignore(void *context, const imd_delivery *delivery) { (void)context, (void)delivery; }

static void release(void *context) { fork_in(*(enum callback *)context); }

/* Asks for effects, which the child must not begin. */
static imd_status ask(void *context, const imd_value *action, const imd_value *old_state,
                      const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)context, (void)action, (void)old_state, (void)new_state;
  fork_in(RULE);
  if (child != 0) return IMD_OK;
  return imd_value_parse("[{\"effect\":\"e\"}]", IMD_ZERO_TERMINATED, effects, error);
}

static int compare(void *context, const imd_value *delivered, const imd_value *output) {
  (void)context, (void)delivered, (void)output;
  fork_in(COMPARISON);
  return 1;
}

static int filter(void *context, const imd_value *old_state, const imd_value *action) {
  (void)context, (void)old_state, (void)action;
  fork_in(FILTER);
  return 1;
}

static enum callback callbacks[] = {REDUCER, INLINE, QUEUED, INITIAL,    RELEASE,
                                    CLOSE,   RULE,   COMPARISON, FILTER};

/* Calls that trigger each of the callbacks. */
static void use_store(void) {
  static _Thread_local int n;
  number_set(store, ++n);
  if (child == 0) return;
  imd_store_poll(store, NULL, NULL);
  if (child == 0) return;
  imd_observation *observation = NULL;
  imd_store_observe(store, "n", NULL, 0, NULL, 0, observe, callbacks + INITIAL, NULL, &observation,
                    NULL);
  imd_observation_cancel(observation);
  if (child == 0) return;
  imd_store_observe(store, "n", NULL, 0, NULL, 0, ignore, callbacks + RELEASE, release,
                    &observation, NULL);
  imd_observation_cancel(observation);
  if (child == 0) return;
  imd_store *closed = number_open();
  for (int i = 0; i < 2; i++)
    imd_store_observe(closed, "n", NULL, 0, NULL, 0, ignore, callbacks + CLOSE, release, NULL,
                      NULL);
  imd_store_close(closed);
}

/* In the child the inherited store is closed, and a new one works. */
static int is_usable(void) {
  char *text = NULL;
  imd_store *own = NULL;
  if (number_set(store, 1) != IMD_CLOSED) return 0;
  imd_store_close(store);
  if (imd_store_create("{\"n\":0}", IMD_ZERO_TERMINATED, number_reduce, NULL, NULL, NULL, 0, &own,
                       NULL) != IMD_OK)
    return 0;
  if (imd_store_define_selector(own, "n", "n", NULL) != IMD_OK || number_set(own, 7) != IMD_OK ||
      imd_store_select(own, "n", NULL, 0, &text, NULL, NULL) != IMD_OK || strcmp(text, "7") != 0)
    return 0;
  imd_free(text);
  imd_store_close(own);
  return 1;
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

int main(int count, char **arguments) {
  int forks = count > 1 ? atoi(arguments[1]) : 140;
  store = number_create(reduce, NULL);
  CHECK(imd_store_set_rule(store, ask, NULL, NULL, NULL) == IMD_OK);
  number_observe(store, NULL, observe, callbacks + INLINE, NULL);
  number_observe(store, "{\"when\":\"queued\"}", observe, callbacks + QUEUED, NULL);
  const imd_observer_functions functions = {ignore, compare, filter};
  CHECK(imd_store_observe_with_functions(store, "n", NULL, 0, NULL, 0, &functions, NULL, NULL, NULL,
                                         NULL) == IMD_OK);
  pthread_t other;
  for (int i = 0; i < forks; i++) {
    if (i == forks / 4) pthread_create(&other, NULL, keep_dispatching, NULL);
    fork_callback = (enum callback)(i % CALLBACKS);
    is_armed = 1;
    child = -1;
    while (child == -1) use_store();
    if (child == 0) end_child(is_usable() ? 0 : 1);
    int status = -1;
    if (!CHECK(waitpid(child, &status, 0) == child && status == 0))
      fprintf(stderr, "  callback %d: %s %d\n", (int)fork_callback,
              WIFSIGNALED(status) ? "signal" : "status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  }
  should_stop = 1;
  pthread_join(other, NULL);
  imd_store_close(store);
  return check_report();
}
