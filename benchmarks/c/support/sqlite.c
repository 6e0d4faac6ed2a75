#include "sqlite.h"

#include <stdio.h>
#include <stdlib.h>

void must(sqlite3 *database, int result, int expected) {
  if (result == expected)
    return;
  fprintf(stderr, "SQLite: %s\n", database ? sqlite3_errmsg(database) : sqlite3_errstr(result));
  exit(1);
}

void execute(sqlite3 *database, const char *sql) {
  must(database, sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
}

sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement;
  must(database,
       sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), SQLITE_OK);
  return statement;
}
