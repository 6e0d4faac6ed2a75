#include "moved.h"
#include "values.h"

#include "../legacy/memory.h"

#include <stdio.h>
#include <stdlib.h>

#define LEGACY_ORDERS                                                    \
  "let $donuts = donuts, $orders = orders in orderIDs[].get($orders, @)" \
  ".{id: id, status: status, donuts: donuts[].get($donuts, @)}"

struct model {
  imd_store *store;
};

/* The context of an observer that publishes to a legacy listener. The library releases it. */
typedef struct publisher {
  orders_listener *on_orders; /* one of the two is NULL */
  donuts_listener *on_donuts;
  void *context;
} publisher;

static imd_status decode_order(const imd_value *value, order *order, imd_error *error) {
  imd_value *donuts = NULL;
  order->status = is_text(value, "/status", "placed")      ? PLACED
                  : is_text(value, "/status", "preparing") ? PREPARING
                                                           : COMPLETED;
  order->donut_count = DONUTS_OF_ORDER;
  imd_status status = read_text(value, "/id", order->id, sizeof order->id, error);
  if (status == IMD_OK) status = imd_value_get(value, "/donuts", &donuts, error);
  if (status == IMD_OK) status = decode_donuts(donuts, order->donuts, &order->donut_count, error);
  imd_value_release(donuts);
  return status;
}

/* Listeners get new structs: changing them does not change the state. */

static void publish_orders(const publisher *publisher, const imd_value *values) {
  imd_error error;
  imd_cursor *cursor;
  const imd_value *each;
  size_t count = 0;
  order *orders = resize(NULL, imd_value_count(values), sizeof *orders);
  require(imd_cursor_open(values, NULL, &cursor, &error), &error);
  while (imd_cursor_next(cursor, NULL, NULL, &each))
    require(decode_order(each, &orders[count++], &error), &error);
  imd_cursor_close(cursor);
  publisher->on_orders(publisher->context, orders, count);
  free(orders);
}

static void publish_donuts(const publisher *publisher, const imd_value *values) {
  imd_error error;
  size_t count = imd_value_count(values);
  donut *donuts = resize(NULL, count, sizeof *donuts);
  require(decode_donuts(values, donuts, &count, &error), &error);
  publisher->on_donuts(publisher->context, donuts, count);
  free(donuts);
}

static void publish(void *context, const imd_delivery *delivery) {
  const publisher *publisher = context;
  if (delivery->kind == IMD_DELIVERY_FAILURE) require(delivery->error->status, delivery->error);
  if (publisher->on_orders != NULL) publish_orders(publisher, delivery->value);
  else publish_donuts(publisher, delivery->value);
}

static void publish_to(model *model, const char *selector, publisher publisher) {
  imd_error error;
  struct publisher *context = resize(NULL, 1, sizeof *context);
  *context = publisher;
  require(imd_store_observe(model->store, selector, NULL, 0, NULL, 0, publish, context, free, NULL,
                            &error),
          &error);
}

void model_on_orders(model *model, orders_listener *on_orders, void *context) {
  publish_to(model, "legacyOrders", (publisher){.on_orders = on_orders, .context = context});
}

void model_on_donuts(model *model, donuts_listener *on_donuts, void *context) {
  publish_to(model, SELECT_MENU, (publisher){.on_donuts = on_donuts, .context = context});
}

void model_rename_donut(model *model, const char *id, const char *name) {
  imd_error error;
  imd_value *payload;
  imd_status status = imd_value_parse("{}", IMD_ZERO_TERMINATED, &payload, &error);
  if (status == IMD_OK) status = put_text(&payload, "/donutID", id, &error);
  if (status == IMD_OK) status = put_text(&payload, "/name", name, &error);
  if (status == IMD_OK) status = dispatch(model->store, RENAME_DONUT, payload, &error);
  imd_value_release(payload);
  if (status != IMD_OK) fprintf(stderr, "%s\n", error.message);
}

model *store_model_open(imd_store *store) {
  imd_error error;
  model *model = resize(NULL, 1, sizeof *model);
  model->store = store;
  require(imd_store_define_selector(store, "legacyOrders", LEGACY_ORDERS, &error), &error);
  return model;
}

void model_close(model *model) { free(model); }
