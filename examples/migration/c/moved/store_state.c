#include "moved.h"
#include "values.h"

#include "../legacy/memory.h"

#include <stdio.h>
#include <stdlib.h>

#define MENU_EXPRESSION "let $donuts = donuts in donutIDs[].get($donuts, @)"

/* ---- The first state ----------------------------------------------------------------------- */

static imd_status encode_order(const order *order, imd_value **out, imd_error *error) {
  imd_value *id;
  imd_status status = imd_value_parse("{\"donuts\":[]}", IMD_ZERO_TERMINATED, out, error);
  if (status == IMD_OK) status = put_text(out, "/id", order->id, error);
  if (status == IMD_OK) status = put_text(out, "/status", status_name(order->status), error);
  for (size_t i = 0; status == IMD_OK && i < order->donut_count; i++) {
    status = imd_value_from_string(order->donuts[i].id, IMD_ZERO_TERMINATED, &id, error);
    if (status == IMD_OK) status = insert(out, "/donuts/-", id, error);
    imd_value_release(id);
  }
  return status;
}

/* Adds a record to the object at a pointer in the state, by its id, and the id to an array. */
static imd_status add_record(imd_value **state, const char *parent, const char *ids,
                             const imd_value *record, imd_error *error) {
  char *pointer;
  imd_status status = pointer_to(parent, record, "/id", &pointer, error);
  if (status == IMD_OK) status = put(state, pointer, record, error);
  if (status == IMD_OK) status = insert_id(state, ids, record, error);
  free(pointer);
  return status;
}

static imd_status first_state(imd_value **state, imd_error *error) {
  imd_value *record = NULL;
  imd_status status = imd_value_parse(MIRROR_EMPTY, IMD_ZERO_TERMINATED, state, error);
  for (size_t i = 0; status == IMD_OK && i < FIRST_ORDER_COUNT; i++) {
    status = encode_order(&FIRST_ORDERS[i], &record, error);
    if (status == IMD_OK) status = add_record(state, "/orders", "/orderIDs/-", record, error);
    imd_value_release(record);
  }
  for (size_t i = 0; status == IMD_OK && i < MENU_COUNT; i++) {
    status = encode_donut(&MENU[i], &record, error);
    if (status == IMD_OK) status = add_record(state, "/donuts", "/donutIDs/-", record, error);
    imd_value_release(record);
  }
  return status;
}

void store_model_create(imd_store **store) {
  imd_error error;
  imd_value *state;
  char *text;
  require(first_state(&state, &error), &error);
  require(imd_value_text(state, &text, NULL, &error), &error);
  require(imd_store_create(text, IMD_ZERO_TERMINATED, store_model_reduce, NULL, NULL, NULL, 0,
                           store, &error),
          &error);
  require(imd_store_define_selector(*store, SELECT_MENU, MENU_EXPRESSION, &error), &error);
  imd_free(text);
  imd_value_release(state);
}

/* ---- The till ------------------------------------------------------------------------------ */

/* Asks the till for an order of the donuts in the store. The caller frees the donuts. */
static imd_status next_order(imd_store *store, till *till, donut **menu, order *order,
                             imd_error *error) {
  imd_value *donuts;
  imd_status status = imd_store_select_value(store, SELECT_MENU, NULL, NULL, &donuts, error);
  size_t count = imd_value_count(donuts);
  *menu = resize(NULL, count, sizeof **menu);
  if (status == IMD_OK) status = decode_donuts(donuts, *menu, &count, error);
  if (status == IMD_OK) *order = till_next_order(till, *menu, count);
  imd_value_release(donuts);
  return status;
}

/* The till is not pure, so it is called outside the reducer, and its order comes in an action. */
void store_model_place_order(imd_store *store, till *till) {
  imd_error error;
  donut *menu;
  order order;
  imd_value *value = NULL, *payload = NULL;
  imd_status status = next_order(store, till, &menu, &order, &error);
  if (status == IMD_OK) status = encode_order(&order, &value, &error);
  if (status == IMD_OK) status = imd_value_parse("{}", IMD_ZERO_TERMINATED, &payload, &error);
  if (status == IMD_OK) status = put(&payload, "/order", value, &error);
  if (status == IMD_OK) status = dispatch(store, DID_PLACE_ORDER, payload, &error);
  free(menu);
  imd_value_release(value);
  imd_value_release(payload);
  if (status != IMD_OK) fprintf(stderr, "%s\n", error.message);
}
