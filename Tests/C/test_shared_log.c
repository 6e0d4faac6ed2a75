/* Stores in threads and processes that write to one log.
 *
 * Each action has the number of its writer and its own number. Each store must have the actions of
 * each writer in their order and without gaps, and all stores the same. */
#define _XOPEN_SOURCE 700

#include "check.h"
#include "child.h"

#include <immutabledata.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { STORES = 2, THREADS = 2, CHILDREN = 2, DISPATCHES = 50 };
enum { WRITERS = STORES * THREADS + CHILDREN };

static char folder[] = "/tmp/imd-shared-XXXXXX";
static char options[128];

/* The options of a store with a log in the folder. */
static const char *log_options(const char *name, const char *more) {
  snprintf(options, sizeof options, "{\"log\":{\"path\":\"%s/%s\"%s}}", folder, name, more);
  return options;
}

/* Counts the actions, and those of each writer; rejects one that is not the next of its writer. */
static imd_status count(void *context, const imd_value *state, const imd_value *action,
                        imd_value **next, imd_error *error) {
  (void)context;
  int64_t writer = 0, number = 0, last = 0, all = 0;
  char key[16];
  imd_value *counted = NULL;
  imd_status status = imd_value_get_integer(action, "/payload/writer", &writer, error);
  snprintf(key, sizeof key, "/w%d", (int)writer);
  if (status == IMD_OK) status = imd_value_get_integer(action, "/payload/number", &number, error);
  if (status == IMD_OK) status = imd_value_get_integer(state, key, &last, error);
  if (status == IMD_OK) status = imd_value_get_integer(state, "/n", &all, error);
  if (status == IMD_OK && number != last + 1) {
    snprintf(error->message, sizeof error->message, "%d after %d", (int)number, (int)last);
    status = error->status = IMD_REDUCER_FAILED;
  }
  if (status == IMD_OK) status = imd_value_set_integer(state, key, number, &counted, error);
  if (status == IMD_OK) status = imd_value_set_integer(counted, "/n", all + 1, next, error);
  imd_value_release(counted);
  return status;
}

static imd_store *open_store(const char *log) {
  char state[256] = "{\"n\":0";
  imd_store *store = NULL;
  imd_error error = {0};
  for (int writer = 0; writer < WRITERS; writer++) {
    size_t length = strlen(state);
    snprintf(state + length, sizeof state - length, ",\"w%d\":0", writer);
  }
  strcat(state, "}");
  imd_status status = imd_store_create(state, IMD_ZERO_TERMINATED, count, NULL, NULL, log,
                                       IMD_ZERO_TERMINATED, &store, &error);
  if (!CHECK(status == IMD_OK)) fprintf(stderr, "  %s\n", error.message);
  return store;
}

static void dispatch_all(imd_store *store, int writer, int dispatches) {
  for (int number = 1; number <= dispatches; number++) {
    char action[96];
    imd_error error = {0};
    snprintf(action, sizeof action,
             "{\"type\":\"count\",\"payload\":{\"writer\":%d,\"number\":%d}}", writer, number);
    if (!CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_OK)) {
      fprintf(stderr, "  writer %d: %s\n", writer, error.message);
      return;
    }
  }
}

static int64_t number_of(imd_store *store) {
  imd_value *state = NULL;
  int64_t number = -1;
  if (imd_store_state(store, &state, NULL) == IMD_OK)
    imd_value_get_integer(state, "/n", &number, NULL);
  imd_value_release(state);
  return number;
}

/* What a thread does, and what an observer has seen. */
typedef struct {
  imd_store *store;
  int writer;
} Work;

static void *work(void *argument) {
  Work *own = argument;
  dispatch_all(own->store, own->writer, DISPATCHES);
  return NULL;
}

/* Gets the number of actions: each time more. */
static void observe(void *context, const imd_delivery *delivery) {
  int64_t *last = context, number = -1;
  CHECK(imd_value_get_integer(delivery->value, "", &number, NULL) == IMD_OK && number > *last);
  *last = number;
}

static int start_child(int writer) {
  pid_t child = fork();
  if (child != 0) return child;
  imd_store *store = open_store(options);
  if (store) dispatch_all(store, writer, DISPATCHES);
  imd_store_close(store);
  end_child(failures != 0);
  return -1;
}

int main(void) {
  if (!CHECK(mkdtemp(folder) != NULL)) return check_report();
  /* ThreadSanitizer does not know how Swift initializes globals: repeats a log in one thread. */
  for (int open = 0; open < 2; open++) {
    imd_store *alone = open_store(log_options("alone.imd", ""));
    if (!open) dispatch_all(alone, 0, 1);
    imd_store_close(alone);
  }

  log_options("x.imd", ",\"shared\":true");
  pid_t children[CHILDREN];
  for (int child = 0; child < CHILDREN; child++)
    children[child] = start_child(STORES * THREADS + child);

  imd_store *stores[STORES];
  int64_t seen[STORES];
  Work works[STORES * THREADS];
  pthread_t threads[STORES * THREADS];
  for (int store = 0; store < STORES; store++) {
    stores[store] = open_store(options);
    if (!stores[store]) return check_report();
    seen[store] = -1;
    CHECK(imd_store_define_selector(stores[store], "n", "n", NULL) == IMD_OK);
    CHECK(imd_store_observe(stores[store], "n", NULL, 0, NULL, 0, observe, &seen[store], NULL,
                            NULL, NULL) == IMD_OK);
  }
  for (int writer = 0; writer < STORES * THREADS; writer++) {
    works[writer] = (Work){stores[writer / THREADS], writer};
    CHECK(pthread_create(&threads[writer], NULL, work, &works[writer]) == 0);
  }
  for (int writer = 0; writer < STORES * THREADS; writer++) pthread_join(threads[writer], NULL);
  for (int child = 0; child < CHILDREN; child++) {
    int status = -1;
    CHECK(waitpid(children[child], &status, 0) == children[child] && status == 0);
  }
  for (int store = 0; store < STORES; store++) {
    CHECK(imd_store_refresh(stores[store], NULL) == IMD_OK);
    CHECK(number_of(stores[store]) == WRITERS * DISPATCHES);
    CHECK(seen[store] == WRITERS * DISPATCHES);
    imd_store_close(stores[store]);
  }
  imd_store *again = open_store(options);
  CHECK(again && number_of(again) == WRITERS * DISPATCHES);
  imd_error error = {0};
  char shared[64];
  snprintf(shared, sizeof shared, "%s/x.imd", folder);
  CHECK(imd_log_compact(shared, "{\"shared\":false}", IMD_ZERO_TERMINATED, count, NULL, &error) ==
        IMD_IO);
  imd_store_close(again);
  CHECK(imd_log_compact(shared, "{\"shared\":false}", IMD_ZERO_TERMINATED, count, NULL, &error) ==
        IMD_OK);
  again = open_store(log_options("x.imd", ""));
  CHECK(again && number_of(again) == WRITERS * DISPATCHES);
  imd_store_close(again);

  const char *names[] = {"alone.imd", "x.imd", "x.imd-lock", "x.imd-snapshot"};
  for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, names[name]);
    remove(path);
  }
  CHECK(rmdir(folder) == 0);
  return check_report();
}
