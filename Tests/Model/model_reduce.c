/* The reducer of the model, on copies. */
#include "model.h"

#include "plain.h"

#include <string.h>

static imd_status count(const json_t *state, const char *type, json_t **next) {
  int up = strcmp(type, "didTapIncrementButton") == 0;
  if (!up && strcmp(type, "didTapDecrementButton") != 0) return IMD_INVALID_ACTION;
  json_int_t value = json_integer_value(plain_member(state, "value"));
  if (value == (up ? INT64_MAX : INT64_MIN)) return IMD_REDUCER_FAILED;
  *next = json_pack("{s:I}", "value", value + (up ? 1 : -1));
  return IMD_OK;
}

static imd_status add(const json_t *state, json_int_t difference, json_t **next) {
  json_t *n = plain_member(state, "n");
  if (!json_is_integer(n)) return IMD_REDUCER_FAILED;
  *next = json_deep_copy(state);
  json_object_set_new(*next, "n", json_integer(json_integer_value(n) + difference));
  return IMD_OK;
}

static imd_status push(const json_t *state, json_t *element, json_t **next) {
  if (!json_is_array(plain_member(state, "list"))) return IMD_REDUCER_FAILED;
  *next = json_deep_copy(state);
  json_array_append(plain_member(*next, "list"), element);
  return IMD_OK;
}

static imd_status pop(const json_t *state, json_t **next) {
  if (json_array_size(plain_member(state, "list")) == 0) return IMD_REDUCER_FAILED;
  *next = json_deep_copy(state);
  json_array_remove(plain_member(*next, "list"), 0);
  return IMD_OK;
}

static imd_status set(const json_t *state, const char *key, json_t *value, json_t **next) {
  if (!json_is_object(state)) return IMD_REDUCER_FAILED;
  *next = json_deep_copy(state);
  json_object_set(*next, key, value);
  return IMD_OK;
}

/* Applies a merge patch of one level to "sub". */
static imd_status merge(const json_t *state, json_t *patch, json_t **next) {
  if (!json_is_object(plain_member(state, "sub"))) return IMD_REDUCER_FAILED;
  *next = json_deep_copy(state);
  const char *key;
  json_t *value, *sub = plain_member(*next, "sub");
  json_object_foreach(patch, key, value) {
    if (json_is_null(value)) json_object_del(sub, key);
    else json_object_set(sub, key, value);
  }
  return IMD_OK;
}

imd_status model_reduce(int is_counter, const json_t *state, const json_t *action,
                        json_t **next) {
  const char *type = json_string_value(plain_member(action, "type"));
  json_t *payload = plain_member(action, "payload"), *copy;
  imd_status status = IMD_OK;
  *next = NULL;
  if (type == NULL) return IMD_INVALID_ACTION;
  if (is_counter) {
    status = count(state, type, next);
  } else if (strcmp(type, "add") == 0) {
    status = add(state, json_integer_value(payload), next);
  } else if (strcmp(type, "addIfEven") == 0) {
    int is_odd = json_integer_value(plain_member(state, "n")) % 2 != 0;
    status = is_odd ? IMD_REDUCER_FAILED : add(state, 1, next);
  } else if (strcmp(type, "push") == 0) {
    status = push(state, payload, next);
  } else if (strcmp(type, "pop") == 0) {
    status = pop(state, next);
  } else if (strcmp(type, "setTag") == 0) {
    status = set(state, "tag", payload, next);
  } else if (strcmp(type, "merge") == 0) {
    status = merge(state, payload, next);
  } else if (strcmp(type, "becomePart") == 0) {
    copy = plain_member(state, "sub");
    *next = copy ? json_deep_copy(copy) : NULL;
    status = copy ? IMD_OK : IMD_REDUCER_FAILED;
  } else if (strcmp(type, "becomePayload") == 0) {
    *next = json_deep_copy(payload);
  } else if (strncmp(type, "becomeAction", 12) == 0) {
    *next = json_deep_copy(action);
  } else if (strncmp(type, "keep", 4) == 0) {
    *next = json_deep_copy(state);
  } else if (strncmp(type, "use", 3) == 0) {
    status = IMD_REENTRANT;
  } else {
    status = IMD_REDUCER_FAILED;
  }
  return status;
}
