/* Values and actions made of C values, and pointers made of keys. */
#include "check.h"

#include <immutabledata.h>
#include <math.h>
#include <stdbool.h>

static void check_value(imd_value *value, const char *expected) {
  char *text = NULL;
  CHECK(imd_value_text(value, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
  imd_value_release(value);
}

/* Checks the text of an object; expected is NULL if it must fail. */
static void check_object(const imd_member *members, size_t count, const char *expected) {
  imd_value *value;
  imd_error error;
  CHECK(imd_value_object(members, count, &value, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  check_value(value, expected);
}

static void check_failure(const imd_member *members, size_t count, imd_status status,
                          const char *message) {
  imd_value *value = NULL;
  imd_error error;
  CHECK(imd_value_object(members, count, &value, &error) == status);
  CHECK(error.status == status);
  CHECK(value == NULL);
  CHECK_TEXT(error.message, message);
}

static void test_kinds(void) {
  char text[] = "x\xc3\xa9\"";
  const char *constant = "";
  bool done = true;
  short small = -1;
  unsigned short unsigned_small = 65535;
  unsigned number = 4294967295;
  size_t size = 7;
  uint64_t large = INT64_MAX;
  int64_t negative = INT64_MIN;
  float single = 0.5f;
  void *nothing = NULL;
  const void *still_nothing = NULL;
  check_object(IMD_MEMBERS(), "{}");
  check_object(IMD_MEMBERS(IMD_MEMBER("a", text), IMD_MEMBER("b", constant),
                           IMD_MEMBER("c", "literal")),
               "{\"a\":\"x\xc3\xa9\\\"\",\"b\":\"\",\"c\":\"literal\"}");
  check_object(IMD_MEMBERS(IMD_MEMBER("a", true), IMD_MEMBER("b", false), IMD_MEMBER("c", done),
                           IMD_MEMBER("d", (bool)!done), IMD_MEMBER("e", 1 == 1)),
               "{\"a\":true,\"b\":false,\"c\":true,\"d\":false,\"e\":1}");
  check_object(IMD_MEMBERS(IMD_MEMBER("z", small), IMD_MEMBER("y", unsigned_small),
                           IMD_MEMBER("x", number), IMD_MEMBER("w", size), IMD_MEMBER("v", large),
                           IMD_MEMBER("u", negative), IMD_MEMBER("t", 3L), IMD_MEMBER("s", 3LL)),
               "{\"s\":3,\"t\":3,\"u\":-9223372036854775808,\"v\":9223372036854775807,\"w\":7,"
               "\"x\":4294967295,\"y\":65535,\"z\":-1}");
  check_object(IMD_MEMBERS(IMD_MEMBER("a", single), IMD_MEMBER("b", 1.0), IMD_MEMBER("c", NULL),
                           IMD_MEMBER("d", nothing), IMD_MEMBER("e", still_nothing)),
               "{\"a\":0.5,\"b\":1.0,\"c\":null,\"d\":null,\"e\":null}");
  int integers = 0;
  size_t sizes = 0;
  const char *at = "ab";
  check_object(IMD_MEMBERS(IMD_MEMBER("a", ++integers), IMD_MEMBER("b", ++sizes),
                           IMD_MEMBER("c", ++at)),
               "{\"a\":1,\"b\":1,\"c\":\"b\"}"); /* each is evaluated once */
}

static void test_nested(void) {
  imd_value *part, *value;
  imd_error error;
  CHECK(imd_value_parse("[1,{\"a\":2}]", IMD_ZERO_TERMINATED, &part, NULL) == IMD_OK);
  const imd_value *constant = part;
  check_object(IMD_MEMBERS(IMD_OBJECT_MEMBER("o", IMD_MEMBER("b", false), IMD_MEMBER("a/~", part)),
                           IMD_ARRAY_MEMBER("l", IMD_ELEMENT(1), IMD_ELEMENT("two"),
                                            IMD_ELEMENT(true), IMD_ELEMENT(constant)),
                           IMD_OBJECT_MEMBER("e", ), IMD_ARRAY_MEMBER("f", )),
               "{\"e\":{},\"f\":[],\"l\":[1,\"two\",true,[1,{\"a\":2}]],"
               "\"o\":{\"a/~\":[1,{\"a\":2}],\"b\":false}}");
  CHECK(imd_value_array(IMD_MEMBERS(IMD_ELEMENT(part), IMD_OBJECT_MEMBER(NULL, IMD_MEMBER("a", 1))),
                        &value, &error) == IMD_OK);
  CHECK(imd_value_get(value, "/0", &part, NULL) == IMD_OK);
  CHECK(imd_value_identical(part, constant)); /* not copied */
  imd_value_release(part);
  check_value(value, "[[1,{\"a\":2}],{\"a\":1}]");
  imd_value_release(constant);

  /* More members than a node has, in any order. */
  char names[100][8];
  imd_member many[100];
  for (int i = 0; i < 100; i++) {
    int number = i * 37 % 100;
    snprintf(names[i], sizeof names[i], "k%02d", number);
    many[i] = IMD_MEMBER(names[i], number);
  }
  CHECK(imd_value_object(many, 100, &value, &error) == IMD_OK);
  CHECK(imd_value_count(value) == 100);
  for (int i = 0; i < 100; i++) {
    char pointer[8];
    int64_t found = -1;
    CHECK(imd_pointer(IMD_KEYS(names[i]), pointer, sizeof pointer, &error) == IMD_OK);
    CHECK(imd_value_get_integer(value, pointer, &found, &error) == IMD_OK);
    CHECK(found == many[i].integer);
  }
  imd_value_release(value);
  CHECK(imd_value_array(many, 100, &value, &error) == IMD_OK);
  CHECK(imd_value_count(value) == 100);
  imd_value_release(value);
}

static void test_failures(void) {
  const char *no_text = NULL;
  imd_value *no_value = NULL;
  const imd_member unknown = {.name = "a", .kind = 99};
  const imd_member no_list = {.name = "a", .kind = IMD_ARRAY, .count = 1};
  const imd_member negative = {.name = "a", .kind = IMD_ARRAY, .count = SIZE_MAX};
  const imd_member cut = {.name = "a", .kind = IMD_STRING, .count = 1, .string = "\xc3\xa9"};
  check_failure(IMD_MEMBERS(IMD_MEMBER("a", no_text)), IMD_INVALID_ARGUMENT,
                "the member at \"/a\": text must not be NULL");
  check_failure(IMD_MEMBERS(IMD_MEMBER("a", no_value)), IMD_INVALID_ARGUMENT,
                "the member at \"/a\": the value must not be NULL");
  check_failure(IMD_MEMBERS(IMD_MEMBER(no_text, 1)), IMD_INVALID_ARGUMENT,
                "the member at \"/0\": the name must not be NULL");
  check_failure(IMD_MEMBERS(IMD_MEMBER("\xff", 1)), IMD_INVALID_ARGUMENT,
                "the member at \"/\xef\xbf\xbd\": the name is not UTF-8; pass it as UTF-8");
  check_failure(IMD_MEMBERS(IMD_OBJECT_MEMBER("a/b", IMD_ARRAY_MEMBER("c", IMD_ELEMENT(1),
                                                                      IMD_ELEMENT("\xff")))),
                IMD_INVALID_ARGUMENT,
                "the member at \"/a~1b/c/1\": the text is not UTF-8; pass it as UTF-8");
  check_failure(&cut, 1, IMD_INVALID_ARGUMENT,
                "the member at \"/a\": the text is not UTF-8; pass it as UTF-8");
  check_failure(IMD_MEMBERS(IMD_MEMBER("a", (double)NAN)), IMD_INVALID_ARGUMENT,
                "the member at \"/a\": JSON has no nan; pass a finite number");
  check_failure(IMD_MEMBERS(IMD_MEMBER("a", (const void *)no_text), IMD_MEMBER("b", (const void *)"")),
                IMD_INVALID_ARGUMENT,
                "the member at \"/b\": a void * that is not NULL has no kind; "
                "pass a pointer of another type");
  check_failure(IMD_MEMBERS(IMD_MEMBER("a", UINT64_MAX)), IMD_LIMIT,
                "the member at \"/a\": the integer 18446744073709551615 is out of range; "
                "an integer is at most 9223372036854775807");
  check_failure(IMD_MEMBERS(IMD_MEMBER("b", 1), IMD_MEMBER("a", 2), IMD_MEMBER("b", "x")),
                IMD_INVALID_ARGUMENT, "two members have the name \"b\"; pass it once");
  check_failure(IMD_MEMBERS(IMD_OBJECT_MEMBER("o", IMD_MEMBER("a name of 20 bytes.", 1),
                                              IMD_MEMBER("a name of 20 bytes.", 2))),
                IMD_INVALID_ARGUMENT,
                "the member at \"/o\": two members have the name \"a name of 20 bytes.\"; "
                "pass it once");
  check_failure(&unknown, 1, IMD_INVALID_ARGUMENT,
                "the member at \"/a\": the kind 99 is unknown; pass one of imd_kind, or IMD_VALUE");
  check_failure(&no_list, 1, IMD_INVALID_ARGUMENT,
                "the member at \"/a\": members must not be NULL");
  check_failure(&negative, 1, IMD_LIMIT,
                "the value would have more than 1073741824 values");
  check_failure(NULL, 1, IMD_INVALID_ARGUMENT, "members must not be NULL");
  check_object(NULL, 0, "{}");

  imd_error error;
  CHECK(imd_value_object(IMD_MEMBERS(IMD_MEMBER("a", 1)), NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "out must not be NULL");
  CHECK(imd_value_array(IMD_MEMBERS(IMD_ELEMENT(1)), NULL, NULL) == IMD_INVALID_ARGUMENT);

  imd_value *value;
  imd_member first = IMD_ELEMENT(no_text);
  CHECK(imd_value_array(&first, 1, &value, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "the member at \"/0\": text must not be NULL");

  /* A list that contains itself. */
  imd_member cycle[2] = {{.name = "a", .kind = IMD_OBJECT, .count = 2}, IMD_MEMBER("b", 1)};
  cycle[0].members = cycle;
  CHECK(imd_value_object(cycle, 2, &value, &error) == IMD_LIMIT);
  CHECK(value == NULL);
  CHECK(strstr(error.message, "nest deeper than 32 levels") != NULL);

  /* Lists that occur twice in each other: 2^31 values. */
  imd_member doubled[30][2];
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 2; j++)
      doubled[i][j] = (imd_member){.kind = IMD_ARRAY, .count = i == 29 ? 0 : 2,
                                   .members = i == 29 ? NULL : doubled[i + 1]};
  CHECK(imd_set_limit(IMD_LIMIT_VALUES, 1000, NULL) == IMD_OK);
  CHECK(imd_value_array(doubled[0], 2, &value, &error) == IMD_LIMIT);
  CHECK(strstr(error.message, "more than 1000 values") != NULL);
  CHECK(imd_set_limit(IMD_LIMIT_VALUES, 1 << 30, NULL) == IMD_OK);

  CHECK(imd_set_limit(IMD_LIMIT_INPUT, 4, NULL) == IMD_OK);
  check_failure(IMD_MEMBERS(IMD_MEMBER("a", "12345")), IMD_LIMIT,
                "the member at \"/a\": text has more than 4 bytes, which is the input limit");
  check_failure(IMD_MEMBERS(IMD_MEMBER("12345", 1)), IMD_LIMIT,
                "the member at \"/12345\": the name has more than 4 bytes, which is the input limit");
  CHECK(imd_set_limit(IMD_LIMIT_INPUT, 256 << 20, NULL) == IMD_OK);
}

/* The next state is the action. */
static imd_status keep_action(void *context, const imd_value *state, const imd_value *action,
                              imd_value **next, imd_error *error) {
  (void)context, (void)state, (void)error;
  *next = imd_value_retain(action);
  return IMD_OK;
}

static void check_state(imd_store *store, const char *expected) {
  imd_value *state = NULL;
  CHECK(imd_store_state(store, &state, NULL) == IMD_OK);
  check_value(state, expected);
}

static void test_dispatch(void) {
  imd_store *store;
  imd_error error;
  const char *title = "Feed the \"cat\"", *type = "moved";
  CHECK(imd_store_create("null", IMD_ZERO_TERMINATED, keep_action, NULL, NULL, NULL, 0, &store,
                         NULL) == IMD_OK);
  CHECK(imd_store_dispatch_object(
            store, IMD_ACTION("added", IMD_MEMBER("title", title), IMD_MEMBER("done", false)),
            &error) == IMD_OK);
  check_state(store, "{\"payload\":{\"done\":false,\"title\":\"Feed the \\\"cat\\\"\"},"
                     "\"type\":\"added\"}");
  CHECK(imd_store_dispatch_object(store, IMD_ACTION("cleared"), &error) == IMD_OK);
  check_state(store, "{\"type\":\"cleared\"}");
  CHECK(imd_store_dispatch_object(
            store, IMD_ACTION(type, IMD_OBJECT_MEMBER("to", IMD_MEMBER("lane", 2))), &error) ==
        IMD_OK);
  check_state(store, "{\"payload\":{\"to\":{\"lane\":2}},\"type\":\"moved\"}");
  CHECK(imd_store_dispatch_object(store,
                                  IMD_MEMBERS(IMD_MEMBER("type", "done"), IMD_MEMBER("payload", 7),
                                              IMD_OBJECT_MEMBER("meta", IMD_MEMBER("at", 1.5))),
                                  &error) == IMD_OK);
  check_state(store, "{\"meta\":{\"at\":1.5},\"payload\":7,\"type\":\"done\"}");

  CHECK(imd_store_dispatch_object(store, IMD_MEMBERS(IMD_MEMBER("a", 1)), &error) ==
        IMD_INVALID_ACTION);
  CHECK(imd_store_dispatch_object(store, IMD_ACTION("x", IMD_MEMBER("a", (char *)NULL)), &error) ==
        IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "the member at \"/payload/a\": text must not be NULL");
  CHECK(imd_store_dispatch_object(store, NULL, 1, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_store_dispatch_object(NULL, IMD_ACTION("x"), &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "store must not be NULL");
  check_state(store, "{\"meta\":{\"at\":1.5},\"payload\":7,\"type\":\"done\"}");
  imd_store_close(store);
  CHECK(imd_store_dispatch_object(store, IMD_ACTION("x"), NULL) == IMD_CLOSED);
}

static void check_pointer(const char *const *keys, size_t count, const char *expected) {
  char buffer[32];
  imd_error error;
  CHECK(imd_pointer(keys, count, buffer, strlen(expected) + 1, &error) == IMD_OK);
  CHECK_TEXT(buffer, expected);
  memset(buffer, 'x', sizeof buffer);
  CHECK(imd_pointer(keys, count, buffer, strlen(expected), &error) == IMD_LIMIT);
  CHECK(strlen(expected) == 0 || buffer[0] == '\0');
  CHECK(buffer[strlen(expected)] == 'x'); /* nothing was written behind the size */
}

static void test_pointers(void) {
  const char *id = "a/~1";
  check_pointer(IMD_KEYS("tasks", id, "done"), "/tasks/a~1~01/done");
  check_pointer(IMD_KEYS(""), "/");
  check_pointer(IMD_KEYS("\xc3\xa9"), "/\xc3\xa9");
  check_pointer(NULL, 0, "");

  char buffer[8] = "x";
  imd_error error;
  CHECK(imd_pointer(IMD_KEYS("tasks", "7"), buffer, sizeof buffer, &error) == IMD_LIMIT);
  CHECK_TEXT(error.message, "the pointer needs 9 bytes, but the buffer has 8; pass a larger one");
  CHECK_TEXT(buffer, "");
  CHECK(imd_pointer(IMD_KEYS("a", NULL), buffer, sizeof buffer, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "a key must not be NULL");
  CHECK_TEXT(buffer, "");
  CHECK(imd_pointer(IMD_KEYS("a", "\xff"), buffer, sizeof buffer, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "a key is not UTF-8; pass it as UTF-8");
  CHECK(imd_pointer(NULL, 1, buffer, sizeof buffer, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_pointer(IMD_KEYS("a"), NULL, 8, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_pointer(IMD_KEYS("a"), NULL, 0, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_pointer(IMD_KEYS("a"), buffer, SIZE_MAX, &error) == IMD_LIMIT);
  CHECK(imd_pointer((const char *const[]){"a"}, SIZE_MAX, buffer, 8, &error) == IMD_LIMIT);
}

int main(void) {
  test_kinds();
  test_nested();
  test_failures();
  test_dispatch();
  test_pointers();
  return check_report();
}
