/* libFuzzer: whatever a rule returns, the process survives, effects end, and the state can be read.
 *
 * The input is the JSON that the rule returns after the first action. Time passes by itself. */
#include <immutabledata.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "check failed: %s\n", what);
  abort();
}

/* The state is the list of the actions. */
static imd_status append(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  return imd_value_set(state, "/-", action, next, error);
}

typedef struct {
  const imd_value *effects;
  int failures;
} input;

static imd_status ask(void *context, const imd_value *action, const imd_value *old_state,
                      const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)action, (void)new_state, (void)error;
  if (imd_value_count(old_state) == 0) *effects = imd_value_retain(((input *)context)->effects);
  return IMD_OK;
}

static void echo(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)context;
  require(imd_effect_resolve(effect, arguments, NULL) == IMD_OK, "an effect can be resolved");
  require(imd_effect_reject(effect, "late", NULL) == IMD_CLOSED, "an effect ends once");
}

static void refuse(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)context, (void)arguments;
  require(imd_effect_reject(effect, "no", NULL) == IMD_OK, "an effect can be rejected");
}

static void count_failure(void *context, const imd_error *error) {
  require(error->status != IMD_OK && error->message[0] != 0, "a failure has a message");
  ((input *)context)->failures++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  imd_value *effects = NULL, *state = NULL;
  imd_store *store = NULL;
  const char *action = "{\"type\":\"ask\"}";
  if (size == 0 || imd_value_parse((const char *)data, size, &effects, NULL) != IMD_OK) return 0;
  input input = {effects, 0};
  const char *options = "{\"clock\":\"manual\"}";
  require(imd_store_create("[]", 2, append, NULL, NULL, options, IMD_ZERO_TERMINATED, &store, NULL) ==
                  IMD_OK &&
              imd_store_set_effect(store, "e", echo, NULL, NULL, NULL) == IMD_OK &&
              imd_store_set_effect(store, "r", refuse, NULL, NULL, NULL) == IMD_OK &&
              imd_store_set_effect_error_handler(store, count_failure, &input, NULL, NULL) ==
                  IMD_OK &&
              imd_store_set_rule(store, ask, &input, NULL, NULL) == IMD_OK,
          "the store opens");
  require(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK, "dispatches");
  for (int i = 0; i < 4; i++)
    require(imd_store_advance(store, i * 1000, NULL) == IMD_OK, "time passes");
  require(imd_store_settle(store, 10000, NULL) == IMD_OK, "effects end");
  require(imd_store_state(store, &state, NULL) == IMD_OK, "the state can be read");
  size_t asked = imd_value_kind(effects) == IMD_ARRAY ? imd_value_count(effects) : 0;
  require(imd_value_count(state) - 1 <= asked, "an effect has at most one outcome");
  if (imd_value_kind(effects) != IMD_ARRAY && imd_value_kind(effects) != IMD_NULL)
    require(input.failures == 1, "another shape is a failure");
  imd_store_close(store);
  imd_value_release(state);
  imd_value_release(effects);
  return 0;
}
