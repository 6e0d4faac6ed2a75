/* Many threads on one store: no increment is lost, and who reads the count gets at least that of the
 * last increment that returned before.
 *
 *     test_threads [INCREMENTS_PER_THREAD] */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <immutabledata.h>
#include <pthread.h>
#include <stdlib.h>

enum { WRITERS = 8, READERS = 2 };

static imd_store *store;
static long increments = 100000;

/* The increments that have returned. */
static long returned;

static void *write_values(void *failed) {
  static const char action[] = "{\"type\":\"didTapIncrementButton\"}";
  for (long i = 0; i < increments; i++) {
    if (imd_store_dispatch(store, action, sizeof action - 1, NULL) != IMD_OK) ++*(long *)failed;
    __atomic_add_fetch(&returned, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

static long read_value(long *failed) {
  char *text = NULL;
  if (imd_store_select(store, "selectValue", NULL, 0, &text, NULL, NULL) != IMD_OK) ++*failed;
  long value = text ? strtol(text, NULL, 10) : -1;
  imd_free(text);
  return value;
}

static long read_state(long *failed) {
  imd_value *state = NULL;
  int64_t value = -1;
  if (imd_store_state(store, &state, NULL) != IMD_OK) ++*failed;
  if (imd_value_get_integer(state, "/value", &value, NULL) != IMD_OK) ++*failed;
  imd_value_release(state);
  return (long)value;
}

static void *read_values(void *failed) {
  for (long last = 0, value; last < WRITERS * increments; last = value) {
    long least = __atomic_load_n(&returned, __ATOMIC_RELAXED);
    value = least % 2 ? read_state(failed) : read_value(failed);
    if (value < last || value < least) ++*(long *)failed;
    if (value < 0) break;
  }
  return NULL;
}

/* The state of the domain counter is encoded for a reader; that of a reducer is shared. */
static imd_status increment(void *context, const imd_value *state, const imd_value *action,
                            imd_value **next, imd_error *error) {
  (void)context;
  (void)action;
  int64_t value = 0;
  imd_status status = imd_value_get_integer(state, "/value", &value, error);
  return status == IMD_OK ? imd_value_set_integer(state, "/value", value + 1, next, error) : status;
}

static void check_threads(void) {
  pthread_t threads[WRITERS + READERS];
  long failed[WRITERS + READERS] = {0};
  returned = 0;
  CHECK(read_value(&failed[0]) == 0 && read_state(&failed[0]) == 0);

  for (int i = 0; i < WRITERS + READERS; i++)
    CHECK(pthread_create(&threads[i], NULL, i < WRITERS ? write_values : read_values,
                         &failed[i]) == 0);
  for (int i = 0; i < WRITERS + READERS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(failed[i] == 0);
  }

  CHECK(read_value(&failed[0]) == WRITERS * increments);
  CHECK(read_state(&failed[0]) == WRITERS * increments);
  imd_store_close(store);
}

int main(int count, char **arguments) {
  if (count > 1) increments = strtol(arguments[1], NULL, 10);
  CHECK(increments > 0);
  CHECK(imd_store_open("counter", NULL, 0, &store, NULL) == IMD_OK);

  /* Called once before there are threads: ThreadSanitizer does not recognize the one-time
   * initialization of Swift globals, and reports a race for the second thread that reads one. */
  CHECK(imd_store_dispatch_batch(store, "[{\"type\":\"didTapIncrementButton\"},"
                                        "{\"type\":\"didTapDecrementButton\"}]",
                                 IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  CHECK(imd_store_dispatch(store, "{\"type\":\"didTapIncrementButton\"}", IMD_ZERO_TERMINATED,
                           NULL) == IMD_OK);
  CHECK(imd_store_dispatch(store, "{\"type\":\"didTapDecrementButton\"}", IMD_ZERO_TERMINATED,
                           NULL) == IMD_OK);
  check_threads();

  CHECK(imd_store_create("{\"value\":-1}", IMD_ZERO_TERMINATED, increment, NULL, NULL, NULL, 0,
                         &store, NULL) == IMD_OK);
  CHECK(imd_store_define_selector(store, "selectValue", "value", NULL) == IMD_OK);
  CHECK(imd_store_dispatch(store, "{\"type\":\"increment\"}", IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  check_threads();
  return check_report();
}
