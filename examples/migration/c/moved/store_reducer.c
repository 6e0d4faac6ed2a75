#include "moved.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>

/* Changes the status of the order at a pointer in the state, if it exists. */
static imd_status change_status(const imd_value *state, const char *pointer, int is_step,
                                imd_value **next, imd_error *error) {
  imd_value *order;
  imd_status status = imd_value_get(state, pointer, &order, error);
  if (status == IMD_NOT_FOUND) return IMD_OK;
  if (status != IMD_OK) return status;
  const char *name = is_step && is_text(order, "/status", "placed") ? "preparing" : "completed";
  status = put_text(&order, "/status", name, error);
  if (status == IMD_OK) status = imd_value_set(state, pointer, order, next, error);
  imd_value_release(order);
  return status;
}

/* Renames the donut at a pointer in the state, if it exists. */
static imd_status rename_donut(const imd_value *state, const char *pointer, const imd_value *action,
                               imd_value **next, imd_error *error) {
  imd_value *donut, *name;
  imd_status status = imd_value_get(state, pointer, &donut, error);
  if (status == IMD_NOT_FOUND) return IMD_OK;
  if (status != IMD_OK) return status;
  status = imd_value_get(action, "/payload/name", &name, error);
  if (status == IMD_OK) status = put(&donut, "/name", name, error);
  if (status == IMD_OK) status = imd_value_set(state, pointer, donut, next, error);
  imd_value_release(name);
  imd_value_release(donut);
  return status;
}

/* Adds an order at a pointer in the state, where no order may be, and its id before all others. */
static imd_status place_order(const imd_value *state, const char *pointer, const imd_value *action,
                              imd_value **next, imd_error *error) {
  imd_value *order, *other, *placed = NULL;
  if (imd_value_get(state, pointer, &other, NULL) == IMD_OK) {
    imd_value_release(other);
    snprintf(error->message, sizeof error->message, "there is an order with this id already");
    return IMD_INVALID_ACTION;
  }
  imd_status status = imd_value_get(action, "/payload/order", &order, error);
  if (status == IMD_OK) status = imd_value_set(state, pointer, order, &placed, error);
  if (status == IMD_OK) status = insert_id(&placed, "/orderIDs/0", order, error);
  if (status == IMD_OK) *next = imd_value_retain(placed);
  imd_value_release(order);
  imd_value_release(placed);
  return status;
}

imd_status store_model_reduce(void *context, const imd_value *state, const imd_value *action,
                              imd_value **next, imd_error *error) {
  char *pointer = NULL;
  imd_status status = IMD_OK;
  int is_step = is_text(action, "/type", TAP_STATUS);
  (void)context;
  if (is_step || is_text(action, "/type", TAP_COMPLETE)) {
    status = pointer_to("/orders", action, "/payload/orderID", &pointer, error);
    if (status == IMD_OK) status = change_status(state, pointer, is_step, next, error);
  } else if (is_text(action, "/type", RENAME_DONUT)) {
    status = pointer_to("/donuts", action, "/payload/donutID", &pointer, error);
    if (status == IMD_OK) status = rename_donut(state, pointer, action, next, error);
  } else if (is_text(action, "/type", DID_PLACE_ORDER)) {
    status = pointer_to("/orders", action, "/payload/order/id", &pointer, error);
    if (status == IMD_OK) status = place_order(state, pointer, action, next, error);
  }
  free(pointer);
  return status;
}
