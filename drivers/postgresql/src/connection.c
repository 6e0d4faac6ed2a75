#include "connection.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

instant now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (instant)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Waits for the socket; false if the deadline passes. */
static bool wait_for(const PGconn *handle, short events, instant deadline) {
  for (;;) {
    instant left = deadline - now();
    if (left <= 0) return false;
    struct pollfd socket = {.fd = PQsocket(handle), .events = events};
    int count = poll(&socket, 1, left > 60000 ? 60000 : (int)left);
    if (count > 0 || (count < 0 && errno != EINTR)) return true; /* libpq reports what is wrong */
  }
}

/* The waits for standbys of a commit end with a warning if an operator cancels them. Messages are
 * translated; the name of the function is not. */
static void receive_notice(void *context, const PGresult *notice) {
  connection *connection = context;
  const char *function = PQresultErrorField(notice, PG_DIAG_SOURCE_FUNCTION);
  if (function && strcmp(function, "SyncRepWaitForLSN") == 0) connection->committed_locally = true;
}

enum { OWN_OPTIONS = 5, MAXIMUM_OPTIONS = 96 };

/* Our options come first: those of the address replace them, except for the encoding. A log listens
 * for long without a word, so that only the keepalives of TCP notice that the server has gone. */
static bool start(connection *connection, const address *address, int timeout_ms) {
  char timeout[16];
  snprintf(timeout, sizeof timeout, "%d", timeout_ms);
  const char *keys[MAXIMUM_OPTIONS] = {"fallback_application_name", "target_session_attrs",
                                       "tcp_user_timeout", "keepalives_idle",
                                       "keepalives_interval"};
  const char *values[MAXIMUM_OPTIONS] = {"immutabledata", "read-write", timeout, "30", "10"};
  size_t count = OWN_OPTIONS;
  for (const PQconninfoOption *each = address->options; each->keyword; each++) {
    if (!each->val || count > MAXIMUM_OPTIONS - 3) continue;
    keys[count] = each->keyword;
    values[count++] = each->val;
  }
  keys[count] = "client_encoding";
  values[count++] = "UTF8";
  connection->handle = PQconnectStartParams(keys, values, 0);
  return connection->handle != NULL;
}

bool connection_open(connection *connection, const address *address, int timeout_ms,
                     instant deadline, failure *failure) {
  *connection = (struct connection){0};
  if (!start(connection, address, timeout_ms))
    return fail(failure, IMD_LOG_UNAVAILABLE, "out of memory");
  PGconn *handle = connection->handle;
  PQsetErrorVerbosity(handle, PQERRORS_VERBOSE); /* so that messages contain SQLSTATEs */
  PQsetNoticeReceiver(handle, receive_notice, connection);
  PostgresPollingStatusType status =
      PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (status == PGRES_POLLING_WRITING || status == PGRES_POLLING_READING) {
    if (!wait_for(handle, status == PGRES_POLLING_WRITING ? POLLOUT : POLLIN, deadline)) {
      fail(failure, IMD_LOG_UNAVAILABLE, "%s did not answer in time", address->shown);
      connection_close(connection);
      return false;
    }
    status = PQconnectPoll(handle);
  }
  if (status != PGRES_POLLING_OK || PQsetnonblocking(handle, 1) != 0 ||
      PQenterPipelineMode(handle) != 1) {
    fail_connection(failure, handle);
    connection_close(connection);
    return false;
  }
  return true;
}

void connection_close(connection *connection) {
  PQfinish(connection->handle);
  connection->handle = NULL;
}

static bool send(PGconn *handle, const statement *statement) {
  static const int binary[MAXIMUM_PARAMETERS] = {1, 1, 1, 1, 1, 1, 1, 1};
  if (statement->prepare)
    return PQsendPrepare(handle, statement->name, statement->text, statement->count,
                         statement->types) == 1;
  if (statement->name)
    return PQsendQueryPrepared(handle, statement->name, statement->count, statement->values,
                               statement->lengths, binary, 1) == 1;
  return PQsendQueryParams(handle, statement->text, statement->count, statement->types,
                           statement->values, statement->lengths, binary, 1) == 1;
}

