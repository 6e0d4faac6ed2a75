#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift does not import. */
static inline int imd_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                        sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}
