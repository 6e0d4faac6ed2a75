/* Stores with a reducer in C, and queries. */
#include "check.h"

#include <immutabledata.h>
#include <immutabledata_jansson.h>
#include <stdlib.h>

/* The context of the reducer. */
typedef struct {
  imd_store *store; /* used inside the reducer, to check that this is rejected */
  imd_status inner;
  int released;
} host;

/* {"type":"set","payload":{"at":POINTER,"value":ANY}}, and types that misbehave. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  host *host = context;
  char *type = NULL, *at = NULL;
  imd_value *value = NULL;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  if (status != IMD_OK) return status;

  if (strcmp(type, "set") == 0) {
    status = imd_value_get_string(action, "/payload/at", &at, NULL, error);
    if (status == IMD_OK) status = imd_value_get(action, "/payload/value", &value, error);
    if (status == IMD_OK) status = imd_value_set(state, at, value, next, error);
  } else if (strcmp(type, "same") == 0) {
    *next = NULL;
  } else if (strcmp(type, "refuse") == 0) {
    status = IMD_IO;
    strcpy(error->message, "no, thank you");
    error->code = -7;
  } else if (strcmp(type, "raw") == 0) {
    /* The message has no NUL, and a byte that is not UTF-8. */
    status = IMD_IO;
    memset(error->message, 'a', sizeof error->message);
    error->message[0] = '\xff';
  } else if (strcmp(type, "silent") == 0) {
    status = IMD_TIMEOUT;
  } else if (strcmp(type, "dispatch") == 0) {
    host->inner = imd_store_dispatch(host->store, "{\"type\":\"same\"}", IMD_ZERO_TERMINATED, NULL);
  } else if (strcmp(type, "define") == 0) {
    host->inner = imd_store_define_selector(host->store, "again", "n", NULL);
  } else if (strcmp(type, "statistics") == 0) {
    char *text = NULL;
    host->inner = imd_store_statistics(host->store, &text, NULL, NULL);
    imd_free(text);
  } else if (strcmp(type, "query") == 0) {
    char *text = NULL;
    host->inner = imd_store_query(host->store, "no expression", NULL, 0, &text, NULL, NULL);
    imd_free(text);
  } else if (strcmp(type, "state") == 0) {
    host->inner = imd_store_state(host->store, next, NULL);
  }
  imd_free(type);
  imd_free(at);
  imd_value_release(value);
  return status;
}

static void count_release(void *context) { ((host *)context)->released++; }

static imd_store *create(host *host, const char *state) {
  imd_store *store = NULL;
  imd_error error;
  CHECK(imd_store_create(state, IMD_ZERO_TERMINATED, reduce, host, count_release, NULL, 0, &store,
                         &error) == IMD_OK);
  host->store = store;
  return store;
}

static imd_status dispatch(imd_store *store, const char *action, imd_error *error) {
  return imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, error);
}