/* Sends what is to be sent, and waits until there is a result; false if there will be none. */
static bool wait_for_result(PGconn *handle, instant deadline, failure *failure) {
  for (;;) {
    int unsent = PQflush(handle);
    if (unsent < 0) break;
    if (!PQisBusy(handle)) return true;
    if (!wait_for(handle, unsent ? POLLIN | POLLOUT : POLLIN, deadline)) {
      fail(failure, IMD_LOG_UNAVAILABLE, "the server did not answer in time");
      failure->uncertain = true;
      return false;
    }
    if (!PQconsumeInput(handle)) break;
  }
  /* What the server has said before it closed the connection is a result. */
  if (!PQisBusy(handle)) return true;
  fail(failure, IMD_LOG_UNAVAILABLE, "the connection was lost");
  failure->uncertain = true;
  return false;
}

/* Receives results up to the end of the pipeline. *good becomes false with the first that fails;
 * the result is false if the connection cannot be used any more. */
static bool receive(PGconn *handle, PGresult **results, size_t count, instant deadline, bool *good,
                    failure *failure) {
  size_t received = 0;
  for (int nothing = 0; nothing < 4;) {
    struct failure lost;
    if (!wait_for_result(handle, deadline, &lost)) {
      if (*good) *failure = lost;
      return *good = false;
    }
    PGresult *result = PQgetResult(handle);
    if (!result) {
      nothing++; /* between the results of two statements */
      continue;
    }
    nothing = 0;
    switch (PQresultStatus(result)) {
    case PGRES_PIPELINE_SYNC: PQclear(result); return true;
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
      if (received < count) {
        results[received++] = result;
        continue;
      }
      break;
    case PGRES_PIPELINE_ABORTED: break;
    default:
      if (*good) *good = fail_result(failure, result);
    }
    PQclear(result);
  }
  if (*good) {
    fail(failure, IMD_LOG_UNAVAILABLE, "the connection was lost");
    failure->uncertain = true;
  }
  return *good = false;
}

bool connection_exchange(connection *connection, const statement *statements, size_t count,
                         PGresult **results, instant deadline, failure *failure) {
  PGconn *handle = connection->handle;
  bool good = true, usable = true;
  for (size_t i = 0; i < count; i++) results[i] = NULL;
  connection->committed_locally = false;
  for (size_t i = 0; i < count && usable; i++) usable = send(handle, &statements[i]);
  if (usable && PQpipelineSync(handle) == 1) {
    usable = receive(handle, results, count, deadline, &good, failure);
  } else {
    usable = good = fail(failure, IMD_LOG_UNAVAILABLE, "the connection was lost");
    failure->uncertain = true;
  }
  if (good && connection->committed_locally) {
    good = fail(failure, IMD_LOG_UNAVAILABLE, "committed, but a standby has not confirmed it");
    failure->uncertain = true;
  }
  if (!good)
    for (size_t i = 0; i < count; i++) {
      PQclear(results[i]);
      results[i] = NULL;
    }
  if (!usable || PQstatus(handle) == CONNECTION_BAD) connection_close(connection);
  return good;
}

bool connection_run_script(connection *connection, const char *script, instant deadline,
                           failure *failure) {
  PGconn *handle = connection->handle;
  if (!PQexitPipelineMode(handle) || !PQsendQuery(handle, script))
    return fail(failure, IMD_LOG_UNAVAILABLE, "the connection was lost");
  for (bool good = true;;) {
    struct failure lost;
    if (!wait_for_result(handle, deadline, &lost)) {
      if (good) *failure = lost;
      return false;
    }
    PGresult *result = PQgetResult(handle);
    if (!result) return good;
    if (good && PQresultStatus(result) == PGRES_FATAL_ERROR) good = fail_result(failure, result);
    PQclear(result);
  }
}

bool connection_wait_for_notification(connection *connection, instant deadline) {
  for (;;) {
    PGnotify *notification = PQnotifies(connection->handle);
    if (notification) {
      PQfreemem(notification);
      return true;
    }
    if (!wait_for(connection->handle, POLLIN, deadline) || !PQconsumeInput(connection->handle))
      return false;
  }
}
