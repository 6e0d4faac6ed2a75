/* The library calls none of the program's functions that have names of jansson or SQLite. */
#include "check.h"

#include <immutabledata.h>
#include <stdlib.h>

static int calls;

#define OWN_FUNCTION(name)                                                                         \
  void *name(void);                                                                                \
  void *name(void) {                                                                               \
    calls++;                                                                                       \
    return NULL;                                                                                   \
  }

OWN_FUNCTION(json_loadb)
OWN_FUNCTION(json_object_seed)
OWN_FUNCTION(json_delete)
OWN_FUNCTION(sqlite3_open_v2)
OWN_FUNCTION(sqlite3_prepare_v3)
OWN_FUNCTION(sqlite3_bind_text64)
OWN_FUNCTION(sqlite3_close_v2)

int main(void) {
  imd_error error;
  imd_value *value = NULL;
  CHECK(imd_value_parse("[1", IMD_ZERO_TERMINATED, &value, &error) == IMD_INVALID_JSON);
  CHECK_TEXT(error.message, "the value is not JSON: ']' expected near end of file; write JSON text "
                            "such as {\"name\":\"value\"}");
  imd_store *store = NULL;
  char *categories = NULL;
  CHECK(imd_store_open("animals", NULL, 0, &store, &error) == IMD_OK);
  CHECK(imd_store_dispatch(store, "{\"type\":\"ui/categoryList/onAppear\"}", IMD_ZERO_TERMINATED,
                           &error) == IMD_OK);
  CHECK(imd_store_settle(store, 10000, &error) == IMD_OK);
  CHECK(imd_store_query(store, "length(values(categories.data))", NULL, 0, &categories, NULL,
                        &error) == IMD_OK);
  CHECK_TEXT(categories, "6");
  imd_free(categories);
  imd_store_close(store);
  CHECK(calls == 0);
  return check_report();
}
