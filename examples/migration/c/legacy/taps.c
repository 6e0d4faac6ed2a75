#include "screens.h"

void tap_status(void *context, const char *id) {
  taps *taps = context;
  const order *order = model_find_order(taps->model, id);
  if (order != NULL && order->status == PLACED) sessions_start(taps->sessions, id);
  if (order != NULL && order->status == PREPARING) sessions_end(taps->sessions, id);
  model_mark_order_as_next_step(taps->model, id);
}

void tap_add(void *context, const char *unused) {
  taps *taps = context;
  (void)unused;
  model_add_order(taps->model);
}

void tap_complete(void *context, const char *id) {
  taps *taps = context;
  model_mark_order_as_completed(taps->model, id);
}
