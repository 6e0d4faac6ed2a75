/* immutabledata_testing.h: checks that hold, and checks that fail. */
#define _POSIX_C_SOURCE 200809L
#include <immutabledata_testing.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "child.h"

/* The payload of an action becomes the member that its type names. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  char pointer[16], *type = NULL;
  imd_value *payload = NULL;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  snprintf(pointer, sizeof pointer, "/%s", type);
  imd_free(type);
  if (status == IMD_OK) status = imd_value_get(action, "/payload", &payload, error);
  if (status == IMD_OK) status = imd_value_set(state, pointer, payload, next, error);
  imd_value_release(payload);
  return status;
}

static imd_status ask(void *context, const imd_value *action, const imd_value *old_state,
                      const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)context, (void)action;
  imd_value *old_text = NULL, *text = NULL;
  imd_value_get(old_state, "/text", &old_text, NULL);
  imd_value_get(new_state, "/text", &text, NULL);
  imd_status status = IMD_OK;
  if (!imd_value_identical(old_text, text))
    status = imd_value_parse("[{\"effect\":\"search\",\"key\":\"search\",\"delay\":300,"
                             "\"success\":\"hits\"}]",
                             IMD_ZERO_TERMINATED, effects, error);
  imd_value_release(old_text);
  imd_value_release(text);
  return status;
}

static imd_status ask_now(void *context, const imd_value *action, const imd_value *old_state,
                          const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)context, (void)old_state, (void)new_state;
  char *type = NULL;
  imd_value_get_string(action, "/type", &type, NULL, NULL);
  const char *asked =
      strcmp(type, "text") == 0 ? "[{\"effect\":\"search\",\"success\":\"hits\"}]" : "[]";
  imd_free(type);
  return imd_value_parse(asked, IMD_ZERO_TERMINATED, effects, error);
}

static imd_status ask_for_nothing(void *context, const imd_value *action, const imd_value *old_state,
                                  const imd_value *new_state, imd_value **effects,
                                  imd_error *error) {
  (void)context, (void)action, (void)old_state, (void)new_state;
  return imd_value_parse("[{\"effect\":\"search\"}]", IMD_ZERO_TERMINATED, effects, error);
}

static imd_effect *request;

static void search(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)context, (void)arguments;
  request = effect;
}

static imd_store *open_store(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create("{\"text\":\"\",\"hits\":0}", IMD_ZERO_TERMINATED, reduce, NULL, NULL,
                         "{\"clock\":\"stepped\"}", IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
  CHECK(imd_store_set_rule(store, ask, NULL, NULL, NULL) == IMD_OK);
  CHECK(imd_store_set_effect(store, "search", search, NULL, NULL, NULL) == IMD_OK);
  return store;
}

static void answer(void) {
  imd_value *hits = NULL;
  CHECK(imd_value_from_integer(3, &hits, NULL) == IMD_OK);
  CHECK(imd_effect_resolve(request, hits, NULL) == IMD_OK);
  imd_value_release(hits);
}

static const char *const typed = "{\"type\":\"text\",\"payload\":\"cat\"}";

static void test_checks_that_hold(void) {
  imd_store *store = open_store();
  IMD_TEST_SEND(store, typed, "{\"text\":\"cat\"}");
  IMD_TEST_ADVANCE(store, 300);
  answer();
  IMD_TEST_RECEIVE(store, "hits", "{\"hits\":3}");
  IMD_TEST_SEND(store, "{\"type\":\"hits\",\"payload\":null}",
                "[{\"op\":\"replace\",\"path\":\"/hits\",\"value\":null}]");
  IMD_TEST_END(store);
  imd_store_close(store);
}

/* An effect without a delay begins with the action that asked for it. */
static void test_send_begins_effects(void) {
  imd_store *store = open_store();
  CHECK(imd_store_set_rule(store, ask_now, NULL, NULL, NULL) == IMD_OK);
  request = NULL;
  IMD_TEST_SEND(store, typed, "{\"text\":\"cat\"}");
  CHECK(request != NULL);
  answer();
  IMD_TEST_RECEIVE(store, "hits", "{\"hits\":3}");
  IMD_TEST_END(store);
  imd_store_close(store);
}

/* The outcome of an effect without "success" is not left over. */
static void test_outcomes_without_an_action(void) {
  imd_store *store = open_store();
  CHECK(imd_store_set_rule(store, ask_for_nothing, NULL, NULL, NULL) == IMD_OK);
  IMD_TEST_SEND(store, typed, "{\"text\":\"cat\"}");
  answer();
  IMD_TEST_END(store);
  imd_store_close(store);
}

static void change_more(imd_store *store) { IMD_TEST_SEND(store, typed, "{}"); }

static void send_what_is_refused(imd_store *store) { IMD_TEST_SEND(store, "{\"type\":\"text\"}", "{}"); }

static void receive_nothing(imd_store *store) { IMD_TEST_RECEIVE(store, "hits", "{}"); }

static void receive_another(imd_store *store) {
  IMD_TEST_SEND(store, typed, "{\"text\":\"cat\"}");
  IMD_TEST_ADVANCE(store, 300);
  answer();
  IMD_TEST_RECEIVE(store, "failed", "{\"hits\":3}");
}

static void leave_an_outcome(imd_store *store) {
  IMD_TEST_SEND(store, typed, "{\"text\":\"cat\"}");
  IMD_TEST_ADVANCE(store, 300);
  answer();
  IMD_TEST_END(store);
}

static void leave_an_effect(imd_store *store) {
  IMD_TEST_SEND(store, typed, "{\"text\":\"cat\"}");
  IMD_TEST_ADVANCE(store, 300);
  IMD_TEST_END(store);
}

static void leave_one_that_waits(imd_store *store) {
  IMD_TEST_SEND(store, typed, "{\"text\":\"cat\"}");
  IMD_TEST_END(store);
}

/* Calls a function in a child, which must abort, and say why. */
static void check_abort(void (*function)(imd_store *store), const char *why) {
  int ends[2];
  char output[1024] = "";
  size_t length = 0;
  ssize_t count;
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    function(open_store());
    end_child(1);
  }
  close(ends[1]);
  while ((count = read(ends[0], output + length, sizeof output - 1 - length)) > 0)
    length += (size_t)count;
  close(ends[0]);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  if (!CHECK(strstr(output, "test_testing.c:") != NULL && strstr(output, why) != NULL))
    fprintf(stderr, "  %s\n", output);
}

int main(void) {
  test_checks_that_hold();
  test_send_begins_effects();
  test_outcomes_without_an_action();
  check_abort(change_more, "[{\"op\":\"replace\",\"path\":\"/text\",\"value\":\"cat\"}]");
  check_abort(send_what_is_refused, "the action was refused: ");
  check_abort(receive_nothing, "no outcome waits");
  check_abort(receive_another, "another action was received: hits, not failed");
  check_abort(leave_an_outcome, "an outcome was not received");
  check_abort(leave_an_effect, "an effect was not ended");
  check_abort(leave_one_that_waits, "an effect waits for its time");
  return check_report();
}
