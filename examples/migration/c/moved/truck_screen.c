#include "moved.h"
#include "values.h"

#define COUNTS                                        \
  "let $statuses = orders.*.status in {"              \
  "  placed: length($statuses[?@ == 'placed']),"      \
  "  preparing: length($statuses[?@ == 'preparing'])," \
  "  completed: length($statuses[?@ == 'completed'])" \
  "}"

static void build(void *context, const imd_delivery *delivery) {
  screen *screen = context;
  imd_error error;
  int64_t placed, preparing, completed;
  if (delivery->kind == IMD_DELIVERY_FAILURE) require(delivery->error->status, delivery->error);
  require(imd_value_get_integer(delivery->value, "/placed", &placed, &error), &error);
  require(imd_value_get_integer(delivery->value, "/preparing", &preparing, &error), &error);
  require(imd_value_get_integer(delivery->value, "/completed", &completed, &error), &error);
  screen_resize(screen, 1);
  write_truck_row(screen->rows, (size_t)placed, (size_t)preparing, (size_t)completed);
  screen->built++;
}

void store_truck_screen_open(screen *screen, imd_store *store) {
  imd_error error;
  *screen = (struct screen){0};
  require(imd_store_define_selector(store, "selectCounts", COUNTS, &error), &error);
  require(imd_store_observe(store, "selectCounts", NULL, 0, NULL, 0, build, screen, NULL, NULL,
                            &error),
          &error);
}
