/* The limits of values: which functions enforce them, and their messages. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"
#include "child.h"

#include <immutabledata.h>
#include <immutabledata_jansson.h>
#include <stdlib.h>
#include <sys/wait.h>

#define WHOLE "the value would have more than 4 values"
#define TEXT "the text of the value would have more than 16 bytes"
#define DEEP "the value would nest deeper than 2048 levels"
#define NUL_KEY "a key must not contain U+0000"

static void check_error(imd_status status, imd_status expected, const imd_error *error,
                        const char *message) {
  CHECK(status == expected);
  CHECK(error->status == expected);
  CHECK_TEXT(error->message, message);
}

static imd_value *parse(const char *text) {
  imd_value *value = NULL;
  CHECK(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);
  return value;
}

static void set_limit(imd_limit_kind kind, int64_t limit) {
  imd_error error;
  CHECK(imd_set_limit(kind, limit, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  CHECK(imd_limit(kind) == limit);
}

static void test_setting(void) {
  imd_error error;
  const int64_t defaults[] = {1 << 30, 1 << 30, 256 << 20, 1 << 24};
  for (int kind = IMD_LIMIT_VALUES; kind <= IMD_LIMIT_WORK; kind++) {
    CHECK(imd_limit((imd_limit_kind)kind) == defaults[kind]);
    set_limit((imd_limit_kind)kind, 1);
    set_limit((imd_limit_kind)kind, INT32_MAX);
    set_limit((imd_limit_kind)kind, defaults[kind]);
  }
  set_limit(IMD_LIMIT_WORK, INT64_MAX);
  set_limit(IMD_LIMIT_WORK, 1 << 24);
  check_error(imd_set_limit(IMD_LIMIT_VALUES, 0, &error), IMD_INVALID_ARGUMENT, &error,
              "the values limit must be from 1 to 2147483647, not 0");
  check_error(imd_set_limit(IMD_LIMIT_TEXT, -1, &error), IMD_INVALID_ARGUMENT, &error,
              "the text limit must be from 1 to 2147483647, not -1");
  check_error(imd_set_limit(IMD_LIMIT_INPUT, 2147483648, &error), IMD_INVALID_ARGUMENT, &error,
              "the input limit must be from 1 to 2147483647, not 2147483648");
  check_error(imd_set_limit(IMD_LIMIT_WORK, INT64_MIN, &error), IMD_INVALID_ARGUMENT, &error,
              "the work limit must be from 1 to 9223372036854775807, not "
              "-9223372036854775808");
  check_error(imd_set_limit((imd_limit_kind)4, 1, &error), IMD_INVALID_ARGUMENT, &error,
              "4 is not a kind of limit; pass IMD_LIMIT_VALUES, IMD_LIMIT_TEXT, IMD_LIMIT_INPUT or "
              "IMD_LIMIT_WORK");
  check_error(imd_set_limit((imd_limit_kind)-1, 1, &error), IMD_INVALID_ARGUMENT, &error,
              "-1 is not a kind of limit; pass IMD_LIMIT_VALUES, IMD_LIMIT_TEXT, IMD_LIMIT_INPUT or "
              "IMD_LIMIT_WORK");
  CHECK(imd_limit((imd_limit_kind)4) == 0);
  CHECK(imd_limit((imd_limit_kind)-1) == 0);
  CHECK(imd_limit(IMD_LIMIT_VALUES) == 1 << 30);
}

/* The errors of each function for a value of five values, if four are allowed. */
static void test_values(void) {
  imd_value *three = parse("[1,2]"), *array = parse("[3]"), *made;
  imd_value *object = parse("{\"a\":[1,2]}"), *change = parse("{\"b\":0}");
  imd_value *patch = parse("[{\"op\":\"add\",\"path\":\"/b\",\"value\":0}]");
  imd_value *other = parse("{\"a\":[1,0]}");
  imd_error error;
  set_limit(IMD_LIMIT_VALUES, 4);
  check_error(imd_value_parse("[1,2,3,4]", IMD_ZERO_TERMINATED, &made, &error), IMD_LIMIT, &error,
              "the value is beyond a limit: " WHOLE);
  CHECK(made == NULL);
  check_error(imd_value_set(three, "/-", array, &made, &error), IMD_LIMIT, &error,
              "\"/-\" cannot be set: " WHOLE);
  check_error(imd_value_insert(three, "/0", array, &made, &error), IMD_LIMIT, &error,
              "\"/0\" cannot be set: " WHOLE);
  check_error(imd_value_set_integer(object, "/b", 1, &made, &error), IMD_LIMIT, &error,
              "\"/b\" cannot be set: " WHOLE);
  check_error(imd_value_patch(object, patch, &made, &error), IMD_LIMIT, &error,
              "operation 0: \"/b\" cannot be set: " WHOLE);
  check_error(imd_value_merge(object, change, &made, &error), IMD_LIMIT, &error, WHOLE);
  check_error(imd_value_diff(object, other, &made, &error), IMD_LIMIT, &error, WHOLE);
  json_t *json = json_pack("[i,i,[i]]", 1, 2, 3);
  check_error(imd_value_from_jansson(json, &made, &error), IMD_LIMIT, &error,
              "json is beyond a limit: " WHOLE);
  json_decref(json);
  /* Existing values are not affected, and can be changed within the limit. */
  CHECK(imd_value_remove(patch, "/0", &made, &error) == IMD_OK);
  imd_value_release(made);
  CHECK(imd_value_set_integer(three, "/-", 3, &made, &error) == IMD_OK);
  imd_value_release(made);
  /* The remaining value exceeds a limit that was set later. */
  imd_value *removal = parse("[{\"op\":\"remove\",\"path\":\"/a/0\"}]");
  set_limit(IMD_LIMIT_VALUES, 1);
  check_error(imd_value_remove(three, "/0", &made, &error), IMD_LIMIT, &error,
              "\"/0\" cannot be removed: the value would have more than 1 value");
  check_error(imd_value_patch(object, removal, &made, &error), IMD_LIMIT, &error,
              "operation 0: \"/a/0\" cannot be removed: the value would have more than 1 value");
  imd_value_release(removal);
  set_limit(IMD_LIMIT_VALUES, 1 << 30);
  CHECK(imd_value_merge(object, change, &made, &error) == IMD_OK);
  imd_value_release(made);
  imd_value *const values[] = {three, array, object, change, patch, other};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) imd_value_release(values[i]);
}

