/* The library and store functions, with valid and invalid input. After each invalid input the store
 * must work as before. */
#include "check.h"

#include <immutabledata.h>
#include <stdint.h>
#include <stdlib.h>

#define INCREMENT "{\"type\":\"didTapIncrementButton\"}"
#define DECREMENT "{\"type\":\"didTapDecrementButton\"}"

static imd_store *open_counter(const char *options) {
  imd_store *store = NULL;
  imd_error error;
  CHECK(imd_store_open("counter", options, IMD_ZERO_TERMINATED, &store, &error) == IMD_OK);
  CHECK(store != NULL);
  CHECK(error.status == IMD_OK && error.message[0] == '\0');
  return store;
}

static void check_value(imd_store *store, const char *expected) {
  char *value = NULL;
  size_t length = 0;
  imd_error error;
  CHECK(imd_store_select(store, "selectValue", NULL, 0, &value, &length, &error) == IMD_OK);
  CHECK_TEXT(value, expected);
  CHECK(length == strlen(expected));
  imd_free(value);
}

/* Checks the error of a failed call. */
static void check_error(imd_status status, imd_status expected, const imd_error *error,
                        const char *message) {
  CHECK(status == expected);
  CHECK(error->status == expected);
  CHECK_TEXT(error->message, message);
}

static void test_library(void) {
  CHECK_TEXT(imd_version(), IMD_VERSION);
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", IMD_VERSION_MAJOR, IMD_VERSION_MINOR,
           IMD_VERSION_PATCH);
  CHECK_TEXT(version, IMD_VERSION);

  static const char *const names[] = {
      "IMD_OK",           "IMD_INVALID_ARGUMENT", "IMD_INVALID_JSON",     "IMD_INVALID_ACTION",
      "IMD_UNKNOWN_DOMAIN", "IMD_UNKNOWN_SELECTOR", "IMD_INVALID_SELECTOR", "IMD_REDUCER_FAILED",
      "IMD_REENTRANT",    "IMD_LIMIT",            "IMD_TIMEOUT",          "IMD_IO",
      "IMD_CORRUPT",      "IMD_CLOSED",           "IMD_UNKNOWN_STATUS",   "IMD_NOT_FOUND",
      "IMD_UNAVAILABLE",  "IMD_REFUSED",          "IMD_DIVERGED",         "IMD_OUTDATED",
      "IMD_UNKNOWN_STATUS"};
  for (int i = 0; i < 21; i++) CHECK_TEXT(imd_status_name((imd_status)i), names[i]);

  imd_free(NULL);

  char *domains = NULL;
  size_t length = 0;
  imd_error error;
  CHECK(imd_domains(&domains, &length, &error) == IMD_OK);
  CHECK(domains != NULL && strlen(domains) == length);
  CHECK(domains != NULL && strstr(domains, "\"name\":\"counter\"") != NULL);
  imd_free(domains);
  check_error(imd_domains(NULL, NULL, &error), IMD_INVALID_ARGUMENT, &error,
              "out must not be NULL");
}

static void test_counter(void) {
  imd_store *store = open_counter(NULL);
  imd_error error;
  check_value(store, "0");
  CHECK(imd_store_dispatch(store, INCREMENT, IMD_ZERO_TERMINATED, &error) == IMD_OK);
  CHECK(imd_store_dispatch(store, INCREMENT, sizeof INCREMENT - 1, NULL) == IMD_OK);
  CHECK(imd_store_dispatch(store, DECREMENT, IMD_ZERO_TERMINATED, &error) == IMD_OK);
  check_value(store, "1");
  CHECK(imd_store_dispatch_batch(store, "[" INCREMENT "," INCREMENT "]", IMD_ZERO_TERMINATED,
                                 &error) == IMD_OK);
  check_value(store, "3");
  imd_store_close(store);

  store = open_counter("{\"state\":{\"value\":-7}}");
  check_value(store, "-7");
  imd_store_close(store);
  imd_store_close(NULL);
}

/* A text of length 0 is an error, while the length of NULL is ignored. */
static void test_empty_texts(void) {
  const char *hint = " not JSON: the text is empty, because its length is 0; in C, pass "
                     "IMD_ZERO_TERMINATED for a C string";
  char expected[160], *out = NULL;
  imd_error error;
  imd_store *store = NULL;
  imd_value *value = NULL;
  CHECK(imd_store_open("counter", NULL, 7, &store, NULL) == IMD_OK);
#define CHECK_EMPTY(subject, call)                              \
  do {                                                          \
    CHECK((call) == IMD_INVALID_JSON);                          \
    snprintf(expected, sizeof expected, "%s%s", subject, hint); \
    CHECK_TEXT(error.message, expected);                        \
    CHECK(error.line == 1 && error.column == 1);                \
  } while (0)
  CHECK_EMPTY("the action is", imd_store_dispatch(store, "{}", 0, &error));
  CHECK_EMPTY("the batch is", imd_store_dispatch_batch(store, "[]", 0, &error));
  CHECK_EMPTY("the arguments are", imd_store_query(store, "@", "{}", 0, &out, NULL, &error));
  CHECK_EMPTY("the value is", imd_value_parse("{}", 0, &value, &error));
  imd_store_close(store);
  CHECK_EMPTY("the options are", imd_store_open("counter", "{}", 0, &store, &error));
}

