#include "model.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct listener {
  orders_listener *on_orders; /* one of the two is NULL */
  donuts_listener *on_donuts;
  void *context;
} listener;

struct model {
  till *till;
  order *orders;
  size_t order_count;
  donut *donuts;
  size_t donut_count;
  listener *listeners;
  size_t listener_count;
};

model *model_open(till *till) {
  model *model = resize(NULL, 1, sizeof *model);
  *model = (struct model){
      .till = till,
      .order_count = FIRST_ORDER_COUNT,
      .donut_count = MENU_COUNT,
  };
  model->orders = resize(NULL, FIRST_ORDER_COUNT, sizeof *model->orders);
  memcpy(model->orders, FIRST_ORDERS, sizeof FIRST_ORDERS);
  model->donuts = resize(NULL, MENU_COUNT, sizeof *model->donuts);
  memcpy(model->donuts, MENU, sizeof MENU);
  return model;
}

void model_close(model *model) {
  if (model == NULL) return;
  free(model->orders);
  free(model->donuts);
  free(model->listeners);
  free(model);
}

/* ---- Publications -------------------------------------------------------------------------- */

static void add_listener(model *model, listener listener) {
  model->listeners =
      resize(model->listeners, model->listener_count + 1, sizeof *model->listeners);
  model->listeners[model->listener_count++] = listener;
}

void model_on_orders(model *model, orders_listener *on_orders, void *context) {
  add_listener(model, (listener){.on_orders = on_orders, .context = context});
  on_orders(context, model->orders, model->order_count);
}

void model_on_donuts(model *model, donuts_listener *on_donuts, void *context) {
  add_listener(model, (listener){.on_donuts = on_donuts, .context = context});
  on_donuts(context, model->donuts, model->donut_count);
}

static void publish_orders(const model *model) {
  for (size_t i = 0; i < model->listener_count; i++) {
    const listener *each = &model->listeners[i];
    if (each->on_orders != NULL) each->on_orders(each->context, model->orders, model->order_count);
  }
}

static void publish_donuts(const model *model) {
  for (size_t i = 0; i < model->listener_count; i++) {
    const listener *each = &model->listeners[i];
    if (each->on_donuts != NULL) each->on_donuts(each->context, model->donuts, model->donut_count);
  }
}

/* ---- Changes ------------------------------------------------------------------------------- */

static order *find_order(const model *model, const char *id) {
  for (size_t i = 0; i < model->order_count; i++)
    if (strcmp(model->orders[i].id, id) == 0) return &model->orders[i];
  return NULL;
}

static donut *find_donut(const model *model, const char *id) {
  for (size_t i = 0; i < model->donut_count; i++)
    if (strcmp(model->donuts[i].id, id) == 0) return &model->donuts[i];
  return NULL;
}

const order *model_orders(const model *model, size_t *count) {
  *count = model->order_count;
  return model->orders;
}

const order *model_find_order(const model *model, const char *id) { return find_order(model, id); }

const donut *model_find_donut(const model *model, const char *id) { return find_donut(model, id); }

void model_mark_order_as_next_step(model *model, const char *id) {
  order *order = find_order(model, id);
  if (order == NULL || order->status == COMPLETED) return;
  order->status = order->status == PLACED ? PREPARING : COMPLETED;
  publish_orders(model);
}

void model_mark_order_as_completed(model *model, const char *id) {
  order *order = find_order(model, id);
  if (order == NULL) return;
  order->status = COMPLETED;
  publish_orders(model);
}

void model_add_order(model *model) {
  model->orders = resize(model->orders, model->order_count + 1, sizeof *model->orders);
  memmove(model->orders + 1, model->orders, model->order_count++ * sizeof *model->orders);
  model->orders[0] = till_next_order(model->till, model->donuts, model->donut_count);
  publish_orders(model);
}

void model_rename_donut(model *model, const char *id, const char *name) {
  donut *donut = find_donut(model, id);
  if (donut == NULL) return;
  copy_text(donut->name, sizeof donut->name, name);
  publish_donuts(model);
}
