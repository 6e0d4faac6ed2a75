/* A connection to PostgreSQL, on which nothing waits longer than until a deadline. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stddef.h>
#include <stdint.h>

#include "address.h"

/* A time of CLOCK_MONOTONIC, in milliseconds. */
typedef int64_t instant;
instant now(void);

typedef struct connection {
  PGconn *handle;         /* NULL if there is none */
  bool committed_locally; /* a standby has not confirmed the commit */
} connection;

enum { MAXIMUM_PARAMETERS = 8 };

/* A statement with its parameters, in binary. */
typedef struct statement {
  const char *name; /* of a prepared statement; or NULL */
  const char *text; /* of another, or of one to prepare */
  int count;
  bool prepare; /* only prepare it */
  const char *values[MAXIMUM_PARAMETERS];
  int lengths[MAXIMUM_PARAMETERS];
  const Oid *types;
} statement;

/* Makes a connection. */
bool connection_open(connection *connection, const address *address, int timeout_ms,
                     instant deadline, failure *failure);

/* Ends it at once, also in the middle of a statement. */
void connection_close(connection *connection);

/* Sends statements and receives their results, in one round trip. Unless a transaction is open,
 * they are one. If one fails, those after it are not run, and all results are NULL. The caller
 * clears the results. If the connection is lost, or the deadline passes, it is closed. */
bool connection_exchange(connection *connection, const statement *statements, size_t count,
                         PGresult **results, instant deadline, failure *failure);

/* Runs a script of statements. The connection cannot be used for an exchange afterwards. */
bool connection_run_script(connection *connection, const char *script, instant deadline,
                           failure *failure);

/* Waits for a notification while no statement runs; false if there is none before the deadline. */
bool connection_wait_for_notification(connection *connection, instant deadline);

#endif
