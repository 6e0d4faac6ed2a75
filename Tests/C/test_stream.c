/* Streams in a C program, and the handles in the child of a fork. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"
#include "child.h"

#include <immutabledata.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A stream that the reducer reads, or NULL. */
static imd_stream *read_by_reducer;

/* Each action adds 1. */
static imd_status count(void *context, const imd_value *state, const imd_value *action,
                        imd_value **next, imd_error *error) {
  (void)context;
  (void)action;
  int64_t value = 0;
  if (read_by_reducer) imd_stream_next(read_by_reducer, 0, NULL, NULL, NULL, NULL);
  imd_status status = imd_value_get_integer(state, "", &value, error);
  return status == IMD_OK ? imd_value_from_integer(value + 1, next, error) : status;
}

static imd_store *create(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create("0", 1, count, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  return store;
}

static imd_stream *open_stream(imd_store *store, const char *options) {
  imd_stream *stream = NULL;
  CHECK(imd_store_stream(store, options, IMD_ZERO_TERMINATED, &stream, NULL) == IMD_OK);
  return stream;
}

static void dispatch(imd_store *store, const char *type) {
  char action[64];
  snprintf(action, sizeof action, "{\"type\":\"%s\"}", type);
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
}

/* Reads an action: returns the state before it, or -1, and copies its type. */
static int64_t next(imd_stream *stream, int timeout, char *type, imd_status *status) {
  imd_value *action = NULL, *old_state = NULL, *new_state = NULL;
  int64_t old = -1, new = -1;
  char *text = NULL;
  *status = imd_stream_next(stream, timeout, &action, &old_state, &new_state, NULL);
  if (*status == IMD_OK) {
    CHECK(imd_value_get_string(action, "/type", &text, NULL, NULL) == IMD_OK);
    CHECK(imd_value_get_integer(old_state, "", &old, NULL) == IMD_OK);
    CHECK(imd_value_get_integer(new_state, "", &new, NULL) == IMD_OK && new == old + 1);
    if (type) strcpy(type, text);
  }
  imd_free(text);
  imd_value_release(action);
  imd_value_release(old_state);
  imd_value_release(new_state);
  return old;
}

static int is_readable(int fd) {
  struct pollfd entry = {.fd = fd, .events = POLLIN};
  return poll(&entry, 1, 0) == 1;
}

static void test_reading(void) {
  imd_store *store = create();
  imd_stream *stream = open_stream(store, NULL), *typed = open_stream(store, "{\"types\":[\"ui/*\"]}");
  char type[32];
  imd_status status;
  imd_error error;
  int fd;
  CHECK(imd_stream_fd(stream, &fd, NULL) == IMD_OK);
  CHECK(!is_readable(fd));
  dispatch(store, "ui/a");
  CHECK(imd_store_dispatch_batch(store, "[{\"type\":\"b\"},{\"type\":\"ui/c\"}]",
                                 IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  CHECK(is_readable(fd));
  CHECK(next(stream, 0, type, &status) == 0);
  CHECK_TEXT(type, "ui/a");
  CHECK(next(stream, -1, type, &status) == 1);
  CHECK_TEXT(type, "b");
  CHECK(next(stream, 100, type, &status) == 2);
  CHECK_TEXT(type, "ui/c");
  CHECK(!is_readable(fd));
  next(stream, 5, NULL, &status);
  CHECK(status == IMD_TIMEOUT);
  CHECK(next(typed, 0, type, &status) == 0);
  CHECK(next(typed, 0, type, &status) == 2);
  dispatch(store, "ui/d");
  CHECK(imd_stream_next(stream, 0, NULL, NULL, NULL, NULL) == IMD_OK);
  imd_store_close(store);
  CHECK(is_readable(fd));
  CHECK(imd_stream_next(stream, -1, NULL, NULL, NULL, &error) == IMD_CLOSED);
  CHECK_TEXT(error.message, "the stream has ended: it was closed, or its store was; no more actions "
                            "will come");
  CHECK(next(typed, -1, NULL, &status) == 3 && status == IMD_OK);
  imd_stream_close(stream);
  imd_stream_close(stream);
  next(stream, -1, NULL, &status);
  CHECK(status == IMD_CLOSED);
  imd_stream_close(typed);
}

/* Reads one part of three actions, each from a store of its own reducer and from one of a domain, and
 * looks at it after the store was closed. */
static void test_single_parts(void) {
  static const char *const parts[2][3] = {
      {"{\"type\":\"a\"}", "1", "3"},
      {"{\"type\":\"didTapIncrementButton\"}", "{\"value\":1}", "{\"value\":3}"}};
  for (int is_domain = 0; is_domain < 2; is_domain++) {
    imd_store *store = NULL;
    if (is_domain) CHECK(imd_store_open("counter", NULL, 0, &store, NULL) == IMD_OK);
    else store = create();
    imd_stream *stream = open_stream(store, NULL);
    for (int i = 0; i < 3; i++) dispatch(store, is_domain ? "didTapIncrementButton" : "a");
    imd_value *values[3];
    CHECK(imd_stream_next(stream, 0, &values[0], NULL, NULL, NULL) == IMD_OK);
    CHECK(imd_stream_next(stream, 0, NULL, &values[1], NULL, NULL) == IMD_OK);
    CHECK(imd_stream_next(stream, 0, NULL, NULL, &values[2], NULL) == IMD_OK);
    imd_store_close(store);
    imd_stream_close(stream);
    for (int i = 0; i < 3; i++) {
      char *text = NULL;
      CHECK(imd_value_text(values[i], &text, NULL, NULL) == IMD_OK);
      CHECK_TEXT(text, parts[is_domain][i]);
      imd_free(text);
      imd_value_release(values[i]);
    }
  }
}

static void test_overflow(void) {
  imd_store *store = create();
  imd_stream *fails = open_stream(store, "{\"capacity\":2}");
  imd_stream *drops = open_stream(store, "{\"capacity\":2,\"overflow\":\"dropOldest\"}");
  imd_status status;
  imd_error error;
  size_t dropped = 9;
  for (int i = 0; i < 5; i++) dispatch(store, "a");
  CHECK(next(fails, 0, NULL, &status) == 0);
  CHECK(next(fails, 0, NULL, &status) == 1);
  CHECK(imd_stream_next(fails, -1, NULL, NULL, NULL, &error) == IMD_LIMIT);
  CHECK(strstr(error.message, "more than 2 actions behind") != NULL);
  CHECK(imd_stream_dropped(fails, &dropped, NULL) == IMD_OK && dropped == 0);
  CHECK(imd_stream_dropped(drops, &dropped, NULL) == IMD_OK && dropped == 3);
  CHECK(next(drops, 0, NULL, &status) == 3);
  CHECK(next(drops, 0, NULL, &status) == 4);
  imd_stream_close(fails);
  imd_stream_close(drops);
  imd_store_close(store);
}

enum { ACTIONS = 20000 };

static void *dispatch_many(void *store) {
  for (int i = 0; i < ACTIONS; i++) dispatch(store, "a");
  return NULL;
}

static void test_block_drops_nothing(void) {
  imd_store *store = create();
  imd_stream *stream = open_stream(store, "{\"capacity\":64,\"overflow\":\"block\"}");
  pthread_t thread;
  imd_status status;
  int64_t wrong = 0;
  CHECK(pthread_create(&thread, NULL, dispatch_many, store) == 0);
  for (int64_t i = 0; i < ACTIONS; i++) wrong += next(stream, -1, NULL, &status) != i;
  CHECK(wrong == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  imd_stream_close(stream);
  imd_store_close(store);
}

static void test_dispatch_timeout(void) {
  const char *actions[] = {"{\"type\":\"b\"}", "[{\"type\":\"b\"},{\"type\":\"c\"}]"};
  imd_store *store = create();
  imd_stream *stream = open_stream(store, "{\"capacity\":1,\"overflow\":\"block\"}");
  imd_status status;
  imd_error error;
  dispatch(store, "a");
  CHECK(imd_store_set_dispatch_timeout(store, 1, &error) == IMD_OK);
  for (int is_batch = 0; is_batch < 2; is_batch++) {
    CHECK((is_batch ? imd_store_dispatch_batch : imd_store_dispatch)(
              store, actions[is_batch], IMD_ZERO_TERMINATED, &error) == IMD_TIMEOUT);
    CHECK_TEXT(error.message, "a stream with the overflow \"block\" is still full after 1 ms; read "
                              "it or close it");
  }
  CHECK(next(stream, 0, NULL, &status) == 0);
  dispatch(store, "b");
  CHECK(next(stream, 0, NULL, &status) == 1);
  imd_stream_close(stream);
  imd_store_close(store);
  CHECK(imd_store_set_dispatch_timeout(store, 1, &error) == IMD_CLOSED);
}

static void *wait_for_action(void *stream) {
  static imd_status status;
  status = imd_stream_next(stream, -1, NULL, NULL, NULL, NULL);
  return &status;
}

/* Closes a stream, or its store, while a thread waits in it. The number of yields varies, so that in
 * some rounds the thread is not waiting yet. */
static void test_closing_wakes(void) {
  for (int i = 0; i < 200; i++) {
    int closes_store = i % 2;
    imd_store *store = create();
    imd_stream *stream = open_stream(store, NULL);
    pthread_t thread;
    void *status = NULL;
    CHECK(pthread_create(&thread, NULL, wait_for_action, stream) == 0);
    for (int yields = i; yields > 0; yields--) sched_yield();
    if (closes_store) imd_store_close(store);
    else imd_stream_close(stream);
    CHECK(pthread_join(thread, &status) == 0);
    CHECK(*(imd_status *)status == IMD_CLOSED);
    imd_stream_close(stream);
    imd_store_close(store);
  }
}

static void count_deliveries(void *context, const imd_delivery *delivery) {
  (void)delivery;
  ++*(int *)context;
}

static void flush_inside(void *store, const imd_delivery *delivery) {
  imd_error error;
  (void)delivery;
  CHECK(imd_store_flush(store, -1, &error) == IMD_REENTRANT);
  CHECK_TEXT(error.message,
             "a callback cannot wait until all is handled; flush outside of callbacks");
}

static void *read_all(void *stream) {
  static int64_t last;
  imd_status status = IMD_OK;
  while (status == IMD_OK) {
    const int64_t old = next(stream, -1, NULL, &status);
    if (status == IMD_OK) last = old;
  }
  return &last;
}

static void test_flush(void) {
  imd_store *store = create();
  imd_error error;
  imd_status status;
  int calls = 0;
  void *last = NULL;
  CHECK(imd_store_flush(store, -1, &error) == IMD_OK);

  /* A stream without the option may never be read. */
  imd_stream *unread = open_stream(store, "{}");
  imd_stream *stream = open_stream(store, "{\"flush\":true}");
  dispatch(store, "a");
  CHECK(imd_store_flush(store, 1, &error) == IMD_TIMEOUT);
  CHECK_TEXT(error.message, "the reader of a stream has not handled all actions after 1 ms");
  next(stream, 0, NULL, &status);
  CHECK(status == IMD_OK && imd_store_flush(store, 0, NULL) == IMD_TIMEOUT);
  next(stream, 0, NULL, &status);
  CHECK(status == IMD_TIMEOUT && imd_store_flush(store, -1, &error) == IMD_OK);
  pthread_t reader;
  CHECK(pthread_create(&reader, NULL, read_all, stream) == 0);
  for (int i = 0; i < 100; i++) dispatch(store, "a");
  CHECK(imd_store_flush(store, -1, &error) == IMD_OK);
  imd_stream_close(stream);
  CHECK(pthread_join(reader, &last) == 0 && *(int64_t *)last == 100);
  dispatch(store, "a");
  CHECK(imd_store_flush(store, -1, &error) == IMD_OK);
  imd_stream_close(unread);

  /* No thread has polled, so the flush does. */
  CHECK(imd_store_define_selector(store, "all", "@", NULL) == IMD_OK);
  CHECK(imd_store_observe(store, "all", NULL, 0, "{\"when\":\"queued\"}", IMD_ZERO_TERMINATED,
                          count_deliveries, &calls, NULL, NULL, NULL) == IMD_OK);
  dispatch(store, "a");
  CHECK(imd_store_flush(store, -1, &error) == IMD_OK && calls == 2);
  CHECK(imd_store_observe(store, "all", NULL, 0, NULL, 0, flush_inside, store, NULL, NULL, NULL) ==
        IMD_OK);
  imd_store_close(store);
  CHECK(imd_store_flush(store, -1, NULL) == IMD_CLOSED);
}

static void test_reading_in_a_reducer(void) {
  imd_store *store = create();
  read_by_reducer = open_stream(store, NULL);
  CHECK(imd_store_dispatch(store, "{\"type\":\"a\"}", IMD_ZERO_TERMINATED, NULL) ==
        IMD_REENTRANT);
  imd_stream_close(read_by_reducer);
  read_by_reducer = NULL;
  imd_store_close(store);
}

static void test_bad_input(void) {
  imd_store *store = create();
  imd_stream *stream = (imd_stream *)1;
  imd_value *value = (imd_value *)1;
  size_t dropped;
  int fd;
  CHECK(imd_store_stream(NULL, NULL, 0, &stream, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(stream == NULL);
  CHECK(imd_store_stream(store, NULL, 0, NULL, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_store_stream(store, "{\"overflow\":\"wait\"}", IMD_ZERO_TERMINATED, &stream, NULL) ==
        IMD_INVALID_ARGUMENT);
  CHECK(imd_store_stream(store, "{\"capacity\":1e9}", IMD_ZERO_TERMINATED, &stream, NULL) ==
        IMD_INVALID_ARGUMENT);
  CHECK(imd_store_stream(store, "x", 1, &stream, NULL) == IMD_INVALID_JSON);
  CHECK(imd_stream_next(NULL, 0, &value, NULL, NULL, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(value == NULL);
  CHECK(imd_stream_next((imd_stream *)store, 0, NULL, NULL, NULL, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_stream_dropped(NULL, &dropped, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_stream_fd(NULL, &fd, NULL) == IMD_INVALID_ARGUMENT);
  stream = open_stream(store, "{}");
  CHECK(imd_stream_fd(stream, NULL, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_stream_dropped(stream, NULL, NULL) == IMD_INVALID_ARGUMENT);
  imd_stream_close(NULL);
  imd_stream_close(stream);
  imd_store_close(store);
  CHECK(imd_store_stream(store, NULL, 0, &stream, NULL) == IMD_CLOSED);
}

static void ignore(void *context, const imd_delivery *delivery) {
  (void)context;
  (void)delivery;
}

/* Uses the inherited handles in the child. Returns 0 if they behave as the header documents. */
static int run_child(imd_store *store, imd_stream *stream, imd_observation *observation,
                    imd_value *state) {
  imd_error error;
  imd_store *own = NULL;
  int64_t value = -1;
  if (imd_store_dispatch(store, "{\"type\":\"a\"}", IMD_ZERO_TERMINATED, &error) != IMD_CLOSED)
    return 1;
  if (strcmp(error.message, "the store belongs to the process that this one was forked from; "
                            "open one in this process") != 0)
    return 2;
  if (imd_stream_next(stream, -1, NULL, NULL, NULL, NULL) != IMD_CLOSED) return 3;
  imd_observation_cancel(observation);
  imd_stream_close(stream);
  imd_store_close(store);
  if (imd_value_get_integer(state, "", &value, NULL) != IMD_OK || value != 1) return 4;
  imd_value_release(state);
  if (imd_store_create("5", 1, count, NULL, NULL, NULL, 0, &own, NULL) != IMD_OK) return 5;
  if (own == store) return 6;
  if (imd_store_dispatch(own, "{\"type\":\"a\"}", IMD_ZERO_TERMINATED, NULL) != IMD_OK) return 7;
  imd_store_close(own);
  return 0;
}

static void test_fork(void) {
  imd_store *store = create();
  imd_stream *stream = open_stream(store, NULL);
  imd_observation *observation = NULL;
  imd_value *state = NULL;
  CHECK(imd_store_define_selector(store, "all", "@", NULL) == IMD_OK);
  CHECK(imd_store_observe(store, "all", NULL, 0, NULL, 0, ignore, NULL, NULL, &observation, NULL) ==
        IMD_OK);
  dispatch(store, "a");
  CHECK(imd_store_state(store, &state, NULL) == IMD_OK);
  pid_t child = fork();
  if (child == 0) end_child(run_child(store, stream, observation, state));
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  dispatch(store, "a");
  imd_value_release(state);
  imd_observation_cancel(observation);
  imd_stream_close(stream);
  imd_store_close(store);
}

int main(void) {
  test_reading();
  test_single_parts();
  test_overflow();
  test_block_drops_nothing();
  test_dispatch_timeout();
  test_closing_wakes();
  test_flush();
  test_reading_in_a_reducer();
  test_bad_input();
  test_fork();
  return check_report();
}
