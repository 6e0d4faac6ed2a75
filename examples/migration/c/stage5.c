/* Stage 5: the truck screen has moved, too. Only the donuts screen uses the model. */
#include "legacy/script.h"
#include "moved/moved.h"
#include "moved/values.h"

#define SELECT_ORDER         \
  "let $donuts = donuts in " \
  "get(orders, $id).{status: status, donuts: donuts[].get($donuts, id).name}"

int main(void) {
  till till = {1203};
  sessions sessions = {0};
  store_orders_screen orders;
  screen truck;
  donuts_screen donuts;
  store_listener listener;
  imd_store *store;
  imd_error error;
  model *model = model_open(&till);
  require(imd_store_create(MIRROR_EMPTY, IMD_ZERO_TERMINATED, mirror_reduce, NULL, NULL, NULL, 0,
                           &store, &error),
          &error);
  mirror(model, store);
  follow_sessions(store, &sessions);
  const action_handler handlers[] = {
      {TAP_STATUS, {forward_status, model}},
      {TAP_COMPLETE, {forward_complete, model}},
      {TAP_ADD, {forward_add, model}},
  };
  store_listener_open(&listener, store, handlers, sizeof handlers / sizeof *handlers);
  store_orders_screen_open(&orders, store, SELECT_ORDER);
  store_truck_screen_open(&truck, store);
  donuts_screen_open(&donuts, model);

  play(&(app){
      .orders = &orders.screen,
      .truck = &truck,
      .donuts = &donuts.screen,
      .sessions = &sessions,
      .status = {dispatch_status, store},
      .add = {dispatch_add, store},
      .complete = {dispatch_complete, store},
      .model = model,
      .idle = store_listener_forward,
      .idle_context = &listener,
  });

  store_listener_close(&listener);
  imd_store_close(store);
  model_close(model);
  store_orders_screen_close(&orders);
  screen_close(&truck);
  donuts_screen_close(&donuts);
  screen_close(&sessions.events);
  return 0;
}
