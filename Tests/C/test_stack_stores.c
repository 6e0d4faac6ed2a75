/* The stack that the store functions use for the deepest valid input, for nested expressions, and
 * for a backup. */
#define _GNU_SOURCE
#include "deep.h"
#include "stack.h"

#include <unistd.h>

/* An expression nests at most 110 levels deep. The innermost expression is one of them. */
enum { EXPRESSION_DEPTH = 109 };

/* ---- Actions and states ---------------------------------------------------------------------- */

/* The state becomes the payload of the action. */
static imd_status take_payload(void *context, const imd_value *state, const imd_value *action,
                               imd_value **next, imd_error *error) {
  (void)context;
  (void)state;
  return imd_value_get(action, "/payload", next, error);
}

static void check_kind(void *context, const imd_delivery *delivery) {
  CHECK((int)delivery->kind == *(int *)context || delivery->kind == IMD_DELIVERY_VALUE);
}

static imd_store *create(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create("{}", 2, take_payload, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  return store;
}

/* An action that sets the state to {"a":{"a":…}}. The caller frees it. */
static char *action_text(void) {
  char *state = nested_text("{\"a\":", "1", "}", DEPTH - 1);
  char *action = malloc(strlen(state) + 64);
  sprintf(action, "{\"type\":\"set\",\"payload\":%s}", state);
  free(state);
  return action;
}

static void dispatch_text(void) {
  imd_store *store = create();
  char *action = action_text();
  imd_error error;
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  free(action);
  imd_store_close(store);
}

static void dispatch_batch(void) {
  imd_store *store = create();
  char *state = nested_text("{\"a\":", "1", "}", DEPTH - 2);
  char *actions = malloc(strlen(state) + 64);
  imd_error error;
  sprintf(actions, "[{\"type\":\"set\",\"payload\":%s}]", state);
  CHECK(imd_store_dispatch_batch(store, actions, IMD_ZERO_TERMINATED, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  free(actions);
  free(state);
  imd_store_close(store);
}

static void create_store(void) {
  char *text = nested_text("[", "1", "]", DEPTH), *state = NULL;
  imd_store *store = NULL;
  imd_error error;
  CHECK(imd_store_create(text, IMD_ZERO_TERMINATED, take_payload, NULL, NULL, NULL, 0, &store,
                         &error) == IMD_OK);
  CHECK(imd_store_query(store, "@", NULL, 0, &state, NULL, &error) == IMD_OK);
  CHECK(state != NULL && strcmp(state, text) == 0);
  imd_free(state);
  imd_store_close(store);
  free(text);
}

/* Passes states that differ at the maximum depth through every consumer. */
static void store(void) {
  imd_store *store = create();
  imd_value *payload = NULL, *action = NULL, *empty = NULL, *state = NULL;
  imd_observation *observation = NULL, *patches = NULL;
  int value_kind = IMD_DELIVERY_VALUE, patch_kind = IMD_DELIVERY_PATCH;
  imd_error error;
  char *output = NULL;
  CHECK(imd_value_parse("{\"type\":\"set\",\"payload\":0}", IMD_ZERO_TERMINATED, &empty, NULL) ==
        IMD_OK);
  CHECK(imd_store_define_selector(store, "whole", "@", &error) == IMD_OK);
  CHECK(imd_store_observe(store, "whole", NULL, 0, NULL, 0, check_kind, &value_kind, NULL,
                          &observation, &error) == IMD_OK);
  CHECK(imd_store_observe(store, "whole", NULL, 0, "{\"deliver\":\"patch\"}", IMD_ZERO_TERMINATED,
                          check_kind, &patch_kind, NULL, &patches, &error) == IMD_OK);
  imd_stream *stream = NULL;
  CHECK(imd_store_stream(store, NULL, 0, &stream, &error) == IMD_OK);
  for (int i = 0; i < 4; i++) {
    payload = nested(i, DEPTH - 1, 1);
    CHECK(imd_value_set(empty, "/payload", payload, &action, NULL) == IMD_OK);
    char *text = NULL;
    CHECK(imd_value_text(action, &text, NULL, NULL) == IMD_OK);
    CHECK(imd_store_dispatch(store, text, IMD_ZERO_TERMINATED, &error) == IMD_OK);
    CHECK_TEXT(error.message, "");
    CHECK(imd_store_state(store, &state, &error) == IMD_OK);
    CHECK(imd_value_equal(state, payload));
    imd_value *streamed = NULL, *old = NULL, *new = NULL;
    CHECK(imd_stream_next(stream, 0, &streamed, &old, &new, &error) == IMD_OK);
    CHECK(imd_value_equal(streamed, action) && imd_value_equal(new, payload));
    imd_value_release(streamed);
    imd_value_release(old);
    imd_value_release(new);
    CHECK(imd_store_select(store, "whole", NULL, 0, &output, NULL, &error) == IMD_OK);
    imd_free(output);
    CHECK(imd_store_query(store, "a.a == a.a", NULL, 0, &output, NULL, &error) == IMD_OK);
    CHECK_TEXT(output, "true");
    imd_free(output);
    imd_free(text);
    imd_value_release(state);
    imd_value_release(action);
    imd_value_release(payload);
  }
  imd_value_release(empty);
  imd_stream_close(stream);
  imd_observation_cancel(observation);
  imd_observation_cancel(patches);
  imd_store_close(store);
}

/* ---- Expressions ---------------------------------------------------------------------------- */

/* Evaluates an expression at the maximum depth, as a query and as a selector. The state is
 * {"a":[{"a":[…]}]}, so that each level of the expression has something to evaluate. */
static void expression(const char *open, const char *inside, const char *close) {
  char *state = nested_text("{\"a\":[", "{\"a\":1}", "]}", 2 * EXPRESSION_DEPTH);
  char *text = nested_text(open, inside, close, EXPRESSION_DEPTH), *output = NULL;
  imd_store *store = NULL;
  imd_error error;
  CHECK(imd_store_create(state, IMD_ZERO_TERMINATED, take_payload, NULL, NULL, NULL, 0, &store,
                         &error) == IMD_OK);
  CHECK(imd_store_query(store, text, NULL, 0, &output, NULL, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  imd_free(output);
  CHECK(imd_store_define_selector(store, "nested", text, &error) == IMD_OK);
  CHECK(imd_store_select(store, "nested", NULL, 0, &output, NULL, &error) == IMD_OK);
  imd_free(output);
  imd_store_close(store);
  free(text);
  free(state);
}

static void expression_nested_to_the_limit(void) {
  expression("(", "a", ")");
  expression("[", "a", "]");
  expression("{a: ", "a", "}");
  expression("!", "a", "");
  expression("a[?", "a", "]");
  expression("a[0].{a: ", "a", "}");
  expression("a.", "a", "");
  expression("a | ", "a", "");
  expression("a || ", "a", "");
  expression("not_null(", "a", ")");
  expression("map(&", "a", ", a)");
  expression("let $a = ", "a", " in a");
}

/* ---- Schemas --------------------------------------------------------------------------------- */

/* Checks a value in as many schemas as a check may go through: as a state and as a payload. The
 * innermost part changes, so that the change is as deep. */
static void schema(const char *schema, int depth) {
  char *state = nested_text("{\"a\":", "1", "}", depth);
  char *changed = nested_text("{\"a\":", "2", "}", depth);
  char *deeper = nested_text("{\"a\":", "1", "}", depth + 1);
  char options[512];
  char *action = malloc(strlen(deeper) + 64);
  imd_store *store = NULL;
  imd_error error;
  snprintf(options, sizeof options, "{\"schema\":{\"state\":%s,\"actions\":{\"set\":%s}}}",
           schema, schema);
  CHECK(imd_store_create(deeper, IMD_ZERO_TERMINATED, take_payload, NULL, NULL, options,
                         IMD_ZERO_TERMINATED, &store, &error) == IMD_LIMIT);
  CHECK(imd_store_create(state, IMD_ZERO_TERMINATED, take_payload, NULL, NULL, options,
                         IMD_ZERO_TERMINATED, &store, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  sprintf(action, "{\"type\":\"set\",\"payload\":%s}", changed);
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  imd_store_close(store);
  free(action);
  free(deeper);
  free(changed);
  free(state);
}

static void schema_of_members(void) {
  schema("{\"properties\":{\"a\":{\"$ref\":\"#\"}}}", 128);
}

/* Each object is checked against both branches, and fits the second. */
static void schema_of_unions(void) {
  schema("{\"anyOf\":[{\"required\":[\"b\"]},{\"properties\":{\"a\":{\"$ref\":\"#\"}}},"
         "{\"type\":\"integer\"}]}",
         63);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void backup(void) {
  char folder[] = "/tmp/imd-stack-XXXXXX", copy[64];
  imd_store *store = NULL;
  imd_error error;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(copy, sizeof copy, "%s/copy", folder);
  CHECK(imd_store_open("animals", NULL, 0, &store, NULL) == IMD_OK);
  CHECK(imd_store_backup(store, copy, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  imd_store_close(store);
  CHECK(unlink(copy) == 0 && rmdir(folder) == 0);
}

int main(int count, char **arguments) {
  const stack_case cases[] = {
      {"dispatch_text", dispatch_text},
      {"dispatch_batch", dispatch_batch},
      {"create_store", create_store},
      {"store", store},
      {"expression_nested_to_the_limit", expression_nested_to_the_limit},
      {"schema_of_members", schema_of_members},
      {"schema_of_unions", schema_of_unions},
      {"backup", backup},
  };
  return stack_main(count, arguments, cases, sizeof cases / sizeof *cases);
}
