/* Stage 1: a store follows the model. No screen knows it. */
#include "legacy/script.h"
#include "moved/moved.h"
#include "moved/values.h"

int main(void) {
  till till = {1203};
  sessions sessions = {0};
  orders_screen orders;
  screen truck;
  donuts_screen donuts;
  imd_store *store;
  imd_error error;
  model *model = model_open(&till);
  require(imd_store_create(MIRROR_EMPTY, IMD_ZERO_TERMINATED, mirror_reduce, NULL, NULL, NULL, 0,
                           &store, &error),
          &error);
  mirror(model, store);
  orders_screen_open(&orders, model);
  truck_screen_open(&truck, model);
  donuts_screen_open(&donuts, model);
  taps taps = {model, &sessions};

  play(&(app){
      .orders = &orders.screen,
      .truck = &truck,
      .donuts = &donuts.screen,
      .sessions = &sessions,
      .status = {tap_status, &taps},
      .add = {tap_add, &taps},
      .complete = {tap_complete, &taps},
      .model = model,
  });

  imd_store_close(store);
  model_close(model);
  screen_close(&orders.screen);
  screen_close(&truck);
  donuts_screen_close(&donuts);
  screen_close(&sessions.events);
  return 0;
}
