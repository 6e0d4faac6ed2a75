/* Actions and outputs as values, and the strings that a value lends. */
#include "check.h"

#include <immutabledata.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static imd_value *parse(const char *text) {
  imd_value *value = NULL;
  CHECK(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);
  return value;
}

static void check_value(const imd_value *value, const char *expected) {
  char *text = NULL;
  CHECK(imd_value_text(value, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

/* The payload is the next state. The type "reenter" dispatches another action. */
static imd_status replace(void *context, const imd_value *state, const imd_value *action,
                          imd_value **next, imd_error *error) {
  const char *type;
  size_t length;
  (void)state;
  imd_status status = imd_value_view_string(action, "/type", &type, &length, error);
  if (status != IMD_OK) return status;
  CHECK(strlen(type) == length);
  if (strcmp(type, "reenter") == 0) {
    imd_value *inner = parse("{\"type\":\"x\"}");
    imd_store_dispatch_value(*(imd_store **)context, inner, error);
    imd_value_release(inner);
  }
  return imd_value_get(action, "/payload", next, error);
}

static void dispatch(imd_store *store, const char *text, imd_status expected,
                     const char *message) {
  imd_error error;
  imd_value *action = parse(text);
  CHECK(imd_store_dispatch_value(store, action, &error) == expected);
  CHECK(error.status == expected);
  CHECK_TEXT(error.message, message);
  imd_value_release(action);
}

static void dispatch_batch(imd_store *store, const char *text, imd_status expected,
                           const char *message) {
  imd_error error;
  imd_value *actions = parse(text);
  CHECK(imd_store_dispatch_batch_value(store, actions, &error) == expected);
  CHECK_TEXT(error.message, message);
  imd_value_release(actions);
}

static void test_domain(void) {
  imd_store *store = NULL;
  imd_value *value = NULL;
  CHECK(imd_store_open("counter", NULL, 0, &store, NULL) == IMD_OK);
  dispatch(store, "{\"type\":\"didTapIncrementButton\",\"meta\":{\"by\":1}}", IMD_OK, "");
  dispatch_batch(store, "[{\"type\":\"didTapIncrementButton\"},{\"type\":\"didTapIncrementButton\"}]",
                 IMD_OK, "");
  CHECK(imd_store_select_value(store, "selectValue", NULL, NULL, &value, NULL) == IMD_OK);
  check_value(value, "3");
  imd_value_release(value);
  dispatch(store, "[1]", IMD_INVALID_ACTION,
           "an action is an object such as {\"type\":\"didTapDecrementButton\"}, not an array; "
           "dispatch_batch, in Swift dispatch(batch:), takes an array of actions");
  dispatch(store, "{\"type\":\"x\"}", IMD_INVALID_ACTION,
           "unknown action type \"x\"; expected one of: \"didTapDecrementButton\", "
           "\"didTapIncrementButton\"");
  dispatch_batch(store, "{}", IMD_INVALID_ACTION, "a batch is an array of actions, not an object");
  imd_store_close(store);
}

static void test_host(void) {
  imd_store *store = NULL;
  imd_value *first = NULL, *second = NULL, *arguments, *options;
  imd_error error;
  CHECK(imd_store_create("{\"rows\":{\"a\":[1]}}", IMD_ZERO_TERMINATED, replace, &store, NULL,
                         NULL, 0, &store, NULL) == IMD_OK);
  CHECK(imd_store_define_selector(store, "row", "get(rows, $id)", NULL) == IMD_OK);
  CHECK(imd_store_define_selector(store, "rows", "rows", NULL) == IMD_OK);

  /* Unchanged outputs stay the same instance; the cache serves text and value. */
  for (int i = 0; i < 3; i++) {
    char *text = NULL;
    CHECK(imd_store_select_value(store, "rows", NULL, NULL, &second, NULL) == IMD_OK);
    CHECK(i == 0 || imd_value_identical(first, second));
    CHECK(imd_store_select(store, "rows", NULL, 0, &text, NULL, NULL) == IMD_OK);
    CHECK_TEXT(text, "{\"a\":[1]}");
    imd_free(text);
    imd_value_release(first);
    first = second;
  }
  imd_value_release(first);
  char *counts = NULL;
  CHECK(imd_store_statistics(store, &counts, NULL, NULL) == IMD_OK);
  CHECK(strstr(counts, "\"evaluations\":1,") != NULL);
  CHECK(strstr(counts, "\"selects\":6,") != NULL || strstr(counts, "\"selects\":6}") != NULL);
  imd_free(counts);

  arguments = parse("{\"id\":\"a\"}");
  CHECK(imd_store_select_value(store, "row", arguments, NULL, &first, NULL) == IMD_OK);
  check_value(first, "[1]");
  imd_value_release(first);
  options = parse("{\"budget\":1}");
  CHECK(imd_store_query_value(store, "rows.a[0]", NULL, options, &first, &error) == IMD_LIMIT);
  CHECK(first == NULL && error.status == IMD_LIMIT);
  imd_value_release(options);
  CHECK(imd_store_query_value(store, "rows.a[0]", NULL, NULL, &first, NULL) == IMD_OK);
  check_value(first, "1");
  imd_value_release(first);
  CHECK(imd_store_query_value(store, "rows.", NULL, NULL, &first, &error) == IMD_INVALID_SELECTOR);
  CHECK(imd_store_select_value(store, "row", NULL, NULL, &first, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_store_select_value(store, "rwo", arguments, NULL, &first, &error) ==
        IMD_UNKNOWN_SELECTOR);
  CHECK_TEXT(error.message, "unknown selector \"rwo\"; did you mean \"row\"?");
  CHECK(imd_store_select_value(store, NULL, NULL, NULL, &first, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "selector must not be NULL");
  CHECK(imd_store_select_value(store, "rows", NULL, NULL, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "out must not be NULL");
  CHECK(imd_store_dispatch_value(store, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "action must not be NULL");
  CHECK(imd_store_dispatch_batch_value(store, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "actions must not be NULL");

  /* A change is seen at once; a failure changes nothing. */
  dispatch(store, "{\"type\":\"set\",\"payload\":{\"rows\":5}}", IMD_OK, "");
  CHECK(imd_store_select_value(store, "rows", NULL, NULL, &first, NULL) == IMD_OK);
  check_value(first, "5");
  imd_value_release(first);
  dispatch(store, "{\"type\":\"reenter\",\"payload\":{\"rows\":6}}", IMD_REENTRANT,
           "a reducer dispatched an action; return the next state instead, and dispatch further "
           "actions after the first dispatch returned");
  dispatch_batch(store, "[{\"type\":\"set\",\"payload\":{\"rows\":7}},{\"type\":\"set\"}]",
                 IMD_REDUCER_FAILED,
                 "action 2 of 2: nothing at \"/payload\": there is no member \"payload\"; the batch was "
                 "not applied");
  CHECK(imd_store_select_value(store, "rows", NULL, NULL, &first, NULL) == IMD_OK);
  check_value(first, "5");
  imd_store_close(store);
  check_value(first, "5");
  imd_value_release(first);
  CHECK(imd_store_select_value(store, "rows", NULL, NULL, &first, &error) == IMD_CLOSED);
  CHECK(imd_store_dispatch_value(store, arguments, &error) == IMD_CLOSED);
  imd_value_release(arguments);
}

static void *view_all(void *context) {
  const imd_value *value = context;
  for (int i = 0; i < 200; i++) {
    char pointer[16], expected[16];
    const char *text = NULL, *again = NULL;
    size_t length = 0;
    snprintf(pointer, sizeof pointer, "/%d", i);
    snprintf(expected, sizeof expected, "s%d", i);
    CHECK(imd_value_view_string(value, pointer, &text, &length, NULL) == IMD_OK);
    CHECK(text != NULL && strcmp(text, expected) == 0 && length == strlen(expected));
    CHECK(imd_value_view_string(value, pointer, &again, NULL, NULL) == IMD_OK && again == text);
  }
  return NULL;
}

static void test_views(void) {
  imd_error error;
  const char *text = NULL;
  size_t length = 0;
  imd_value *value = parse("{\"s\":\"a\\u0000b\",\"n\":1,\"empty\":\"\"}");
  CHECK(imd_value_view_string(value, "/s", &text, &length, &error) == IMD_OK);
  CHECK(length == 3 && memcmp(text, "a\0b", 4) == 0);
  imd_value *retained = imd_value_retain(value);
  imd_value_release(value);
  CHECK(memcmp(text, "a\0b", 4) == 0);
  CHECK(imd_value_view_string(retained, "/empty", &text, &length, NULL) == IMD_OK);
  CHECK(length == 0 && text[0] == 0);
  CHECK(imd_value_view_string(retained, "/n", &text, &length, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "expected a string at \"/n\", found an integer");
  CHECK(text == NULL && length == 0);
  CHECK(imd_value_view_string(retained, "/x", &text, &length, &error) == IMD_NOT_FOUND);
  CHECK(imd_value_view_string(retained, NULL, &text, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "the value is an object, not a string");
  CHECK(imd_value_view_string(NULL, "", &text, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "value must not be NULL");
  CHECK(imd_value_view_string(retained, "/s", NULL, NULL, &error) == IMD_INVALID_ARGUMENT);
  imd_value_release(retained);

  CHECK(imd_value_from_string("whole", IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);
  CHECK(imd_value_view_string(value, NULL, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, "whole");
  const char *again = NULL;
  CHECK(imd_value_view_string(value, "", &again, NULL, NULL) == IMD_OK && again == text);
  imd_value_release(value);

  /* Several threads get the same texts of one handle. */
  char array[4096] = "[\"s0\"";
  size_t end = strlen(array);
  for (int i = 1; i < 200; i++)
    end += (size_t)snprintf(array + end, sizeof array - end, ",\"s%d\"", i);
  snprintf(array + end, sizeof array - end, "]");
  value = parse(array);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, view_all, value) == 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  imd_value_release(value);
}

int main(void) {
  test_domain();
  test_host();
  test_views();
  return check_report();
}
