/* The domain quakes: a fetch function stands in for the feed. */
#include "check.h"

#include <immutabledata.h>

static const char feed[] =
    "{\"type\":\"FeatureCollection\",\"features\":[{\"id\":\"a\",\"properties\":{\"mag\":1.5,"
    "\"place\":\"Cobb, CA\",\"time\":1763683200000,\"updated\":1763683200000},"
    "\"geometry\":{\"coordinates\":[-122.5,38.5,2.1]}},{\"id\":\"without the rest\"}]}";

/* Answers with a feed, or cuts the response if the context is not NULL. */
static void fetch(void *context, imd_request *request, const imd_request_info *info) {
  static const imd_header json = {"Content-Type", "application/geo+json"};
  CHECK(strcmp(info->method, "GET") == 0);
  CHECK(strcmp(info->url, "http://127.0.0.1:1/all_month.geojson") == 0);
  if (context == NULL) {
    CHECK(imd_request_resolve(request, 200, &json, 1, feed, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  } else {
    CHECK(imd_request_receive(request, 200, &json, 1, feed, 10, NULL) == IMD_OK);
    CHECK(imd_request_reject(request, "the connection was cut", NULL) == IMD_OK);
  }
}

/* The status of the last failed effect. */
static imd_status failure;

static void record_failure(void *context, const imd_error *error) {
  (void)context;
  failure = error->status;
}

static void dispatch(imd_store *store, const char *action) {
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  CHECK(imd_store_settle(store, 60000, NULL) == IMD_OK);
}

static void check_output(imd_store *store, const char *selector, const char *arguments,
                         const char *expected) {
  char *text = NULL;
  size_t length = arguments == NULL ? 0 : IMD_ZERO_TERMINATED;
  CHECK(imd_store_select(store, selector, arguments, length, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

int main(void) {
  const char *options = "{\"feed\":\"http://127.0.0.1:1\"}";
  const char *refresh =
      "{\"type\":\"ui/quakeList/onTapRefreshQuakesButton\",\"payload\":{\"range\":\"allMonth\"}}";
  int cut = 1;
  imd_store *store;
  imd_error error;
  char *text;
  CHECK(imd_store_open("quakes", options, IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
  CHECK(imd_store_set_fetch(store, fetch, NULL, NULL, NULL) == IMD_OK);
  dispatch(store, refresh);
  check_output(store, "selectQuakesStatus", NULL, "{\"success\":{}}");
  check_output(store, "selectQuakesValues",
               "{\"searchDate\":\"2025-11-20T23:00:00Z\",\"timeZone\":\"UTC\"}",
               "[{\"latitude\":38.5,\"longitude\":-122.5,\"magnitude\":1.5,\"name\":\"Cobb, CA\","
               "\"quakeId\":\"a\",\"time\":1763683200000,\"updated\":1763683200000}]");

  CHECK(imd_store_set_effect_error_handler(store, record_failure, NULL, NULL, NULL) == IMD_OK);
  CHECK(imd_store_set_fetch(store, NULL, NULL, NULL, NULL) == IMD_OK);
  dispatch(store, refresh);
  CHECK(failure == IMD_NOT_FOUND);
  CHECK(imd_store_set_fetch(store, fetch, &cut, NULL, NULL) == IMD_OK);
  dispatch(store, refresh);
  CHECK(failure == IMD_IO);
  check_output(store, "selectQuakesStatus", NULL,
               "{\"failure\":{\"error\":\"no response from http://127.0.0.1:1: the connection was "
               "cut\"}}");
  check_output(store, "selectQuakesCount", NULL, "1");

  dispatch(store, "{\"type\":\"ui/quakeList/onTapDeleteAllQuakesButton\"}");
  check_output(store, "selectQuakesCount", NULL, "0");
  CHECK(imd_store_select(store, "selectQuakes", "{\"searchDate\":\"today\"}", IMD_ZERO_TERMINATED,
                         &text, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK(strstr(error.message, "arguments/searchDate: \"today\" is not a date or time") != NULL);
  imd_store_close(store);
  return check_report();
}
