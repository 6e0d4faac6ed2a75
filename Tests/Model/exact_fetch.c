/* Fetch functions, which no store here calls. */
#include "exact.h"
#include "report.h"

#include <stdlib.h>

static void fetch(void *context, imd_request *request, const imd_request_info *info) {
  (void)context, (void)request, (void)info;
  FAIL("a store without effects makes a request");
}

static void release(void *context) {
  EXPECT(++*(int *)context == 1, "a fetch function is released twice");
}

void expect_fetch_released(slot *slot) {
  if (!slot->fetch_released) return;
  EXPECT(*slot->fetch_released == 1, "a fetch function that is over is not released");
  free(slot->fetch_released);
  slot->fetch_released = NULL;
}

void call_set_fetch(slot *slot) {
  int *released = random_chance(&source, 70) ? calloc(1, sizeof *released) : NULL;
  note("set fetch %p %s", (void *)slot->host.store, released ? "" : "NULL");
  EXPECT_STATUS(imd_store_set_fetch(slot->host.store, released ? fetch : NULL, released,
                                    released ? release : NULL, NULL), IMD_OK);
  expect_fetch_released(slot);
  slot->fetch_released = released;
}
