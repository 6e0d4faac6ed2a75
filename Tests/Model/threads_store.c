/* Stores that threads share. */
#include "features.h"
#include "report.h"
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Atomic(shared_store *) stores[STORES];
static _Atomic(shared_store *) closed;

/* ---- The reducer --------------------------------------------------------------------------- */

static imd_status step(const imd_value *state, const imd_value *action, imd_value **next,
                       imd_error *error) {
  int64_t thread = 0, count = 0, n = 0;
  char pointer[32];
  imd_value *counted = NULL;
  imd_status status = imd_value_get_integer(action, "/payload", &thread, error);
  snprintf(pointer, sizeof pointer, "/threads/%d", (int)thread);
  if (status == IMD_OK) status = imd_value_get_integer(state, pointer, &count, error);
  if (status == IMD_OK) status = imd_value_get_integer(state, "/n", &n, error);
  if (status == IMD_OK) status = imd_value_set_integer(state, pointer, count + 1, &counted, error);
  if (status == IMD_OK) status = imd_value_set_integer(counted, "/n", n + 1, next, error);
  imd_value_release(counted);
  return status;
}

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  char *type = NULL;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  if (status != IMD_OK) return status;
  if (strcmp(type, "step") == 0) status = step(state, action, next, error);
  else if (strcmp(type, "keep") == 0) *next = (imd_value *)state;
  else status = IMD_NOT_FOUND;
  imd_free(type);
  return status;
}

/* ---- Opening and closing ------------------------------------------------------------------- */

static void release(void *context) { atomic_fetch_add(&((shared_store *)context)->released, 1); }

shared_store *shared_create(void) {
  shared_store *store = calloc(1, sizeof *store);
  EXPECT_STATUS(imd_store_create("{\"n\":0,\"threads\":[0,0,0,0,0]}", IMD_ZERO_TERMINATED, reduce,
                                 store, release, "{\"history\":{\"limit\":5}}",
                                 IMD_ZERO_TERMINATED, &store->handle, NULL), IMD_OK);
  EXPECT_STATUS(imd_store_define_selector(store->handle, "n", "n", NULL), IMD_OK);
  effects_begin(store);
  for (int i = 0; i < STREAMS; i++) reader_start(&store->readers[i], store, i);
  return store;
}

void shared_close(shared_store *store) {
  note("close %p", (void *)store->handle);
  atomic_store(&store->is_closing, 1);
  imd_store_close(store->handle);
  if (self->depth == 0) watch_check_closed(store);
  store->next = atomic_load(&closed);
  while (!atomic_compare_exchange_weak(&closed, &store->next, store)) {}
}

void shared_reap(void) {
  shared_store *store = atomic_exchange(&closed, NULL), *next;
  for (; store; store = next) {
    next = store->next;
    for (int i = 0; i < STREAMS; i++) reader_join(&store->readers[i]);
    effects_end(store); /* a callback that closes a store does not wait for them */
    EXPECT(atomic_load(&store->released) == 1, "a store was released %d times",
           atomic_load(&store->released));
    free(store);
  }
}

/* ---- Final checks -------------------------------------------------------------------------- */

static long number_at(const imd_value *value, const char *pointer) {
  int64_t number;
  EXPECT_STATUS(imd_value_get_integer(value, pointer, &number, NULL), IMD_OK);
  return (long)number;
}

static long statistic(const shared_store *store, const char *pointer) {
  char *text;
  imd_value *value;
  EXPECT_STATUS(imd_store_statistics(store->handle, &text, NULL, NULL), IMD_OK);
  EXPECT_STATUS(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, NULL), IMD_OK);
  long number = number_at(value, pointer);
  imd_free(text);
  imd_value_release(value);
  return number;
}

void shared_check(shared_store *store) {
  imd_value *state;
  long total = 0;
  size_t delivered = 1;
  EXPECT_STATUS(imd_store_settle(store->handle, -1, NULL), IMD_OK);
  while (delivered > 0)
    EXPECT_STATUS(imd_store_poll(store->handle, &delivered, NULL), IMD_OK);
  EXPECT_STATUS(imd_store_state(store->handle, &state, NULL), IMD_OK);
  for (int i = 0; i <= WORKERS; i++) {
    char pointer[32];
    long steps = atomic_load(&store->steps[i]);
    snprintf(pointer, sizeof pointer, "/threads/%d", i);
    EXPECT(number_at(state, pointer) == steps, "thread %d counts %ld, and %ld succeeded", i,
           number_at(state, pointer), steps);
    total += steps;
  }
  EXPECT(number_at(state, "/n") == total, "n is %ld, not %ld", number_at(state, "/n"), total);
  imd_value_release(state);
  watch_check_final(store, total);
  EXPECT(statistic(store, "/deliveries") == atomic_load(&store->deliveries),
         "%ld deliveries, and %ld calls", statistic(store, "/deliveries"),
         atomic_load(&store->deliveries));
  EXPECT(statistic(store, "/effects") == atomic_load(&store->performed),
         "%ld effects, and %ld calls", statistic(store, "/effects"),
         atomic_load(&store->performed));
  EXPECT(statistic(store, "/observations") == watch_count(store), "%ld observations, not %d",
         statistic(store, "/observations"), watch_count(store));
  imd_store_close(store->handle);
  watch_check_closed(store);
  effects_end(store);
  for (int i = 0; i < STREAMS; i++) reader_join(&store->readers[i]);
  const reader *all = &store->readers[READS_ALL], *latest = &store->readers[READS_LATEST];
  long actions = total + atomic_load(&store->kept);
  EXPECT(all->next == total && all->read == actions,
         "a stream that blocks has %ld of %ld actions", all->read, actions);
  EXPECT(latest->read + (long)latest->dropped == actions, "%ld read and %zu dropped of %ld",
         latest->read, latest->dropped, actions);
  EXPECT(atomic_load(&store->released) == 1, "the reducer's context is not released");
  free(store);
}
