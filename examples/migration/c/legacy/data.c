/* What the food truck sells, its first orders, and the till that makes further ones. */
#include "memory.h"
#include "model.h"

#include <stdio.h>

#define LEMON {"lemon", "Super Lemon"}
#define CLASSIC {"classic", "The Classic"}
#define RAINBOW {"rainbow", "Rainbow"}

const donut MENU[MENU_COUNT] = {LEMON, CLASSIC, RAINBOW};

const order FIRST_ORDERS[FIRST_ORDER_COUNT] = {
    {"#1203", COMPLETED, 1, {RAINBOW}},
    {"#1202", PLACED, 2, {LEMON, RAINBOW}},
    {"#1201", PLACED, 1, {CLASSIC}},
};

const char *status_name(order_status status) {
  switch (status) {
    case PLACED: return "placed";
    case PREPARING: return "preparing";
    case COMPLETED: return "completed";
  }
  return "unknown";
}

order till_next_order(till *till, const donut *donuts, size_t count) {
  order order = {.status = PLACED, .donut_count = 1};
  till->last_number++;
  snprintf(order.id, sizeof order.id, "#%zu", till->last_number);
  order.donuts[0] = donuts[till->last_number % count];
  return order;
}