static void check_query(imd_store *store, const char *expression, const char *arguments,
                        const char *expected) {
  char *text = NULL;
  imd_error error;
  CHECK(imd_store_query(store, expression, arguments, IMD_ZERO_TERMINATED, &text, NULL, &error) ==
        IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

static void check_failure(imd_status status, imd_status expected, const imd_error *error,
                          const char *message) {
  CHECK(status == expected);
  CHECK_TEXT(error->message, message);
}

static void test_reducing(void) {
  host host = {0};
  imd_store *store = create(&host, "{\"a\":{\"n\":1},\"b\":[1,2,3]}");
  imd_value *before, *after, *part, *same;
  imd_error error;

  CHECK(imd_store_state(store, &before, &error) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"set\",\"payload\":{\"at\":\"/a/n\",\"value\":2}}", &error) ==
        IMD_OK);
  CHECK(imd_store_state(store, &after, &error) == IMD_OK);
  check_query(store, "a.n", NULL, "2");
  CHECK(imd_value_get(before, "/b", &part, &error) == IMD_OK);
  CHECK(imd_value_get(after, "/b", &same, &error) == IMD_OK);
  CHECK(imd_value_identical(part, same));
  imd_value_release(part);
  imd_value_release(same);

  CHECK(dispatch(store, "{\"type\":\"same\"}", &error) == IMD_OK);
  CHECK(imd_store_state(store, &same, &error) == IMD_OK);
  CHECK(imd_value_identical(after, same));
  imd_value_release(same);

  CHECK(host.released == 0);
  imd_store_close(store);
  CHECK(host.released == 1);

  /* Values outlive their store. */
  int64_t n = 0;
  CHECK(imd_value_get_integer(before, "/a/n", &n, &error) == IMD_OK && n == 1);
  imd_value_release(before);
  imd_value_release(after);
}

static void test_failing(void) {
  host host = {0};
  imd_store *store = create(&host, "{\"n\":1}");
  imd_error error;
  check_failure(dispatch(store, "{\"type\":\"refuse\"}", &error), IMD_REDUCER_FAILED, &error,
                "no, thank you");
  CHECK(error.code == -7);
  CHECK(dispatch(store, "{\"type\":\"raw\"}", &error) == IMD_REDUCER_FAILED && error.code == 0);
  CHECK(strlen(error.message) == 255 && strncmp(error.message, "\xef\xbf\xbd" "aaa", 6) == 0);
  CHECK_TEXT(error.message + 250, "aa\xe2\x80\xa6");
  check_failure(dispatch(store, "{\"type\":\"silent\"}", &error), IMD_REDUCER_FAILED, &error,
                "the reducer returned IMD_TIMEOUT and no message");
  CHECK(dispatch(store, "{\"type\":\"nothing\"}", &error) == IMD_OK);
  check_failure(
      dispatch(store, "{\"type\":\"set\",\"payload\":{\"at\":\"/x/y\",\"value\":1}}", &error),
      IMD_REDUCER_FAILED, &error, "nothing at \"/x/y\": there is no member \"x\"");
  check_failure(dispatch(store, "{\"type\":7}", &error), IMD_INVALID_ACTION, &error,
                "the \"type\" of an action is a string, not an integer");
  check_failure(dispatch(store, "{\"type\":\"same\",\"x\":1}", &error), IMD_INVALID_ACTION, &error,
                "an action has no member \"x\"; its members are \"type\", \"payload\" and \"meta\"");
  check_failure(dispatch(store, "{\"type\":\"dispatch\"}", &error), IMD_REENTRANT, &error,
                "a reducer dispatched an action; return the next state instead, "
                "and dispatch further actions after the first dispatch returned");
  CHECK(host.inner == IMD_REENTRANT);
  const char *const uses[] = {"state", "query", "define", "statistics"};
  for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
    char action[64];
    snprintf(action, sizeof action, "{\"type\":\"%s\"}", uses[i]);
    host.inner = IMD_OK;
    CHECK(dispatch(store, action, &error) == IMD_REENTRANT);
    CHECK(host.inner == IMD_REENTRANT);
  }
  CHECK_TEXT(error.message,
             "a reducer used its own store; use it before the dispatch or after it returned");
  check_failure(
      imd_store_dispatch_batch(
          store,
          "[{\"type\":\"set\",\"payload\":{\"at\":\"/n\",\"value\":5}},{\"type\":\"refuse\"}]",
          IMD_ZERO_TERMINATED, &error),
      IMD_REDUCER_FAILED, &error,
      "action 2 of 2: no, thank you; the batch was not applied");
  CHECK(error.code == -7);
  error.code = 7;
  CHECK(dispatch(store, "{\"type\":\"nothing\"}", &error) == IMD_OK && error.code == 0);
  check_query(store, "n", NULL, "1");
  imd_store_close(store);
}

static void test_creating(void) {
  host host = {0};
  imd_store *store;
  imd_error error;
  check_failure(imd_store_create("{", 1, reduce, &host, count_release, NULL, 0, &store, &error),
                IMD_INVALID_JSON, &error,
                "the state is not JSON: string or '}' expected near end of file; "
                "write JSON text such as {\"name\":\"value\"}");
  CHECK(store == NULL);
  check_failure(imd_store_create("{}", 2, NULL, &host, count_release, NULL, 0, &store, &error),
                IMD_INVALID_ARGUMENT, &error, "reducer must not be NULL");
  check_failure(imd_store_create("{}", 2, reduce, &host, count_release, "{\"x\":1}", 7, &store, &error),
                IMD_INVALID_ARGUMENT, &error,
                "unknown option \"x\"; expected one of: \"budget\", \"clock\", \"depth\", "
                "\"history\", \"inspect\" and 6 more");
  CHECK(host.released == 0);
}

static void count_deliveries(void *context, const imd_delivery *delivery) {
  CHECK(delivery->kind == IMD_DELIVERY_VALUE);
  ++*(int *)context;
}

#define SET(at, value, meta)                                                              \
  "{\"type\":\"set\",\"payload\":{\"at\":\"" at "\",\"value\":" value "},\"meta\":" meta "}"
#define OUTCOME(type, meta) "{\"type\":\"" type "\",\"meta\":" meta "}"
#define BEGIN "{\"optimistic\":{\"begin\":\"17\"}}"
#define SUCCEED "{\"optimistic\":{\"succeed\":\"17\"}}"
#define FAIL "{\"optimistic\":{\"fail\":\"17\"}}"

