/* Scanning JSON text: what Swift cannot express, which is SIMD with a mask, and arithmetic that the
 * compiler has to keep in registers.
 *
 * Baseline: SSE2 on x86-64, NEON on arm64, eight bytes in a word elsewhere. All of these are there on
 * every processor of their kind, so nothing is chosen at run time. */
#ifndef CSCAN_H
#define CSCAN_H

#include <stdint.h>

/* Skips characters of a string that stand for themselves: ASCII, and UTF-8 that is well-formed (RFC
 * 3629). Returns the first byte that is none: a quotation mark, a backslash, a control character, the
 * first of an ill-formed sequence, or end. *is_ascii becomes 0 if it skipped any that is not ASCII.
 * Reads no byte at or behind end. */
const uint8_t *scan_characters(const uint8_t *at, const uint8_t *end, int *is_ascii);

/* Skips bytes that a JSON text writes as they are: returns the first that is a quotation mark, a
 * backslash or a control character, or end. */
const uint8_t *scan_unescaped(const uint8_t *at, const uint8_t *end);

typedef enum {
  SCAN_INTEGER, /* in integer */
  SCAN_REAL,    /* in real */
  SCAN_LONG,    /* a number with fraction or exponent that needs more precision than this has */
  SCAN_BEYOND,  /* an integer beyond 64 bits */
  SCAN_INVALID, /* no number; the position returned is that of the first byte that does not fit */
} scan_kind;

typedef struct {
  scan_kind kind;
  int64_t integer;
  double real;
} scan_number_result;

/* Reads a number of JSON's grammar. Returns where it ends. The real is the nearest double. */
const uint8_t *scan_number(const uint8_t *at, const uint8_t *end, scan_number_result *out);

#endif