typedef struct {
  const char *text;
  imd_status status;
  int line, column;
  size_t offset;
  const char *message;
} bad_text;

static void test_bad_actions(void) {
  static const bad_text cases[] = {
      {"{type:1}", IMD_INVALID_JSON, 1, 5, 5,
       "the action is not JSON: string or '}' expected near 'type'; put keys in double "
       "quotes; an action is an object such as {\"type\":\"…\"}"},
      {"", IMD_INVALID_JSON, 1, 1, 0,
       "the action is not JSON: the text is empty; "
       "an action is an object such as {\"type\":\"…\"}"},
      {"{\"type\":\"\xff\"}", IMD_INVALID_JSON, 1, 10, 10,
       "the action is not JSON: unable to decode byte 0xff near '\"'; "
       "an action is an object such as {\"type\":\"…\"}"},
      {"{\n\xff", IMD_INVALID_JSON, 2, 1, 3,
       "the action is not JSON: unable to decode byte 0xff; "
       "an action is an object such as {\"type\":\"…\"}"},
      {"{\"type\":9223372036854775808}", IMD_LIMIT, 1, 27, 27,
       "the action is beyond a limit: too big integer near '9223372036854775808'; "
       "integers have 64 bits, other numbers are doubles"},
      {"[1]", IMD_INVALID_ACTION, 0, 0, 0,
       "an action is an object such as {\"type\":\"didTapDecrementButton\"}, not an array; "
       "dispatch_batch, in Swift dispatch(batch:), takes an array of actions"},
      {"\"didTapIncrementButton\"", IMD_INVALID_ACTION, 0, 0, 0,
       "an action is an object such as {\"type\":\"didTapDecrementButton\"}, not a string"},
      {"{}", IMD_INVALID_ACTION, 0, 0, 0,
       "the action has no \"type\"; an action looks like {\"type\":\"didTapDecrementButton\"}"},
      {"{\"type\":null}", IMD_INVALID_ACTION, 0, 0, 0,
       "the \"type\" of an action is a string, not null"},
      {"{\"type\":\"didTapIncrementButon\"}", IMD_INVALID_ACTION, 0, 0, 0,
       "unknown action type \"didTapIncrementButon\"; did you mean \"didTapIncrementButton\" or "
       "\"didTapDecrementButton\"?"},
      {"{\"type\":\"reset\\u0000\"}", IMD_INVALID_ACTION, 0, 0, 0,
       "unknown action type \"reset\\u0000\"; expected one of: \"didTapDecrementButton\", "
       "\"didTapIncrementButton\""},
      {"{\"type\":\"didTapIncrementButton\",\"payload\":{}}", IMD_INVALID_ACTION, 0, 0, 0,
       "\"didTapIncrementButton\" takes no payload; leave out \"payload\""},
      {"{\"type\":\"didTapIncrementButton\",\"amount\":1}", IMD_INVALID_ACTION, 0, 0, 0,
       "an action has no member \"amount\"; its members are \"type\", \"payload\" and \"meta\""},
  };
  imd_store *store = open_counter("{\"state\":{\"value\":5}}");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    imd_error error;
    memset(&error, 0xAA, sizeof error);
    imd_status status = imd_store_dispatch(store, cases[i].text, IMD_ZERO_TERMINATED, &error);
    check_error(status, cases[i].status, &error, cases[i].message);
    CHECK(error.line == cases[i].line);
    CHECK(error.column == cases[i].column);
    CHECK(error.offset == cases[i].offset);
    check_value(store, "5");
    CHECK(imd_store_dispatch(store, cases[i].text, IMD_ZERO_TERMINATED, NULL) == status);
  }
  imd_store_close(store);
}

