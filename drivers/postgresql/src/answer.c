#include "answer.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum { OUTCOME, NUMBER, HASH, TEXT_, ORIGIN, COUNTER, AUTHOR, COLUMNS };

static int64_t number_at(const PGresult *result, int row, int column) {
  uint64_t big;
  if (PQgetlength(result, row, column) != sizeof big) return 0; /* null */
  memcpy(&big, PQgetvalue(result, row, column), sizeof big);
  return (int64_t)be64toh(big);
}

static imd_log_place place_at(const PGresult *result, int row) {
  imd_log_place place = {.number = number_at(result, row, NUMBER)};
  if (PQgetlength(result, row, HASH) == sizeof place.hash)
    memcpy(place.hash, PQgetvalue(result, row, HASH), sizeof place.hash);
  return place;
}

static void set_origin(origin_text *origin, const PGresult *result, int row) {
  const char *uuid = PQgetvalue(result, row, ORIGIN);
  for (int i = 0; i < PQgetlength(result, row, ORIGIN); i++) {
    origin->digits[2 * i] = "0123456789abcdef"[(unsigned char)uuid[i] >> 4];
    origin->digits[2 * i + 1] = "0123456789abcdef"[uuid[i] & 15];
  }
}

static void set_entry(imd_log_entry *entry, origin_text *origin, const PGresult *result, int row) {
  set_origin(origin, result, row);
  entry->place = place_at(result, row);
  entry->text = PQgetvalue(result, row, TEXT_);
  entry->length = (size_t)PQgetlength(result, row, TEXT_);
  entry->origin = origin->digits;
  entry->counter = number_at(result, row, COUNTER);
  entry->author = PQgetvalue(result, row, AUTHOR);
}

/* For people; the head is a part of the answer. */
static const char *message_of(imd_log_outcome outcome) {
  switch (outcome) {
  case IMD_LOG_MOVED: return "others have changed the log meanwhile";
  case IMD_LOG_REPEATED: return "the counter is not the next one of its origin";
  case IMD_LOG_ABSENT: return "there is no such log, or no snapshot";
  case IMD_LOG_TRIMMED: return "the entries after that place were removed";
  case IMD_LOG_DIVERGED:
    return "the log in the database does not have that place: it may have been restored from an "
           "older copy";
  default: return NULL;
  }
}

bool decode(decoded *decoded, PGresult *result, failure *failure) {
  *decoded = (struct decoded){.result = result};
  int rows = PQntuples(result);
  if (rows < 1 || PQnfields(result) != COLUMNS || PQgetlength(result, 0, OUTCOME) != 2)
    return fail(failure, IMD_LOG_REFUSED, "the database answers in another format");
  size_t count = (size_t)rows - 1;
  if (count > 0) {
    decoded->entries = calloc(count, sizeof *decoded->entries);
    decoded->origins = calloc(count, sizeof *decoded->origins);
    if (!decoded->entries || !decoded->origins)
      return fail(failure, IMD_LOG_UNAVAILABLE, "out of memory");
  }
  for (size_t i = 0; i < count; i++)
    set_entry(&decoded->entries[i], &decoded->origins[i], result, (int)i + 1);
  imd_log_answer *answer = &decoded->answer;
  answer->outcome = (imd_log_outcome)PQgetvalue(result, 0, OUTCOME)[1];
  answer->message = message_of(answer->outcome);
  answer->head = place_at(result, 0);
  answer->entries = decoded->entries;
  answer->count = count;
  decoded->counter = number_at(result, 0, COUNTER);
  set_origin(&decoded->id, result, 0);
  if (!PQgetisnull(result, 0, TEXT_)) {
    answer->text = PQgetvalue(result, 0, TEXT_);
    answer->length = (size_t)PQgetlength(result, 0, TEXT_);
  }
  return true;
}

void decoded_free(decoded *decoded) {
  free(decoded->entries);
  free(decoded->origins);
  PQclear(decoded->result);
  *decoded = (struct decoded){0};
}
