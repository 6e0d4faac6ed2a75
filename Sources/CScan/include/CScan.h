/* Scans and writes JSON text. Written in C for its SIMD intrinsics, and so that arithmetic stays in
 * registers.
 *
 * Uses SSE2 on x86-64, NEON on arm64, and words of eight bytes elsewhere. Every processor of these
 * architectures supports them, so there is no dispatch at run time, except for checksums: those use
 * the instruction of SSE4.2 if the processor has it. */
#ifndef CSCAN_H
#define CSCAN_H

#include <stddef.h>
#include <stdint.h>

/* Skips the plain characters of a JSON string: ASCII, and well-formed UTF-8 (RFC 3629). Returns the
 * address of the first quotation mark, backslash, control character or ill-formed sequence, or end.
 * Does not read at or after end. */
const uint8_t *scan_characters(const uint8_t *at, const uint8_t *end);

/* Skips bytes that need no escape. Returns the address of the first quotation mark, backslash or
 * control character, or end. */
const uint8_t *scan_unescaped(const uint8_t *at, const uint8_t *end);

typedef enum {
  UNESCAPE_DONE,    /* up to the closing quotation mark */
  UNESCAPE_FULL,    /* up to characters that need more room */
  UNESCAPE_INVALID, /* up to an invalid byte, or including the invalid letter of an escape */
} scan_unescape_status;

typedef struct {
  scan_unescape_status status;
  size_t length; /* of the decoded characters, in bytes */
} scan_unescape_result;

/* The least room for the next characters. */
enum { UNESCAPE_ROOM = 16 };

/* Decodes the characters of a JSON string. Returns the end of those that it has read. */
const uint8_t *scan_unescape(const uint8_t *at, const uint8_t *end, uint8_t *room, size_t size,
                             scan_unescape_result *result);

typedef enum {
  SCAN_INTEGER,  /* in integer */
  SCAN_REAL,     /* in real */
  SCAN_UNROUNDED,     /* a number with fraction or exponent that this function cannot round */
  SCAN_OVERFLOW, /* an integer beyond 64 bits */
  SCAN_INVALID,  /* not a number; the returned address is that of the offending byte */
} scan_kind;

typedef struct {
  scan_kind kind;
  int64_t integer;
  double real;
} scan_number_result;

/* Parses a JSON number, and returns its end. A real is the nearest double, in each rounding mode. */
const uint8_t *scan_number(const uint8_t *at, const uint8_t *end, scan_number_result *out);

/* Makes the thread round to the nearest number, and returns its previous rounding mode. */
int scan_round_to_nearest(void);

/* Sets the rounding mode of the thread to one that scan_round_to_nearest returned. */
void scan_set_rounding(int mode);

typedef enum {
  SCAN_OBJECT,
  SCAN_ARRAY,
  SCAN_KEY,
  SCAN_STRING,
  SCAN_NUMBER,
  SCAN_WORD, /* true, false or null */
} scan_token_kind;

/* A value or a key of a short text, without its quotation marks. */
typedef struct {
  uint16_t start, end; /* offsets in bytes */
  uint8_t kind;        /* a scan_token_kind */
  uint8_t next;        /* the token after a value */
} scan_token;

enum { SCAN_MAX_TEXT = 512, SCAN_MAX_TOKENS = 64 };

/* Checks that a text begins with a JSON value, and finds the values in it in one pass. An object is
 * followed by its members, each a key and a value; an array by its elements.
 *
 * Returns the number of tokens, at most SCAN_MAX_TOKENS, and the size of the text of the value in
 * out_length. Returns 0 if there is none, and for one that needs the whole parser: with more than
 * SCAN_MAX_TEXT bytes or SCAN_MAX_TOKENS tokens, with an escape, or with a number that scan_number
 * cannot round. */
int scan_tokens(const void *json, size_t length, scan_token *tokens, size_t *out_length);

/* Finds a value of a text by a JSON Pointer (RFC 6901); NULL if there is none, and for a pointer with an
 * escape. */
const scan_token *scan_find(const scan_token *tokens, const void *json, const void *pointer,
                            size_t length);

/* Each of the next functions writes text, and returns its length. It may write to all of its room: to
 * 40 bytes of a number, and to WRITE_SLACK bytes more than the longest text of characters. */
enum { WRITE_NUMBER_ROOM = 40, WRITE_ESCAPE_LENGTH = 6, WRITE_SLACK = 16 };

size_t json_write_integer(uint8_t *out, int64_t integer);

/* Writes the fewest significant digits that are read as this double, which must be finite: 0.1, 1.0,
 * 1e-05. */
size_t json_write_double(uint8_t *out, double real);

/* Writes characters of a string, those with escapes that need them. */
size_t json_write_characters(uint8_t *out, const uint8_t *at, size_t count);

/* The CRC-32C (Castagnoli) of bytes that follow those whose CRC-32C is crc; 0 if none do. */
uint32_t scan_crc32c(uint32_t crc, const uint8_t *at, size_t count);

/* The same without special instructions, for tests. */
uint32_t scan_crc32c_portable(uint32_t crc, const uint8_t *at, size_t count);

/* The SHA-256 of a hash and the text that follows it. */
void scan_sha256(const uint8_t before[32], const uint8_t *text, size_t count, uint8_t out[32]);

/* The address of the first line feed, or end. */
const uint8_t *scan_line(const uint8_t *at, const uint8_t *end);

#endif
