/* immutabledata-postgresql: logs of immutabledata in PostgreSQL, for any number of programs on any
 * number of machines.
 *
 *     #include <immutabledata_postgresql.h>
 *
 *     imd_register_log("postgresql", imd_postgresql_driver(), &error);
 *     const char *options = "{\"log\":\"postgresql://db.example/app?log=board-7\"}";
 *
 * The address is a connection URI of libpq, with the parameter "log": the name of the log, which
 * percent-encoding may express. All else is passed to libpq, which also reads its environment
 * variables, ~/.pgpass and the service file. Keep passwords there, not in the address.
 *
 * The database needs the schema "immutabledata", which imd_postgresql_initialize makes. PostgreSQL
 * 13 or later, directly or behind a pooler in session mode.
 *
 * The conventions are those of immutabledata.h. Each open log has one connection and one thread. */
#ifndef IMMUTABLEDATA_POSTGRESQL_H
#define IMMUTABLEDATA_POSTGRESQL_H

#include "immutabledata_log.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the driver, for imd_register_log. It is valid as long as the process. */
const imd_log_driver *imd_postgresql_driver(void);

/* Returns the SQL that makes or upgrades the schema, for an administrator who runs it: in one
 * transaction, as the role that is to own the schema. Valid as long as the process. */
const char *imd_postgresql_schema(void);

/* Makes or upgrades the schema in the database of an address, whose parameter "log" may be missing.
 * Does nothing if it is current. Waits for the server, for up to timeout_ms.
 *
 * IMD_INVALID_ARGUMENT: not an address. IMD_IO: the server cannot be reached, or refuses. */
imd_status imd_postgresql_initialize(const char *address, int timeout_ms, imd_error *error);

#ifdef __cplusplus
}
#endif

#endif /* IMMUTABLEDATA_POSTGRESQL_H */
