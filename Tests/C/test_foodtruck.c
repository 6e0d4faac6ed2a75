/* The domain foodtruck, with a model in the library and with one of the program. */
#include "check.h"

#include <immutabledata.h>

#define ORDER(status)                                                                     \
  "{\"city\":\"Cupertino\",\"creationDate\":1000,\"donuts\":[],\"grandTotal\":\"1.00\"," \
  "\"id\":\"a\",\"parkingSpot\":\"Apple Park\",\"sales\":{},\"status\":\"" status         \
  "\",\"temperature\":72.0,\"wasRaining\":false}"

#define RECEIVED(orders) \
  "{\"type\":\"data/modelListener/didReceiveOrders\",\"payload\":{\"orders\":[" orders "]}}"

static const char tap[] =
    "{\"type\":\"ui/orderDetailView/onTapStatusButton\",\"payload\":{\"orderID\":\"a\"}}";

/* The number of activities of the order. */
static int activities;

/* Counts the activity; +1 for one that started, -1 for one that ended. */
static void count(void *context, imd_effect *effect, const imd_value *arguments) {
  char *id = NULL;
  CHECK(imd_value_get_string(arguments, "/order/id", &id, NULL, NULL) == IMD_OK);
  CHECK_TEXT(id, "a");
  imd_free(id);
  activities += *(const int *)context;
  CHECK(imd_effect_resolve(effect, NULL, NULL) == IMD_OK);
}

/* The program's model, which begins to prepare the order. */
static void mark_as_next_step(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)arguments;
  CHECK(imd_store_dispatch(context, RECEIVED(ORDER("preparing")), IMD_ZERO_TERMINATED, NULL) ==
        IMD_OK);
  CHECK(imd_effect_resolve(effect, NULL, NULL) == IMD_OK);
}

static void dispatch(imd_store *store, const char *action) {
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  CHECK(imd_store_settle(store, 60000, NULL) == IMD_OK);
}

static void check_output(imd_store *store, const char *selector, const char *arguments,
                         const char *expected) {
  char *text = NULL;
  CHECK(imd_store_select(store, selector, arguments, IMD_ZERO_TERMINATED, &text, NULL, NULL) ==
        IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

static void test_a_model_of_the_program(void) {
  static const int started = 1, ended = -1;
  imd_store *store;
  imd_error error;
  CHECK(imd_store_open("foodtruck", NULL, 0, &store, NULL) == IMD_OK);
  dispatch(store, RECEIVED(ORDER("placed")));
  dispatch(store, tap); /* there is no model yet */
  CHECK(imd_store_set_effect(store, "startActivity", count, (void *)&started, NULL, NULL) ==
        IMD_OK);
  CHECK(imd_store_set_effect(store, "endActivity", count, (void *)&ended, NULL, NULL) == IMD_OK);
  CHECK(imd_store_set_effect(store, "markOrderAsNextStep", mark_as_next_step, store, NULL, NULL) ==
        IMD_OK);
  dispatch(store, tap);
  CHECK(activities == 1);
  dispatch(store, tap); /* the order is being prepared already */
  CHECK(activities == 1);
  check_output(store, "selectOrder", "{\"orderID\":\"a\"}", ORDER("preparing"));
  dispatch(store, RECEIVED(ORDER("ready")));
  CHECK(activities == 0);
  CHECK(imd_store_dispatch(store, RECEIVED(ORDER("ready") "," ORDER("ready")), IMD_ZERO_TERMINATED,
                           &error) == IMD_REDUCER_FAILED);
  CHECK_TEXT(error.message, "several orders have the id \"a\"; each order needs an id of its own");
  imd_store_close(store);
}

static void test_a_model_in_the_library(const char *options) {
  imd_store *store;
  CHECK(imd_store_open("foodtruck", options, IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
  dispatch(store, "{\"type\":\"ui/ordersView/onTapAddOrderButton\"}");
  check_output(store, "selectOrdersStatuses",
               "{\"orderIDs\":[\"Order#1201\",\"Order#1224\",\"Order#1225\"]}",
               "{\"Order#1201\":\"ready\",\"Order#1224\":\"placed\",\"Order#1225\":\"placed\"}");
  imd_store_close(store); /* "timed": while the timer of the next order runs */
}

int main(void) {
  test_a_model_of_the_program();
  test_a_model_in_the_library("{\"model\":\"seeded\"}");
  test_a_model_in_the_library("{\"model\":\"timed\",\"seed\":7}");
  return check_report();
}
