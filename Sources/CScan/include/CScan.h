/* Scanning JSON text: what Swift cannot express, which is SIMD with a mask, and arithmetic that the
 * compiler has to keep in registers.
 *
 * Baseline: SSE2 on x86-64, NEON on arm64, eight bytes in a word elsewhere. All of these are there on
 * every processor of their kind, so nothing is chosen at run time. */
#ifndef CSCAN_H
#define CSCAN_H

#include <stdint.h>

/* Skips the plain characters of a JSON string: ASCII, and well-formed UTF-8 (RFC 3629). Returns the
 * address of the first quotation mark, backslash, control character or ill-formed sequence, or end.
 * Does not read at or beyond end. */
const uint8_t *scan_characters(const uint8_t *at, const uint8_t *end);

/* Skips bytes that need no escape. Returns the address of the first quotation mark, backslash or
 * control character, or end. */
const uint8_t *scan_unescaped(const uint8_t *at, const uint8_t *end);

typedef enum {
  SCAN_INTEGER, /* in integer */
  SCAN_REAL,    /* in real */
  SCAN_LONG,    /* a number with fraction or exponent that needs more precision than this has */
  SCAN_OVERFLOW,  /* an integer beyond 64 bits */
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
