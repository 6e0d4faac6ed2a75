/* Many threads on one store: no increment is lost, and the observed count only increases.
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

static void *write_values(void *failed) {
  static const char action[] = "{\"type\":\"didTapIncrementButton\"}";
  for (long i = 0; i < increments; i++) {
    if (imd_store_dispatch(store, action, sizeof action - 1, NULL) != IMD_OK) ++*(long *)failed;
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

static void *read_values(void *failed) {
  for (long last = 0, value; last < WRITERS * increments; last = value) {
    value = read_value(failed);
    if (value < last) ++*(long *)failed;
    if (value < 0) break;
  }
  return NULL;
}

int main(int count, char **arguments) {
  if (count > 1) increments = strtol(arguments[1], NULL, 10);
  CHECK(increments > 0);
  CHECK(imd_store_open("counter", NULL, 0, &store, NULL) == IMD_OK);

  pthread_t threads[WRITERS + READERS];
  long failed[WRITERS + READERS] = {0};

  /* Called once before there are threads: ThreadSanitizer does not recognize the one-time
   * initialization of Swift globals, and reports a race for the second thread that reads one. */
  CHECK(imd_store_dispatch_batch(store, "[{\"type\":\"didTapIncrementButton\"},"
                                        "{\"type\":\"didTapDecrementButton\"}]",
                                 IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  CHECK(imd_store_dispatch(store, "{\"type\":\"didTapIncrementButton\"}", IMD_ZERO_TERMINATED,
                           NULL) == IMD_OK);
  CHECK(imd_store_dispatch(store, "{\"type\":\"didTapDecrementButton\"}", IMD_ZERO_TERMINATED,
                           NULL) == IMD_OK);
  CHECK(read_value(&failed[0]) == 0);

  for (int i = 0; i < WRITERS + READERS; i++)
    CHECK(pthread_create(&threads[i], NULL, i < WRITERS ? write_values : read_values,
                         &failed[i]) == 0);
  for (int i = 0; i < WRITERS + READERS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(failed[i] == 0);
  }

  CHECK(read_value(&failed[0]) == WRITERS * increments);
  imd_store_close(store);
  return check_report();
}
