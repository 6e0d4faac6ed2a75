#include "plain.h"

#include "report.h"

char *plain_text(const json_t *value) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
  EXPECT(text != NULL, "jansson cannot write a value");
  return text;
}

json_t *plain_parse(const char *text) {
  json_error_t error;
  json_t *value = json_loads(text, JSON_DECODE_ANY, &error);
  EXPECT(value != NULL, "%s: %s", error.text, text);
  return value;
}

json_t *plain_member(const json_t *value, const char *key) {
  return json_is_object(value) ? json_object_get(value, key) : NULL;
}

int plain_equal(const json_t *left, const json_t *right) {
  return left == right || (left && right && json_equal(left, right));
}
