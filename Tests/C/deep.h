/* Deeply nested JSON: text, values and pointers. */
#ifndef DEEP_H
#define DEEP_H

#include "check.h"

#include <immutabledata.h>
#include <stdlib.h>

/* The maximum depth of a value. */
enum { DEPTH = 2048 };

/* Text that nests: depth times open, then inside, then depth times close. The caller frees it. */
static inline char *nested_text(const char *open, const char *inside, const char *close, int depth) {
  size_t length = strlen(inside) + (strlen(open) + strlen(close)) * (size_t)depth;
  char *text = malloc(length + 1), *end = text;
  for (int i = 0; i < depth; i++)
    end = stpcpy(end, open);
  end = stpcpy(end, inside);
  for (int i = 0; i < depth; i++)
    end = stpcpy(end, close);
  return text;
}

/* An integer inside depth levels of objects {"a":…,"b":1}, or of arrays […,1]. */
static inline imd_value *nested(int64_t inside, int depth, int objects) {
  imd_value *value = NULL, *around = NULL, *next = NULL;
  CHECK(imd_value_from_integer(inside, &value, NULL) == IMD_OK);
  CHECK(imd_value_parse(objects ? "{\"a\":0,\"b\":1}" : "[0,1]", IMD_ZERO_TERMINATED, &around,
                        NULL) == IMD_OK);
  for (int i = 0; i < depth; i++) {
    CHECK(imd_value_set(around, objects ? "/a" : "/0", value, &next, NULL) == IMD_OK);
    imd_value_release(value);
    value = next;
  }
  imd_value_release(around);
  return value;
}

/* The pointer to the innermost of DEPTH levels, followed by last. The caller frees it. */
static inline char *nested_pointer(int objects, const char *last) {
  return nested_text(objects ? "/a" : "/0", last, "", DEPTH);
}

#endif
