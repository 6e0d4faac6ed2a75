/* The stack that conversions from and to jansson use for the deepest valid input. */
#define _GNU_SOURCE
#include "deep.h"
#include "stack.h"

#include <immutabledata_jansson.h>

/* Created and freed level by level: jansson's own functions recurse. */
static json_t *nested_jansson(int depth) {
  json_t *json = json_integer(1);
  for (int i = 0; i < depth; i++) {
    json_t *around = i % 2 ? json_object() : json_array();
    if (i % 2)
      json_object_set_new(around, "a", json);
    else
      json_array_append_new(around, json);
    json = around;
  }
  return json;
}

static void free_jansson(json_t *json) {
  while (json) {
    json_t *part = json_is_object(json) ? json_object_get(json, "a") : json_array_get(json, 0);
    json_incref(part);
    json_decref(json);
    json = part;
  }
}

static void jansson(void) {
  json_t *json = nested_jansson(DEPTH), *made = NULL;
  imd_value *value = NULL, *again = NULL;
  imd_error error;
  CHECK(imd_value_from_jansson(json, &value, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  CHECK(imd_value_to_jansson(value, &made, &error) == IMD_OK);
  CHECK(imd_value_from_jansson(made, &again, &error) == IMD_OK);
  CHECK(imd_value_equal(value, again));
  free_jansson(json);
  free_jansson(made);
  imd_value_release(value);
  imd_value_release(again);

  json = nested_jansson(DEPTH + 1);
  CHECK(imd_value_from_jansson(json, &value, &error) == IMD_LIMIT);
  CHECK_TEXT(error.message,
             "json is beyond a limit: the value would nest deeper than 2048 levels");
  free_jansson(json);

  json_t *cycle = json_array(), *inside = json_array();
  json_array_append_new(cycle, inside);
  json_array_append(inside, cycle);
  CHECK(imd_value_from_jansson(cycle, &value, &error) == IMD_LIMIT);
  json_array_clear(inside);
  json_decref(cycle);
}

/* One part 2^27 times: each distinct part is converted once. */
static void jansson_shared(void) {
  json_t *json = json_array();
  for (int i = 0; i < 27; i++) {
    json_t *around = json_array();
    json_array_append(around, json);
    json_array_append_new(around, json);
    json = around;
  }
  imd_value *value = NULL;
  CHECK(imd_value_from_jansson(json, &value, NULL) == IMD_OK);
  CHECK(imd_value_count(value) == 2);
  imd_value_release(value);
  json_decref(json);
}

int main(int count, char **arguments) {
  const stack_case cases[] = {
      {"jansson", jansson},
      {"jansson_shared", jansson_shared},
  };
  return stack_main(count, arguments, cases, sizeof cases / sizeof *cases);
}