/* The same for a text of 17 bytes, if 16 are allowed. */
static void test_text(void) {
  imd_value *value = parse("[\"0123456789\"]"), *made, *element = parse("12");
  imd_error error;
  set_limit(IMD_LIMIT_TEXT, 16);
  CHECK(imd_value_from_string("01234567890123", 14, &made, &error) == IMD_OK);
  imd_value_release(made);
  check_error(imd_value_from_string("012345678901234", 15, &made, &error), IMD_LIMIT, &error, TEXT);
  /* A control character takes six bytes. */
  CHECK(imd_value_from_string("\1\2", 2, &made, &error) == IMD_OK);
  imd_value_release(made);
  check_error(imd_value_from_string("\1\2\3", 3, &made, &error), IMD_LIMIT, &error, TEXT);
  CHECK(imd_value_set_integer(value, "/-", 1, &made, &error) == IMD_OK);
  imd_value_release(made);
  json_t *json = json_string("012345678901234");
  check_error(imd_value_from_jansson(json, &made, &error), IMD_LIMIT, &error,
              "json is beyond a limit: " TEXT);
  json_decref(json);
  check_error(imd_value_set(value, "/-", element, &made, &error), IMD_LIMIT, &error,
              "\"/-\" cannot be set: " TEXT);
  check_error(imd_value_set_string(value, "/0", "0123456789abc", 13, &made, &error), IMD_LIMIT,
              &error, "\"/0\" cannot be set: " TEXT);
  set_limit(IMD_LIMIT_TEXT, 1 << 30);
  imd_value_release(value);
  imd_value_release(element);
}

