#include "CSQLiteFunctions.h"

#include <CBoundFunctions.h>

static struct sqlite_functions functions = {
#define FUNCTION(name) .name = name,
    SQLITE_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* libsqlite3 calls sqlite3_initialize by its name. So in a program that contains SQLite, the one of
 * the program is initialized, and no other works. */
static int is_in_program(void) {
  void *linked = (void *)sqlite3_initialize;
  return bound_function("sqlite3_initialize", linked) != linked;
}

/* When the library is loaded: a child of fork() must not take the lock of the dynamic linker. */
__attribute__((constructor)) static void bind(void) {
  if (is_in_program())
    return;
#define FUNCTION(name) functions.name = (__typeof__(name) *)bound_function(#name, (void *)name);
  SQLITE_FUNCTIONS(FUNCTION)
#undef FUNCTION
}

const struct sqlite_functions *sqlite_functions(void) { return &functions; }
