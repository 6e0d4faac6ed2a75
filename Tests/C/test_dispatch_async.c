/* Actions that no thread of the program waits for. */
#include "check.h"

#include <immutabledata.h>
#include <pthread.h>

enum { COUNT = 3000 };

/* What the reducers, observers and outcomes of these tests have seen. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int is_open; /* the gate at which the reducer waits for {"payload": 0} */
  int waits;   /* whether it waits there */
  imd_status statuses[COUNT + 1];
  int done;
  imd_store *store;
} test = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void set(int *flag) {
  pthread_mutex_lock(&test.lock);
  *flag = 1;
  pthread_cond_broadcast(&test.changed);
  pthread_mutex_unlock(&test.lock);
}

static void wait_for(const int *flag) {
  pthread_mutex_lock(&test.lock);
  while (!*flag)
    pthread_cond_wait(&test.changed, &test.lock);
  pthread_mutex_unlock(&test.lock);
}

/* Keeps the last payload; refuses one that is not larger, so that the order is checked. */
static imd_status last(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error) {
  (void)context;
  int64_t old, number;
  if (imd_value_get_integer(state, NULL, &old, error) != IMD_OK ||
      imd_value_get_integer(action, "/payload", &number, error) != IMD_OK)
    return error->status;
  if (number == 0) {
    set(&test.waits);
    wait_for(&test.is_open);
    return IMD_OK;
  }
  if (number < 0)
    return imd_store_dispatch_async(test.store, "{\"type\":\"x\"}", IMD_ZERO_TERMINATED, NULL,
                                    NULL, error);
  if (number <= old) {
    strcpy(error->message, "not larger");
    return IMD_REDUCER_FAILED;
  }
  return imd_value_from_integer(number, next, error);
}

static imd_store *create(void) {
  imd_error error;
  imd_store_create("0", 1, last, NULL, NULL, NULL, 0, &test.store, &error);
  CHECK_TEXT(error.message, "");
  test.done = test.is_open = test.waits = 0;
  return test.store;
}

static void note(void *context, const imd_error *error) {
  *(imd_status *)context = error->status;
  __atomic_fetch_add(&test.done, 1, __ATOMIC_RELAXED);
}

static void send(int number, imd_dispatch_done done, void *context) {
  char action[64];
  imd_error error;
  snprintf(action, sizeof action, "{\"type\":\"last\",\"payload\":%d}", number);
  imd_store_dispatch_async(test.store, action, IMD_ZERO_TERMINATED, done, context, &error);
  CHECK_TEXT(error.message, "");
}

static void expect(const char *state) {
  char *text = NULL;
  CHECK(imd_store_query(test.store, "@", NULL, 0, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, state);
  imd_free(text);
}

static void test_order(void) {
  imd_store *store = create();
  for (int i = 1; i <= COUNT; i++)
    send(i, note, &test.statuses[i]);
  send(1, note, &test.statuses[0]);
  send(COUNT + 1, NULL, NULL);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  CHECK(__atomic_load_n(&test.done, __ATOMIC_RELAXED) == COUNT + 1);
  for (int i = 1; i <= COUNT; i++)
    CHECK(test.statuses[i] == IMD_OK);
  CHECK(test.statuses[0] == IMD_REDUCER_FAILED);
  expect("3001");
  imd_store_close(store);
}

static void test_errors(void) {
  imd_store *store = create();
  imd_error error;
  CHECK(imd_store_dispatch_async(NULL, "{}", 2, NULL, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_store_dispatch_async(store, NULL, 2, NULL, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_store_dispatch_async(store, "{", 1, note, NULL, &error) == IMD_INVALID_JSON);
  CHECK(imd_store_dispatch_async(store, "[]", 2, note, &test.statuses[0], &error) == IMD_OK);
  send(-1, note, &test.statuses[1]);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  CHECK(test.statuses[0] == IMD_INVALID_ACTION);
  CHECK(test.statuses[1] == IMD_REENTRANT);
  CHECK(test.done == 2);
  imd_store_close(store);
  CHECK(imd_store_dispatch_async(store, "{}", 2, note, NULL, &error) == IMD_CLOSED);
}

static void open_gate(void *context, const imd_error *error) {
  note(context, error);
  set(&test.is_open);
}

/* Closing drops what waits, and waits for what is being dispatched. */
static void test_closing(void) {
  imd_store *store = create();
  send(0, note, &test.statuses[0]);
  wait_for(&test.waits);
  send(1, open_gate, &test.statuses[1]);
  imd_store_close(store);
  CHECK(test.done == 2);
  CHECK(test.statuses[1] == IMD_CLOSED);
}

static void go_on(void *context, const imd_delivery *delivery) {
  (void)delivery;
  int *number = context;
  if (*number < 100) send(++*number, NULL, NULL);
}

static void send_in_callback(void *context, const imd_error *error) {
  CHECK(error->status == IMD_OK);
  send(1000, note, context);
}

/* Observers and outcomes may dispatch in this way. */
static void test_callbacks(void) {
  imd_store *store = create();
  int number = 1;
  CHECK(imd_store_define_selector(store, "last", "@", NULL) == IMD_OK);
  CHECK(imd_store_observe(store, "last", NULL, 0, NULL, 0, go_on, &number, NULL, NULL, NULL) ==
        IMD_OK);
  send(1, NULL, NULL);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  expect("100");
  send(500, send_in_callback, &test.statuses[0]);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  CHECK(test.statuses[0] == IMD_OK);
  expect("1000");
  imd_store_close(store);
}

int main(void) {
  test_order();
  test_errors();
  test_closing();
  test_callbacks();
  return check_report();
}