static void test_bad_batches(void) {
  static const bad_text cases[] = {
      {INCREMENT, IMD_INVALID_ACTION, 0, 0, 0,
       "a batch is an array of actions, not an object"},
      {"[" INCREMENT "," INCREMENT ",{\"type\":\"no\"}]", IMD_INVALID_ACTION, 0, 0, 0,
       "action 3 of 3: unknown action type \"no\"; expected one of: \"didTapDecrementButton\", "
       "\"didTapIncrementButton\"; the batch was not applied"},
      {"[" DECREMENT "," INCREMENT "," INCREMENT "," INCREMENT "]", IMD_REDUCER_FAILED, 0, 0, 0,
       "action 4 of 4: the counter is at 9223372036854775807, the largest value it can have; "
       "decrement it instead; the batch was not applied"},
  };
  imd_store *store = open_counter("{\"state\":{\"value\":9223372036854775806}}");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    imd_error error;
    imd_status status = imd_store_dispatch_batch(store, cases[i].text, IMD_ZERO_TERMINATED, &error);
    check_error(status, cases[i].status, &error, cases[i].message);
    check_value(store, "9223372036854775806");
  }
  imd_store_close(store);
}

static void test_overflow(void) {
  imd_store *store = open_counter("{\"state\":{\"value\":9223372036854775807}}");
  imd_error error;
  check_error(imd_store_dispatch(store, INCREMENT, IMD_ZERO_TERMINATED, &error),
              IMD_REDUCER_FAILED, &error,
              "the counter is at 9223372036854775807, the largest value it can have; "
              "decrement it instead");
  check_value(store, "9223372036854775807");
  CHECK(imd_store_dispatch(store, DECREMENT, IMD_ZERO_TERMINATED, &error) == IMD_OK);
  check_value(store, "9223372036854775806");
  imd_store_close(store);
}

static void test_lengths(void) {
  imd_store *store = open_counter(NULL);
  imd_error error;
  size_t length = sizeof INCREMENT - 1;

  CHECK(imd_store_dispatch(store, INCREMENT, length - 1, &error) == IMD_INVALID_JSON);
  CHECK(imd_store_dispatch(store, INCREMENT, 0, &error) == IMD_INVALID_JSON);
  CHECK(imd_store_dispatch(store, INCREMENT INCREMENT, length, &error) == IMD_OK);
  CHECK(imd_store_dispatch(store, INCREMENT INCREMENT, 2 * length, &error) == IMD_INVALID_JSON);

  check_error(imd_store_dispatch(store, INCREMENT, length + 1, &error), IMD_INVALID_JSON, &error,
              "the action is not JSON: it contains a NUL byte, check its length; "
              "an action is an object such as {\"type\":\"…\"}");
  CHECK(error.offset == length + 1);
  check_error(imd_store_dispatch(store, INCREMENT, (size_t)-2, &error), IMD_LIMIT, &error,
              "the length of action, 18446744073709551614, exceeds 2147483647 bytes; "
              "pass its number of bytes, or IMD_ZERO_TERMINATED");

  check_value(store, "1");
  imd_store_close(store);
}

static void test_depth(void) {
  imd_store *store = open_counter(NULL);
  imd_error error;
  size_t depth = 100000;
  char *text = malloc(depth);
  memset(text, '[', depth);
  CHECK(imd_store_dispatch(store, text, depth, &error) == IMD_LIMIT);
  CHECK(error.line == 1 && error.column == 2049 && error.offset == 2049);
  CHECK(imd_store_dispatch_batch(store, text, depth, &error) == IMD_LIMIT);
  free(text);

  /* The maximum depth is valid wherever any value is allowed. */
  size_t meta = 2047;
  text = malloc(2 * meta + sizeof INCREMENT + 16);
  strcpy(text, "{\"type\":\"didTapIncrementButton\",\"meta\":");
  size_t length = strlen(text);
  memset(text + length, '[', meta);
  memset(text + length + meta, ']', meta);
  strcpy(text + length + 2 * meta, "}");
  CHECK(imd_store_dispatch(store, text, IMD_ZERO_TERMINATED, &error) == IMD_OK);
  free(text);
  check_value(store, "1");
  imd_store_close(store);
}

static void test_null(void) {
  imd_store *store = open_counter(NULL), *none = store;
  imd_error error;
  char *out = (char *)&error;
  size_t length = 7;

  check_error(imd_store_dispatch(NULL, INCREMENT, IMD_ZERO_TERMINATED, &error),
              IMD_INVALID_ARGUMENT, &error, "store must not be NULL");
  check_error(imd_store_dispatch(store, NULL, IMD_ZERO_TERMINATED, &error), IMD_INVALID_ARGUMENT,
              &error, "action must not be NULL");
  check_error(imd_store_dispatch_batch(NULL, "[]", 2, &error), IMD_INVALID_ARGUMENT, &error,
              "store must not be NULL");
  check_error(imd_store_dispatch_batch(store, NULL, 0, &error), IMD_INVALID_ARGUMENT, &error,
              "actions must not be NULL");
  check_error(imd_store_select(NULL, "selectValue", NULL, 0, &out, &length, &error),
              IMD_INVALID_ARGUMENT, &error, "store must not be NULL");
  CHECK(out == NULL && length == 0);
  check_error(imd_store_select(store, NULL, NULL, 0, &out, NULL, &error), IMD_INVALID_ARGUMENT,
              &error, "selector must not be NULL");
  check_error(imd_store_select(store, "selectValue", NULL, 0, NULL, NULL, &error),
              IMD_INVALID_ARGUMENT, &error, "out must not be NULL");
  check_error(imd_store_open(NULL, NULL, 0, &none, &error), IMD_INVALID_ARGUMENT, &error,
              "domain must not be NULL");
  CHECK(none == NULL);
  check_error(imd_store_open("counter", NULL, 0, NULL, &error), IMD_INVALID_ARGUMENT, &error,
              "out must not be NULL");
  CHECK(imd_store_dispatch(NULL, NULL, 0, NULL) == IMD_INVALID_ARGUMENT);
  check_value(store, "0");
  imd_store_close(store);
}