static void check_confirmed(imd_store *store, const char *expected) {
  imd_value *state = NULL;
  char *text = NULL;
  CHECK(imd_store_confirmed_state(store, &state, NULL) == IMD_OK);
  CHECK(imd_value_text(state, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
  imd_value_release(state);
}

/* A preview with and without each of the results. */
static void check_preview(imd_store *store, const char *actions, const char *expected,
                          const char *expected_patch) {
  imd_value *state = NULL;
  char *patch = NULL, *text = NULL;
  size_t length = 0;
  imd_error error;
  CHECK(imd_store_preview(store, actions, IMD_ZERO_TERMINATED, NULL, NULL, NULL, NULL) == IMD_OK);
  CHECK(imd_store_preview(store, actions, IMD_ZERO_TERMINATED, &state, NULL, NULL, &error) ==
        IMD_OK);
  CHECK(imd_value_text(state, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
  imd_value_release(state);
  CHECK(imd_store_preview(store, actions, IMD_ZERO_TERMINATED, NULL, &patch, &length, &error) ==
        IMD_OK);
  CHECK_TEXT(patch, expected_patch);
  CHECK(length == strlen(expected_patch));
  imd_free(patch);
}

static void test_optimistic_updates(void) {
  host host = {0};
  imd_store *store;
  imd_error error;
  int deliveries = 0;
  CHECK(imd_store_create("{\"n\":1,\"m\":1}", IMD_ZERO_TERMINATED, reduce, &host, count_release,
                         "{\"optimistic\":true}", IMD_ZERO_TERMINATED, &store, &error) == IMD_OK);
  CHECK(imd_store_define_selector(store, "n", "n", &error) == IMD_OK);
  CHECK(imd_store_observe(store, "n", NULL, 0, "{\"initial\":false}", IMD_ZERO_TERMINATED,
                          count_deliveries, &deliveries, NULL, NULL, &error) == IMD_OK);

  /* A change is visible immediately. A success keeps it, without another notification. */
  CHECK(dispatch(store, SET("/n", "2", BEGIN), &error) == IMD_OK);
  check_query(store, "[n, m]", NULL, "[2,1]");
  CHECK(dispatch(store, OUTCOME("same", SUCCEED), &error) == IMD_OK);
  CHECK(dispatch(store, OUTCOME("same", FAIL), &error) == IMD_OK);
  check_query(store, "[n, m]", NULL, "[2,1]");
  CHECK(deliveries == 1);

  /* A failure rolls it back; later changes stay. The confirmed state is that after a failure. */
  CHECK(dispatch(store, SET("/n", "3", BEGIN), &error) == IMD_OK);
  CHECK(dispatch(store, SET("/m", "5", "null"), &error) == IMD_OK);
  check_confirmed(store, "{\"m\":5,\"n\":2}");
  check_preview(store, "[" OUTCOME("same", FAIL) "," SET("/m", "6", "null") "]",
                "{\"m\":6,\"n\":2}",
                "[{\"op\":\"replace\",\"path\":\"/m\",\"value\":6},"
                "{\"op\":\"replace\",\"path\":\"/n\",\"value\":2}]");
  check_query(store, "[n, m]", NULL, "[3,5]");
  check_query(store, "[n, m]", NULL, "[3,5]");
  CHECK(dispatch(store, OUTCOME("same", FAIL), &error) == IMD_OK);
  check_query(store, "[n, m]", NULL, "[2,5]");
  CHECK(deliveries == 3);

  /* An outcome ends its change even if the reducer rejects it. */
  CHECK(dispatch(store, SET("/n", "4", BEGIN), &error) == IMD_OK);
  check_failure(dispatch(store, OUTCOME("refuse", FAIL), &error), IMD_REDUCER_FAILED, &error,
                "the change \"17\" was rolled back, but the reducer rejected its outcome: "
                "no, thank you");
  CHECK(error.code == -7);
  check_query(store, "[n, m]", NULL, "[2,5]");
  CHECK(deliveries == 5);
  CHECK(dispatch(store, SET("/n", "4", BEGIN), &error) == IMD_OK);
  check_failure(dispatch(store, OUTCOME("refuse", SUCCEED), &error), IMD_REDUCER_FAILED, &error,
                "the change \"17\" stays, but the reducer rejected its outcome: no, thank you");
  CHECK(dispatch(store, OUTCOME("same", FAIL), &error) == IMD_OK);
  check_query(store, "[n, m]", NULL, "[4,5]");

  /* An interruption is not a rejection: the change stays in flight. */
  CHECK(dispatch(store, SET("/n", "7", BEGIN), &error) == IMD_OK);
  check_failure(dispatch(store, OUTCOME("silent", FAIL), &error), IMD_REDUCER_FAILED, &error,
                "the reducer returned IMD_TIMEOUT and no message");
  check_query(store, "[n, m]", NULL, "[7,5]");
  CHECK(dispatch(store, OUTCOME("same", FAIL), &error) == IMD_OK);
  check_query(store, "[n, m]", NULL, "[4,5]");

  /* Nor does a limit that was lowered since reject an action that was accepted. */
  int64_t limit = imd_limit(IMD_LIMIT_VALUES);
  CHECK(dispatch(store, SET("/n", "7", BEGIN), &error) == IMD_OK);
  CHECK(dispatch(store, SET("/m", "[1,2,3,4,5,6,7,8]", "null"), &error) == IMD_OK);
  CHECK(imd_set_limit(IMD_LIMIT_VALUES, 8, &error) == IMD_OK);
  check_failure(dispatch(store, OUTCOME("same", FAIL), &error), IMD_REDUCER_FAILED, &error,
                "the change \"17\" was not rolled back, because a later action cannot be reduced "
                "again: \"/m\" cannot be set: the value would have more than 8 values");
  CHECK(imd_set_limit(IMD_LIMIT_VALUES, limit, &error) == IMD_OK);
  check_query(store, "[n, m]", NULL, "[7,[1,2,3,4,5,6,7,8]]");
  CHECK(dispatch(store, OUTCOME("same", FAIL), &error) == IMD_OK);
  check_query(store, "[n, m]", NULL, "[4,[1,2,3,4,5,6,7,8]]");
  CHECK(dispatch(store, SET("/m", "5", "null"), &error) == IMD_OK);

  /* Without a change in flight, or in a batch, an outcome is rejected like any other action. */
  check_failure(dispatch(store, OUTCOME("refuse", FAIL), &error), IMD_REDUCER_FAILED, &error,
                "no, thank you");
  CHECK(dispatch(store, SET("/n", "6", BEGIN), &error) == IMD_OK);
  check_failure(imd_store_dispatch_batch(store, "[" OUTCOME("refuse", FAIL) "]",
                                         IMD_ZERO_TERMINATED, &error),
                IMD_REDUCER_FAILED, &error,
                "action 1 of 1: no, thank you; the batch was not applied");
  check_query(store, "[n, m]", NULL, "[6,5]");
  CHECK(dispatch(store, OUTCOME("same", FAIL), &error) == IMD_OK);
  check_query(store, "[n, m]", NULL, "[4,5]");

  check_failure(dispatch(store, OUTCOME("same", "{\"optimistic\":\"17\"}"), &error),
                IMD_INVALID_ACTION, &error,
                "meta/optimistic: expected an object, found a string");
  imd_store_close(store);
  CHECK(host.released == 1);

  /* Without the option, meta may contain anything else. */
  store = create(&host, "{\"n\":1}");
  CHECK(dispatch(store, OUTCOME("same", "{\"pessimistic\":\"17\"}"), &error) == IMD_OK);
  check_failure(dispatch(store, OUTCOME("same", BEGIN), &error), IMD_INVALID_ACTION, &error,
                "the \"meta\" of the action has a member \"optimistic\", but the store was created "
                "without the option \"optimistic\"; create it with {\"optimistic\":true}");
  imd_store_close(store);
}

static void check_mistakes(imd_store *store, const char *expression, const char *expected) {
  char *text = NULL;
  CHECK(imd_store_check_expression(store, expression, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

static void test_check_expression(void) {
  host host = {0};
  imd_store *store = create(&host, "{\"todos\":[{\"lane\":\"todo\"}],\"n\":1}");
  imd_error error;
  char *text;
  check_mistakes(store, "todos[?lane == 'todo']", "[]");
  check_mistakes(store, "todo",
                 "[\"the state has no member \\\"todo\\\"; did you mean \\\"todos\\\"?\"]");
  CHECK(imd_store_check_expression(store, "a[", &text, NULL, &error) == IMD_INVALID_SELECTOR);
  CHECK(text == NULL && error.column > 0);
  check_failure(dispatch(store, "{\"type\":\"\"}", &error), IMD_INVALID_ACTION, &error,
                "the \"type\" of an action must not be empty");
  check_failure(
      dispatch(store, "{\"type\":\"set\",\"payload\":{\"at\":\"\",\"value\":null}}", &error),
      IMD_REDUCER_FAILED, &error,
      "the reducer returned null, but the state is an object; it must return the whole next state");
  imd_store_close(store);
}

/* The context of reduce_to_result. */
typedef struct {
  imd_status status, confirmed;
  enum { NOTHING, STATE, SUM } next;
  int left; /* how many calls count before one has the result; -1: all do */
} result;

/* Adds 1 to the state; one call returns the result in the context instead. */
static imd_status reduce_to_result(void *context, const imd_value *state, const imd_value *action,
                                   imd_value **next, imd_error *error) {
  result *result = context;
  (void)action;
  int is_result = result->left == 0;
  if (result->left >= 0) result->left--;
  if (!is_result || result->next == SUM) {
    int64_t n = 0;
    imd_status status = imd_value_get_integer(state, "", &n, error);
    if (status == IMD_OK) status = imd_value_from_integer(n + 1, next, error);
    if (status != IMD_OK || !is_result) return status;
  } else if (result->next == STATE) {
    *next = (imd_value *)state;
  }
  error->status = result->confirmed;
  return result->status;
}

#define COUNT "{\"type\":\"count\"}"

/* A store with the state 3: an action in flight, and two after it. */
static imd_store *create_interruptible(result *result) {
  imd_store *store;
  imd_error error;
  CHECK(imd_store_create("0", 1, reduce_to_result, result, NULL,
                         "{\"interruptible\":true,\"optimistic\":true}",
                         IMD_ZERO_TERMINATED, &store, &error) == IMD_OK);
  result->left = -1;
  CHECK(dispatch(store, OUTCOME("count", BEGIN), &error) == IMD_OK);
  CHECK(dispatch(store, COUNT, &error) == IMD_OK);
  CHECK(dispatch(store, COUNT, &error) == IMD_OK);
  check_query(store, "@", NULL, "3");
  return store;
}

static void test_interruptions(void) {
  static const result interruptions[] = {
      {IMD_OK, IMD_OK, NOTHING, 0},
      {IMD_OK, IMD_REDUCER_FAILED, NOTHING, 0},
      {IMD_REDUCER_FAILED, IMD_OK, NOTHING, 0},
      {IMD_REDUCER_FAILED, IMD_IO, STATE, 0},
      {(imd_status)12345, IMD_OK, NOTHING, 0},
      {IMD_IO, IMD_OK, SUM, 0},
  };
  imd_error error;
  for (size_t i = 0; i < sizeof interruptions / sizeof *interruptions; i++) {
    result result = interruptions[i];
    imd_store *store = create_interruptible(&result);
    result.left = 0;
    check_failure(dispatch(store, COUNT, &error), IMD_REDUCER_FAILED, &error,
                  "the reducer was interrupted");
    result.left = 1;
    check_failure(imd_store_dispatch_batch(store, "[" COUNT "," COUNT "," COUNT "]",
                                           IMD_ZERO_TERMINATED, &error),
                  IMD_REDUCER_FAILED, &error,
                  "action 2 of 3: the reducer was interrupted; the batch was not applied");
    /* Each of the two later actions, and the outcome. */
    for (result.left = 0; result.left < 3;) {
      int left = result.left;
      check_failure(dispatch(store, OUTCOME("count", FAIL), &error), IMD_REDUCER_FAILED, &error,
                    "the reducer was interrupted");
      check_query(store, "@", NULL, "3");
      result.left = left + 1;
    }
    result.left = -1;
    CHECK(dispatch(store, OUTCOME("count", FAIL), &error) == IMD_OK);
    check_query(store, "@", NULL, "3");
    CHECK(dispatch(store, COUNT, &error) == IMD_OK);
    check_query(store, "@", NULL, "4");
    imd_store_close(store);
  }

  /* A confirmed rejection leaves the action out. */
  result result = {IMD_IO, IMD_IO, NOTHING, 0};
  imd_store *store = create_interruptible(&result);
  result.left = 0;
  check_failure(dispatch(store, COUNT, &error), IMD_REDUCER_FAILED, &error,
                "the reducer returned IMD_IO and no message");
  result.left = 0;
  CHECK(dispatch(store, OUTCOME("count", FAIL), &error) == IMD_OK);
  check_query(store, "@", NULL, "2");

  /* The state confirms that nothing changes. */
  result.status = result.confirmed = IMD_OK;
  result.next = STATE;
  result.left = 0;
  CHECK(dispatch(store, COUNT, &error) == IMD_OK);
  check_query(store, "@", NULL, "2");
  imd_store_close(store);
}

static void check_statistics(imd_store *store, int evaluations, int selects) {
  char *text = NULL, expected[128];
  snprintf(expected, sizeof expected,
           "{\"deliveries\":0,\"evaluations\":%d,\"observations\":0,"
           "\"overruns\":0,\"selects\":%d,\"visits\":0}",
           evaluations, selects);
  CHECK(imd_store_statistics(store, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

static void test_queries(void) {
  host host = {0};
  imd_store *store = create(&host, "{\"orders\":[{\"id\":1,\"total\":5},{\"id\":2,\"total\":9}],"
                                   "\"other\":0}");
  imd_error error;
  char *first, *second;

  CHECK(imd_store_define_selector(store, "large", "orders[?total > $limit].id", &error) == IMD_OK);
  CHECK(imd_store_select(store, "large", "{\"limit\":6}", IMD_ZERO_TERMINATED, &first, NULL,
                         &error) == IMD_OK);
  CHECK_TEXT(first, "[2]");
  check_statistics(store, 1, 1);

  /* Nothing that it reads has changed, so the cached text is returned. */
  CHECK(dispatch(store, "{\"type\":\"set\",\"payload\":{\"at\":\"/other\",\"value\":1}}", &error) ==
        IMD_OK);
  CHECK(imd_store_select(store, "large", "{\"limit\":6}", IMD_ZERO_TERMINATED, &second, NULL,
                         &error) == IMD_OK);
  CHECK(first == second);
  imd_free(second);
  check_statistics(store, 1, 2);

  CHECK(dispatch(store, "{\"type\":\"set\",\"payload\":{\"at\":\"/orders/0/total\",\"value\":7}}",
                 &error) == IMD_OK);
  check_query(store, "orders[?total > $limit].id", "{\"limit\":6}", "[1,2]");
  check_statistics(store, 2, 3);
  CHECK_TEXT(first, "[2]");
  imd_free(first);

  CHECK(imd_store_query(store, "orders[", NULL, 0, &first, NULL, &error) == IMD_INVALID_SELECTOR);
  CHECK(first == NULL && strstr(error.message, "\n  orders[\n         ^") != NULL);
  CHECK(error.line == 1 && error.column == 8 && error.offset == 7);
  check_failure(imd_store_query(store, "$limit", "{\"limt\":6}", IMD_ZERO_TERMINATED, &first, NULL,
                                &error),
                IMD_INVALID_ARGUMENT, &error,
                "arguments: the expression has no $limt; did you mean \"limit\"?");
  CHECK(imd_store_query(store, "$limit", NULL, 0, &first, NULL, &error) == IMD_INVALID_ARGUMENT);
  /* A missing argument is an error even if the evaluation would not need it. */
  CHECK(imd_store_define_selector(store, "none", "none[?total > $limit]", &error) == IMD_OK);
  CHECK(imd_store_select(store, "none", "{\"limit\":1}", IMD_ZERO_TERMINATED, &first, NULL, &error) ==
        IMD_OK);
  imd_free(first);
  check_failure(imd_store_select(store, "none", NULL, 0, &first, NULL, &error),
                IMD_INVALID_ARGUMENT, &error,
                "the variable $limit is not defined; pass the argument \"limit\" or bind it with "
                "let\n  none[?total > $limit]\n                ^");
  CHECK(error.line == 1 && error.column == 15 && error.offset == 14);
  int deliveries = 0;
  CHECK(imd_store_observe(store, "none", NULL, 0, NULL, 0, count_deliveries, &deliveries, NULL, NULL,
                          &error) == IMD_INVALID_ARGUMENT);
  CHECK(deliveries == 0);
  CHECK(imd_store_query(store, "{\n  a: 'é', b: a = b\n}", NULL, 0, &first, NULL, &error) ==
        IMD_INVALID_SELECTOR);
  CHECK(error.line == 2 && error.column == 16 && error.offset == 18);
  check_failure(imd_store_define_selector(store, "", "@", &error), IMD_INVALID_ARGUMENT, &error,
                "the name of a selector must not be empty");
  check_failure(imd_store_select(store, "", NULL, 0, &first, NULL, &error), IMD_UNKNOWN_SELECTOR,
                &error, "unknown selector \"\"; expected one of: \"large\", \"none\"");
  check_failure(imd_store_select(store, "larg", NULL, 0, &first, NULL, &error),
                IMD_UNKNOWN_SELECTOR, &error,
                "unknown selector \"larg\"; did you mean \"large\"?");
  imd_store_close(store);

  /* Stores of domains can be queried too. */
  CHECK(imd_store_open("counter", NULL, 0, &store, &error) == IMD_OK);
  check_query(store, "value", NULL, "0");
  CHECK(imd_store_define_selector(store, "selectValue", "@", &error) == IMD_INVALID_ARGUMENT);
  imd_store_close(store);
}

/* Mistakes in expressions: the messages and positions. */
static void test_mistakes(void) {
  static const struct {
    const char *expression;
    int line, column;
    size_t offset;
    const char *message;
  } cases[] = {
      {"todos[?id > 1]", 1, 13, 12,
       "a number must be a literal in backticks: `1`\n  todos[?id > 1]\n              ^"},
      {"todos[?done = `true`]", 1, 13, 12,
       "\"=\" is not an operator; did you mean \"==\"?\n"
       "  todos[?done = `true`]\n              ^"},
      {"{\n  \"é\": todos,\n  b: my-key\n}", 3, 6, 22,
       "a name that contains \"-\" must be in double quotes: \"my-key\"\n    b: my-key\n       ^"},
      {"todos[0]\n| len(@)", 2, 3, 11,
       "there is no function \"len\"; did you mean \"length\"?\n  | len(@)\n    ^"},
  };
  host host = {0};
  imd_store *store = create(&host, "{\"todos\":[]}");
  imd_error error;
  char *out = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    check_failure(imd_store_query(store, cases[i].expression, NULL, 0, &out, NULL, &error),
                  IMD_INVALID_SELECTOR, &error, cases[i].message);
    CHECK(error.line == cases[i].line && error.column == cases[i].column &&
          error.offset == cases[i].offset);
  }
  check_failure(imd_store_observe(store, "todos[*].id", NULL, 0, NULL, 0, count_deliveries, NULL,
                                  NULL, NULL, &error),
                IMD_UNKNOWN_SELECTOR, &error,
                "unknown selector \"todos[*].id\"; query evaluates an expression; to select or "
                "observe one, define it as a selector first");
  CHECK(imd_store_define_selector(store, "todos", "todos", &error) == IMD_OK);
  check_failure(imd_store_observe(store, "todos", NULL, 0, "{\"whn\":\"queued\"}",
                                  IMD_ZERO_TERMINATED, count_deliveries, NULL, NULL, NULL, &error),
                IMD_INVALID_ARGUMENT, &error,
                "unknown option \"whn\"; did you mean \"when\"?");
  imd_store_close(store);
}

static void test_jansson(void) {
  host host = {0};
  imd_store *store = create(&host, "{\"n\":1}");
  imd_error error;
  json_t *action = json_pack("{s:s, s:{s:s, s:[i, f, b, n, s]}}", "type", "set", "payload", "at",
                             "/n", "value", 1, 0.5, 1, "x");
  json_t *output;
  CHECK(imd_store_dispatch_jansson(store, action, &error) == IMD_OK);
  CHECK(imd_store_define_selector(store, "n", "n", &error) == IMD_OK);
  CHECK(imd_store_select_jansson(store, "n", NULL, &output, &error) == IMD_OK);
  CHECK(json_equal(output, json_object_get(json_object_get(action, "payload"), "value")));

  imd_value *value;
  CHECK(imd_value_from_jansson(action, &value, &error) == IMD_OK);
  json_t *again;
  CHECK(imd_value_to_jansson(value, &again, &error) == IMD_OK);
  CHECK(json_equal(action, again));
  imd_value_release(value);
  json_decref(again);
  json_decref(output);
  json_decref(action);

  /* A value that contains itself nests infinitely. */
  json_t *outer = json_array(), *inner = json_array();
  json_array_append(outer, inner);
  json_array_append(inner, outer);
  CHECK(imd_value_from_jansson(outer, &value, &error) == IMD_LIMIT);
  json_array_clear(inner);
  json_decref(inner);
  json_decref(outer);

  CHECK(imd_value_from_jansson(NULL, &value, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_store_dispatch_jansson(store, NULL, &error) == IMD_INVALID_ARGUMENT);
  imd_store_close(store);
}

/* ---- What a reducer does with the results of changes -------------------------------------------- */

/* What the reducer keeps, by the type of its action. */
typedef struct {
  imd_value *state, *part, *first, *second;
} kept;

static imd_status set_integer(const imd_value *value, const char *at, int number, imd_value **out) {
  return imd_value_set_integer(value, at, number, out, NULL);
}

static int integer(const imd_value *value, const char *at) {
  int64_t number = -1;
  imd_value_get_integer(value, at, &number, NULL);
  return (int)number;
}

static imd_status reduce_and_keep(void *context, const imd_value *state, const imd_value *action,
                                  imd_value **next, imd_error *error) {
  kept *kept = context;
  char *type = NULL;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  int old = integer(state, "/a/n");
  if (status != IMD_OK) return status;
  CHECK(set_integer(state, "/a/n", old + 1, next) == IMD_OK);
  if (strcmp(type, "read") == 0) {
    CHECK(integer(*next, "/a/n") == old + 1 && integer(state, "/a/n") == old);
  } else if (strcmp(type, "keep-state") == 0) {
    kept->state = imd_value_retain(state);
  } else if (strcmp(type, "keep-part") == 0) {
    CHECK(imd_value_get(state, "/a", &kept->part, NULL) == IMD_OK);
  } else if (strcmp(type, "keep-next") == 0) {
    kept->first = imd_value_retain(*next);
  } else if (strcmp(type, "two") == 0) {
    /* Two results of one state. */
    CHECK(set_integer(state, "/b", 7, &kept->first) == IMD_OK);
  } else if (strcmp(type, "chain") == 0) {
    /* Each of many changes has a result of its own. */
    for (int i = 0; i < 40; i++) {
      imd_value *last = *next;
      CHECK(set_integer(last, i % 2 ? "/b" : "/a/n", old + 2 + i, next) == IMD_OK);
      if (i == 3)
        kept->second = last;
      else
        imd_value_release(last);
    }
  } else if (strcmp(type, "steps") == 0) {
    imd_value *step = imd_value_retain(state);
    imd_value_release(*next);
    CHECK(set_integer(step, "/b", old, next) == IMD_OK);
    CHECK(integer(step, "/b") != old && integer(*next, "/a/n") == old);
    imd_value_release(step);
    step = *next;
    CHECK(set_integer(step, "/a/n", old + 1, next) == IMD_OK);
    imd_value_release(step);
  } else if (strcmp(type, "old") == 0) {
    /* A result of an earlier action. */
    imd_value_release(*next);
    *next = kept->first;
    kept->first = NULL;
  } else if (strcmp(type, "fail") == 0) {
    status = IMD_IO;
  } else if (strcmp(type, "equal") == 0) {
    imd_value_release(*next);
    CHECK(set_integer(state, "/a/n", old, next) == IMD_OK);
  } else if (strcmp(type, "missing") == 0) {
    imd_value_release(*next);
    status = imd_value_set_integer(state, "/x/y", 1, next, error);
  }
  imd_free(type);
  return status;
}

static void check_state(imd_store *store, const char *expected) {
  imd_value *state = NULL;
  char *text = NULL;
  CHECK(imd_store_state(store, &state, NULL) == IMD_OK);
  CHECK(imd_value_text(state, &text, NULL, NULL) == IMD_OK);
  if (strcmp(text, expected) != 0) printf("%s instead of %s\n", text, expected);
  CHECK(strcmp(text, expected) == 0);
  imd_free(text);
  imd_value_release(state);
}

static void test_results(void) {
  kept kept = {NULL, NULL, NULL, NULL};
  imd_store *store = NULL;
  imd_error error;
  CHECK(imd_store_create("{\"a\":{\"n\":0},\"b\":0}", IMD_ZERO_TERMINATED, reduce_and_keep, &kept,
                         NULL, NULL, 0, &store, &error) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"plain\"}", &error) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"read\"}", &error) == IMD_OK);
  check_state(store, "{\"a\":{\"n\":2},\"b\":0}");
  CHECK(dispatch(store, "{\"type\":\"keep-state\"}", &error) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"keep-part\"}", &error) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"keep-next\"}", &error) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"plain\"}", &error) == IMD_OK);
  check_state(store, "{\"a\":{\"n\":6},\"b\":0}");
  CHECK(integer(kept.state, "/a/n") == 2);
  CHECK(integer(kept.part, "/n") == 3);
  CHECK(integer(kept.first, "/a/n") == 5);
  CHECK(dispatch(store, "{\"type\":\"old\"}", &error) == IMD_OK);
  check_state(store, "{\"a\":{\"n\":5},\"b\":0}");
  CHECK(dispatch(store, "{\"type\":\"two\"}", &error) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"chain\"}", &error) == IMD_OK);
  check_state(store, "{\"a\":{\"n\":46},\"b\":47}");
  CHECK(integer(kept.first, "/a/n") == 5 && integer(kept.first, "/b") == 7);
  CHECK(integer(kept.second, "/a/n") == 10 && integer(kept.second, "/b") == 9);
  CHECK(dispatch(store, "{\"type\":\"fail\"}", &error) == IMD_REDUCER_FAILED);
  CHECK(dispatch(store, "{\"type\":\"equal\"}", &error) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"missing\"}", &error) == IMD_REDUCER_FAILED);
  CHECK(imd_store_dispatch_batch(store, "[{\"type\":\"plain\"},{\"type\":\"fail\"}]",
                                 IMD_ZERO_TERMINATED, &error) == IMD_REDUCER_FAILED);
  check_state(store, "{\"a\":{\"n\":46},\"b\":47}");
  CHECK(imd_store_dispatch_batch(store, "[{\"type\":\"plain\"},{\"type\":\"read\"},"
                                        "{\"type\":\"plain\"}]",
                                 IMD_ZERO_TERMINATED, &error) == IMD_OK);
  check_state(store, "{\"a\":{\"n\":49},\"b\":47}");
  CHECK(dispatch(store, "{\"type\":\"steps\"}", &error) == IMD_OK);
  check_state(store, "{\"a\":{\"n\":50},\"b\":49}");
  imd_store_close(store);
  imd_value_release(kept.state);
  imd_value_release(kept.part);
  imd_value_release(kept.first);
  imd_value_release(kept.second);
}

int main(void) {
  test_results();
  test_reducing();
  test_failing();
  test_creating();
  test_optimistic_updates();
  test_check_expression();
  test_interruptions();
  test_queries();
  test_mistakes();
  test_jansson();
  return check_report();
}
