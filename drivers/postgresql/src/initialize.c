/* Makes the schema. Beside a log, waiting in the caller's thread. */
#include <stdio.h>

#include "connection.h"
#include "immutabledata_postgresql.h"

static imd_status answer(imd_status status, const failure *failure, imd_error *error) {
  if (error) {
    *error = (imd_error){.status = status};
    if (status != IMD_OK)
      snprintf(error->message, sizeof error->message, "%.*s", (int)sizeof error->message - 1,
               failure->message);
  }
  return status;
}

imd_status imd_postgresql_initialize(const char *text, int timeout_ms, imd_error *error) {
  failure failure;
  address address;
  connection connection;
  instant deadline = now() + timeout_ms;
  if (!text) {
    fail(&failure, IMD_LOG_REFUSED, "address must not be NULL");
    return answer(IMD_INVALID_ARGUMENT, &failure, error);
  }
  if (!address_parse(&address, text, &failure))
    return answer(IMD_INVALID_ARGUMENT, &failure, error);
  bool good = connection_open(&connection, &address, timeout_ms, deadline, &failure);
  if (good) {
    good = connection_run_script(&connection, imd_postgresql_schema(), deadline, &failure);
    connection_close(&connection);
  }
  address_free(&address);
  return answer(good ? IMD_OK : IMD_IO, &failure, error);
}