static void test_names(void) {
  imd_store *store = open_counter(NULL), *none = store;
  imd_error error;
  char *out;
  check_error(imd_store_open("conter", NULL, 0, &none, &error), IMD_UNKNOWN_DOMAIN, &error,
              "unknown domain \"conter\"; did you mean \"counter\"?");
  CHECK(none == NULL);
  check_error(imd_store_open("\xff", NULL, 0, &none, &error), IMD_INVALID_ARGUMENT, &error,
              "the domain is not UTF-8; pass it as UTF-8");
  check_error(imd_store_select(store, "selectValu", NULL, 0, &out, NULL, &error),
              IMD_UNKNOWN_SELECTOR, &error,
              "unknown selector \"selectValu\"; did you mean \"selectValue\"?");
  CHECK(out == NULL);
  check_error(imd_store_select(store, "\xc3", NULL, 0, &out, NULL, &error), IMD_INVALID_ARGUMENT,
              &error, "the selector is not UTF-8; pass it as UTF-8");
  imd_store_close(store);
}

static void test_options_and_arguments(void) {
  static const bad_text options[] = {
      {"{\"stat\":{}}", IMD_INVALID_ARGUMENT, 0, 0, 0,
       "unknown option \"stat\"; did you mean \"state\"?"},
      {"{\"state\":{\"value\":\"1\"}}", IMD_INVALID_ARGUMENT, 0, 0, 0,
       "options/state/value: expected an integer, found a string"},
      {"{\"state\":{\"value\":1,\"values\":1}}", IMD_INVALID_ARGUMENT, 0, 0, 0,
       "options/state: unknown member \"values\"; did you mean \"value\"?"},
      {"[]", IMD_INVALID_ARGUMENT, 0, 0, 0, "options: expected an object, found an array"},
      {"nope", IMD_INVALID_JSON, 1, 4, 4,
       "the options are not JSON: invalid token near 'nope'; "
       "options are an object such as {\"name\":\"value\"}"},
  };
  imd_error error;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    imd_store *store = (imd_store *)&error;
    imd_status status =
        imd_store_open("counter", options[i].text, IMD_ZERO_TERMINATED, &store, &error);
    check_error(status, options[i].status, &error, options[i].message);
    CHECK(error.line == options[i].line && error.column == options[i].column);
    CHECK(store == NULL);
  }
  imd_store *store = open_counter("{}");
  char *out;
  check_error(imd_store_select(store, "selectValue", "{\"of\":1}", IMD_ZERO_TERMINATED, &out, NULL,
                               &error),
              IMD_INVALID_ARGUMENT, &error,
              "\"selectValue\": arguments: unknown member \"of\"; there are none");
  CHECK(imd_store_select(store, "selectValue", "{}", 2, &out, NULL, &error) == IMD_OK);
  imd_free(out);
  imd_store_close(store);
}

static void test_closed(void) {
  imd_store *store = open_counter(NULL), *other = open_counter(NULL);
  imd_error error;
  char *out;
  imd_store_close(store);
  check_error(imd_store_dispatch(store, INCREMENT, IMD_ZERO_TERMINATED, &error), IMD_CLOSED, &error,
              "the store was closed; open another one");
  CHECK(imd_store_dispatch_batch(store, "[]", 2, &error) == IMD_CLOSED);
  CHECK(imd_store_select(store, "selectValue", NULL, 0, &out, NULL, &error) == IMD_CLOSED);
  CHECK(out == NULL);
  imd_store_close(store);
  check_value(other, "0");
  imd_store_close(other);
}

int main(void) {
  test_library();
  test_counter();
  test_bad_actions();
  test_empty_texts();
  test_bad_batches();
  test_overflow();
  test_lengths();
  test_depth();
  test_null();
  test_names();
  test_options_and_arguments();
  test_closed();
  return check_report();
}
