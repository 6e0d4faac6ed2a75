/* An observer that dispatches in a circle: the error, and the option "depth". */
#include "number.h"

typedef struct {
  imd_store *store;
  imd_status status;
  imd_error error;
  int calls;
} circle;

/* Dispatches one more than it gets. */
static void go_on(void *context, const imd_delivery *delivery) {
  circle *circle = context;
  char action[48];
  circle->calls++;
  snprintf(action, sizeof action, "{\"type\":\"set\",\"payload\":%d}", number_of(delivery) + 1);
  circle->status =
      imd_store_dispatch(circle->store, action, IMD_ZERO_TERMINATED, &circle->error);
}

static void check_circle(const char *options, int depth, const char *message) {
  circle circle = {0};
  CHECK(imd_store_create("{\"n\":0}", IMD_ZERO_TERMINATED, number_reduce, NULL, NULL, options,
                         IMD_ZERO_TERMINATED, &circle.store, NULL) == IMD_OK);
  CHECK(imd_store_define_selector(circle.store, "n", "n", NULL) == IMD_OK);
  number_observe(circle.store, "{\"initial\":false}", go_on, &circle, NULL);
  CHECK(number_set(circle.store, 1) == IMD_OK);
  CHECK(circle.status == IMD_LIMIT);
  CHECK(circle.error.status == IMD_LIMIT);
  CHECK(strstr(circle.error.message, message));
  CHECK(strstr(circle.error.message, "raise the option \"depth\"; the last: \"n\" after \"set\""));
  CHECK(circle.calls == depth + 1);
  imd_store_close(circle.store);
}

int main(void) {
  imd_store *store = NULL;
  imd_error error;
  check_circle("{}", 1000, "observers dispatch in a circle, 1000 deep; ");
  check_circle("{\"depth\":1}", 1, "observers dispatch in a circle, 1 deep; ");
  CHECK(imd_store_create("0", IMD_ZERO_TERMINATED, number_reduce, NULL, NULL, "{\"depth\":0}",
                         IMD_ZERO_TERMINATED, &store, &error) == IMD_INVALID_ARGUMENT);
  CHECK(!strcmp(error.message, "options/depth: expected a number of at least 1, found 0"));
  CHECK(imd_store_open("counter", "{\"depth\":2000000}", IMD_ZERO_TERMINATED, &store, &error) ==
        IMD_INVALID_ARGUMENT);
  return check_report();
}
