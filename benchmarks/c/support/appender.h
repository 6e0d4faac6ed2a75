/* A process that appends actions of 100 bytes: to the log of a store, or to a table of SQLite. */
#ifndef APPENDER_H
#define APPENDER_H

#include "records.h"
#include "sqlite.h"

typedef struct appender {
  records records;
  int next; /* the operation of the batch to append */
  sqlite3 *database;
  sqlite3_stmt *begin, *select, *insert, *commit;
  sqlite3_int64 last; /* the row that was read or inserted last */
} appender;

typedef struct side {
  /* Opens the file in a folder. number is that of the process: each changes other records. */
  void (*open)(appender *appender, const char *folder, int number);
  void (*append)(appender *appender, const text *action);
  void (*close)(appender *appender);
} side;

extern const side shared_log_side, own_log_side, no_log_side, sqlite_side;

/* Appends the next action. */
void append(const side *side, appender *appender);

/* Reads the rows that others have inserted. */
void read_rows(appender *appender);

#endif
