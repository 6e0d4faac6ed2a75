/* The value functions. */
#include "check.h"

#include <immutabledata.h>
#include <math.h>
#include <stdlib.h>

static imd_value *parse(const char *text) {
  imd_value *value = NULL;
  imd_error error;
  CHECK(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  return value;
}

/* Checks the text of a value, and releases it. */
static void check_and_release(imd_value *value, const char *expected) {
  char *text = NULL;
  size_t length = 0;
  CHECK(imd_value_text(value, &text, &length, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  CHECK(length == strlen(expected));
  imd_free(text);
  imd_value_release(value);
}

static void check_error(imd_status status, imd_status expected, const imd_error *error,
                        const char *message) {
  CHECK(status == expected);
  CHECK(error->status == expected);
  CHECK_TEXT(error->message, message);
}

static void test_scalars(void) {
  imd_value *value;
  imd_error error;
  CHECK(imd_value_from_bool(7, &value, &error) == IMD_OK);
  CHECK(imd_value_kind(value) == IMD_BOOL);
  check_and_release(value, "true");
  CHECK(imd_value_from_integer(INT64_MIN, &value, &error) == IMD_OK);
  CHECK(imd_value_kind(value) == IMD_INTEGER);
  check_and_release(value, "-9223372036854775808");
  CHECK(imd_value_from_real(0.1, &value, &error) == IMD_OK);
  CHECK(imd_value_kind(value) == IMD_REAL);
  check_and_release(value, "0.1");
  CHECK(imd_value_from_real(-0.0, &value, &error) == IMD_OK);
  check_and_release(value, "-0.0");
  check_error(imd_value_from_real(NAN, &value, &error), IMD_INVALID_ARGUMENT, &error,
              "JSON has no nan; pass a finite number");
  CHECK(value == NULL);
  CHECK(imd_value_from_string("a\0\"", 3, &value, &error) == IMD_OK);
  CHECK(imd_value_kind(value) == IMD_STRING);
  check_and_release(value, "\"a\\u0000\\\"\"");
  check_error(imd_value_from_string("\xff", 1, &value, &error), IMD_INVALID_ARGUMENT, &error,
              "the text is not UTF-8; pass it as UTF-8");
  CHECK(imd_value_kind(NULL) == IMD_NULL);
  CHECK(imd_value_count(NULL) == 0);
}

static void test_get(void) {
  imd_value *value = parse("{\"a/b\":[true,-3,0.5,\"x\\u00e9\",null],\"n\":{}}"), *part;
  imd_error error;
  CHECK(imd_value_kind(value) == IMD_OBJECT);
  CHECK(imd_value_count(value) == 2);

  CHECK(imd_value_get(value, "/a~1b", &part, &error) == IMD_OK);
  CHECK(imd_value_kind(part) == IMD_ARRAY);
  CHECK(imd_value_count(part) == 5);
  check_and_release(part, "[true,-3,0.5,\"x\xc3\xa9\",null]");
  CHECK(imd_value_get(value, NULL, &part, &error) == IMD_OK);
  CHECK(imd_value_identical(value, part));
  imd_value_release(part);

  int boolean = 7;
  int64_t integer = 7;
  double real = 7;
  char *text = NULL;
  size_t length = 0;
  CHECK(imd_value_get_bool(value, "/a~1b/0", &boolean, &error) == IMD_OK && boolean == 1);
  CHECK(imd_value_get_integer(value, "/a~1b/1", &integer, &error) == IMD_OK && integer == -3);
  CHECK(imd_value_get_real(value, "/a~1b/2", &real, &error) == IMD_OK && real == 0.5);
  CHECK(imd_value_get_real(value, "/a~1b/1", &real, &error) == IMD_OK && real == -3);
  CHECK(imd_value_get_string(value, "/a~1b/3", &text, &length, &error) == IMD_OK);
  CHECK_TEXT(text, "x\xc3\xa9");
  CHECK(length == 3);
  imd_free(text);

  check_error(imd_value_get_integer(value, "/a~1b/2", &integer, &error), IMD_INVALID_ARGUMENT,
              &error, "expected an integer at \"/a~1b/2\", found 0.5");
  CHECK(integer == 0);
  check_error(imd_value_get_integer(value, NULL, &integer, &error), IMD_INVALID_ARGUMENT, &error,
              "the value is an object, not an integer");
  check_error(imd_value_get(value, "/n/x", &part, &error), IMD_NOT_FOUND, &error,
              "nothing at \"/n/x\": \"/n\" has no member \"x\"");
  CHECK(part == NULL);
  check_error(imd_value_get(value, "/a~1b/5", &part, &error), IMD_NOT_FOUND, &error,
              "nothing at \"/a~1b/5\": \"/a~1b\" has 5 elements");
  check_error(imd_value_get(value, "n", &part, &error), IMD_INVALID_ARGUMENT, &error,
              "\"n\" is not a JSON Pointer: it must be empty or begin with \"/\"; write \"/n\"");
  check_error(imd_value_get(NULL, "", &part, &error), IMD_INVALID_ARGUMENT, &error,
              "value must not be NULL");
  check_error(imd_value_get(value, "\xff", &part, &error), IMD_INVALID_ARGUMENT, &error,
              "the pointer is not UTF-8; pass it as UTF-8");
  imd_value_release(value);
}

static void check_part(const imd_value *value, const char *pointer, imd_kind kind, size_t count,
                       imd_content *part) {
  imd_error error;
  memset(part, 0xff, sizeof *part);
  CHECK(imd_value_read(value, pointer, part, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  CHECK(part->kind == kind && part->count == count);
}

static void test_read(void) {
  imd_value *value = parse("{\"a/b\":[true,false,-3,0.5,\"x\\u0000\\u00e9\",null],\"n\":{}}");
  imd_error error;
  imd_content part;
  check_part(value, "/a~1b/0", IMD_BOOL, 0, &part);
  CHECK(part.as.boolean == 1);
  check_part(value, "/a~1b/1", IMD_BOOL, 0, &part);
  CHECK(part.as.boolean == 0);
  check_part(value, "/a~1b/2", IMD_INTEGER, 0, &part);
  CHECK(part.as.integer == -3);
  check_part(value, "/a~1b/3", IMD_REAL, 0, &part);
  CHECK(part.as.real == 0.5);
  check_part(value, "/a~1b/4", IMD_STRING, 4, &part);
  CHECK(memcmp(part.as.string, "x\0\xc3\xa9", 5) == 0);
  imd_free(part.as.string);
  check_part(value, "/a~1b/5", IMD_NULL, 0, &part);
  CHECK(part.as.integer == 0 && part.as.string == NULL && part.as.value == NULL);
  check_part(value, "/a~1b", IMD_ARRAY, 6, &part);
  check_and_release(part.as.value, "[true,false,-3,0.5,\"x\\u0000\xc3\xa9\",null]");
  check_part(value, "/n", IMD_OBJECT, 0, &part);
  check_and_release(part.as.value, "{}");
  check_part(value, NULL, IMD_OBJECT, 2, &part);
  CHECK(imd_value_identical(part.as.value, value));
  imd_value_release(part.as.value);

  part.kind = IMD_STRING, part.count = 7, part.as.integer = 7;
  check_error(imd_value_read(value, "/n/x", &part, &error), IMD_NOT_FOUND, &error,
              "nothing at \"/n/x\": \"/n\" has no member \"x\"");
  CHECK(part.kind == IMD_NULL && part.count == 0 && part.as.value == NULL);
  check_error(imd_value_read(value, "/n", NULL, &error), IMD_INVALID_ARGUMENT, &error,
              "out must not be NULL");
  check_error(imd_value_read(NULL, "", &part, &error), IMD_INVALID_ARGUMENT, &error,
              "value must not be NULL");
  CHECK(imd_value_read(value, "n", &part, NULL) == IMD_INVALID_ARGUMENT);
  imd_value_release(value);
}

typedef imd_status (*change)(const imd_value *, const char *, const imd_value *, imd_value **,
                             imd_error *);

static void check_change(change change, const char *text, const char *pointer, const char *element,
                         const char *expected) {
  imd_value *value = parse(text), *added = parse(element), *changed;
  imd_error error;
  imd_status status = change(value, pointer, added, &changed, &error);
  if (expected) {
    CHECK(status == IMD_OK);
    check_and_release(changed, expected);
  } else {
    CHECK(status != IMD_OK && changed == NULL && error.message[0] != '\0');
  }
  imd_value_release(added);
  check_and_release(value, text);
}

static void test_change(void) {
  check_change(imd_value_set, "{\"a\":1}", "/a", "2", "{\"a\":2}");
  check_change(imd_value_set, "{\"a\":1}", "/b", "2", "{\"a\":1,\"b\":2}");
  check_change(imd_value_set, "[1,2]", "/0", "9", "[9,2]");
  check_change(imd_value_set, "[1,2]", "/-", "9", "[1,2,9]");
  check_change(imd_value_set, "[1,2]", "/2", "9", "[1,2,9]");
  check_change(imd_value_set, "[1,2]", "/3", "9", NULL);
  check_change(imd_value_set, "[1,2]", "", "9", "9");
  check_change(imd_value_set, "{}", "/a/b", "9", NULL);
  check_change(imd_value_insert, "[1,2]", "/0", "9", "[9,1,2]");
  check_change(imd_value_insert, "{\"a\":[1]}", "/a/1", "9", "{\"a\":[1,9]}");

  imd_value *value = parse("{\"a\":[1,2],\"b\":3}"), *changed, *patch;
  imd_error error;
  CHECK(imd_value_remove(value, "/a/0", &changed, &error) == IMD_OK);
  check_and_release(changed, "{\"a\":[2],\"b\":3}");
  CHECK(imd_value_remove(value, "/c", &changed, &error) == IMD_NOT_FOUND);
  check_error(imd_value_remove(value, "", &changed, &error), IMD_INVALID_ARGUMENT, &error,
              "the whole value cannot be removed");

  check_error(imd_value_slice(value, 0, 1, &changed, &error), IMD_INVALID_ARGUMENT, &error,
              "only an array has slices");
  imd_value *array = parse("[0,1,2,3]");
  const struct {
    size_t start, end;
    const char *slice;
  } slices[] = {{1, 3, "[1,2]"},        {0, SIZE_MAX, "[0,1,2,3]"}, {2, 9, "[2,3]"},
                {4, 4, "[]"},           {3, 1, "[]"},               {SIZE_MAX, SIZE_MAX, "[]"},
                {0, SIZE_MAX / 2, "[0,1,2,3]"}};
  for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
    CHECK(imd_value_slice(array, slices[i].start, slices[i].end, &changed, &error) == IMD_OK);
    check_and_release(changed, slices[i].slice);
  }
  imd_value_release(array);

  patch = parse("{\"b\":null,\"c\":{\"d\":1}}");
  CHECK(imd_value_merge(value, patch, &changed, &error) == IMD_OK);
  check_and_release(changed, "{\"a\":[1,2],\"c\":{\"d\":1}}");
  imd_value_release(patch);

  patch = parse("[{\"op\":\"add\",\"path\":\"/a/-\",\"value\":9},{\"op\":\"remove\",\"path\":\"/x\"}]");
  CHECK(imd_value_patch(value, patch, &changed, &error) == IMD_NOT_FOUND);
  CHECK(strstr(error.message, "operation 1: ") == error.message);
  imd_value_release(patch);
  imd_value_release(value);
}

static void test_set_scalars(void) {
  imd_value *value = parse("{\"a\":[0]}"), *changed;
  imd_error error;
  CHECK(imd_value_set_bool(value, "/a/0", 7, &changed, &error) == IMD_OK);
  check_and_release(changed, "{\"a\":[true]}");
  CHECK(imd_value_set_integer(value, "/a/-", INT64_MIN, &changed, &error) == IMD_OK);
  check_and_release(changed, "{\"a\":[0,-9223372036854775808]}");
  CHECK(imd_value_set_real(value, "/b", 1, &changed, &error) == IMD_OK);
  check_and_release(changed, "{\"a\":[0],\"b\":1.0}");
  CHECK(imd_value_set_string(value, "/a", "x\0y", 3, &changed, &error) == IMD_OK);
  check_and_release(changed, "{\"a\":\"x\\u0000y\"}");
  CHECK(imd_value_set_string(value, NULL, "x", IMD_ZERO_TERMINATED, &changed, &error) == IMD_OK);
  check_and_release(changed, "\"x\"");

  check_error(imd_value_set_bool(value, "/b/c", 1, &changed, &error), IMD_NOT_FOUND, &error,
              "nothing at \"/b/c\": there is no member \"b\"");
  CHECK(changed == NULL);
  check_error(imd_value_set_integer(value, "a", 1, &changed, &error), IMD_INVALID_ARGUMENT, &error,
              "\"a\" is not a JSON Pointer: it must be empty or begin with \"/\"; write \"/a\"");
  check_error(imd_value_set_integer(value, "/a", 1, NULL, &error), IMD_INVALID_ARGUMENT, &error,
              "out must not be NULL");
  check_error(imd_value_set_real(value, "/a", INFINITY, &changed, &error), IMD_INVALID_ARGUMENT,
              &error, "JSON has no inf; pass a finite number");
  CHECK(changed == NULL);
  check_error(imd_value_set_string(value, "/a", "\xff", 1, &changed, &error), IMD_INVALID_ARGUMENT,
              &error, "the text is not UTF-8; pass it as UTF-8");
  check_error(imd_value_set_string(value, "/a", NULL, 0, &changed, &error), IMD_INVALID_ARGUMENT,
              &error, "text must not be NULL");
  check_error(imd_value_set_string(NULL, "/a", "x", 1, &changed, &error), IMD_INVALID_ARGUMENT,
              &error, "value must not be NULL");
  check_and_release(value, "{\"a\":[0]}");
}

static void test_sharing(void) {
  imd_value *old = parse("{\"a\":{\"x\":1},\"b\":{\"y\":[1,2,3]}}"), *five = parse("5");
  imd_value *new, *patch, *again, *left, *right;
  imd_error error;
  CHECK(imd_value_set(old, "/a/x", five, &new, &error) == IMD_OK);
  CHECK(!imd_value_equal(old, new));
  imd_value_get(old, "/b", &left, &error);
  imd_value_get(new, "/b", &right, &error);
  CHECK(imd_value_identical(left, right) && imd_value_equal(left, right));
  imd_value_release(left);
  imd_value_release(right);

  CHECK(imd_value_diff(old, new, &patch, &error) == IMD_OK);
  CHECK(imd_value_patch(old, patch, &again, &error) == IMD_OK);
  CHECK(imd_value_equal(again, new) && !imd_value_identical(again, new));
  check_and_release(patch, "[{\"op\":\"replace\",\"path\":\"/a/x\",\"value\":5}]");

  imd_value *same = imd_value_retain(new);
  CHECK(same == new);
  imd_value_release(new);
  check_and_release(same, "{\"a\":{\"x\":5},\"b\":{\"y\":[1,2,3]}}");
  CHECK(imd_value_retain(NULL) == NULL);
  imd_value_release(NULL);
  CHECK(imd_value_equal(NULL, NULL) && !imd_value_equal(NULL, old));
  imd_value_release(again);
  imd_value_release(old);
  imd_value_release(five);
}

static void test_limits(void) {
  /* A value set into itself doubles with each step, until a limit yields a status. */
  imd_value *value = parse("{}"), *next;
  imd_error error;
  imd_status status = IMD_OK;
  for (int i = 0; i < 5000 && status == IMD_OK; i++) {
    status = imd_value_set(value, i % 2 ? "/a" : "/b", value, &next, &error);
    if (status == IMD_OK) {
      imd_value_release(value);
      value = next;
    }
  }
  CHECK(status == IMD_LIMIT);
  imd_value_release(value);
}

static void test_cursor(void) {
  imd_value *object = parse("{\"b\":2,\"a\":1,\"c\\u00e9\":3}"), *array = parse("[4,[5]]");
  imd_cursor *cursor;
  imd_error error;
  const char *key;
  size_t length;
  const imd_value *value;
  char seen[64] = "";

  CHECK(imd_cursor_open(object, NULL, &cursor, &error) == IMD_OK);
  while (imd_cursor_next(cursor, &key, &length, &value)) {
    CHECK(strlen(key) == length && imd_value_kind(value) == IMD_INTEGER);
    strcat(strcat(seen, key), " ");
  }
  CHECK(key == NULL && value == NULL && length == 0);
  CHECK(imd_cursor_next(cursor, NULL, NULL, NULL) == 0);
  imd_cursor_close(cursor);
  CHECK_TEXT(seen, "a b c\xc3\xa9 ");

  CHECK(imd_cursor_open(object, "aa", &cursor, &error) == IMD_OK);
  CHECK(imd_cursor_next(cursor, &key, NULL, NULL) && strcmp(key, "b") == 0);
  imd_cursor_close(cursor);

  CHECK(imd_cursor_open(array, NULL, &cursor, &error) == IMD_OK);
  CHECK(imd_cursor_next(cursor, &key, &length, &value) && key == NULL);
  CHECK(imd_cursor_next(cursor, NULL, NULL, &value) && imd_value_kind(value) == IMD_ARRAY);
  CHECK(!imd_cursor_next(cursor, NULL, NULL, NULL));
  imd_cursor_close(cursor);

  check_error(imd_cursor_open(array, "a", &cursor, &error), IMD_INVALID_ARGUMENT, &error,
              "an array has no keys to begin from; pass NULL as from_key");
  CHECK(imd_cursor_next(NULL, NULL, NULL, NULL) == 0);
  imd_cursor_close(NULL);
  imd_value_release(object);

  CHECK(imd_cursor_open(array, NULL, &cursor, &error) == IMD_OK);
  imd_value_release(array); /* The cursor retains it. */
  CHECK(imd_cursor_next(cursor, NULL, NULL, &value) && imd_value_kind(value) == IMD_INTEGER);
  CHECK(imd_cursor_next(cursor, NULL, NULL, &value) && imd_value_count(value) == 1);
  imd_cursor_close(cursor);
}

int main(void) {
  test_scalars();
  test_get();
  test_read();
  test_change();
  test_set_scalars();
  test_sharing();
  test_limits();
  test_cursor();
  return check_report();
}
