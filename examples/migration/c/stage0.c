/* Stage 0: the model and the screens, without a store. */
#include "legacy/script.h"

int main(void) {
  till till = {1203};
  sessions sessions = {0};
  orders_screen orders;
  screen truck;
  donuts_screen donuts;
  model *model = model_open(&till);
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

  model_close(model);
  screen_close(&orders.screen);
  screen_close(&truck);
  donuts_screen_close(&donuts);
  screen_close(&sessions.events);
  return 0;
}
