/* The parts of examples/migration in C: what the programs there do not show. */
#include "query.h"

#include "../../examples/migration/c/moved/moved.h"

#include <stdlib.h>

#define JOIN                 \
  "let $donuts = donuts in " \
  "get(orders, $id).{status: status, donuts: donuts[].get($donuts, id).name}"

static imd_store *create(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create(MIRROR_EMPTY, IMD_ZERO_TERMINATED, mirror_reduce, NULL, NULL, NULL, 0,
                         &store, NULL) == IMD_OK);
  return store;
}

static imd_value *state_of(imd_store *store) {
  imd_value *state = NULL;
  CHECK(imd_store_state(store, &state, NULL) == IMD_OK);
  return state;
}

static void receive_orders(imd_store *store, const char *ids, const char *orders) {
  char action[512];
  snprintf(action, sizeof action,
           "{\"type\":\"data/modelListener/didReceiveOrders\","
           "\"payload\":{\"ids\":%s,\"orders\":%s}}",
           ids, orders);
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
}

/* A publication leaves unchanged orders the same instances. */
static void test_identity(void) {
  till till = {1203};
  model *model = model_open(&till);
  imd_store *store = create();
  imd_value *old, *new, *orders[4];
  mirror(model, store);
  old = state_of(store);
  model_mark_order_as_next_step(model, "#1202");
  new = state_of(store);
  CHECK(imd_value_get(old, "/orders/#1201", &orders[0], NULL) == IMD_OK);
  CHECK(imd_value_get(new, "/orders/#1201", &orders[1], NULL) == IMD_OK);
  CHECK(imd_value_get(old, "/orders/#1202", &orders[2], NULL) == IMD_OK);
  CHECK(imd_value_get(new, "/orders/#1202", &orders[3], NULL) == IMD_OK);
  CHECK(imd_value_identical(orders[0], orders[1]));
  CHECK(!imd_value_identical(orders[2], orders[3]));
  for (int i = 0; i < 4; i++) imd_value_release(orders[i]);
  imd_value_release(old);
  imd_value_release(new);
  imd_store_close(store);
  model_close(model);
}

/* The model keeps working if the store refuses a publication: here, a second order "#1203". */
static void test_refused_publication(void) {
  till till = {1202};
  model *model = model_open(&till);
  imd_store *store = create();
  imd_value *old, *new;
  size_t count;
  mirror(model, store);
  old = state_of(store);
  model_add_order(model);
  new = state_of(store);
  CHECK(imd_value_identical(old, new));
  model_orders(model, &count);
  CHECK(count == 4);
  imd_value_release(old);
  imd_value_release(new);
  imd_store_close(store);
  model_close(model);
}

/* The orders screen follows orders that come and go anywhere in the list. */
static void test_rows(void) {
  imd_store *store = create();
  store_orders_screen screen;
  store_orders_screen_open(&screen, store, JOIN);
  CHECK(screen.screen.row_count == 0);
  receive_orders(store, "[\"d\",\"b\"]",
                 "{\"b\":{\"status\":\"placed\",\"donuts\":[]},"
                 "\"d\":{\"status\":\"placed\",\"donuts\":[]}}");
  CHECK_TEXT(screen.screen.rows[0].text, "d placed     ");
  CHECK_TEXT(screen.screen.rows[1].text, "b placed     ");
  receive_orders(store, "[\"a\",\"d\",\"c\"]",
                 "{\"a\":{\"status\":\"placed\",\"donuts\":[]},"
                 "\"c\":{\"status\":\"placed\",\"donuts\":[{\"id\":\"gone\"}]},"
                 "\"d\":{\"status\":\"completed\",\"donuts\":[]}}");
  CHECK(screen.screen.row_count == 3);
  CHECK(screen.screen.built == 5);
  CHECK_TEXT(screen.screen.rows[0].text, "a placed     ");
  CHECK_TEXT(screen.screen.rows[1].text, "d completed  ");
  CHECK_TEXT(screen.screen.rows[2].text, "c placed     ");
  receive_orders(store, "[\"c\"]", "{\"c\":{\"status\":\"preparing\",\"donuts\":[]}}");
  CHECK(screen.screen.row_count == 1);
  CHECK_TEXT(screen.screen.rows[0].text, "c preparing  ");
  receive_orders(store, "[]", "{}");
  CHECK(screen.screen.row_count == 0);
  imd_store_close(store);
  store_orders_screen_close(&screen);
}

