#include "screens.h"

static void receive_orders(void *context, const order *orders, size_t count) {
  screen *screen = context;
  size_t counts[COMPLETED + 1] = {0};
  for (size_t i = 0; i < count; i++) counts[orders[i].status]++;
  screen_resize(screen, 1);
  write_truck_row(screen->rows, counts[PLACED], counts[PREPARING], counts[COMPLETED]);
  screen->built++;
}

void truck_screen_open(screen *screen, model *model) {
  *screen = (struct screen){0};
  model_on_orders(model, receive_orders, screen);
}
