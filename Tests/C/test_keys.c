/* A process that has no thread-specific keys left: a store cannot be opened, but values can be used.
 * The library creates keys when it first needs them. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <immutabledata.h>
#include <pthread.h>
#include <string.h>

static imd_status keep(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error) {
  (void)context, (void)state, (void)action, (void)next, (void)error;
  return IMD_OK;
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

/* Destroying a deep value takes no more stack than the header says. */
static void test_deep_value(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  CHECK(pthread_attr_init(&attributes) == 0);
  CHECK(pthread_attr_setstacksize(&attributes, STACK) == 0);
  CHECK(pthread_create(&thread, &attributes, read_and_release, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(pthread_attr_destroy(&attributes) == 0);
}

int main(void) {
  const char *message = "the process has no thread-specific keys left (pthread_key_create); open a "
                        "store before other libraries use them up";
  pthread_key_t key;
  while (pthread_key_create(&key, NULL) == 0) continue;

  imd_value *value, *changed;
  CHECK(imd_value_parse("[1,[2]]", IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);
  CHECK(imd_value_set_integer(value, "/0", 3, &changed, NULL) == IMD_OK);
  char *text;
  CHECK(imd_value_text(changed, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, "[3,[2]]");
  imd_free(text);
  imd_value_release(changed);

  imd_store *store = NULL;
  imd_error error;
  CHECK(imd_store_open("counter", NULL, 0, &store, &error) == IMD_LIMIT);
  CHECK_TEXT(error.message, message);
  CHECK(imd_store_create("{}", IMD_ZERO_TERMINATED, keep, NULL, NULL, NULL, 0, &store, &error) ==
        IMD_LIMIT);
  CHECK_TEXT(error.message, message);
  CHECK(store == NULL);
  imd_value_release(value);
  test_deep_value();
  return check_report();
}
