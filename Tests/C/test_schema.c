/* The option "schema" of a store. */
#include "check.h"

#include <immutabledata.h>

static imd_status take_payload(void *context, const imd_value *state, const imd_value *action,
                               imd_value **next, imd_error *error) {
  (void)context;
  (void)state;
  return imd_value_get(action, "/payload", next, error);
}

static imd_status create(const char *state, imd_store **store, imd_error *error) {
  static const char options[] =
      "{\"schema\":{\"actions\":{\"set\":{\"type\":\"object\"}},"
      "\"state\":{\"properties\":{\"n\":{\"type\":\"integer\"}}}}}";
  return imd_store_create(state, IMD_ZERO_TERMINATED, take_payload, NULL, NULL, options,
                          IMD_ZERO_TERMINATED, store, error);
}

static void check_dispatch(imd_store *store, const char *action, imd_status status,
                           const char *message) {
  imd_error error;
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == status);
  CHECK_TEXT(error.message, message);
}

int main(void) {
  imd_store *store = NULL;
  imd_error error;
  char *state = NULL;
  CHECK(create("{\"n\":null}", &store, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "state/n: expected an integer, found null");
  CHECK(create("{}", &store, &error) == IMD_OK);

  check_dispatch(store, "{\"type\":\"set\",\"payload\":{\"n\":1}}", IMD_OK, "");
  check_dispatch(store, "{\"type\":\"sett\",\"payload\":{}}", IMD_INVALID_ACTION,
                 "unknown action type \"sett\"; did you mean \"set\"?");
  check_dispatch(store, "{\"type\":\"set\",\"payload\":2}", IMD_INVALID_ACTION,
                 "\"set\": payload: expected an object, found an integer");
  check_dispatch(store, "{\"type\":\"set\",\"payload\":{\"n\":\"x\"}}", IMD_REDUCER_FAILED,
                 "the reducer returned a state that does not fit its schema: state/n: expected an "
                 "integer, found a string");
  CHECK(imd_store_query(store, "@", NULL, 0, &state, NULL, &error) == IMD_OK);
  CHECK_TEXT(state, "{\"n\":1}");
  imd_free(state);
  imd_store_close(store);
  return check_report();
}
