/* The stack that the value functions use for the deepest valid input. */
#define _GNU_SOURCE
#include "deep.h"
#include "stack.h"

static void check_text(const imd_value *value, const char *expected) {
  char *text = NULL;
  CHECK(imd_value_text(value, &text, NULL, NULL) == IMD_OK);
  CHECK(text != NULL && strcmp(text, expected) == 0);
  imd_free(text);
}

static void parse(const char *open, const char *close) {
  char *text = nested_text(open, "1", close, DEPTH);
  imd_value *value = NULL;
  imd_error error;
  CHECK(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  imd_value_release(value);
  free(text);
}

static void parse_arrays(void) {
  parse("[", "]");
}

static void parse_objects(void) {
  parse("{\"a\":", "}");
}

static void text(void) {
  imd_value *value = nested(1, DEPTH, 0);
  char *expected = nested_text("[", "1", ",1]", DEPTH);
  check_text(value, expected);
  free(expected);
  imd_value_release(value);
}

static void equal(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *one = nested(1, DEPTH, objects), *same = nested(1, DEPTH, objects);
    imd_value *other = nested(2, DEPTH, objects);
    CHECK(imd_value_equal(one, same));
    CHECK(!imd_value_equal(one, other));
    imd_value_release(one);
    imd_value_release(same);
    imd_value_release(other);
  }
}

static void diff_and_patch(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *one = nested(1, DEPTH, objects), *other = nested(2, DEPTH, objects);
    imd_value *patch = NULL, *patched = NULL;
    imd_error error;
    CHECK(imd_value_diff(one, other, &patch, &error) == IMD_OK);
    CHECK(imd_value_count(patch) == 1);
    CHECK(imd_value_patch(one, patch, &patched, &error) == IMD_OK);
    CHECK_TEXT(error.message, "");
    CHECK(imd_value_equal(patched, other));
    imd_value_release(one);
    imd_value_release(other);
    imd_value_release(patch);
    imd_value_release(patched);
  }
}

/* A patch whose "test" compares the deepest value that fits in its own two levels. */
static void patch_test(void) {
  imd_value *value = nested(1, DEPTH - 2, 1), *expected = nested(1, DEPTH - 2, 1);
  imd_value *patch = NULL, *deep = NULL, *patched = NULL;
  CHECK(imd_value_parse("[{\"op\":\"test\",\"path\":\"\",\"value\":0}]", IMD_ZERO_TERMINATED,
                        &patch, NULL) == IMD_OK);
  CHECK(imd_value_set(patch, "/0/value", expected, &deep, NULL) == IMD_OK);
  CHECK(imd_value_patch(value, deep, &patched, NULL) == IMD_OK);
  CHECK(imd_value_identical(value, patched));
  imd_value_release(value);
  imd_value_release(expected);
  imd_value_release(patch);
  imd_value_release(deep);
  imd_value_release(patched);
}

static void merge(void) {
  imd_value *one = nested(1, DEPTH, 1), *other = nested(2, DEPTH, 1), *merged = NULL;
  imd_value *scalar = NULL;
  CHECK(imd_value_merge(one, other, &merged, NULL) == IMD_OK);
  CHECK(imd_value_equal(merged, other));
  imd_value_release(merged);
  CHECK(imd_value_from_bool(1, &scalar, NULL) == IMD_OK);
  CHECK(imd_value_merge(scalar, other, &merged, NULL) == IMD_OK);
  CHECK(imd_value_equal(merged, other));
  imd_value_release(merged);
  imd_value_release(scalar);
  imd_value_release(one);
  imd_value_release(other);
}

static void change(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *value = nested(1, DEPTH, objects), *changed = NULL;
    imd_value *expected = nested(2, DEPTH, objects), *element = NULL;
    char *pointer = nested_pointer(objects, "");
    CHECK(imd_value_from_integer(2, &element, NULL) == IMD_OK);
    CHECK(imd_value_set(value, pointer, element, &changed, NULL) == IMD_OK);
    CHECK(imd_value_equal(changed, expected));
    imd_value_release(changed);
    CHECK(imd_value_set_integer(value, pointer, 2, &changed, NULL) == IMD_OK);
    CHECK(imd_value_equal(changed, expected));
    imd_value_release(changed);
    CHECK(imd_value_insert(value, pointer, element, &changed, NULL) == IMD_OK);
    CHECK(imd_value_equal(changed, expected) == objects);
    imd_value_release(changed);
    CHECK(imd_value_remove(value, pointer, &changed, NULL) == IMD_OK);
    CHECK(!imd_value_equal(changed, value));
    imd_value_release(changed);
    free(pointer);
    imd_value_release(value);
    imd_value_release(expected);
    imd_value_release(element);
  }
}

/* The longest pointers that use the fast path. */
static void change_by_short_pointer(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *value = nested(1, 128, objects), *changed = NULL;
    imd_value *expected = nested(2, 128, objects);
    char *pointer = nested_text(objects ? "/a" : "/0", "", "", 128);
    CHECK(imd_value_set_integer(value, pointer, 2, &changed, NULL) == IMD_OK);
    CHECK(imd_value_equal(changed, expected));
    free(pointer);
    imd_value_release(value);
    imd_value_release(changed);
    imd_value_release(expected);
  }
}

