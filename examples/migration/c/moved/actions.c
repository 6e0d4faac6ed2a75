#include "moved.h"
#include "values.h"

#include <stdio.h>

/* ---- Taps ---------------------------------------------------------------------------------- */

static void dispatch_order(imd_store *store, const char *type, const char *id) {
  imd_error error;
  imd_value *payload;
  imd_status status = imd_value_parse("{}", IMD_ZERO_TERMINATED, &payload, &error);
  if (status == IMD_OK) status = put_text(&payload, "/orderID", id, &error);
  if (status == IMD_OK) status = dispatch(store, type, payload, &error);
  imd_value_release(payload);
  if (status != IMD_OK) fprintf(stderr, "%s\n", error.message);
}

void dispatch_status(void *store, const char *id) { dispatch_order(store, TAP_STATUS, id); }

void dispatch_complete(void *store, const char *id) { dispatch_order(store, TAP_COMPLETE, id); }

void dispatch_add(void *store, const char *unused) {
  imd_error error;
  (void)unused;
  if (dispatch(store, TAP_ADD, NULL, &error) != IMD_OK) fprintf(stderr, "%s\n", error.message);
}

/* ---- The store listener -------------------------------------------------------------------- */

void store_listener_open(store_listener *listener, imd_store *store,
                         const action_handler *handlers, size_t count) {
  imd_error error;
  const char *options = "{\"types\":[\"ui/*\"]}";
  *listener = (store_listener){.handlers = handlers, .count = count};
  require(imd_store_stream(store, options, IMD_ZERO_TERMINATED, &listener->stream, &error), &error);
}

static void perform(const store_listener *listener, const imd_value *action) {
  char id[TEXT_SIZE] = "";
  read_text(action, "/payload/orderID", id, sizeof id, NULL);
  for (size_t i = 0; i < listener->count; i++) {
    const action_handler *handler = &listener->handlers[i];
    if (is_text(action, "/type", handler->type))
      handler->callback.function(handler->callback.context, id);
  }
}

void store_listener_forward(void *context) {
  const store_listener *listener = context;
  imd_error error;
  imd_value *action;
  imd_status status;
  while ((status = imd_stream_next(listener->stream, 0, &action, NULL, NULL, &error)) == IMD_OK) {
    perform(listener, action);
    imd_value_release(action);
  }
  if (status != IMD_TIMEOUT) fprintf(stderr, "%s\n", error.message);
}

void store_listener_close(store_listener *listener) { imd_stream_close(listener->stream); }
