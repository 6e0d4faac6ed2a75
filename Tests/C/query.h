/* Checks the output of an expression. */
#ifndef QUERY_H
#define QUERY_H

#include "check.h"

#include <immutabledata.h>

static void check_query(imd_store *store, const char *expression, const char *expected) {
  char *text = NULL;
  CHECK(imd_store_query(store, expression, NULL, 0, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, expected);
  imd_free(text);
}

#endif
