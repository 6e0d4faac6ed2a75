/* A store of {"n": 0} whose actions have the next n as payload, and calls that must succeed. */
#ifndef NUMBER_H
#define NUMBER_H

#include "check.h"

#include <immutabledata.h>
#include <stdlib.h>

static imd_status number_reduce(void *context, const imd_value *state, const imd_value *action,
                                imd_value **next, imd_error *error) {
  (void)context;
  int64_t n = 0;
  imd_status status = imd_value_get_integer(action, "/payload", &n, error);
  return status == IMD_OK ? imd_value_set_integer(state, "/n", n, next, error) : status;
}

static imd_store *number_create(imd_reducer reducer, void *context) {
  imd_store *store = NULL;
  imd_error error;
  if (!CHECK(imd_store_create("{\"n\":0}", IMD_ZERO_TERMINATED, reducer, context, NULL, NULL, 0,
                              &store, &error) == IMD_OK))
    fprintf(stderr, "  %s\n", error.message);
  CHECK(imd_store_define_selector(store, "n", "n", NULL) == IMD_OK);
  return store;
}

static inline imd_store *number_open(void) { return number_create(number_reduce, NULL); }

static inline imd_status number_set(imd_store *store, int n) {
  char action[48];
  snprintf(action, sizeof action, "{\"type\":\"set\",\"payload\":%d}", n);
  return imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL);
}

static inline int number_of(const imd_delivery *delivery) {
  int64_t n = -1;
  imd_value_get_integer(delivery->value, "", &n, NULL);
  return (int)n;
}

static inline imd_observation *number_observe(imd_store *store, const char *options, imd_observer observer,
                                       void *context, void (*release)(void *context)) {
  imd_observation *observation = NULL;
  CHECK(imd_store_observe(store, "n", NULL, 0, options, options ? IMD_ZERO_TERMINATED : 0, observer,
                          context, release, &observation, NULL) == IMD_OK);
  return observation;
}

/* A member of imd_store_statistics. */
static inline long number_statistic(imd_store *store, const char *name) {
  char *text = NULL, key[32];
  if (imd_store_statistics(store, &text, NULL, NULL) != IMD_OK) return -1;
  snprintf(key, sizeof key, "\"%s\":", name);
  char *found = strstr(text, key);
  long value = found ? strtol(found + strlen(key), NULL, 10) : -1;
  imd_free(text);
  return value;
}

#endif
