#include "memory.h"
#include "screens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count_orders(const donuts_screen *screen, const donut *donut) {
  size_t count = 0;
  for (size_t i = 0; i < screen->order_count; i++)
    for (size_t j = 0; j < screen->orders[i].donut_count; j++)
      count += strcmp(screen->orders[i].donuts[j].id, donut->id) == 0;
  return count;
}

static void build(donuts_screen *screen) {
  screen_resize(&screen->screen, screen->donut_count);
  for (size_t i = 0; i < screen->donut_count; i++) {
    const donut *donut = &screen->donuts[i];
    row *row = &screen->screen.rows[i];
    snprintf(row->text, sizeof row->text, "%s: %zu", donut->name, count_orders(screen, donut));
  }
  screen->screen.built += screen->donut_count;
}

static void receive_orders(void *context, const order *orders, size_t count) {
  donuts_screen *screen = context;
  screen->orders = resize(screen->orders, count, sizeof *orders);
  memcpy(screen->orders, orders, count * sizeof *orders);
  screen->order_count = count;
  build(screen);
}

static void receive_donuts(void *context, const donut *donuts, size_t count) {
  donuts_screen *screen = context;
  screen->donuts = resize(screen->donuts, count, sizeof *donuts);
  memcpy(screen->donuts, donuts, count * sizeof *donuts);
  screen->donut_count = count;
  build(screen);
}

void donuts_screen_open(donuts_screen *screen, model *model) {
  *screen = (donuts_screen){0};
  model_on_donuts(model, receive_donuts, screen);
  model_on_orders(model, receive_orders, screen);
}

void donuts_screen_close(donuts_screen *screen) {
  free(screen->donuts);
  free(screen->orders);
  screen_close(&screen->screen);
}
