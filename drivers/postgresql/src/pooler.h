/* Detects poolers that give a session to others between transactions. */
#ifndef POOLER_H
#define POOLER_H

#include "connection.h"

/* For a connection whose server process is not the one that was announced, so that something is in
 * between: checks that it receives notifications while no transaction runs. A pooler in session
 * mode and a proxy pass them on; a pooler in transaction mode has given the session to somebody
 * else. */
bool pooler_check(connection *connection, const address *address, int timeout_ms, instant deadline,
                  failure *failure);

#endif
