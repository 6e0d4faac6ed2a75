#include "moved.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>

#define DID_RECEIVE_ORDERS "data/modelListener/didReceiveOrders"
#define DID_RECEIVE_DONUTS "data/modelListener/didReceiveDonuts"

/* ---- The reducer --------------------------------------------------------------------------- */

/* Replaces the part of *state at a pointer with what is published at another pointer in the action.
 * A patch keeps records that did not change: they are the same instances as before. */
static imd_status receive(imd_value **state, const char *pointer, const imd_value *action,
                          const char *from, imd_error *error) {
  imd_value *published, *old = NULL, *patch = NULL, *updated = NULL;
  imd_status status = imd_value_get(action, from, &published, error);
  if (status == IMD_OK) status = imd_value_get(*state, pointer, &old, error);
  if (status == IMD_OK) status = imd_value_diff(old, published, &patch, error);
  if (status == IMD_OK) status = imd_value_patch(old, patch, &updated, error);
  if (status == IMD_OK) status = put(state, pointer, updated, error);
  imd_value_release(published);
  imd_value_release(old);
  imd_value_release(patch);
  imd_value_release(updated);
  return status;
}

imd_status mirror_reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  imd_value *changed = imd_value_retain(state);
  imd_status status = IMD_OK;
  if (is_text(action, "/type", DID_RECEIVE_ORDERS)) {
    status = receive(&changed, "/orderIDs", action, "/payload/ids", error);
    if (status == IMD_OK) status = receive(&changed, "/orders", action, "/payload/orders", error);
  } else if (is_text(action, "/type", DID_RECEIVE_DONUTS)) {
    status = receive(&changed, "/donutIDs", action, "/payload/ids", error);
    if (status == IMD_OK) status = receive(&changed, "/donuts", action, "/payload/donuts", error);
  }
  if (status == IMD_OK) *next = changed;
  else imd_value_release(changed);
  return status;
}

/* ---- The model listener -------------------------------------------------------------------- */

/* Adds a record to the object at a pointer, by its id, and the id to "/ids", because records by id
 * have no order of their own. A second record with the same id would hide the first, so it is
 * refused. */
static imd_status add_record(imd_value **payload, const char *parent, const imd_value *record,
                             imd_error *error) {
  char *pointer;
  imd_value *other = NULL;
  imd_status status = pointer_to(parent, record, "/id", &pointer, error);
  if (status == IMD_OK && imd_value_get(*payload, pointer, &other, NULL) == IMD_OK) {
    snprintf(error->message, sizeof error->message, "two records have the same id");
    status = IMD_INVALID_ACTION;
  }
  if (status == IMD_OK) status = put(payload, pointer, record, error);
  if (status == IMD_OK) status = insert_id(payload, "/ids/-", record, error);
  imd_value_release(other);
  free(pointer);
  return status;
}

static imd_status encode_order(const order *order, imd_value **out, imd_error *error) {
  imd_value *donut;
  imd_status status = imd_value_parse("{\"donuts\":[]}", IMD_ZERO_TERMINATED, out, error);
  if (status == IMD_OK) status = put_text(out, "/id", order->id, error);
  if (status == IMD_OK) status = put_text(out, "/status", status_name(order->status), error);
  for (size_t i = 0; status == IMD_OK && i < order->donut_count; i++) {
    status = encode_donut(&order->donuts[i], &donut, error);
    if (status == IMD_OK) status = insert(out, "/donuts/-", donut, error);
    imd_value_release(donut);
  }
  return status;
}

static void report(imd_status status, const char *what, const imd_error *error) {
  if (status == IMD_OK) return;
  fprintf(stderr, "the store did not receive the %s: %s\n", what, error->message);
}

static void receive_orders(void *store, const order *orders, size_t count) {
  imd_error error;
  imd_value *payload, *record;
  const char *empty = "{\"ids\":[],\"orders\":{}}";
  imd_status status = imd_value_parse(empty, IMD_ZERO_TERMINATED, &payload, &error);
  for (size_t i = 0; status == IMD_OK && i < count; i++) {
    status = encode_order(&orders[i], &record, &error);
    if (status == IMD_OK) status = add_record(&payload, "/orders", record, &error);
    imd_value_release(record);
  }
  if (status == IMD_OK) status = dispatch(store, DID_RECEIVE_ORDERS, payload, &error);
  imd_value_release(payload);
  report(status, "orders", &error);
}

static void receive_donuts(void *store, const donut *donuts, size_t count) {
  imd_error error;
  imd_value *payload, *record;
  const char *empty = "{\"ids\":[],\"donuts\":{}}";
  imd_status status = imd_value_parse(empty, IMD_ZERO_TERMINATED, &payload, &error);
  for (size_t i = 0; status == IMD_OK && i < count; i++) {
    status = encode_donut(&donuts[i], &record, &error);
    if (status == IMD_OK) status = add_record(&payload, "/donuts", record, &error);
    imd_value_release(record);
  }
  if (status == IMD_OK) status = dispatch(store, DID_RECEIVE_DONUTS, payload, &error);
  imd_value_release(payload);
  report(status, "donuts", &error);
}

void mirror(model *model, imd_store *store) {
  model_on_donuts(model, receive_donuts, store);
  model_on_orders(model, receive_orders, store);
}
