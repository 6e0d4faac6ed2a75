#include "moved.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>

#define DID_RECEIVE_ORDERS "data/modelListener/didReceiveOrders"
#define DID_RECEIVE_DONUTS "data/modelListener/didReceiveDonuts"

/* ---- The reducer --------------------------------------------------------------------------- */

/* Replaces the part of the state at a pointer with the records at another pointer in the action. A
 * patch keeps records that did not change: they are the same instances as before. */
static imd_status receive(const imd_value *state, const char *pointer, const imd_value *action,
                          const char *from, imd_value **next, imd_error *error) {
  imd_value *records, *old = NULL, *patch = NULL, *updated = NULL;
  imd_status status = imd_value_get(action, from, &records, error);
  if (status == IMD_OK) status = imd_value_get(state, pointer, &old, error);
  if (status == IMD_OK) status = imd_value_diff(old, records, &patch, error);
  if (status == IMD_OK) status = imd_value_patch(old, patch, &updated, error);
  if (status == IMD_OK) status = imd_value_set(state, pointer, updated, next, error);
  imd_value_release(records);
  imd_value_release(old);
  imd_value_release(patch);
  imd_value_release(updated);
  return status;
}

imd_status mirror_reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  if (is_text(action, "/type", DID_RECEIVE_ORDERS))
    return receive(state, "/orders", action, "/payload/orders", next, error);
  if (is_text(action, "/type", DID_RECEIVE_DONUTS))
    return receive(state, "/donuts", action, "/payload/donuts", next, error);
  return IMD_OK;
}

/* ---- The model listener -------------------------------------------------------------------- */

/* Adds a record to the object at a pointer, by its id. A second record with the same id would hide
 * the first, so it is refused. */
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
    if (status == IMD_OK) status = append(out, "/donuts/-", donut, error);
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
  imd_status status = imd_value_parse("{\"orders\":{}}", IMD_ZERO_TERMINATED, &payload, &error);
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
  imd_status status = imd_value_parse("{\"donuts\":{}}", IMD_ZERO_TERMINATED, &payload, &error);
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
