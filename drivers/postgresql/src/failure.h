/* Why something did not work, in the terms of a log driver. */
#ifndef FAILURE_H
#define FAILURE_H

#include <libpq-fe.h>
#include <stdbool.h>

#include "immutabledata_log.h"

typedef struct failure {
  imd_log_outcome outcome;
  bool uncertain;     /* the server may have done what was asked, or may still do it */
  bool uninitialized; /* the database has no schema for logs */
  char message[512];
} failure;

/* Sets a failure, and returns false. */
__attribute__((format(printf, 3, 4))) bool fail(failure *failure, imd_log_outcome outcome,
                                                const char *format, ...);

/* The same, for an error that the server has sent as the result of a statement. */
bool fail_result(failure *failure, const PGresult *result);

/* The same, for a connection with PQERRORS_VERBOSE that could not be made. libpq has the server's
 * reason only as text; being verbose, it contains the SQLSTATE. */
bool fail_connection(failure *failure, const PGconn *connection);

#endif
