/* Undo, redo, travel, groups and the clean mark. */
#include "number.h"
#include "query.h"

static const size_t z = IMD_ZERO_TERMINATED;

static imd_store *create(const char *options) {
  imd_store *store = NULL;
  imd_error error;
  if (!CHECK(imd_store_create("{\"n\":0}", z, number_reduce, NULL, NULL, options, z, &store,
                              &error) == IMD_OK))
    fprintf(stderr, "  %s\n", error.message);
  CHECK(imd_store_define_selector(store, "n", "n", NULL) == IMD_OK);
  return store;
}

static void set_all(imd_store *store, int from, int to) {
  for (int n = from; n <= to; n++) CHECK(number_set(store, n) == IMD_OK);
}

static size_t undo(imd_store *store, size_t steps) {
  size_t taken = 99;
  CHECK(imd_store_undo(store, steps, &taken, NULL) == IMD_OK);
  return taken;
}

static size_t redo(imd_store *store, size_t steps) {
  size_t taken = 99;
  CHECK(imd_store_redo(store, steps, &taken, NULL) == IMD_OK);
  return taken;
}

/* Removes the members "time" from a text. */
static void remove_times(char *text) {
  char *time;
  while (text && (time = strstr(text, "\"time\":")) != NULL) {
    char *end = strchr(time, ',') + 1;
    memmove(time, end, strlen(end) + 1);
  }
}

