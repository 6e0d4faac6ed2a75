#include "session.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pooler.h"

enum { BOOL = 16, BYTEA = 17, INT8 = 20, TEXT = 25, BYTEA_ARRAY = 1001, UUID = 2950, FORMAT = 1 };

static const Oid LOG_NAME[] = {TEXT}, CREATING[] = {TEXT, BYTEA, BYTEA}, LOG_KEY[] = {INT8},
                 APPENDING[] = {INT8, INT8, BYTEA, UUID, INT8, BYTEA_ARRAY, INT8},
                 READING[] = {INT8, INT8, BYTEA, INT8}, TRIMMING[] = {INT8, INT8, INT8},
                 PUTTING[] = {INT8, INT8, INT8, BYTEA, BYTEA};

static const statement STATEMENTS[FUNCTIONS] = {
    [OPEN] = {"open", "select * from immutabledata.open($1)", 1, .types = LOG_NAME},
    [CREATE] = {"create", "select immutabledata.create_log($1, $2, $3)", 3, .types = CREATING},
    [APPEND] = {"append", "select * from immutabledata.append($1, $2, $3, $4, $5, $6, $7)", 7,
                .types = APPENDING},
    [LOCK] = {"lock", "select immutabledata.lock($1)", 1, .types = LOG_KEY},
    [READ] = {"read", "select * from immutabledata.read($1, $2, $3, $4)", 4, .types = READING},
    [GET_SNAPSHOT] = {"get_snapshot", "select * from immutabledata.get_snapshot($1)", 1,
                      .types = LOG_KEY},
    [PUT_SNAPSHOT] = {"put_snapshot",
                      "select * from immutabledata.put_snapshot($1, $2, $3, $4, $5)", 5,
                      .types = PUTTING},
    [TRIM] = {"trim", "select * from immutabledata.trim($1, $2, $3)", 3, .types = TRIMMING},
};

statement call_function(function function) { return STATEMENTS[function]; }

/* What the database or the role may have set otherwise. A server that waits for a lock, or works
 * for too long, gives up by itself: else it would append after the call was answered. The warning
 * that a standby has not confirmed a commit must arrive. */
static const char SETTINGS[] =
    "select pg_catalog.set_config('default_transaction_isolation', 'read committed', false),"
    " pg_catalog.set_config('statement_timeout', '%d', false),"
    " pg_catalog.set_config('lock_timeout', '%d', false),"
    " pg_catalog.set_config('idle_in_transaction_session_timeout', '%d', false),"
    " pg_catalog.set_config('client_min_messages', 'warning', false),"
    " case when pg_catalog.current_setting('idle_session_timeout', true) is not null"
    " then pg_catalog.set_config('idle_session_timeout', '0', false) end";

static const char CHECK[] =
    "select immutabledata.format(), pg_catalog.pg_backend_pid()::pg_catalog.int4";

static bool check(connection *connection, const address *address, int timeout_ms, instant deadline,
                  failure *failure) {
  char settings[1024];
  snprintf(settings, sizeof settings, SETTINGS, timeout_ms - timeout_ms / 8,
           timeout_ms - timeout_ms / 4, HOLD_MS);
  const statement statements[] = {{.text = settings}, {.text = CHECK}};
  PGresult *results[2];
  if (!connection_exchange(connection, statements, 2, results, deadline, failure)) {
    if (failure->uninitialized)
      fail(failure, IMD_LOG_REFUSED, "the database has no schema for logs; run: imd log init %s",
           address->shown);
    return false;
  }
  uint32_t format, process;
  memcpy(&format, PQgetvalue(results[1], 0, 0), 4);
  memcpy(&process, PQgetvalue(results[1], 0, 1), 4);
  PQclear(results[0]);
  PQclear(results[1]);
  if (be32toh(format) != FORMAT)
    return fail(failure, IMD_LOG_REFUSED,
                "the schema for logs has format %u instead of %d; if it is less, run: imd log init "
                "%s; else, install a later version of immutabledata",
                be32toh(format), FORMAT, address->shown);
  if ((int)be32toh(process) == PQbackendPID(connection->handle)) return true;
  return pooler_check(connection, address, timeout_ms, deadline, failure);
}

static void set_listen(char *text, size_t size, int64_t key) {
  snprintf(text, size, "listen immutabledata_%" PRId64, key);
}

static bool prepare(connection *connection, int64_t key, instant deadline, failure *failure) {
  char listen[64];
  set_listen(listen, sizeof listen, key);
  statement statements[FUNCTIONS + 1];
  for (size_t i = 0; i < FUNCTIONS; i++) {
    statements[i] = STATEMENTS[i];
    statements[i].prepare = true;
  }
  statements[FUNCTIONS] = (statement){.text = listen};
  PGresult *results[FUNCTIONS + 1];
  size_t count = key ? FUNCTIONS + 1 : FUNCTIONS;
  if (!connection_exchange(connection, statements, count, results, deadline, failure)) return false;
  for (size_t i = 0; i < count; i++) PQclear(results[i]);
  return true;
}

bool session_start(connection *connection, const address *address, int timeout_ms, int64_t key,
                   instant deadline, failure *failure) {
  if (!connection_open(connection, address, timeout_ms, deadline, failure)) return false;
  if (check(connection, address, timeout_ms, deadline, failure) &&
      prepare(connection, key, deadline, failure))
    return true;
  failure->uncertain = false;
  connection_close(connection);
  return false;
}

bool session_listen(connection *connection, int64_t key, instant deadline, failure *failure) {
  char listen[64];
  set_listen(listen, sizeof listen, key);
  PGresult *result;
  if (!connection_exchange(connection, &(statement){.text = listen}, 1, &result, deadline, failure))
    return false;
  PQclear(result);
  return true;
}
