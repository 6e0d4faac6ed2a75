/* The rows of the type answer of schema.sql, as an answer of a driver. */
#ifndef ANSWER_H
#define ANSWER_H

#include "failure.h"

typedef struct origin_text {
  char digits[33];
} origin_text;

/* An answer with what it points to. */
typedef struct decoded {
  imd_log_answer answer;
  int64_t counter;        /* the column counter of the first row */
  origin_text id;         /* its column origin */
  imd_log_entry *entries; /* of the rows after it */
  origin_text *origins;
  PGresult *result; /* has the texts */
} decoded;

/* Decodes a result, which belongs to decoded afterwards, also if that fails. */
bool decode(decoded *decoded, PGresult *result, failure *failure);
void decoded_free(decoded *decoded);

#endif
