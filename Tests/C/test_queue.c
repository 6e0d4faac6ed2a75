/* The queue of imd_store_poll: dropped deliveries, counts, and the state of the descriptor. */
#define _POSIX_C_SOURCE 200809L

#include "number.h"

#include <poll.h>

static int values[16];
static size_t skipped[16];
static int count;

static void record(void *context, const imd_delivery *delivery) {
  (void)context;
  if (count == 16) return;
  values[count] = number_of(delivery);
  skipped[count++] = delivery->skipped;
}

static int is_readable(imd_store *store) {
  struct pollfd descriptor = {.events = POLLIN};
  CHECK(imd_store_fd(store, &descriptor.fd, NULL) == IMD_OK);
  return poll(&descriptor, 1, 0) == 1;
}

/* Sets the numbers in turn; a negative one polls instead. 99 ends them. */
static void check(const char *options, const int *numbers, const char *expected) {
  imd_store *store = number_open();
  number_observe(store, options, record, NULL, NULL);
  count = 0;
  for (; *numbers != 99; numbers++) {
    if (*numbers >= 0) {
      CHECK(number_set(store, *numbers) == IMD_OK);
      continue;
    }
    int before = count, waits = is_readable(store);
    size_t delivered = 0;
    CHECK(imd_store_poll(store, &delivered, NULL) == IMD_OK);
    CHECK((int)delivered == count - before);
    CHECK(waits == (delivered > 0));
    CHECK(!is_readable(store));
  }
  char text[256] = "";
  for (int i = 0; i < count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%d+%zu ", values[i], skipped[i]);
  CHECK_TEXT(text, expected);
  imd_store_close(store);
}

#define CHECK_QUEUE(options, expected, ...) check(options, (int[]){__VA_ARGS__, 99}, expected)

static imd_observation *queued;

static void cancel_queued(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  imd_observation_cancel(queued);
}

static void cancelling_discards_queued_outputs(void) {
  imd_store *store = number_open();
  number_observe(store, "{\"initial\":false}", cancel_queued, NULL, NULL);
  queued = number_observe(store, "{\"when\":\"queued\",\"initial\":false}", record, NULL, NULL);
  CHECK(!is_readable(store));
  CHECK(number_set(store, 1) == IMD_OK);
  CHECK(!is_readable(store));
  imd_store_close(store);
}

static int order[100], ended;

static void release(void *context) { order[ended++] = (int)((int *)context - order); }

static void releases_follow_the_order_of_registration(void) {
  imd_store *store = number_open();
  for (int i = 0; i < 100; i++) number_observe(store, NULL, record, order + i, release);
  imd_store_close(store);
  CHECK(ended == 100);
  for (int i = 0; i < ended; i++) CHECK(order[i] == i);
}

int main(void) {
#define QUEUED "\"when\":\"queued\""
  CHECK_QUEUE("{" QUEUED "}", "0+0 1+0 2+0 ", -1, 1, 2, -1, -1);
  /* The oldest is dropped. */
  CHECK_QUEUE("{" QUEUED ",\"capacity\":2}", "0+0 2+1 3+0 ", -1, 1, 2, 3, -1);
  CHECK_QUEUE("{" QUEUED ",\"capacity\":2,\"overflow\":\"coalesce\"}", "0+0 3+2 4+0 ", -1, 1, 2, 3,
              4, -1);
  CHECK_QUEUE("{" QUEUED ",\"coalesce\":true}", "0+0 3+2 ", -1, 1, 2, 3, -1);
  /* The only queued output equals the last delivery, so it is dropped. The next delivery counts it
   * as skipped. */
  CHECK_QUEUE("{" QUEUED ",\"capacity\":1}", "0+0 5+2 ", -1, 1, 0, -1, 5, -1);
  CHECK_QUEUE("{" QUEUED ",\"coalesce\":true}", "0+0 1+2 ", -1, 1, 0, -1, 1, -1);
  CHECK_QUEUE("{" QUEUED ",\"capacity\":2}", "0+0 5+2 ", -1, 1, 0, 5, -1);
  cancelling_discards_queued_outputs();
  releases_follow_the_order_of_registration();
  return check_report();
}
