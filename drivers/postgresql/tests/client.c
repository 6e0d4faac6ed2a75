/* A store that dispatches to a log over a network which fails:
 *
 *     client ADDRESS TIMEOUT SLOTS LAST SLOT ...
 *
 * A thread for each SLOT dispatches its actions after the last one that the log has, up to LAST,
 * and again what the log is known not to have. Lines of the output, in which COMMITS is the number
 * of commits that the store has then:
 *
 *     opened COMMITS
 *     SLOT NUMBER COMMITS     the log has this action
 *     done                    and all up to LAST
 *     diverged                the store says so; the program ends
 *     state JSON              what the store has then, for each byte of the standard input
 *
 * Ends with status 1 and a message if the number of commits goes back. */
#define _XOPEN_SOURCE 700

#include <immutabledata_postgresql.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static imd_store *store;
static int64_t last;

static _Noreturn void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  _exit(1);
}

static void send_line(const char *line) {
  size_t length = strlen(line);
  if (write(STDOUT_FILENO, line, length) != (ssize_t)length) fail("write", line);
}

/* Ends the program unless a call has succeeded, or may succeed later. Returns whether it has. While
 * the server cannot be reached, calls fail at once: then waits a little. */
static int has_succeeded(imd_status status, const char *what, const imd_error *error) {
  if (status == IMD_OK) return 1;
  if (status == IMD_DIVERGED) {
    send_line("diverged\n");
    _exit(0);
  }
  if (status != IMD_UNAVAILABLE && status != IMD_TIMEOUT) fail(what, error->message);
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  return 0;
}

/* Keeps the number of commits, the last action of each slot, and a hash of all in their order.
 * Rejects an action that is not the next of its slot. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  int64_t slot = 0, number = 0, before = 0, commits = 0, hash = 0;
  char pointer[32];
  imd_value *counted = NULL, *hashed = NULL;
  imd_status status = imd_value_get_integer(action, "/payload/slot", &slot, error);
  snprintf(pointer, sizeof pointer, "/last/%" PRId64, slot);
  if (status == IMD_OK) status = imd_value_get_integer(action, "/payload/number", &number, error);
  if (status == IMD_OK) status = imd_value_get_integer(state, pointer, &before, error);
  if (status == IMD_OK) status = imd_value_get_integer(state, "/commits", &commits, error);
  if (status == IMD_OK) status = imd_value_get_integer(state, "/hash", &hash, error);
  if (status == IMD_OK && number != before + 1) {
    snprintf(error->message, sizeof error->message,
             "slot %" PRId64 ": %" PRId64 " after %" PRId64, slot, number, before);
    status = error->status = IMD_REDUCER_FAILED;
  }
  hash = (hash * 31 + slot * 7 + number) % 1000003;
  if (status == IMD_OK) status = imd_value_set_integer(state, pointer, number, &counted, error);
  if (status == IMD_OK) status = imd_value_set_integer(counted, "/hash", hash, &hashed, error);
  commits++;
  if (status == IMD_OK) status = imd_value_set_integer(hashed, "/commits", commits, next, error);
  imd_value_release(counted);
  imd_value_release(hashed);
  return status;
}

/* Each observation is of a later commit. */
static void observe(void *context, const imd_delivery *delivery) {
  int64_t commits = -1, *seen = context;
  if (delivery->kind != IMD_DELIVERY_VALUE) fail("observer", delivery->error->message);
  imd_value_get_integer(delivery->value, "", &commits, NULL);
  if (commits <= *seen) fail("observer", "goes back");
  *seen = commits;
}

/* A number of the state, and that of its commits. */
static int64_t get(const char *pointer, int64_t *commits) {
  imd_error error = {0};
  imd_value *state;
  int64_t number;
  if (imd_store_state(store, &state, &error) != IMD_OK ||
      imd_value_get_integer(state, pointer, &number, &error) != IMD_OK ||
      imd_value_get_integer(state, "/commits", commits, &error) != IMD_OK)
    fail(pointer, error.message);
  imd_value_release(state);
  return number;
}

