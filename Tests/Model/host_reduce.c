/* The reducer of the model, for the library. It returns every kind of valid result, and makes
 * forbidden calls. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

static imd_status add(const imd_value *state, int64_t difference, imd_value **next,
                      imd_error *error) {
  int64_t n = 0;
  imd_status status = imd_value_get_integer(state, "/n", &n, error);
  if (status == IMD_OK) status = imd_value_set_integer(state, "/n", n + difference, next, error);
  return status;
}

static imd_status add_if_even(const imd_value *state, imd_value **next, imd_error *error) {
  int64_t n = 0;
  imd_status status = imd_value_get_integer(state, "/n", &n, error);
  if (status == IMD_OK && n % 2 != 0) status = IMD_INVALID_ARGUMENT;
  if (status == IMD_OK) status = imd_value_set_integer(state, "/n", n + 1, next, error);
  return status;
}

static imd_status set_tag(const imd_value *state, const imd_value *tag, imd_value **next,
                          imd_error *error) {
  if (imd_value_kind(state) != IMD_OBJECT) return IMD_INVALID_ARGUMENT;
  return imd_value_set(state, "/tag", tag, next, error);
}

/* The merged part, put into the state. */
static imd_status merge(const imd_value *state, const imd_value *patch, imd_value **next,
                        imd_error *error) {
  imd_value *sub = NULL, *merged = NULL;
  imd_status status = imd_value_get(state, "/sub", &sub, error);
  if (status == IMD_OK && imd_value_kind(sub) != IMD_OBJECT) status = IMD_INVALID_ARGUMENT;
  if (status == IMD_OK) status = imd_value_merge(sub, patch, &merged, error);
  if (status == IMD_OK) status = imd_value_set(state, "/sub", merged, next, error);
  imd_value_release(sub);
  imd_value_release(merged);
  return status;
}

/* A rejection may also set a next state. */
static imd_status refuse(const imd_value *payload, imd_value **next, imd_error *error) {
  *next = imd_value_retain(payload);
  strcpy(error->message, "refused");
  return IMD_INVALID_ARGUMENT;
}

/* ---- Calls forbidden in a reducer ---------------------------------------------------------- */

static void ignore(void *context, const imd_delivery *delivery) { (void)context, (void)delivery; }

static void ignore_request(void *context, imd_request *request, const imd_request_info *info) {
  (void)context, (void)request, (void)info;
}

static imd_status use(const char *how, const host *host, imd_error *error) {
  imd_store *store = host->store;
  char *text = NULL;
  imd_value *value = NULL, *action = NULL;
  imd_observation *observation = NULL;
  imd_stream *stream = NULL;
  size_t count;
  int descriptor;
  imd_status status = IMD_OK;
  const char *good = "{\"type\":\"add\",\"payload\":1}";
  const size_t z = IMD_ZERO_TERMINATED;
  if (strcmp(how, "Dispatch") == 0) status = imd_store_dispatch(store, good, z, error);
  else if (strcmp(how, "Batch") == 0) status = imd_store_dispatch_batch(store, "[]", z, error);
  else if (strcmp(how, "Other") == 0) status = imd_store_dispatch(host->other, good, z, error);
  else if (strcmp(how, "Preview") == 0)
    status = imd_store_preview(store, "[]", z, &value, NULL, NULL, error);
  else if (strcmp(how, "OtherPreview") == 0)
    status = imd_store_preview(host->other, "[]", z, &value, NULL, NULL, error);
  else if (strcmp(how, "Select") == 0)
    status = imd_store_select(store, "n", NULL, 0, &text, NULL, error);
  else if (strcmp(how, "Query") == 0)
    status = imd_store_query(store, "n", NULL, 0, &text, NULL, error);
  else if (strcmp(how, "Define") == 0) status = imd_store_define_selector(store, "x", "n", error);
  else if (strcmp(how, "State") == 0) status = imd_store_state(store, &value, error);
  else if (strcmp(how, "Statistics") == 0)
    status = imd_store_statistics(store, &text, NULL, error);
  else if (strcmp(how, "Observe") == 0)
    status = imd_store_observe(store, "n", NULL, 0, NULL, 0, ignore, NULL, NULL, &observation,
                               error);
  else if (strcmp(how, "Poll") == 0) status = imd_store_poll(store, NULL, error);
  else if (strcmp(how, "Undo") == 0) status = imd_store_undo(store, 1, NULL, error);
  else if (strcmp(how, "Redo") == 0) status = imd_store_redo(store, 1, NULL, error);
  else if (strcmp(how, "Travel") == 0) status = imd_store_travel(store, 0, error);
  else if (strcmp(how, "BeginGroup") == 0) status = imd_store_begin_group(store, error);
  else if (strcmp(how, "EndGroup") == 0) status = imd_store_end_group(store, error);
  else if (strcmp(how, "CancelGroup") == 0) status = imd_store_cancel_group(store, error);
  else if (strcmp(how, "MarkClean") == 0) status = imd_store_mark_clean(store, error);
  else if (strcmp(how, "History") == 0)
    status = imd_store_history(store, NULL, 0, &text, NULL, error);
  else if (strcmp(how, "Blame") == 0)
    status = imd_store_blame(store, "", NULL, 0, &text, NULL, error);
  else if (strcmp(how, "Settle") == 0) status = imd_store_settle(store, 0, error);
  else if (strcmp(how, "SetFetch") == 0)
    status = imd_store_set_fetch(store, ignore_request, NULL, NULL, error);
  else if (strcmp(how, "Stream") == 0) status = imd_store_stream(store, NULL, 0, &stream, error);
  else if (strcmp(how, "Next") == 0)
    status = imd_stream_next(host->stream, 0, &action, &value, NULL, error);
  else if (strcmp(how, "Fd") == 0) status = imd_store_fd(store, &descriptor, error);
  else if (strcmp(how, "StreamFd") == 0) status = imd_stream_fd(host->stream, &descriptor, error);
  else if (strcmp(how, "Dropped") == 0) status = imd_stream_dropped(host->stream, &count, error);
  else if (strcmp(how, "StreamClose") == 0) imd_stream_close(host->stream);
  else if (strcmp(how, "Close") == 0) imd_store_close(store);
  imd_free(text);
  imd_value_release(value);
  imd_value_release(action);
  imd_stream_close(stream);
  return status;
}

