#include "features.h"

#include <string.h>

static const char *const names[FEATURES] = {
    [KEEP_NOTHING] = "keep-nothing",
    [KEEP_RETAINED] = "keep-retained",
    [BECOME_ACTION] = "become-action",
    [REDUCER_STATUS] = "reducer-status",
    [REDUCER_DESCRIPTORS] = "reducer-descriptors",
    [REDUCER_DISPATCHES] = "reducer-dispatches",
    [SKIPPED] = "skipped",
    [DESCRIPTOR] = "descriptor",
    [RELEASE_ORDER] = "release-order",
    [SETTLE_IN_CALLBACK] = "settle-in-callback",
    [STREAM_IN_CALLBACK] = "stream-in-callback",
    [CROSSING_STORES] = "crossing-stores",
    [CROSSING_CANCELS] = "crossing-cancels",
    [CLOSE_IN_CALLBACK] = "close-in-callback",
    [REFUSED_OUTCOME] = "refused-outcome",
    [FOLLOWING] = "following",
    [RACING_ANSWERS] = "racing-answers",
    [LOST_UPDATE] = "lost-update",
    [FORK] = "fork",
    [HISTORY] = "history",
    [LOG] = "log",
};
static int is_left_out[FEATURES];

int has_feature(feature feature) { return !is_left_out[feature]; }

int leave_out(const char *name) {
  for (int i = 0; i < FEATURES; i++)
    if (strcmp(names[i], name) == 0) return is_left_out[i] = 1;
  return 0;
}