/* An input is rejected before it is read: its text need not even exist. */
static void test_input(void) {
  imd_value *made;
  imd_store *store;
  imd_error error;
  CHECK(imd_store_open("counter", NULL, 0, &store, &error) == IMD_OK);
  set_limit(IMD_LIMIT_INPUT, 8);
  CHECK(imd_value_parse("[1,2,34]", IMD_ZERO_TERMINATED, &made, &error) == IMD_OK);
  imd_value_release(made);
  const char *words = "text has more than 8 bytes, which is the input limit";
  check_error(imd_value_parse("[1,2,34] ", IMD_ZERO_TERMINATED, &made, &error), IMD_LIMIT, &error,
              words);
  check_error(imd_value_parse("[", 9, &made, &error), IMD_LIMIT, &error, words);
  check_error(imd_value_from_string("", INT32_MAX, &made, &error), IMD_LIMIT, &error, words);
  check_error(imd_store_dispatch(store, "[", 9, &error), IMD_LIMIT, &error,
              "action has more than 8 bytes, which is the input limit");
  check_error(imd_store_dispatch_batch(store, "[", 9, &error), IMD_LIMIT, &error,
              "actions has more than 8 bytes, which is the input limit");
  char *text;
  check_error(imd_store_select(store, "v", "{", 9, &text, NULL, &error), IMD_LIMIT, &error,
              "arguments has more than 8 bytes, which is the input limit");
  check_error(imd_store_select(store, "selectValue", NULL, 0, &text, NULL, &error), IMD_LIMIT,
              &error, "selector has more than 8 bytes, which is the input limit");
  imd_store_close(store);
  check_error(imd_store_open("counter", "{", 9, &store, &error), IMD_LIMIT, &error,
              "options has more than 8 bytes, which is the input limit");

  const char *longer = "pointer has more than 8 bytes, which is the input limit";
  imd_value *value = parse("{}"), *element = parse("1"), *object = NULL;
  const char *text_view;
  set_limit(IMD_LIMIT_INPUT, 9);
  CHECK(imd_value_set(value, "/12345678", element, &object, &error) == IMD_OK);
  set_limit(IMD_LIMIT_INPUT, 8);
  check_error(imd_value_get(object, "/12345678", &made, &error), IMD_LIMIT, &error, longer);
  check_error(imd_value_view_string(object, "/12345678", &text_view, NULL, &error), IMD_LIMIT,
              &error, longer);
  check_error(imd_value_set(value, "/12345678", element, &made, &error), IMD_LIMIT, &error, longer);
  check_error(imd_value_insert(value, "/12345678", element, &made, &error), IMD_LIMIT, &error,
              longer);
  check_error(imd_value_remove(object, "/12345678", &made, &error), IMD_LIMIT, &error, longer);
  CHECK(imd_value_set(value, "/1234567", element, &made, &error) == IMD_OK);
  imd_value_release(made);
  imd_value_release(object);
  imd_value_release(element);
  imd_value_release(value);
  set_limit(IMD_LIMIT_INPUT, 256 << 20);
}

/* A scalar is not a level: an empty array is as deep as an array of a number. */
static void test_depth(void) {
  imd_value *value, *outer = parse("[0]"), *made = NULL;
  imd_error error;
  CHECK(imd_value_from_integer(1, &value, &error) == IMD_OK);
  for (int depth = 0; depth < 2048; depth++) {
    CHECK(imd_value_set(outer, "/0", value, &made, &error) == IMD_OK);
    imd_value_release(value);
    value = made;
  }
  check_error(imd_value_set(outer, "/0", value, &made, &error), IMD_LIMIT, &error,
              "\"/0\" cannot be set: " DEEP);
  /* In its patch it would nest two levels deeper. */
  check_error(imd_value_diff(outer, value, &made, &error), IMD_LIMIT, &error, DEEP);
  imd_value_release(value);
  imd_value_release(outer);
}

