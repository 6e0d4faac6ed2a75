/* Short-lived observers on several threads. */
#include "features.h"
#include "report.h"
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 6 };

_Atomic(watch *) watches[OBSERVERS];
static _Atomic(watch *) all;

/* ---- Callbacks ----------------------------------------------------------------------------- */

static void check_order(const watch *watch, long n, long skipped) {
  if (watch->last < 0) return;
  EXPECT(n > watch->last, "%ld is delivered after %ld", n, watch->last);
  if (!watch->is_coalescing)
    EXPECT(n == watch->last + 1 + skipped, "%ld is delivered after %ld, %ld skipped", n,
           watch->last, skipped);
}

static void call_in_callback(const watch *inside) {
  if (!self) return; /* a thread of the engine, or the main thread at the end */
  self->depth++;
  report_depth++;
  while (self->budget > 0 && self->depth < DEEPEST && random_chance(&self->source, 25)) {
    self->budget--;
    work(inside);
  }
  report_depth--;
  self->depth--;
}

static void observe(void *context, const imd_delivery *delivery) {
  watch *watch = context;
  int64_t n;
  EXPECT(atomic_fetch_add(&watch->running, 1) == 0, "an observer runs twice at once");
  EXPECT(!atomic_load(&watch->is_over), "an observer is called after it was cancelled");
  EXPECT(atomic_load(&watch->released) == 0, "a released observer is called");
  EXPECT_STATUS(imd_value_get_integer(delivery->value, "", &n, NULL), IMD_OK);
  check_order(watch, (long)n, (long)delivery->skipped);
  watch->last = (long)n;
  atomic_fetch_add(&watch->store->deliveries, 1);
  call_in_callback(watch);
  atomic_fetch_sub(&watch->running, 1);
}

static void release(void *context) {
  watch *watch = context;
  EXPECT(atomic_fetch_add(&watch->released, 1) == 0, "an observer is released twice");
  EXPECT(atomic_load(&watch->running) == 0, "an observer is released while it runs");
  if (has_feature(CROSSING_STORES)) call_in_callback(watch);
}

/* ---- Beginning and ending ------------------------------------------------------------------ */

static int free_index(void) {
  for (int i = 0; i < OBSERVERS; i++)
    if (!atomic_load(&watches[i])) return i;
  return -1;
}

void watch_begin(shared_store *store) {
  char options[128];
  int index = free_index();
  if (index < 0) return;
  random_source *source = &self->source;
  watch *watch = calloc(1, sizeof *watch), *none = NULL;
  watch->store = store;
  watch->last = -1;
  watch->is_queued = random_chance(source, 40);
  watch->is_coalescing = random_chance(source, 25);
  watch->is_initial = random_chance(source, 70);
  snprintf(options, sizeof options,
           "{\"when\":\"%s\",\"coalesce\":%s,\"initial\":%s,\"capacity\":%d}",
           watch->is_queued ? "queued" : "inline", watch->is_coalescing ? "true" : "false",
           watch->is_initial ? "true" : "false", 1 + random_below(source, 4));
  note("observe %p %s", (void *)store->handle, options);
  imd_status status =
      imd_store_observe(store->handle, "n", NULL, 0, options, IMD_ZERO_TERMINATED, observe, watch,
                        release, &watch->handle, NULL);
  if (status != IMD_OK) {
    EXPECT(status == IMD_CLOSED && atomic_load(&store->is_closing), "%s",
           imd_status_name(status));
    free(watch);
    return;
  }
  watch->next = atomic_load(&all);
  while (!atomic_compare_exchange_weak(&all, &watch->next, watch)) {}
  if (!atomic_compare_exchange_strong(&watches[index], &none, watch)) watch_cancel(watch, NULL);
}

static void forget(const watch *watch) {
  for (int i = 0; i < OBSERVERS; i++)
    if (atomic_load(&watches[i]) == watch) atomic_store(&watches[i], NULL);
}

void watch_cancel(watch *watch, const struct watch *inside) {
  /* Without the feature, a callback cancels only its own observation. */
  if (self->depth > 0 && watch != inside && !has_feature(CROSSING_CANCELS)) return;
  if (atomic_exchange(&watch->is_claimed, 1)) return;
  forget(watch);
  note("cancel %p", (void *)watch->handle);
  imd_observation_cancel(watch->handle);
  if (self->depth > 0 || atomic_load(&watch->store->is_closing)) return;
  EXPECT(atomic_load(&watch->released) == 1, "a cancelled observer is not released");
  EXPECT(atomic_load(&watch->running) == 0, "a cancelled observer runs");
  atomic_store(&watch->is_over, 1);
}

/* ---- Final checks -------------------------------------------------------------------------- */

void watch_check_closed(const shared_store *store) {
  for (watch *watch = atomic_load(&all); watch; watch = watch->next) {
    if (watch->store != store || atomic_exchange(&watch->is_claimed, 1)) continue;
    forget(watch);
    EXPECT(atomic_load(&watch->released) == 1, "an observer of a closed store is not released");
    EXPECT(atomic_load(&watch->running) == 0, "an observer of a closed store runs");
    atomic_store(&watch->is_over, 1);
  }
}

void watch_check_final(const shared_store *store, long n) {
  for (const watch *watch = atomic_load(&all); watch; watch = watch->next) {
    if (watch->store != store || atomic_load(&watch->is_claimed)) continue;
    EXPECT(watch->last == n || (watch->last < 0 && !watch->is_initial),
           "an observer knows %ld, and the state is %ld", watch->last, n);
  }
}

int watch_count(const shared_store *store) {
  int count = 0;
  for (const watch *watch = atomic_load(&all); watch; watch = watch->next)
    count += watch->store == store && !atomic_load(&watch->is_claimed);
  return count;
}

void watch_reap(void) {
  watch *watch = atomic_exchange(&all, NULL), *next;
  for (; watch; watch = next) {
    next = watch->next;
    EXPECT(atomic_load(&watch->released) == 1, "an observer was released %d times",
           atomic_load(&watch->released));
    free(watch);
  }
}
