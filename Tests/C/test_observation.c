/* Observers in a C program: which are called, when, and what they may do. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <immutabledata.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* The deliveries to an observer as text: "3", "patch […]" or "failure", separated by spaces. */
typedef struct {
  char log[4096];
  size_t skipped;
  int calls, released;
  imd_store *store;
  imd_observation *observation;
  const char *dispatches; /* an action that the observer sends once */
  int cancels, observes, closes, polls;
  size_t polled;
} host;

static void observer(void *context, const imd_delivery *delivery) {
  host *host = context;
  char *text = NULL;
  host->calls++;
  host->skipped += delivery->skipped;
  if (host->log[0]) strcat(host->log, " ");
  switch (delivery->kind) {
  case IMD_DELIVERY_VALUE: break;
  case IMD_DELIVERY_PATCH: strcat(host->log, "patch "); break;
  case IMD_DELIVERY_FAILURE:
    CHECK(delivery->value == NULL);
    strcat(host->log, imd_status_name(delivery->error->status));
    return;
  }
  CHECK(delivery->error == NULL);
  CHECK(imd_value_text(delivery->value, &text, NULL, NULL) == IMD_OK);
  strcat(host->log, text);
  imd_free(text);
  if (host->dispatches) {
    const char *action = host->dispatches;
    host->dispatches = NULL;
    CHECK(imd_store_dispatch(host->store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  }
  if (host->polls) CHECK(imd_store_poll(host->store, &host->polled, NULL) == IMD_OK);
  if (host->cancels && host->calls >= host->cancels) {
    imd_observation_cancel(host->observation);
    CHECK(host->released == 0);
  }
  if (host->closes && host->calls >= host->closes) imd_store_close(host->store);
}

static void count_release(void *context) { ((host *)context)->released++; }

/* Actions are merged into the state; "observe", "cancel" and "poll" misbehave. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  host *host = context;
  char *type = NULL;
  imd_value *payload = NULL;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  if (status != IMD_OK) return status;
  if (host && strcmp(type, "observe") == 0)
    imd_store_observe(host->store, "a", NULL, 0, NULL, 0, observer, host, NULL, NULL, NULL);
  if (host && strcmp(type, "cancel") == 0) imd_observation_cancel(host->observation);
  if (host && strcmp(type, "poll") == 0) imd_store_poll(host->store, NULL, NULL);
  imd_free(type);
  status = imd_value_get(action, "/payload", &payload, error);
  if (status == IMD_OK) status = imd_value_merge(state, payload, next, error);
  imd_value_release(payload);
  return status;
}

static imd_store *create(const char *state, host *host) {
  imd_store *store = NULL;
  CHECK(imd_store_create(state, IMD_ZERO_TERMINATED, reduce, host, NULL, NULL, 0, &store, NULL) ==
        IMD_OK);
  CHECK(imd_store_define_selector(store, "a", "a", NULL) == IMD_OK);
  CHECK(imd_store_define_selector(store, "b", "b", NULL) == IMD_OK);
  CHECK(imd_store_define_selector(store, "largest", "max(list)", NULL) == IMD_OK);
  CHECK(imd_store_define_selector(store, "above", "list[?@ > $least]", NULL) == IMD_OK);
  return store;
}

static imd_status observe(imd_store *store, const char *selector, const char *arguments,
                          const char *options, host *host, imd_error *error) {
  host->store = store;
  return imd_store_observe(store, selector, arguments, IMD_ZERO_TERMINATED, options,
                           IMD_ZERO_TERMINATED, observer, host, count_release, &host->observation,
                           error);
}

static void merge(imd_store *store, const char *payload) {
  char action[256];
  snprintf(action, sizeof action, "{\"type\":\"merge\",\"payload\":%s}", payload);
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
}

static void test_deliveries(void) {
  imd_store *store = create("{\"a\":1,\"b\":{\"c\":2},\"list\":[1,2]}", NULL);
  host value = {0}, patch = {0}, later = {0}, largest = {0}, above = {0};
  CHECK(observe(store, "b", NULL, NULL, &value, NULL) == IMD_OK);
  CHECK(observe(store, "b", NULL, "{\"deliver\":\"patch\"}", &patch, NULL) == IMD_OK);
  CHECK(observe(store, "b", NULL, "{\"initial\":false}", &later, NULL) == IMD_OK);
  CHECK(observe(store, "largest", NULL, NULL, &largest, NULL) == IMD_OK);
  CHECK(observe(store, "above", "{\"least\":1}", NULL, &above, NULL) == IMD_OK);
  merge(store, "{\"a\":2}");
  merge(store, "{\"b\":{\"c\":3}}");
  merge(store, "{\"b\":{\"c\":3},\"list\":[1,\"x\"]}");
  merge(store, "{\"list\":[3,4]}");
  CHECK_TEXT(value.log, "{\"c\":2} {\"c\":3}");
  CHECK_TEXT(patch.log,
             "{\"c\":2} patch [{\"op\":\"replace\",\"path\":\"/c\",\"value\":3}]");
  CHECK_TEXT(later.log, "{\"c\":3}");
  CHECK_TEXT(largest.log, "2 IMD_INVALID_SELECTOR 4");
  CHECK_TEXT(above.log, "[2] [] [3,4]");
  imd_observation_cancel(value.observation);
  CHECK(value.released == 1);
  imd_observation_cancel(value.observation);
  CHECK(value.released == 1);
  merge(store, "{\"b\":{\"c\":4}}");
  CHECK(value.calls == 2);
  CHECK(later.calls == 2);
  imd_store_close(store);
  CHECK(later.released == 1);
  imd_observation_cancel(later.observation);
  CHECK(later.released == 1);
}

static void test_calls_in_an_observer(void) {
  imd_store *store = create("{\"a\":1}", NULL);
  host first = {.dispatches = NULL}, second = {0}, itself = {.cancels = 2};
  CHECK(observe(store, "a", NULL, NULL, &first, NULL) == IMD_OK);
  CHECK(observe(store, "a", NULL, NULL, &second, NULL) == IMD_OK);
  CHECK(observe(store, "a", NULL, NULL, &itself, NULL) == IMD_OK);
  first.dispatches = "{\"type\":\"merge\",\"payload\":{\"a\":3}}";
  merge(store, "{\"a\":2}");
  CHECK_TEXT(first.log, "1 2 3");
  CHECK_TEXT(second.log, "1 2 3");
  CHECK_TEXT(itself.log, "1 2");
  CHECK(itself.released == 1);

  host immediate = {.cancels = 1};
  CHECK(observe(store, "a", NULL, NULL, &immediate, NULL) == IMD_OK);
  CHECK_TEXT(immediate.log, "3");
  CHECK(immediate.released == 1);

  host closes = {.closes = 2};
  CHECK(observe(store, "a", NULL, NULL, &closes, NULL) == IMD_OK);
  imd_error error;
  CHECK(imd_store_dispatch(store, "{\"type\":\"merge\",\"payload\":{\"a\":4}}",
                           IMD_ZERO_TERMINATED, &error) == IMD_OK);
  CHECK_TEXT(closes.log, "3 4");
  CHECK(closes.released == 1 && first.released == 1 && second.released == 1);
  CHECK(observe(store, "a", NULL, NULL, &closes, &error) == IMD_CLOSED);
}

static void test_calls_in_a_reducer(void) {
  host host = {0};
  imd_store *store = create("{\"a\":1}", &host);
  imd_error error;
  CHECK(observe(store, "a", NULL, NULL, &host, NULL) == IMD_OK);
  const char *const types[] = {"observe", "cancel", "poll"};
  for (int i = 0; i < 3; i++) {
    char action[64];
    snprintf(action, sizeof action, "{\"type\":\"%s\",\"payload\":{\"a\":2}}", types[i]);
    CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_REENTRANT);
  }
  CHECK_TEXT(host.log, "1");
  CHECK(host.released == 0);
  imd_observation_cancel(host.observation);
  CHECK(host.released == 1);
  imd_store_close(store);
}

static int is_readable(int fd) {
  struct pollfd entry = {.fd = fd, .events = POLLIN};
  return poll(&entry, 1, 0) == 1;
}

static void test_queue(void) {
  imd_store *store = create("{\"a\":0,\"b\":0}", NULL);
  host first = {0}, second = {.polls = 1}, latest = {0}, bounded = {0};
  size_t delivered = 9;
  int fd = -1;
  CHECK(imd_store_fd(store, &fd, NULL) == IMD_OK);
  CHECK(!is_readable(fd));
  CHECK(observe(store, "a", NULL, "{\"when\":\"queued\"}", &first, NULL) == IMD_OK);
  CHECK(observe(store, "b", NULL, "{\"when\":\"queued\"}", &second, NULL) == IMD_OK);
  CHECK(observe(store, "a", NULL, "{\"when\":\"queued\",\"coalesce\":true}", &latest, NULL) ==
        IMD_OK);
  CHECK(observe(store, "a", NULL, "{\"when\":\"queued\",\"capacity\":2}", &bounded, NULL) ==
        IMD_OK);
  for (int i = 1; i <= 4; i++) {
    char payload[32];
    snprintf(payload, sizeof payload, "{\"a\":%d}", i);
    merge(store, payload);
  }
  CHECK(first.calls == 0);
  CHECK(is_readable(fd));
  CHECK(imd_store_poll(store, &delivered, NULL) == IMD_OK);
  CHECK(delivered == 5 + 1 + 1 + 2);
  CHECK(!is_readable(fd));
  CHECK_TEXT(first.log, "0 1 2 3 4");
  CHECK_TEXT(second.log, "0");
  CHECK(second.polled == 0);
  CHECK_TEXT(latest.log, "4");
  CHECK(latest.skipped == 4);
  CHECK_TEXT(bounded.log, "3 4");
  CHECK(bounded.skipped == 3);
  CHECK(imd_store_poll(store, NULL, NULL) == IMD_OK);

  merge(store, "{\"a\":9}");
  imd_observation_cancel(first.observation);
  imd_observation_cancel(latest.observation);
  imd_observation_cancel(bounded.observation);
  CHECK(!is_readable(fd));
  CHECK(imd_store_poll(store, &delivered, NULL) == IMD_OK && delivered == 0);
  imd_store_close(store);
}

static void test_bad_input(void) {
  imd_store *store = create("{\"a\":1,\"list\":1}", NULL);
  host host = {0};
  imd_error error;
  int fd = 7;
  size_t delivered = 7;
  CHECK(observe(NULL, "a", NULL, NULL, &host, &error) == IMD_INVALID_ARGUMENT);
  CHECK(observe(store, NULL, NULL, NULL, &host, &error) == IMD_INVALID_ARGUMENT);
  CHECK(observe(store, "\xff", NULL, NULL, &host, &error) == IMD_INVALID_ARGUMENT);
  CHECK(observe(store, "c", NULL, NULL, &host, &error) == IMD_UNKNOWN_SELECTOR);
  CHECK(observe(store, "a", "[", NULL, &host, &error) == IMD_INVALID_JSON);
  CHECK(observe(store, "a", "[]", NULL, &host, &error) == IMD_INVALID_ARGUMENT);
  CHECK(observe(store, "a", "{\"x\":1}", NULL, &host, &error) == IMD_INVALID_ARGUMENT);
  CHECK(observe(store, "a", NULL, "{", &host, &error) == IMD_INVALID_JSON);
  CHECK(observe(store, "a", NULL, "[]", &host, &error) == IMD_INVALID_ARGUMENT);
  CHECK(observe(store, "a", NULL, "{\"when\":\"never\"}", &host, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "options/when: invalid value \"never\"; expected one of: "
                            "\"inline\", \"queued\"");
  CHECK(observe(store, "a", NULL, "{\"capacity\":0}", &host, &error) == IMD_INVALID_ARGUMENT);
  CHECK(observe(store, "a", NULL, "{\"dependencies\":[\"c\"]}", &host, &error) ==
        IMD_UNKNOWN_SELECTOR);
  CHECK(observe(store, "largest", NULL, NULL, &host, &error) == IMD_INVALID_SELECTOR);
  CHECK(imd_store_observe(store, "a", NULL, 0, NULL, 0, NULL, &host, count_release, NULL, &error) ==
        IMD_INVALID_ARGUMENT);
  CHECK(host.observation == NULL && host.calls == 0 && host.released == 0);
  CHECK(imd_store_observe(store, "a", NULL, 0, NULL, 0, observer, &host, NULL, NULL, NULL) ==
        IMD_OK);
  CHECK_TEXT(host.log, "1");
  imd_observation_cancel(NULL);
  imd_observation_cancel((imd_observation *)store);
  CHECK(imd_store_poll(NULL, &delivered, NULL) == IMD_INVALID_ARGUMENT && delivered == 0);
  CHECK(imd_store_fd(store, NULL, NULL) == IMD_INVALID_ARGUMENT);
  imd_store_close(store);
  CHECK(imd_store_fd(store, &fd, NULL) == IMD_CLOSED && fd == -1);
  CHECK(imd_store_poll(store, NULL, NULL) == IMD_CLOSED);
}

int main(void) {
  test_deliveries();
  test_calls_in_an_observer();
  test_calls_in_a_reducer();
  test_queue();
  test_bad_input();
  return check_report();
}
