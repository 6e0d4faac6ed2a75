#include "moved.h"

void forward_status(void *model, const char *id) { model_mark_order_as_next_step(model, id); }

void forward_complete(void *model, const char *id) { model_mark_order_as_completed(model, id); }

void forward_add(void *model, const char *unused) {
  (void)unused;
  model_add_order(model);
}
