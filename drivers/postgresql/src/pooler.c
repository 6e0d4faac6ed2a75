#include "pooler.h"

#include <stdio.h>
#include <sys/random.h>

enum { NOTIFICATION_MS = 2000 };

static bool run(connection *connection, const char *command, const char *channel, instant deadline,
                failure *failure) {
  char text[64];
  snprintf(text, sizeof text, "%s %s", command, channel);
  PGresult *result;
  if (!connection_exchange(connection, &(statement){.text = text}, 1, &result, deadline, failure))
    return false;
  PQclear(result);
  return true;
}

/* Notifies a channel through a second connection. */
static bool notify(const char *channel, const address *address, int timeout_ms, instant deadline,
                   failure *failure) {
  connection other;
  if (!connection_open(&other, address, timeout_ms, deadline, failure)) return false;
  bool good = run(&other, "notify", channel, deadline, failure);
  connection_close(&other);
  return good;
}

bool pooler_check(connection *connection, const address *address, int timeout_ms, instant deadline,
                  failure *failure) {
  uint64_t random;
  if (getrandom(&random, sizeof random, 0) != sizeof random)
    return fail(failure, IMD_LOG_UNAVAILABLE, "the system has no random numbers");
  char channel[48];
  snprintf(channel, sizeof channel, "immutabledata_check_%016llx", (unsigned long long)random);
  if (!run(connection, "listen", channel, deadline, failure) ||
      !notify(channel, address, timeout_ms, deadline, failure))
    return false;
  instant latest = now() + NOTIFICATION_MS;
  if (latest > deadline) latest = deadline;
  if (!connection_wait_for_notification(connection, latest))
    return fail(failure, IMD_LOG_REFUSED,
                "%s does not pass notifications on: it seems to be a pooler in transaction mode; "
                "use the address of the server, or a pooler in session mode",
                address->shown);
  return run(connection, "unlisten", channel, deadline, failure);
}
