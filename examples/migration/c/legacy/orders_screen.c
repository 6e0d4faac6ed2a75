#include "screens.h"

static void build(orders_screen *screen, const order *orders, size_t count) {
  screen_resize(&screen->screen, count);
  for (size_t i = 0; i < count; i++) {
    const order *order = &orders[i];
    row *row = &screen->screen.rows[i];
    begin_order_row(row, order->id, status_name(order->status));
    for (size_t j = 0; j < order->donut_count; j++)
      add_name(row, model_find_donut(screen->model, order->donuts[j].id)->name, j == 0);
  }
  screen->screen.built += count;
}

static void receive_orders(void *context, const order *orders, size_t count) {
  build(context, orders, count);
}

static void receive_donuts(void *context, const donut *donuts, size_t count) {
  orders_screen *screen = context;
  (void)donuts, (void)count;
  size_t order_count;
  const order *orders = model_orders(screen->model, &order_count);
  build(screen, orders, order_count);
}

void orders_screen_open(orders_screen *screen, model *model) {
  *screen = (orders_screen){.model = model};
  model_on_orders(model, receive_orders, screen);
  model_on_donuts(model, receive_donuts, screen);
}
