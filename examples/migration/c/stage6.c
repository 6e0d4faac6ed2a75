/* Stage 6: the store is the source of truth. The donuts screen uses it like the old model. */
#include "legacy/script.h"
#include "moved/moved.h"
#include "moved/values.h"

#define SELECT_ORDER         \
  "let $donuts = donuts in " \
  "get(orders, $id).{status: status, donuts: donuts[].get($donuts, @).name}"

/* The context of the button that adds an order. */
typedef struct till_and_store {
  till till;
  imd_store *store;
} till_and_store;

static void place_order(void *context, const char *unused) {
  till_and_store *place = context;
  (void)unused;
  store_model_place_order(place->store, &place->till);
}

int main(void) {
  sessions sessions = {0};
  store_orders_screen orders;
  screen truck;
  donuts_screen donuts;
  store_listener listener;
  imd_store *store;
  store_model_create(&store);
  model *model = store_model_open(store);
  till_and_store place = {{1203}, store};
  follow_sessions(store, &sessions);
  const action_handler handlers[] = {{TAP_ADD, {place_order, &place}}};
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