/* The work limit, for computations without a budget of their own. */
static void test_work(void) {
  imd_value *from = parse("{\"a\":[1,2]}"), *to = parse("{\"a\":[1,0]}"), *made;
  imd_value *patch = parse("[{\"op\":\"test\",\"path\":\"/a\",\"value\":[1,2]}]");
  imd_error error;
  set_limit(IMD_LIMIT_WORK, 1);
#define WORK "more than 1 unit of work, which is the work limit"
  check_error(imd_value_diff(from, to, &made, &error), IMD_LIMIT, &error, "comparing takes " WORK);
  check_error(imd_value_patch(from, patch, &made, &error), IMD_LIMIT, &error,
              "operation 0: it takes " WORK);
  check_error(imd_value_merge(from, to, &made, &error), IMD_LIMIT, &error, "merging takes " WORK);
  json_t *json;
  check_error(imd_value_to_jansson(from, &json, &error), IMD_LIMIT, &error,
              "making the json_t takes " WORK);
  set_limit(IMD_LIMIT_WORK, 1 << 24);
  imd_value *const values[] = {from, to, patch};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) imd_value_release(values[i]);
}

static imd_status take_payload(void *context, const imd_value *state, const imd_value *action,
                               imd_value **next, imd_error *error) {
  (void)context, (void)state;
  return imd_value_get(action, "/payload", next, error);
}

/* A call that was made before a limit was lowered. */
static void test_repeated_query(void) {
  const char *const expression = "page.number";
  imd_store *store;
  imd_error error;
  char *text;
  CHECK(imd_store_create("{}", 2, take_payload, NULL, NULL, NULL, 0, &store, &error) == IMD_OK);
  const struct {
    imd_limit_kind kind;
    int64_t low, high;
    const char *message;
  } limits[] = {
      {IMD_LIMIT_INPUT, 8, 256 << 20, "expression has more than 8 bytes, which is the input limit"},
      {IMD_LIMIT_WORK, 1, 1 << 24,
       "the evaluation takes more than 1 unit of work, which is the work limit; simplify the "
       "expression, raise the limit, or set \"budget\"\n  page.number\n  ^"},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    for (int query = 0; query < 3; query++) {
      char action[64];
      sprintf(action, "{\"type\":\"go\",\"payload\":{\"page\":{\"number\":%d}}}", query);
      CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_OK);
      if (query == 2) set_limit(limits[i].kind, limits[i].low);
      imd_status status = imd_store_query(store, expression, NULL, 0, &text, NULL, &error);
      if (query == 2) {
        check_error(status, IMD_LIMIT, &error, limits[i].message);
      } else {
        CHECK(status == IMD_OK);
        CHECK(*text == '0' + query);
        imd_free(text);
      }
      set_limit(limits[i].kind, limits[i].high);
    }
  }
  imd_store_close(store);
}

static void test_byte_order_mark(void) {
  imd_value *made;
  imd_error error;
  check_error(imd_value_parse("\xef\xbb\xbf{}", IMD_ZERO_TERMINATED, &made, &error),
              IMD_INVALID_JSON, &error,
              "the value is not JSON: it starts with a byte order mark (U+FEFF), remove it; "
              "write JSON text such as {\"name\":\"value\"}");
  CHECK(error.line == 1 && error.column == 1 && error.offset == 3);
}

