/* A fork: in the child all inherited handles are closed, and it can open new ones. */
#define _POSIX_C_SOURCE 200809L

#include "exact.h"
#include "features.h"
#include "report.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void check_inherited(const slot *slot) {
  imd_store *store = slot->host.store;
  imd_value *state;
  char *text;
  const size_t z = IMD_ZERO_TERMINATED;
  EXPECT_STATUS(imd_store_dispatch(store, "{\"type\":\"add\"}", z, NULL), IMD_CLOSED);
  EXPECT_STATUS(imd_store_state(store, &state, NULL), IMD_CLOSED);
  EXPECT_STATUS(imd_store_select(store, "n", NULL, 0, &text, NULL, NULL), IMD_CLOSED);
  EXPECT_STATUS(imd_store_poll(store, NULL, NULL), IMD_CLOSED);
  EXPECT_STATUS(imd_store_settle(store, -1, NULL), IMD_CLOSED);
  for (int i = 0; i < MODEL_STREAMS; i++)
    if (slot->streams[i])
      EXPECT_STATUS(imd_stream_next(slot->streams[i]->handle, -1, NULL, NULL, NULL, NULL),
                    IMD_CLOSED);
  for (int i = 0; i < MODEL_OBSERVATIONS; i++)
    if (slot->observers[i]) imd_observation_cancel(slot->observers[i]->handle);
  imd_store_close(store);
}

/* The last value retained by an observer still works. */
static void check_values(const slot *slot) {
  for (int i = 0; i < MODEL_OBSERVATIONS; i++)
    if (slot->observers[i] && slot->observers[i]->expected.delivered_value)
      expect_text(slot->observers[i]->last, slot->observers[i]->expected.delivered_value,
                  "a value");
}

static void check_new(const char *domain) {
  imd_store *store;
  char *text;
  const size_t z = IMD_ZERO_TERMINATED;
  EXPECT_STATUS(imd_store_open(domain, NULL, 0, &store, NULL), IMD_OK);
  EXPECT_STATUS(imd_store_dispatch(store, strcmp(domain, "counter") == 0
                                              ? "{\"type\":\"didTapIncrementButton\"}"
                                              : "{\"type\":\"ui/animalList/onAppear\"}", z, NULL),
                IMD_OK);
  EXPECT_STATUS(imd_store_settle(store, -1, NULL), IMD_OK);
  EXPECT_STATUS(imd_store_query(store, "@", NULL, 0, &text, NULL, NULL), IMD_OK);
  imd_free(text);
  imd_store_close(store);
}

void call_fork(slot *slot) {
  if (callback_depth > 0 || !has_feature(FORK)) return;
  note("fork");
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) {
    alarm(120);
    check_inherited(slot);
    check_values(slot);
    check_new("counter");
    check_new("animals");
    _exit(0);
  }
  int status = -1;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child, "no child");
  EXPECT(!WIFSIGNALED(status), "the child was ended by signal %d", WTERMSIG(status));
  EXPECT(status == 0, "the child failed");
}
