/* Dispatches to a shared log up to an action of its own, and observes all commits.
 *
 *     worker PATH SLOT LAST
 *
 * Begins after the last action of its slot that the log has. Prints the number of each action after
 * its dispatch has returned. At the end of the standard input, prints the state. worker.py does the
 * same. */
#define _XOPEN_SOURCE 700

#include <immutabledata.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  _exit(1);
}

static void check(imd_status status, const char *what, const imd_error *error) {
  if (status != IMD_OK) fail(what, error->message);
}

static void send(const char *text) {
  if (write(STDOUT_FILENO, text, strlen(text)) != (ssize_t)strlen(text)) fail("write", text);
}

/* Keeps the number of commits, the last action of each slot, and a hash of all in their order.
 * Rejects an action that is not the next of its slot. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  int64_t slot = 0, number = 0, last = 0, all = 0, hash = 0;
  char pointer[32];
  imd_value *counted = NULL, *hashed = NULL;
  imd_status status = imd_value_get_integer(action, "/payload/slot", &slot, error);
  snprintf(pointer, sizeof pointer, "/last/%d", (int)slot);
  if (status == IMD_OK) status = imd_value_get_integer(action, "/payload/number", &number, error);
  if (status == IMD_OK) status = imd_value_get_integer(state, pointer, &last, error);
  if (status == IMD_OK) status = imd_value_get_integer(state, "/commits", &all, error);
  if (status == IMD_OK) status = imd_value_get_integer(state, "/hash", &hash, error);
  if (status == IMD_OK && number != last + 1) {
    snprintf(error->message, sizeof error->message, "slot %d: %d after %d", (int)slot, (int)number,
             (int)last);
    status = error->status = IMD_REDUCER_FAILED;
  }
  hash = (hash * 31 + slot * 7 + number) % 1000003;
  if (status == IMD_OK) status = imd_value_set_integer(state, pointer, number, &counted, error);
  if (status == IMD_OK) status = imd_value_set_integer(counted, "/hash", hash, &hashed, error);
  if (status == IMD_OK) status = imd_value_set_integer(hashed, "/commits", all + 1, next, error);
  imd_value_release(counted);
  imd_value_release(hashed);
  return status;
}

/* What the observer has got last, and how many commits it has not got. */
struct seen {
  int64_t commits, missing;
};

/* Gets the number of commits: each time one more. */
static void observe(void *context, const imd_delivery *delivery) {
  struct seen *seen = context;
  int64_t commits = -1;
  if (delivery->kind != IMD_DELIVERY_VALUE) fail("observer", delivery->error->message);
  imd_value_get_integer(delivery->value, "", &commits, NULL);
  if (seen->commits >= 0 && commits <= seen->commits) fail("observer", "goes back");
  if (seen->commits >= 0) seen->missing += commits - seen->commits - 1;
  seen->commits = commits;
}

/* Compares what is missing with what compactions have taken out. */
static void check_missing(imd_store *store, int64_t missing) {
  imd_error error = {0};
  char *text;
  check(imd_store_statistics(store, &text, NULL, &error), "statistics", &error);
  const char *skipped = strstr(text, "\"skippedCommits\":");
  if (!skipped || atoll(strchr(skipped, ':') + 1) < missing) fail("observer misses", text);
  imd_free(text);
}

int main(int count, char **arguments) {
  if (count != 5) fail(arguments[0], "PATH SLOT LAST KEEP");
  const char *initial = "{\"commits\":0,\"hash\":0,\"last\":[0,0,0,0,0,0,0,0]}";
  int slot = atoi(arguments[2]), last = atoi(arguments[3]);
  struct seen seen = {-1, 0};
  int64_t number = 0;
  char text[512], pointer[32], *json;
  imd_store *store;
  imd_value *state;
  imd_error error = {0};
  snprintf(text, sizeof text, "{\"log\":{\"path\":\"%s\",\"shared\":true,\"keep\":%s}}",
           arguments[1], arguments[4]);
  check(imd_store_create(initial, IMD_ZERO_TERMINATED, reduce, NULL, NULL, text,
                         IMD_ZERO_TERMINATED, &store, &error),
        "open", &error);
  check(imd_store_define_selector(store, "commits", "commits", &error), "selector", &error);
  check(imd_store_observe(store, "commits", NULL, 0, NULL, 0, observe, &seen, NULL, NULL, &error),
        "observe", &error);
  check(imd_store_state(store, &state, &error), "state", &error);
  snprintf(pointer, sizeof pointer, "/last/%d", slot);
  check(imd_value_get_integer(state, pointer, &number, &error), pointer, &error);
  imd_value_release(state);
  while (++number <= last) {
    snprintf(text, sizeof text,
             "{\"type\":\"count\",\"payload\":{\"slot\":%d,\"number\":%d}}", slot, (int)number);
    check(imd_store_dispatch(store, text, IMD_ZERO_TERMINATED, &error), "dispatch", &error);
    snprintf(text, sizeof text, "%d\n", (int)number);
    send(text);
  }
  send("done\n");
  if (read(STDIN_FILENO, text, 1) != 0) fail("read", "the input has not ended");
  check(imd_store_refresh(store, &error), "refresh", &error);
  check(imd_store_state(store, &state, &error), "state", &error);
  check(imd_value_get_integer(state, "/commits", &number, &error), "commits", &error);
  if (seen.commits != number) fail("observer", "has not seen the last commit");
  check_missing(store, seen.missing);
  check(imd_value_text(state, &json, NULL, &error), "text", &error);
  send(json);
  send("\n");
  imd_free(json);
  imd_value_release(state);
  imd_store_close(store);
  return 0;
}