/* Checks the history without its times. */
static void check_history(imd_store *store, const char *options, const char *expected) {
  char *text = NULL;
  size_t length = 0;
  CHECK(imd_store_history(store, options, z, &text, &length, NULL) == IMD_OK);
  CHECK(text != NULL && strlen(text) == length);
  remove_times(text);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

/* ---- Jumps ----------------------------------------------------------------------------------- */

static void test_jumps(void) {
  imd_store *store = create("{\"history\":true}");
  CHECK(undo(store, 1) == 0 && redo(store, 1) == 0);
  set_all(store, 1, 4);
  CHECK(undo(store, 1) == 1);
  check_query(store, "n", "3");
  CHECK(undo(store, SIZE_MAX) == 3);
  check_query(store, "n", "0");
  CHECK(redo(store, 2) == 2 && undo(store, 0) == 0);
  check_query(store, "n", "2");
  CHECK(imd_store_travel(store, 3, NULL) == IMD_OK);
  check_query(store, "n", "3");
  CHECK(imd_store_undo(store, 1, NULL, NULL) == IMD_OK);
  CHECK(imd_store_redo(store, 2, NULL, NULL) == IMD_OK);
  check_query(store, "n", "4");
  CHECK(number_set(store, 4) == IMD_OK); /* changes nothing: is no step */
  CHECK(undo(store, 1) == 1 && number_set(store, 3) == IMD_OK && redo(store, 1) == 1);
  CHECK(undo(store, 1) == 1 && number_set(store, 9) == IMD_OK && redo(store, 1) == 0);
  check_query(store, "n", "9");
  imd_store_close(store);
}

static void test_steps(void) {
  imd_store *store = create("{\"history\":{\"limit\":2}}");
  set_all(store, 1, 3);
  CHECK(undo(store, 1) == 1);
  check_history(store, NULL,
                "{\"entries\":[{\"actions\":1,\"number\":2,\"type\":\"set\",\"undone\":false},"
                "{\"actions\":1,\"number\":3,\"type\":\"set\",\"undone\":true}],\"present\":2,"
                "\"redo\":1,\"undo\":1}");
  check_history(store, "{\"from\":1,\"count\":5,\"actions\":true,\"patches\":true}",
                "{\"entries\":[{\"actions\":[{\"payload\":3,\"type\":\"set\"}],\"number\":3,"
                "\"patch\":[{\"op\":\"replace\",\"path\":\"/n\",\"value\":3}],\"type\":\"set\","
                "\"undone\":true}],\"present\":2,\"redo\":1,\"undo\":1}");
  check_history(store, "{\"from\":7,\"count\":0}",
                "{\"entries\":[],\"present\":2,\"redo\":1,\"undo\":1}");
  CHECK(undo(store, 1) == 1);
  check_history(store, "{\"count\":0}", "{\"entries\":[],\"present\":1,\"redo\":2,\"undo\":0}");
  CHECK(imd_store_travel(store, 1, NULL) == IMD_OK);
  check_query(store, "n", "1");
  imd_store_close(store);
}

static void check_blame(imd_store *store, const char *pointer, const char *options,
                        const char *expected) {
  char *text = NULL;
  CHECK(imd_store_blame(store, pointer, options, z, &text, NULL, NULL) == IMD_OK);
  remove_times(text);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

static void test_blame(void) {
  imd_store *store = create("{\"history\":true}");
  char *text = NULL;
  imd_error error;
  set_all(store, 1, 3);
  CHECK(undo(store, 1) == 1);
  check_blame(store, "/n", NULL,
              "[{\"after\":2,\"before\":1,\"number\":2,\"step\":2,\"type\":\"set\"},"
              "{\"after\":1,\"before\":0,\"number\":1,\"step\":1,\"type\":\"set\"}]");
  check_blame(store, "/n", "{\"count\":1}",
              "[{\"after\":2,\"before\":1,\"number\":2,\"step\":2,\"type\":\"set\"}]");
  check_blame(store, "/m", NULL, "[]");
  CHECK(imd_store_blame(store, "n", NULL, 0, &text, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK(text == NULL && error.message[0] != '\0');
  CHECK(imd_store_blame(store, "/n", "{\"from\":1}", z, &text, NULL, &error) ==
        IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "unknown option \"from\"; expected one of: \"count\", \"log\"");
  imd_store_close(store);
}

/* ---- Steps of several actions ---------------------------------------------------------------- */

static void test_groups(void) {
  imd_store *store = create("{\"history\":true}");
  CHECK(imd_store_end_group(store, NULL) == IMD_OK); /* none is open */
  CHECK(imd_store_begin_group(store, NULL) == IMD_OK);
  set_all(store, 1, 2);
  CHECK(imd_store_begin_group(store, NULL) == IMD_OK);
  set_all(store, 3, 4);
  CHECK(imd_store_end_group(store, NULL) == IMD_OK);
  set_all(store, 5, 5);
  CHECK(imd_store_end_group(store, NULL) == IMD_OK);
  set_all(store, 6, 6);
  CHECK(imd_store_dispatch_batch(store,
                                 "[{\"type\":\"set\",\"payload\":7},"
                                 "{\"type\":\"set\",\"payload\":8}]",
                                 z, NULL) == IMD_OK);
  CHECK(undo(store, 1) == 1);
  check_query(store, "n", "6");
  CHECK(undo(store, 1) == 1);
  check_query(store, "n", "5");
  CHECK(undo(store, 9) == 1);
  CHECK(imd_store_redo(store, 9, NULL, NULL) == IMD_OK);
  /* A group that is given up brings back what could be redone. */
  CHECK(undo(store, 1) == 1);
  CHECK(imd_store_begin_group(store, NULL) == IMD_OK);
  set_all(store, 9, 9);
  CHECK(imd_store_cancel_group(store, NULL) == IMD_OK);
  check_query(store, "n", "6");
  CHECK(imd_store_redo(store, 1, NULL, NULL) == IMD_OK);
  check_query(store, "n", "8");
  CHECK(undo(store, 9) == 3);
  /* A jump ends all groups. */
  CHECK(imd_store_begin_group(store, NULL) == IMD_OK);
  CHECK(imd_store_begin_group(store, NULL) == IMD_OK);
  set_all(store, 1, 2);
  CHECK(undo(store, 1) == 1 && redo(store, 1) == 1);
  set_all(store, 3, 4);
  CHECK(undo(store, 1) == 1);
  check_query(store, "n", "3");
  imd_store_close(store);
}

static void test_patterns(void) {
  static const char *const actions[] = {
      "{\"type\":\"view/set\",\"payload\":1}",
      "{\"type\":\"set\",\"payload\":2,\"meta\":{\"drag\":1}}",
      "{\"type\":\"set\",\"payload\":3,\"meta\":{\"drag\":1}}",
      "{\"type\":\"set\",\"payload\":4,\"meta\":{\"drag\":2}}",
      "{\"type\":\"view/set\",\"payload\":5}",
  };
  imd_store *store = create("{\"history\":{\"undoable\":[\"*set\"],\"ignore\":[\"view/*\"],"
                            "\"group\":{\"meta\":\"drag\"}}}");
  for (int i = 0; i < 5; i++) CHECK(imd_store_dispatch(store, actions[i], z, NULL) == IMD_OK);
  check_query(store, "n", "5");
  CHECK(undo(store, 1) == 1);
  check_query(store, "n", "3");
  CHECK(undo(store, 9) == 1);
  check_query(store, "n", "1");
  imd_store_close(store);
}

static void test_bytes(void) {
  imd_store *store = create("{\"history\":{\"bytes\":1}}");
  set_all(store, 1, 3);
  CHECK(undo(store, 9) == 1);
  check_query(store, "n", "2");
  imd_store_close(store);
}

/* ---- Observers, streams, rules and effects --------------------------------------------------- */

typedef struct {
  char seen[400];
  int asked;
} watcher;

static void record(void *context, const imd_delivery *delivery) {
  watcher *watcher = context;
  char *text = NULL;
  CHECK(imd_value_text(delivery->value, &text, NULL, NULL) == IMD_OK);
  size_t length = strlen(watcher->seen);
  snprintf(watcher->seen + length, sizeof watcher->seen - length, "%s ", text ? text : "NULL");
  imd_free(text);
}

static int pass_none(void *context, const imd_value *action, const imd_value *old_state,
                     const imd_value *new_state) {
  (void)action, (void)old_state, (void)new_state;
  ((watcher *)context)->asked++;
  return 0;
}

static imd_status count_asked(void *context, const imd_value *action, const imd_value *old_state,
                              const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)action, (void)old_state, (void)new_state, (void)effects, (void)error;
  ((watcher *)context)->asked++;
  return IMD_OK;
}

static void test_the_selector(void) {
  imd_store *store = create("{\"history\":true}");
  watcher watcher = {"", 0};
  imd_observation *observation = NULL;
  CHECK(imd_store_define_selector(store, "clean", "@", NULL) == IMD_OK);
  CHECK(imd_store_observe(store, "@@history", NULL, 0, "{\"initial\":false}", z, record, &watcher,
                          NULL, &observation, NULL) == IMD_OK);
  CHECK(imd_store_dispatch(store, "{\"type\":\"set\",\"payload\":1,\"meta\":{\"by\":\"a\"}}", z,
                           NULL) == IMD_OK);
  CHECK(imd_store_mark_clean(store, NULL) == IMD_OK);
  CHECK_TEXT(watcher.seen,
             "{\"clean\":false,\"redo\":0,\"redoMeta\":null,\"redoType\":null,\"undo\":1,"
             "\"undoMeta\":{\"by\":\"a\"},\"undoType\":\"set\"} "
             "{\"clean\":true,\"redo\":0,\"redoMeta\":null,\"redoType\":null,\"undo\":1,"
             "\"undoMeta\":{\"by\":\"a\"},\"undoType\":\"set\"} ");
  watcher.seen[0] = '\0';
  CHECK(undo(store, 1) == 1);
  CHECK_TEXT(watcher.seen,
             "{\"clean\":false,\"redo\":1,\"redoMeta\":{\"by\":\"a\"},\"redoType\":\"set\","
             "\"undo\":0,\"undoMeta\":null,\"undoType\":null} ");
  imd_observation_cancel(observation);
  imd_store_close(store);
}

static void test_readers(void) {
  imd_store *store = create("{\"history\":true}");
  watcher filtered = {"", 0}, ignoring = {"", 0}, ruled = {"", 0};
  const imd_observer_functions functions = {.observer = record, .filter = pass_none};
  imd_observation *observation = NULL;
  imd_stream *stream = NULL;
  CHECK(imd_store_observe_with_functions(store, "n", NULL, 0, "{\"initial\":false}", z, &functions,
                                         &filtered, NULL, &observation, NULL) == IMD_OK);
  CHECK(imd_store_observe(store, "n", NULL, 0,
                          "{\"initial\":false,\"ignore\":[\"@@history/redone\"]}", z, record,
                          &ignoring, NULL, &observation, NULL) == IMD_OK);
  CHECK(imd_store_set_rule(store, count_asked, &ruled, NULL, NULL) == IMD_OK);
  CHECK(imd_store_stream(store, "{\"types\":[\"@@history/*\"]}", z, &stream, NULL) == IMD_OK);
  set_all(store, 1, 2);
  CHECK(filtered.asked == 2 && ruled.asked == 2);
  CHECK(undo(store, 1) == 1 && redo(store, 1) == 1);
  CHECK(imd_store_travel(store, 1, NULL) == IMD_OK);
  CHECK(filtered.asked == 2 && ruled.asked == 2);
  CHECK_TEXT(filtered.seen, "1 2 1 ");
  CHECK_TEXT(ignoring.seen, "1 2 1 ");
  static const char *const actions[] = {
      "{\"payload\":{\"number\":1},\"type\":\"@@history/undone\"}",
      "{\"payload\":{\"number\":2},\"type\":\"@@history/redone\"}",
      "{\"payload\":{\"number\":1},\"type\":\"@@history/traveled\"}"};
  for (int i = 0; i < 3; i++) {
    imd_value *action = NULL;
    char *text = NULL;
    CHECK(imd_stream_next(stream, 0, &action, NULL, NULL, NULL) == IMD_OK);
    CHECK(imd_value_text(action, &text, NULL, NULL) == IMD_OK);
    CHECK_TEXT(text, actions[i]);
    imd_free(text);
    imd_value_release(action);
  }
  CHECK(imd_stream_next(stream, 0, NULL, NULL, NULL, NULL) == IMD_TIMEOUT);
  imd_stream_close(stream);
  imd_store_close(store);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static imd_status call_undo(imd_store *store, imd_error *error) {
  size_t taken = 9;
  imd_status status = imd_store_undo(store, 1, &taken, error);
  CHECK(taken == 0);
  return status;
}
static imd_status call_redo(imd_store *store, imd_error *error) {
  size_t taken = 9;
  imd_status status = imd_store_redo(store, 1, &taken, error);
  CHECK(taken == 0);
  return status;
}
static imd_status call_travel(imd_store *store, imd_error *error) {
  return imd_store_travel(store, 0, error);
}
static imd_status call_history(imd_store *store, imd_error *error) {
  char *text = "";
  size_t length = 9;
  imd_status status = imd_store_history(store, NULL, 0, &text, &length, error);
  CHECK(text == NULL && length == 0);
  return status;
}

static imd_status call_blame(imd_store *store, imd_error *error) {
  char *text = "";
  imd_status status = imd_store_blame(store, "", NULL, 0, &text, NULL, error);
  CHECK(text == NULL);
  return status;
}

static void test_errors(void) {
  static imd_status (*const calls[])(imd_store *, imd_error *) = {
      call_undo,    call_redo, call_travel, imd_store_begin_group, imd_store_end_group,
      imd_store_cancel_group, imd_store_mark_clean, call_history, call_blame};
  imd_store *store = NULL, *closed = create("{\"history\":true}");
  imd_error error;
  imd_store_close(closed);
  CHECK(imd_store_open("counter", "{\"history\":false}", z, &store, NULL) == IMD_OK);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    CHECK(calls[i](store, &error) == IMD_INVALID_ARGUMENT);
    CHECK_TEXT(error.message,
               "the store has no history; open it with the option {\"history\":true}");
    CHECK(calls[i](NULL, &error) == IMD_INVALID_ARGUMENT);
    CHECK_TEXT(error.message, "store must not be NULL");
    CHECK(calls[i](closed, &error) == IMD_CLOSED);
  }
  imd_store_close(store);

  store = create("{\"history\":{\"limit\":1}}");
  set_all(store, 1, 2);
  CHECK(imd_store_travel(store, SIZE_MAX, &error) == IMD_NOT_FOUND);
  CHECK(strstr(error.message, "the history has steps from 1 to 2") != NULL);
  CHECK(imd_store_travel(store, 0, &error) == IMD_NOT_FOUND);
  CHECK_TEXT(error.message, "there is no step 0; the history has steps from 1 to 2");
  CHECK(imd_store_history(store, NULL, 0, NULL, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_store_dispatch(store, "{\"type\":\"@@history/undone\",\"payload\":1}", z, &error) ==
        IMD_INVALID_ACTION);
  check_query(store, "n", "2");
  imd_store_close(store);
}

static void check_open(const char *history, const char *message) {
  char options[200];
  imd_store *store = NULL;
  imd_error error;
  snprintf(options, sizeof options, "{\"history\":%s}", history);
  CHECK(imd_store_open("counter", options, z, &store, &error) == IMD_INVALID_ARGUMENT);
  CHECK(store == NULL);
  CHECK_TEXT(error.message, message);
}

static void check_options(imd_store *store, const char *options, const char *message) {
  char *text = NULL;
  imd_error error;
  CHECK(imd_store_history(store, options, z, &text, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK(text == NULL);
  CHECK_TEXT(error.message, message);
}

static void test_bad_options(void) {
  check_open("1", "options/history: expected true, false or an object, found an integer");
  check_open("{\"limt\":1}", "options/history: unknown member \"limt\"; did you mean \"limit\"?");
  check_open("{\"limit\":0}", "options/history/limit: 0 is not between 1 and 1048576");
  check_open("{\"limit\":1048577}", "options/history/limit: 1048577 is not between 1 and 1048576");
  check_open("{\"limit\":\"1\"}", "options/history/limit: expected an integer, found a string");
  check_open("{\"bytes\":1}",
             "options/history/bytes: the size of a state is known only in a store with your own "
             "reducer; use \"limit\"");
  check_open("{\"ignore\":\"a\"}", "options/history/ignore: expected an array, found a string");
  check_open("{\"undoable\":[1]}",
             "options/history/undoable/0: expected a string, found an integer");
  check_open("{\"group\":{\"within\":-1}}",
             "options/history/group/within: -1 is not between 1 and 86400000");
  check_open("{\"group\":{}}",
             "options/history/group: it has either a member \"within\", a number of milliseconds, "
             "or a member \"meta\", the name of a member of \"meta\"");
  imd_store *store = create("{\"history\":true}");
  check_options(store, "{\"form\":1}", "unknown option \"form\"; did you mean \"from\"?");
  check_options(store, "{\"from\":-1}", "options/from: -1 is not 0 or more");
  check_options(store, "{\"count\":-1}", "options/count: -1 is not 0 or more");
  check_options(store, "{\"actions\":1}", "options/actions: expected a boolean, found an integer");
  imd_store_close(store);
}

/* A patch that takes more than the limit. */
static void test_the_limit_of_a_patch(void) {
  imd_store *store = create("{\"history\":true}");
  char *text = NULL;
  imd_error error;
  set_all(store, 1, 1);
  int64_t work = imd_limit(IMD_LIMIT_WORK);
  CHECK(imd_set_limit(IMD_LIMIT_WORK, 1, NULL) == IMD_OK);
  CHECK(imd_store_history(store, "{\"patches\":true}", z, &text, NULL, &error) == IMD_LIMIT);
  CHECK(text == NULL && strstr(error.message, "the patch of step 1: ") == error.message);
  CHECK(imd_set_limit(IMD_LIMIT_WORK, work, NULL) == IMD_OK);
  imd_store_close(store);
}

int main(void) {
  test_jumps();
  test_steps();
  test_blame();
  test_groups();
  test_patterns();
  test_bytes();
  test_the_selector();
  test_readers();
  test_errors();
  test_bad_options();
  test_the_limit_of_a_patch();
  return check_report();
}