/* An array of many elements at each level: trees of several nodes. */
static void wide(void) {
  char *text = nested_text("0,", "0]", "", 400);
  char *open = malloc(strlen(text) + 2);
  imd_value *value = NULL, *next = NULL, *copy = NULL;
  CHECK(imd_value_from_integer(1, &value, NULL) == IMD_OK);
  imd_value *around = NULL;
  sprintf(open, "[%s", text);
  CHECK(imd_value_parse(open, IMD_ZERO_TERMINATED, &around, NULL) == IMD_OK);
  for (int i = 0; i < DEPTH; i++) {
    CHECK(imd_value_set(around, "/200", value, &next, NULL) == IMD_OK);
    imd_value_release(value);
    value = next;
  }
  char *pointer = nested_text("/200", "", "", DEPTH);
  CHECK(imd_value_set_integer(value, pointer, 2, &copy, NULL) == IMD_OK);
  CHECK(!imd_value_equal(value, copy));
  imd_value_release(value);
  imd_value_release(copy);
  imd_value_release(around);
  free(pointer);
  free(open);
  free(text);
}

static void get(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *value = nested(1, DEPTH, objects), *part = NULL;
    char *pointer = nested_pointer(objects, "");
    int64_t integer = 0;
    imd_content read;
    imd_error error;
    CHECK(imd_value_get(value, pointer, &part, NULL) == IMD_OK);
    CHECK(imd_value_kind(part) == IMD_INTEGER);
    CHECK(imd_value_get_integer(value, pointer, &integer, NULL) == IMD_OK);
    CHECK(integer == 1);
    imd_value_release(part);
    CHECK(imd_value_read(value, pointer, &read, NULL) == IMD_OK);
    CHECK(read.kind == IMD_INTEGER);
    free(pointer);
    pointer = nested_pointer(objects, "/nothing");
    CHECK(imd_value_get(value, pointer, &part, &error) == IMD_INVALID_ARGUMENT);
    CHECK(part == NULL);
    free(pointer);
    pointer = nested_text("/a~0", "", "", 1000000);
    CHECK(imd_value_get(value, pointer, &part, &error) != IMD_OK);
    free(pointer);
    imd_value_release(value);
  }
}

/* A part outlives the levels around it. */
static void release(void) {
  imd_value *value = nested(1, DEPTH, 1), *part = NULL;
  char *pointer = nested_text("/a", "", "", DEPTH / 2);
  CHECK(imd_value_get(value, pointer, &part, NULL) == IMD_OK);
  imd_value_release(value);
  CHECK(imd_value_count(part) == 2);
  imd_value_release(part);
  free(pointer);
}

static void cursor(void) {
  imd_value *value = nested(1, DEPTH, 1), *part = NULL;
  imd_cursor *cursor = NULL;
  for (int i = 0; i < DEPTH; i++) {
    const imd_value *member = NULL;
    const char *key = NULL;
    CHECK(imd_cursor_open(value, NULL, &cursor, NULL) == IMD_OK);
    CHECK(imd_cursor_next(cursor, &key, NULL, &member) == 1);
    CHECK_TEXT(key, "a");
    part = imd_value_retain(member);
    imd_value_release(value);
    imd_cursor_close(cursor);
    value = part;
  }
  CHECK(imd_value_kind(value) == IMD_INTEGER);
  imd_value_release(value);
}

/* Members that nest as deep as they may, and one level deeper. */
static void members(void) {
  imd_member lists[32];
  imd_value *deep = nested(1, DEPTH - 31, 1), *value = NULL;
  imd_error error;
  for (int i = 0; i < 32; i++) {
    imd_member list = {"a", IMD_OBJECT, 1, 0, 0, NULL, NULL, &lists[i + 1]};
    lists[i] = list;
  }
  lists[31].kind = IMD_VALUE;
  lists[31].value = deep;
  CHECK(imd_value_object(&lists[1], 1, &value, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  imd_value_release(value);
  CHECK(imd_value_object(lists, 1, &value, &error) == IMD_LIMIT); /* by the value */
  lists[31].kind = IMD_ARRAY;
  lists[31].members = lists;
  CHECK(imd_value_object(lists, 1, &value, &error) == IMD_LIMIT);
  CHECK(strstr(error.message, "nest deeper than 32 levels") != NULL);
  imd_value_release(deep);
}

int main(int count, char **arguments) {
  const stack_case cases[] = {
      {"parse_arrays", parse_arrays},
      {"parse_objects", parse_objects},
      {"text", text},
      {"equal", equal},
      {"diff_and_patch", diff_and_patch},
      {"patch_test", patch_test},
      {"merge", merge},
      {"change", change},
      {"change_by_short_pointer", change_by_short_pointer},
      {"wide", wide},
      {"get", get},
      {"release", release},
      {"cursor", cursor},
      {"members", members},
  };
  return stack_main(count, arguments, cases, sizeof cases / sizeof *cases);
}