/* ---- The reducer --------------------------------------------------------------------------- */

static imd_status reduce(const host *host, const char *type, const imd_value *state,
                         const imd_value *action, const imd_value *payload, imd_value **next,
                         imd_error *error) {
  int64_t number = 0;
  imd_value_get_integer(payload, "", &number, NULL);
  if (strcmp(type, "add") == 0) return add(state, number, next, error);
  if (strcmp(type, "addIfEven") == 0) return add_if_even(state, next, error);
  if (strcmp(type, "push") == 0) return imd_value_insert(state, "/list/-", payload, next, error);
  if (strcmp(type, "pop") == 0) return imd_value_remove(state, "/list/0", next, error);
  if (strcmp(type, "setTag") == 0) return set_tag(state, payload, next, error);
  if (strcmp(type, "merge") == 0) return merge(state, payload, next, error);
  if (strcmp(type, "becomePart") == 0) return imd_value_get(state, "/sub", next, error);
  if (strcmp(type, "refuse") == 0) return refuse(payload, next, error);
  if (strncmp(type, "use", 3) == 0) {
    /* "useX" ignores the status, "useX!" returns it. */
    char how[32] = {0};
    size_t length = strcspn(type + 3, "!");
    memcpy(how, type + 3, length < sizeof how ? length : sizeof how - 1);
    imd_status status = use(how, host, error);
    *next = imd_value_retain(payload);
    return type[3 + length] == '!' ? status : IMD_OK;
  }
  if (strcmp(type, "becomePayload") == 0) *next = imd_value_retain(payload);
  else if (strcmp(type, "becomeAction") == 0) *next = (imd_value *)action;
  else if (strcmp(type, "becomeActionRetained") == 0) *next = imd_value_retain(action);
  else if (strcmp(type, "keepState") == 0) *next = (imd_value *)state;
  else if (strcmp(type, "keepRetained") == 0) *next = imd_value_retain(state);
  else if (strcmp(type, "keepNothing") == 0) *next = NULL;
  else return IMD_NOT_FOUND;
  return IMD_OK;
}

imd_status host_reduce(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error) {
  char *type = NULL;
  imd_value *payload = NULL;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  if (status == IMD_OK && imd_value_get(action, "/payload", &payload, NULL) != IMD_OK)
    status = imd_value_from_bool(0, &payload, error);
  if (status == IMD_OK) status = reduce(context, type, state, action, payload, next, error);
  imd_free(type);
  imd_value_release(payload);
  return status;
}
