/* A process that has no thread-specific keys left: stores and values work as they do otherwise. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <immutabledata.h>
#include <pthread.h>
#include <string.h>

static int calls;

/* Inside a callback no call waits. */
static void observe(void *context, const imd_delivery *delivery) {
  (void)delivery;
  CHECK(imd_store_settle(context, -1, NULL) == IMD_REENTRANT);
  calls++;
}

/* Opens a store of animals, and lets its effects read the database. */
static void *use_store(void *context) {
  (void)context;
  imd_store *store;
  if (!CHECK(imd_store_open("animals", NULL, 0, &store, NULL) == IMD_OK)) return NULL;
  calls = 0;
  CHECK(imd_store_observe(store, "selectAnimalsStatus", NULL, 0, NULL, 0, observe, store, NULL,
                          NULL, NULL) == IMD_OK);
  CHECK(imd_store_dispatch(store, "{\"type\":\"ui/animalList/onAppear\"}", IMD_ZERO_TERMINATED,
                           NULL) == IMD_OK);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  imd_store_close(store);
  CHECK(calls > 1);
  return NULL;
}

static imd_status use_own_store(void *context, const imd_value *state, const imd_value *action,
                                imd_value **next, imd_error *error) {
  (void)action, (void)error;
  CHECK(imd_store_dispatch(*(imd_store **)context, "{\"type\":\"a\"}", IMD_ZERO_TERMINATED,
                           NULL) == IMD_REENTRANT);
  *next = imd_value_retain(state);
  return IMD_OK;
}

static void test_reentrancy(void) {
  imd_store *store;
  CHECK(imd_store_create("{}", IMD_ZERO_TERMINATED, use_own_store, &store, NULL, NULL, 0, &store,
                         NULL) == IMD_OK);
  imd_error error;
  CHECK(imd_store_dispatch(store, "{\"type\":\"a\"}", IMD_ZERO_TERMINATED, &error) ==
        IMD_REENTRANT);
  imd_store_close(store);
}

/* The deepest value that the library reads. */
enum { DEPTH = 2048, STACK = 64 * 1024 + 64 * 1024 };

static void *read_and_release(void *context) {
  (void)context;
  char text[2 * DEPTH + 1];
  memset(text, '[', DEPTH);
  memset(text + DEPTH, ']', DEPTH);
  text[2 * DEPTH] = '\0';
  imd_value *value, *changed;
  CHECK(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);
  CHECK(imd_value_insert(value, "/0", value, &changed, NULL) == IMD_LIMIT);
  CHECK(imd_value_set_integer(value, "/0/0/-", 1, &changed, NULL) == IMD_OK);
  imd_value_release(value);
  imd_value_release(changed);
  return NULL;
}

static void run(void *(*body)(void *), size_t stack) {
  pthread_attr_t attributes;
  pthread_t thread;
  CHECK(pthread_attr_init(&attributes) == 0);
  if (stack > 0) CHECK(pthread_attr_setstacksize(&attributes, stack) == 0);
  CHECK(pthread_create(&thread, &attributes, body, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(pthread_attr_destroy(&attributes) == 0);
}

static pthread_key_t key;

static void parse_at_exit(void *context) {
  (void)context;
  imd_value *value;
  CHECK(imd_value_parse("[[1]]", IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);
  imd_value_release(value);
}

/* Destructors of thread-specific keys run after the thread's parser was freed. */
static void *parse_and_exit(void *context) {
  CHECK(pthread_setspecific(key, &key) == 0);
  parse_at_exit(context);
  return NULL;
}

int main(void) {
  CHECK(pthread_key_create(&key, parse_at_exit) == 0);
  for (pthread_key_t other; pthread_key_create(&other, NULL) == 0;) continue;
  use_store(NULL);
  run(use_store, 0);
  test_reentrancy();
  run(read_and_release, STACK); /* destroying a deep value takes no more than the header says */
  run(parse_and_exit, 0);
  return check_report();
}
