/* A session: a connection that is ready for the calls of a log. */
#ifndef SESSION_H
#define SESSION_H

#include "connection.h"

/* The prepared statements, one for each function of schema.sql. */
typedef enum function {
  OPEN,
  CREATE,
  APPEND,
  LOCK,
  READ,
  GET_SNAPSHOT,
  PUT_SNAPSHOT,
  TRIM
} function;

enum { FUNCTIONS = TRIM + 1, HOLD_MS = 5000 };

/* Returns the statement that calls a function, without its parameters. */
statement call_function(function function);

/* Makes a connection, checks it and prepares it. If key is not 0, it listens to that log. */
bool session_start(connection *connection, const address *address, int timeout_ms, int64_t key,
                   instant deadline, failure *failure);

/* Listens to the entries of a log. */
bool session_listen(connection *connection, int64_t key, instant deadline, failure *failure);

#endif
