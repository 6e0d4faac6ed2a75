/* Dispatches from C of an action with a text that needs escapes: of members, and of a value that is
 * parsed and changed. */
#include "jobs.h"

#include "measure.h"

#include <stdbool.h>

static const char title[] = "Feed the \"cat\"";

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  imd_value *payload;
  imd_status status = imd_value_get(action, "/payload", &payload, error);
  if (status == IMD_OK) status = imd_value_set(state, "/last", payload, next, error);
  imd_value_release(payload);
  return status;
}

static void *open_store(void) {
  imd_error error;
  imd_store *store;
  check(imd_store_create("{\"last\":{}}", IMD_ZERO_TERMINATED, reduce, NULL, NULL, NULL, 0, &store,
                         &error),
        &error);
  return store;
}

static void dispatch_members(void *store) {
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++)
    check(imd_store_dispatch_object(
              store, IMD_ACTION("added", IMD_MEMBER("title", title), IMD_MEMBER("done", false)),
              &error),
          &error);
}

static void dispatch_parsed(void *store) {
  const char *text = "{\"type\":\"added\",\"payload\":{\"done\":false}}";
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    imd_value *untitled, *action;
    check(imd_value_parse(text, IMD_ZERO_TERMINATED, &untitled, &error), &error);
    check(imd_value_set_string(untitled, "/payload/title", title, IMD_ZERO_TERMINATED, &action,
                               &error),
          &error);
    check(imd_store_dispatch_value(store, action, &error), &error);
    imd_value_release(untitled);
    imd_value_release(action);
  }
}

const job member_jobs[] = {
    {"dispatch of members", OPERATIONS, open_store, dispatch_members},
    {"dispatch of a parsed and changed value", OPERATIONS, open_store, dispatch_parsed},
    {0},
};