/* A session begins and ends once; an order that is being prepared at first has one. */
static void test_sessions(void) {
  static const char *const expected[] = {"b begins", "a ends", "b ends", "c begins"};
  imd_store *store = create();
  sessions sessions = {0};
  receive_orders(store, "[\"a\"]", "{\"a\":{\"id\":\"a\",\"status\":\"preparing\"}}");
  follow_sessions(store, &sessions);
  CHECK(sessions.events.row_count == 0);
  receive_orders(store, "[\"b\",\"a\"]",
                 "{\"a\":{\"id\":\"a\",\"status\":\"preparing\"},"
                 "\"b\":{\"id\":\"b\",\"status\":\"preparing\"}}");
  receive_orders(store, "[\"b\",\"a\"]",
                 "{\"a\":{\"id\":\"a\",\"status\":\"completed\"},"
                 "\"b\":{\"id\":\"b\",\"status\":\"preparing\",\"donuts\":[]}}");
  receive_orders(store, "[\"c\"]", "{\"c\":{\"id\":\"c\",\"status\":\"preparing\"}}");
  CHECK(sessions.events.row_count == 4);
  for (size_t i = 0; i < sessions.events.row_count && i < 4; i++)
    CHECK_TEXT(sessions.events.rows[i].text, expected[i]);
  imd_store_close(store);
  screen_close(&sessions.events);
}

/* Dispatches to the reducer of the last stage. Returns 1, or 0 if it is refused. */
static int reduces(imd_store *store, const char *type, const char *payload) {
  char action[256];
  snprintf(action, sizeof action, "{\"type\":\"%s\",\"payload\":%s}", type, payload);
  return imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK;
}

/* The reducer does what the model did; unknown ids change nothing. */
static void test_source_of_truth(void) {
  till till = {1202};
  imd_store *store;
  store_model_create(&store);
  check_query(store, "orders.*.status", "[\"placed\",\"placed\",\"completed\"]");
  check_query(store, "values(orders)[].donuts[]",
              "[\"classic\",\"lemon\",\"rainbow\",\"rainbow\"]");
  CHECK(reduces(store, TAP_STATUS, "{\"orderID\":\"#1201\"}"));
  CHECK(reduces(store, TAP_COMPLETE, "{\"orderID\":\"#1202\"}"));
  check_query(store, "orders.*.status", "[\"preparing\",\"completed\",\"completed\"]");
  CHECK(reduces(store, TAP_STATUS, "{\"orderID\":\"#1201\"}"));
  CHECK(reduces(store, RENAME_DONUT, "{\"donutID\":\"lemon\",\"name\":\"Lime\"}"));
  check_query(store, "donuts.*.name", "[\"The Classic\",\"Lime\",\"Rainbow\"]");

  imd_value *old = state_of(store);
  CHECK(reduces(store, TAP_STATUS, "{\"orderID\":\"#1201\"}"));
  CHECK(reduces(store, TAP_STATUS, "{\"orderID\":\"#9999\"}"));
  CHECK(reduces(store, TAP_COMPLETE, "{\"orderID\":\"#9999\"}"));
  CHECK(reduces(store, RENAME_DONUT, "{\"donutID\":\"none\",\"name\":\"Lime\"}"));
  CHECK(!reduces(store, TAP_STATUS, "{}"));
  CHECK(!reduces(store, RENAME_DONUT, "{\"donutID\":\"lemon\"}"));
  store_model_place_order(store, &till); /* "#1203" exists: the message goes to standard error */
  imd_value *new = state_of(store);
  CHECK(imd_value_equal(old, new));
  imd_value_release(old);
  imd_value_release(new);

  store_model_place_order(store, &till);
  check_query(store, "orderIDs", "[\"#1204\",\"#1203\",\"#1202\",\"#1201\"]");
  check_query(store, "keys(orders)", "[\"#1201\",\"#1202\",\"#1203\",\"#1204\"]");
  check_query(store, "get(orders, '#1204').donuts", "[\"classic\"]"); /* the second on the menu */
  imd_store_close(store);
}

int main(void) {
  test_identity();
  test_refused_publication();
  test_rows();
  test_sessions();
  test_source_of_truth();
  return check_report();
}
