/* The selectors, as JMESPath for the library and in C for the model. */
#include "model.h"

#include "plain.h"

#include <string.h>

static output is(json_t *value) { return (output){OUTPUT_VALUE, value}; }

static output copy_of(json_t *value) { return is(value ? json_deep_copy(value) : json_null()); }

/* The error of a function with an argument of a wrong type. */
static output fails(json_t *value) {
  return (output){OUTPUT_FAILURE, json_integer(value ? json_typeof(value) : JSON_NULL)};
}

static output n(const json_t *state, const json_t *argument) {
  (void)argument;
  return copy_of(plain_member(state, "n"));
}

static output whole(const json_t *state, const json_t *argument) {
  (void)argument;
  return is(json_deep_copy(state));
}

static output first(const json_t *state, const json_t *argument) {
  (void)argument;
  return copy_of(json_array_get(plain_member(state, "list"), 0));
}

static output length(const json_t *state, const json_t *argument) {
  (void)argument;
  json_t *list = plain_member(state, "list");
  return json_is_array(list) ? is(json_integer((json_int_t)json_array_size(list))) : fails(list);
}

static output list(const json_t *state, const json_t *argument) {
  (void)argument;
  return copy_of(plain_member(state, "list"));
}

static output large(const json_t *state, const json_t *argument) {
  (void)argument;
  json_t *list = plain_member(state, "list"), *element, *result;
  size_t index;
  if (!json_is_array(list)) return is(json_null());
  result = json_array();
  json_array_foreach(list, index, element) {
    if (json_integer_value(element) > 4) json_array_append_new(result, json_deep_copy(element));
  }
  return is(result);
}

static output sub(const json_t *state, const json_t *argument) {
  (void)argument;
  return copy_of(plain_member(state, "sub"));
}

static output pair(const json_t *state, const json_t *argument) {
  output x = n(state, argument), y = copy_of(plain_member(plain_member(state, "sub"), "a"));
  return is(json_pack("{s:o,s:o}", "x", x.value, "y", y.value));
}

static output absolute(const json_t *state, const json_t *argument) {
  (void)argument;
  json_t *tag = plain_member(state, "tag");
  if (!json_is_integer(tag)) return fails(tag);
  json_int_t value = json_integer_value(tag);
  return is(json_integer(value < 0 ? -value : value));
}

static output element(const json_t *state, const json_t *argument) {
  return copy_of(
      json_array_get(plain_member(state, "list"), (size_t)json_integer_value(argument)));
}

static output member(const json_t *state, const json_t *argument) {
  return copy_of(plain_member(plain_member(state, "sub"), json_string_value(argument)));
}

static output value(const json_t *state, const json_t *argument) {
  (void)argument;
  return copy_of(plain_member(state, "value"));
}

const selector host_selectors[] = {
    {"n", "n", NULL, n, 0},
    {"whole", "@", NULL, whole, 0},
    {"first", "list[0]", NULL, first, 0},
    {"length", "length(list)", NULL, length, 0},
    {"list", "list", NULL, list, 0},
    {"large", "list[?@ > `4`]", NULL, large, 0},
    {"sub", "sub", NULL, sub, 0},
    {"pair", "{x: n, y: sub.a}", NULL, pair, 0},
    {"absolute", "abs(tag)", NULL, absolute, 0},
    {"element", "get(list, $i)", "i", element, 0},
    {"member", "get(sub, $key)", "key", member, 0},
};
const int host_selector_count = sizeof host_selectors / sizeof *host_selectors;

const selector counter_selector = {"selectValue", "value", NULL, value, 0};
const selector history_selector = {"@@history", NULL, NULL, whole, 1};

output output_copy(output output) {
  output.value = json_deep_copy(output.value);
  return output;
}

void output_free(output output) { json_decref(output.value); }

int output_equal(output left, output right) {
  return left.kind == right.kind && plain_equal(left.value, right.value);
}

int model_matches(const char *pattern, const json_t *action) {
  const char *type = json_string_value(plain_member(action, "type")), *star = strchr(pattern, '*');
  if (!type) return 0;
  return star ? strncmp(pattern, type, (size_t)(star - pattern)) == 0 : strcmp(pattern, type) == 0;
}
