/* Calls that are rejected, and have no effect. */
#include "exact.h"
#include "report.h"

#include <stddef.h>

static const size_t z = IMD_ZERO_TERMINATED;

static void unreachable(void *context) {
  (void)context;
  FAIL("what was refused is released");
}

static void observe(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  FAIL("an observer that was refused is called");
}

static void refuse_dispatch(slot *slot) {
  imd_store *store = slot->host.store;
  EXPECT_STATUS(imd_store_dispatch(store, "{", z, NULL), IMD_INVALID_JSON);
  EXPECT_STATUS(imd_store_dispatch(store, "[]", z, NULL), IMD_INVALID_ACTION);
  EXPECT_STATUS(imd_store_dispatch(store, NULL, 0, NULL), IMD_INVALID_ARGUMENT);
  EXPECT_STATUS(imd_store_dispatch(NULL, "{}", z, NULL), IMD_INVALID_ARGUMENT);
  EXPECT_STATUS(imd_store_dispatch_batch(store, "{}", z, NULL), IMD_INVALID_ACTION);
}

static void refuse_select(slot *slot) {
  imd_store *store = slot->host.store;
  const char *name = slot->model->is_counter ? counter_selector.name : "n";
  char *text;
  EXPECT_STATUS(imd_store_select(store, "no such", NULL, 0, &text, NULL, NULL),
                IMD_UNKNOWN_SELECTOR);
  EXPECT_STATUS(imd_store_select(store, name, "{\"x\":1}", z, &text, NULL, NULL),
                IMD_INVALID_ARGUMENT);
  EXPECT_STATUS(imd_store_query(store, "n +", NULL, 0, &text, NULL, NULL), IMD_INVALID_SELECTOR);
  EXPECT_STATUS(imd_store_query(store, "n", "[]", z, &text, NULL, NULL), IMD_INVALID_ARGUMENT);
  EXPECT(!text, "a refused call returned text");
}

static void refuse_observe(slot *slot) {
  static const char *const options[] = {"{\"no\":1}", "{\"when\":\"later\"}", "{\"capacity\":-1}",
                                        "[]"};
  imd_store *store = slot->host.store;
  const char *name = slot->model->is_counter ? counter_selector.name : "n";
  imd_observation *observation;
  const char *wrong = options[random_below(&source, 4)];
  EXPECT_STATUS(imd_store_observe(store, name, NULL, 0, wrong, z, observe, slot, unreachable,
                                  &observation, NULL), IMD_INVALID_ARGUMENT);
  EXPECT_STATUS(imd_store_observe(store, name, NULL, 0, NULL, 0, NULL, slot, unreachable,
                                  &observation, NULL), IMD_INVALID_ARGUMENT);
  EXPECT_STATUS(imd_store_observe(store, "no such", NULL, 0, NULL, 0, observe, slot, unreachable,
                                  &observation, NULL), IMD_UNKNOWN_SELECTOR);
  EXPECT(!observation, "a refused call returned an observation");
}

static void refuse_stream(slot *slot) {
  static const char *const options[] = {"{\"no\":1}", "{\"overflow\":\"later\"}", "[]"};
  imd_stream *stream;
  EXPECT_STATUS(imd_store_stream(slot->host.store, options[random_below(&source, 3)], z, &stream,
                                 NULL), IMD_INVALID_ARGUMENT);
  EXPECT(!stream, "a refused call returned a stream");
  EXPECT_STATUS(imd_stream_next(NULL, -1, NULL, NULL, NULL, NULL), IMD_INVALID_ARGUMENT);
  EXPECT_STATUS(imd_store_poll(NULL, NULL, NULL), IMD_INVALID_ARGUMENT);
  EXPECT_STATUS(imd_store_settle(NULL, -1, NULL), IMD_INVALID_ARGUMENT);
}

void call_refused(slot *slot) {
  void (*const kinds[])(struct slot *) = {refuse_dispatch, refuse_select, refuse_observe,
                                          refuse_stream};
  note("refused calls %p", (void *)slot->host.store);
  kinds[random_below(&source, 4)](slot);
}
