/* SQLite, for the jobs that it is a peer of. */
#ifndef SQLITE_H
#define SQLITE_H

#include <sqlite3.h>

/* Ends the program unless the result of a call is the expected one. database may be NULL. */
void must(sqlite3 *database, int result, int expected);

void execute(sqlite3 *database, const char *sql);

/* Prepares a statement that is used often. */
sqlite3_stmt *prepare(sqlite3 *database, const char *sql);

#endif
