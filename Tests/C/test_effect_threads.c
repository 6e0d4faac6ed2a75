/* Threads ask for effects with keys and times, and others end them: each has one outcome. */
#include <immutabledata.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "check.h"

enum { ASKING = 3, ANSWERING = 2, ROUNDS = 300, CAPACITY = 4096 };

static const char *const schedules[] = {
    "\"key\":\"a\"",
    "\"key\":\"a\",\"delay\":1",
    "\"key\":\"a\",\"mode\":\"first\",\"timeout\":1",
    "\"key\":\"b\",\"mode\":\"queue\",\"retry\":{\"times\":2,\"delay\":1}",
    "\"key\":\"b\",\"interval\":2",
    "\"delay\":1,\"timeout\":1,\"retry\":{\"times\":1}",
};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };

static atomic_int asked, outcomes, listening, told, released, wrong;

static unsigned random_below(unsigned *seed, unsigned limit) {
  *seed = *seed * 1103515245u + 12345u;
  return (*seed >> 16) % limit;
}

/* Effects that wait for an answer. */
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  imd_effect *effects[CAPACITY];
  size_t count;
  int is_closed;
} calls = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* The state is not read: outcomes are counted as they are reduced. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context, (void)state, (void)next, (void)error;
  imd_value *payload = NULL;
  if (imd_value_get(action, "/meta/outcome", &payload, NULL) == IMD_OK)
    atomic_fetch_add(&outcomes, 1);
  imd_value_release(payload);
  return IMD_OK;
}

static imd_status ask(void *context, const imd_value *action, const imd_value *old_state,
                      const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)context, (void)old_state, (void)new_state, (void)error;
  imd_value_get(action, "/payload/ask", effects, NULL);
  return IMD_OK;
}

static void tell(void *context) {
  (void)context;
  atomic_fetch_add(&told, 1);
}

static void release(void *context) {
  (void)context;
  atomic_fetch_add(&released, 1);
}

static void perform(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)context;
  int64_t listens = 0;
  imd_value_get_integer(arguments, "", &listens, NULL);
  if (listens && imd_effect_set_cancel(effect, tell, NULL, release, NULL) == IMD_OK)
    atomic_fetch_add(&listening, 1);
  pthread_mutex_lock(&calls.mutex);
  if (calls.count < CAPACITY) calls.effects[calls.count++] = effect;
  pthread_cond_signal(&calls.changed);
  pthread_mutex_unlock(&calls.mutex);
}

static void *answer_all(void *context) {
  unsigned seed = (unsigned)(size_t)context + 1;
  for (;;) {
    pthread_mutex_lock(&calls.mutex);
    while (calls.count == 0 && !calls.is_closed) pthread_cond_wait(&calls.changed, &calls.mutex);
    imd_effect *effect = calls.count > 0 ? calls.effects[--calls.count] : NULL;
    pthread_mutex_unlock(&calls.mutex);
    if (effect == NULL) return NULL;
    imd_status status = random_below(&seed, 2) ? imd_effect_resolve(effect, NULL, NULL)
                                               : imd_effect_reject(effect, "no", NULL);
    if (status != IMD_OK && status != IMD_CLOSED) atomic_fetch_add(&wrong, 1);
  }
}

static void *ask_all(void *context) {
  imd_store *store = context;
  unsigned seed = (unsigned)(size_t)pthread_self();
  for (int round = 0; round < ROUNDS; round++) {
    char action[512];
    if (random_below(&seed, 8) == 0) {
      snprintf(action, sizeof action,
               "{\"type\":\"ask\",\"payload\":{\"ask\":[{\"cancel\":\"%s\"}]}}",
               random_below(&seed, 2) ? "a" : "b");
    } else {
      snprintf(action, sizeof action,
               "{\"type\":\"ask\",\"payload\":{\"ask\":[{\"effect\":\"work\",\"arguments\":%d,"
               "\"success\":{\"type\":\"s\",\"meta\":{\"outcome\":1}},"
               "\"failure\":{\"type\":\"f\",\"meta\":{\"outcome\":2}},"
               "\"cancelled\":{\"type\":\"c\",\"meta\":{\"outcome\":3}},%s}]}}",
               (int)random_below(&seed, 2), schedules[random_below(&seed, SCHEDULES)]);
      atomic_fetch_add(&asked, 1);
    }
    if (imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) != IMD_OK)
      atomic_fetch_add(&wrong, 1);
  }
  return NULL;
}

/* Returns after the asking threads have ended. */
static imd_store *run(pthread_t answering[ANSWERING]) {
  imd_store *store = NULL;
  pthread_t asking[ASKING];
  CHECK(imd_store_create("0", 1, reduce, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  CHECK(imd_store_set_rule(store, ask, NULL, NULL, NULL) == IMD_OK);
  CHECK(imd_store_set_effect(store, "work", perform, NULL, NULL, NULL) == IMD_OK);
  calls.count = 0;
  calls.is_closed = 0;
  for (size_t i = 0; i < ANSWERING; i++)
    CHECK(pthread_create(&answering[i], NULL, answer_all, (void *)i) == 0);
  for (int i = 0; i < ASKING; i++) CHECK(pthread_create(&asking[i], NULL, ask_all, store) == 0);
  for (int i = 0; i < ASKING; i++) pthread_join(asking[i], NULL);
  return store;
}

static void end(pthread_t answering[ANSWERING]) {
  pthread_mutex_lock(&calls.mutex);
  calls.is_closed = 1;
  pthread_cond_broadcast(&calls.changed);
  pthread_mutex_unlock(&calls.mutex);
  for (int i = 0; i < ANSWERING; i++) pthread_join(answering[i], NULL);
}

static void test_each_effect_has_one_outcome(void) {
  pthread_t answering[ANSWERING];
  imd_store *store = run(answering);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  CHECK(outcomes == asked && asked > 0);
  end(answering);
  imd_store_close(store);
  CHECK(listening > 0 && released == listening && told <= listening);
}

/* Effects in flight are cancelled, and nothing of them is left. */
static void test_close_while_effects_are_in_flight(void) {
  pthread_t answering[ANSWERING];
  imd_store *store = run(answering);
  imd_store_close(store);
  end(answering);
  CHECK(outcomes <= asked);
  CHECK(released == listening && told <= listening);
}

int main(void) {
  test_each_effect_has_one_outcome();
  test_close_while_effects_are_in_flight();
  CHECK(wrong == 0);
  return check_report();
}
