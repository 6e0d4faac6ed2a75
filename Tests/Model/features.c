#include "features.h"

#include <string.h>

static const char *const names[FEATURES] = {
    "keep-nothing",       "keep-retained",      "become-action",       "reducer-status",
    "reducer-descriptors", "reducer-closes",    "reducer-dispatches",  "skipped",
    "descriptor",         "release-order",      "settle-in-callback",  "stream-in-callback",
    "crossing-callbacks", "close-in-callback",  "refused-outcome",     "following",
    "racing-answers",     "lost-update",        "fork",
};
static int is_left_out[FEATURES];

int has_feature(feature feature) { return !is_left_out[feature]; }

int leave_out(const char *name) {
  for (int i = 0; i < FEATURES; i++)
    if (strcmp(names[i], name) == 0) return is_left_out[i] = 1;
  return 0;
}
