#include "CScan.h"

#include "block.h"

/* Finds the first special byte of a text that is shorter than a block; returns end if none is
 * found. */
static const uint8_t *find_special_at_end(const uint8_t *at, const uint8_t *end,
                                          int or_non_ascii) {
  while (at < end && !is_special(*at, or_non_ascii))
    at++;
  return at;
}

static inline const uint8_t *skip_plain(const uint8_t *at, const uint8_t *end,
                                        int or_non_ascii) {
  while (end - at >= BLOCK) {
    int found = find_special(at, or_non_ascii);
    at += found;
    if (found < BLOCK)
      return at;
  }
  return find_special_at_end(at, end, or_non_ascii);
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

static inline int is_continuation(uint8_t byte) {
  return (byte & 0xC0) == 0x80;
}

/* The length of a multi-byte sequence (RFC 3629, section 4), or 0 if it is ill-formed. */
static inline int sequence_length(const uint8_t *at, const uint8_t *end) {
  uint8_t first = at[0];
  if (first < 0xC2 || first > 0xF4 || end - at < 2 || !is_continuation(at[1]))
    return 0;
  if (first < 0xE0)
    return 2;
  if (end - at < 3 || !is_continuation(at[2]))
    return 0;
  if (first < 0xF0) {
    int is_overlong = first == 0xE0 && at[1] < 0xA0;
    int is_surrogate = first == 0xED && at[1] >= 0xA0;
    return is_overlong || is_surrogate ? 0 : 3;
  }
  if (end - at < 4 || !is_continuation(at[3]))
    return 0;
  int is_overlong = first == 0xF0 && at[1] < 0x90;
  int is_above_maximum = first == 0xF4 && at[1] >= 0x90; /* U+10FFFF */
  return is_overlong || is_above_maximum ? 0 : 4;
}

const uint8_t *scan_characters(const uint8_t *at, const uint8_t *end) {
  while (1) {
    at = skip_plain(at, end, 1);
    if (at == end || *at < 0x80)
      return at;
    /* Non-ASCII characters come in runs. */
    do {
      int length = sequence_length(at, end);
      if (length == 0)
        return at;
      at += length;
    } while (at < end && *at >= 0x80);
  }
}

const uint8_t *scan_unescaped(const uint8_t *at, const uint8_t *end) {
  return skip_plain(at, end, 0);
}