static void refresh(void) {
  imd_error error;
  while (!has_succeeded(imd_store_refresh(store, &error), "refresh", &error)) continue;
}

static void *dispatch(void *argument) {
  int64_t slot = atoi(argument), commits, before;
  char pointer[32], text[128];
  imd_error error;
  snprintf(pointer, sizeof pointer, "/last/%" PRId64, slot);
  for (int64_t number = get(pointer, &before) + 1; number <= last;) {
    snprintf(text, sizeof text,
             "{\"type\":\"count\",\"payload\":{\"slot\":%" PRId64 ",\"number\":%" PRId64 "}}", slot,
             number);
    imd_status status = imd_store_dispatch(store, text, IMD_ZERO_TERMINATED, &error);
    has_succeeded(status, "dispatch", &error);
    if (status == IMD_TIMEOUT) refresh(); /* then it is known whether the log has it */
    int64_t latest = get(pointer, &commits);
    if (commits < before) fail("state", "goes back");
    if (latest > number || (status == IMD_OK && latest < number)) fail("state", text);
    if (status == IMD_UNAVAILABLE && latest == number) fail("unavailable, but appended", text);
    before = commits;
    if (latest < number) continue;
    snprintf(text, sizeof text, "%" PRId64 " %" PRId64 " %" PRId64 "\n", slot, number, commits);
    send_line(text);
    number++;
  }
  return NULL;
}

/* Opens the store, as soon as the server can be reached. */
static void open_store(const char *address, const char *timeout, int slots) {
  imd_error error;
  char options[512], initial[4096], *at = initial;
  snprintf(options, sizeof options, "{\"log\":{\"path\":\"%s\",\"timeout\":%s}}", address, timeout);
  at += sprintf(at, "{\"commits\":0,\"hash\":0,\"last\":[0");
  for (int i = 1; i < slots; i++) at += sprintf(at, ",0");
  sprintf(at, "]}");
  while (!has_succeeded(imd_store_create(initial, IMD_ZERO_TERMINATED, reduce, NULL, NULL, options,
                                         IMD_ZERO_TERMINATED, &store, &error),
                        "open", &error))
    continue;
}

/* Reads to the end of the log, and prints the state. */
static void print_state(const int64_t *seen) {
  imd_error error = {0};
  imd_value *state;
  char *json;
  int64_t commits;
  refresh();
  if (imd_store_state(store, &state, &error) != IMD_OK ||
      imd_value_text(state, &json, NULL, &error) != IMD_OK ||
      imd_value_get_integer(state, "/commits", &commits, &error) != IMD_OK)
    fail("state", error.message);
  if (*seen != commits) fail("observer", "has not seen the last commit");
  printf("state %s\n", json);
  fflush(stdout);
  imd_free(json);
  imd_value_release(state);
}

int main(int count, char **arguments) {
  enum { MAXIMUM = 8 };
  pthread_t threads[MAXIMUM];
  int64_t seen = -1, commits;
  char text[64];
  imd_error error;
  int slots = count > 4 ? atoi(arguments[3]) : 0;
  if (count < 6 || count > 5 + MAXIMUM || slots < 1 || slots > 1000) return 2;
  last = atoi(arguments[4]);
  if (imd_register_log("postgresql", imd_postgresql_driver(), &error) != IMD_OK)
    fail("register", error.message);
  open_store(arguments[1], arguments[2], slots);
  if (imd_store_define_selector(store, "commits", "commits", &error) != IMD_OK ||
      imd_store_observe(store, "commits", NULL, 0, NULL, 0, observe, &seen, NULL, NULL, &error))
    fail("observe", error.message);
  get("/commits", &commits);
  snprintf(text, sizeof text, "opened %" PRId64 "\n", commits);
  send_line(text);
  for (int i = 5; i < count; i++)
    if (pthread_create(&threads[i - 5], NULL, dispatch, arguments[i])) fail("thread", arguments[i]);
  for (int i = 5; i < count; i++) pthread_join(threads[i - 5], NULL);
  send_line("done\n");
  while (read(STDIN_FILENO, text, 1) == 1) print_state(&seen);
  imd_store_close(store);
  return 0;
}