static void test_nul_keys(void) {
  imd_value *value = parse("{\"a\":1}"), *made;
  imd_error error;
  const char *const adding[] = {
      "[{\"op\":\"add\",\"path\":\"/b\\u0000\",\"value\":1}]",
      "[{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\\u0000\"}]",
      "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/b\\u0000\"}]",
  };
  for (size_t i = 0; i < sizeof adding / sizeof *adding; i++) {
    imd_value *patch = parse(adding[i]);
    check_error(imd_value_patch(value, patch, &made, &error), IMD_INVALID_ARGUMENT, &error,
                "operation 0: \"/b\\u0000\" cannot be set: " NUL_KEY);
    imd_value_release(patch);
  }
  json_t *json = json_object();
  CHECK(json_object_setn_new(json, "b\0c", 3, json_null()) == 0);
  check_error(imd_value_from_jansson(json, &made, &error), IMD_INVALID_JSON, &error,
              "json is invalid: " NUL_KEY);
  json_decref(json);
  imd_value_release(value);
}

/* The members of an object may have any order, and may not fit in one node. */
static void test_jansson_objects(void) {
  enum { COUNT = 500 };
  json_t *json = json_array(), *large = json_object();
  char key[16];
  for (int i = 0; i < COUNT; i++) {
    snprintf(key, sizeof key, "k%d", (i * 7) % COUNT);
    json_object_set_new(large, key, json_integer(i));
    json_array_append_new(json, i % 2 ? json_pack("{s:i,s:[f],s:{}}", "b", i, "a", 0.5, "longer than it")
                                      : json_pack("{s:[f],s:i,s:{}}", "a", 0.5, "b", i, "longer than it"));
  }
  json_array_append_new(json, large);
  imd_value *value, *read;
  imd_error error;
  CHECK(imd_value_from_jansson(json, &value, &error) == IMD_OK);
  char *text = json_dumps(json, JSON_COMPACT);
  CHECK(imd_value_parse(text, IMD_ZERO_TERMINATED, &read, &error) == IMD_OK);
  CHECK(imd_value_equal(value, read));
  free(text);
  imd_value_release(value);
  imd_value_release(read);
  json_decref(json);
}

/* A json_t can contain invalid UTF-8, a value cannot. */
static void test_jansson_utf8(void) {
  imd_value *made;
  imd_error error;
  json_t *string = json_pack("[o]", json_stringn_nocheck("abc\xe2\x82", 5));
  check_error(imd_value_from_jansson(string, &made, &error), IMD_INVALID_JSON, &error,
              "json is invalid: a string is not UTF-8");
  json_decref(string);
  json_t *key = json_object();
  CHECK(json_object_set_new_nocheck(key, "a\xff", json_null()) == 0);
  check_error(imd_value_from_jansson(key, &made, &error), IMD_INVALID_JSON, &error,
              "json is invalid: a key is not UTF-8");
  json_decref(key);
}

/* The first opening checks the descriptions of the domain, whose samples may exceed a limit. */
static void test_first_opening(void) {
  const char *const domains[] = {"counter", "animals", "quakes", "foodtruck"};
  const int64_t limits[] = {1, 2, 5, 10, 20, 50, 100, 1000};
  const size_t count = sizeof limits / sizeof *limits;
  for (size_t i = 0; i < 4 * 2 * count; i++) {
    pid_t child = fork();
    if (child == 0) {
      imd_store *store;
      imd_error error;
      imd_set_limit(i % 2 ? IMD_LIMIT_TEXT : IMD_LIMIT_VALUES, limits[i / 2 % count], NULL);
      imd_status status = imd_store_open(domains[i / 2 / count], NULL, 0, &store, &error);
      if (status != IMD_OK && status != IMD_LIMIT) fprintf(stderr, "%s\n", error.message);
      end_child(status != IMD_OK && status != IMD_LIMIT);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

int main(void) {
  test_first_opening();
  test_setting();
  test_values();
  test_text();
  test_input();
  test_depth();
  test_work();
  test_repeated_query();
  test_byte_order_mark();
  test_nul_keys();
  test_jansson_utf8();
  test_jansson_objects();
  return check_report();
}
