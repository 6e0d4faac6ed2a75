/* The functions of SQLite that the library calls. */
#ifndef CSQLITEFUNCTIONS_H
#define CSQLITEFUNCTIONS_H

#include <sqlite3.h>

#define SQLITE_FUNCTIONS(FUNCTION)                                                                 \
  FUNCTION(sqlite3_backup_finish)                                                                  \
  FUNCTION(sqlite3_backup_init)                                                                    \
  FUNCTION(sqlite3_backup_step)                                                                    \
  FUNCTION(sqlite3_bind_double)                                                                    \
  FUNCTION(sqlite3_bind_int64)                                                                     \
  FUNCTION(sqlite3_bind_text64)                                                                    \
  FUNCTION(sqlite3_changes)                                                                        \
  FUNCTION(sqlite3_clear_bindings)                                                                 \
  FUNCTION(sqlite3_close_v2)                                                                       \
  FUNCTION(sqlite3_column_bytes)                                                                   \
  FUNCTION(sqlite3_column_double)                                                                  \
  FUNCTION(sqlite3_column_int64)                                                                   \
  FUNCTION(sqlite3_column_name)                                                                    \
  FUNCTION(sqlite3_column_text)                                                                    \
  FUNCTION(sqlite3_column_type)                                                                    \
  FUNCTION(sqlite3_db_filename)                                                                    \
  FUNCTION(sqlite3_db_handle)                                                                      \
  FUNCTION(sqlite3_db_readonly)                                                                    \
  FUNCTION(sqlite3_errcode)                                                                        \
  FUNCTION(sqlite3_errmsg)                                                                         \
  FUNCTION(sqlite3_errstr)                                                                         \
  FUNCTION(sqlite3_file_control)                                                                   \
  FUNCTION(sqlite3_finalize)                                                                       \
  FUNCTION(sqlite3_get_autocommit)                                                                 \
  FUNCTION(sqlite3_open_v2)                                                                        \
  FUNCTION(sqlite3_prepare_v3)                                                                     \
  FUNCTION(sqlite3_progress_handler)                                                               \
  FUNCTION(sqlite3_reset)                                                                          \
  FUNCTION(sqlite3_step)                                                                           \
  FUNCTION(sqlite3_system_errno)

struct sqlite_functions {
#define FUNCTION(name) __typeof__(name) *_Nonnull name;
  SQLITE_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* The functions of SQLite, also if the program has others of the same names. If the program contains
 * SQLite itself, those of the program. */
const struct sqlite_functions *_Nonnull sqlite_functions(void);

#endif
