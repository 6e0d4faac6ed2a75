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

/* ---- Escapes --------------------------------------------------------------------------------- */

/* Each of these functions moves at past what it has read. If it fails, at is after the invalid
 * letter, or on the invalid digit. */

/* Returns -1 for an invalid digit. */
static int hexadecimal_digit(uint8_t digit) {
  if ((uint8_t)(digit - '0') < 10)
    return digit - '0';
  uint8_t letter = (uint8_t)((digit | 0x20) - 'a');
  return letter < 6 ? letter + 10 : -1;
}

/* Reads four hexadecimal digits. */
static int read_code_unit(const uint8_t **at, const uint8_t *end, uint32_t *out) {
  if (end - *at < 4)
    return 0;
  *out = 0;
  for (int i = 0; i < 4; i++) {
    int digit = hexadecimal_digit(**at);
    if (digit < 0)
      return 0;
    *out = *out << 4 | (uint32_t)digit;
    ++*at;
  }
  return 1;
}

/* Reads what follows "\u": four digits and, for a surrogate pair, the second escape. */
static int read_code_point(const uint8_t **at, const uint8_t *end, uint32_t *out) {
  if (!read_code_unit(at, end, out))
    return 0;
  if ((*out & 0xF800) != 0xD800)
    return 1;
  if (*out >= 0xDC00 || end - *at < 2 || (*at)[0] != '\\' || (*at)[1] != 'u')
    return 0;
  *at += 2;
  uint32_t low;
  if (!read_code_unit(at, end, &low) || (low & 0xFC00) != 0xDC00)
    return 0;
  *out = 0x10000 + ((*out & 0x3FF) << 10 | (low & 0x3FF));
  return 1;
}

static uint8_t *write_code_point(uint8_t *out, uint32_t code_point) {
  if (code_point < 0x80) {
    *out++ = (uint8_t)code_point;
    return out;
  }
  if (code_point < 0x800) {
    *out++ = (uint8_t)(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      *out++ = (uint8_t)(0xE0 | code_point >> 12);
    } else {
      *out++ = (uint8_t)(0xF0 | code_point >> 18);
      *out++ = (uint8_t)(0x80 | (code_point >> 12 & 0x3F));
    }
    *out++ = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
  }
  *out++ = (uint8_t)(0x80 | (code_point & 0x3F));
  return out;
}

/* Decodes an escape, with at on the backslash, which is not the last byte of the text. Returns NULL
 * if it is invalid. */
static uint8_t *decode_escape(const uint8_t **at, const uint8_t *end, uint8_t *out) {
  uint8_t letter = (*at)[1];
  *at += 2;
  switch (letter) {
  case '"':
  case '\\':
  case '/': *out = letter; break;
  case 'b': *out = '\b'; break;
  case 'f': *out = '\f'; break;
  case 'n': *out = '\n'; break;
  case 'r': *out = '\r'; break;
  case 't': *out = '\t'; break;
  case 'u': {
    uint32_t code_point;
    return read_code_point(at, end, &code_point) ? write_code_point(out, code_point) : NULL;
  }
  default: return NULL;
  }
  return out + 1;
}

/* Copies plain characters. Returns the end of the copy: before a special byte that is not part of a
 * well-formed sequence, at the end of the text, or if there is no room for another step. */
static uint8_t *copy_characters(const uint8_t **from, const uint8_t *end, uint8_t *out,
                                const uint8_t *room_end) {
  const uint8_t *at = *from;
  int length = 1;
  while (length > 0 && at < end && room_end - out >= UNESCAPE_ROOM) {
    if (*at >= 0x80) {
      length = sequence_length(at, end);
      if (end - at >= 4)
        memcpy(out, at, 4);
      else
        memcpy(out, at, (size_t)length);
    } else if (end - at >= BLOCK) {
      memcpy(out, at, BLOCK);
      length = find_special(at, 1);
    } else {
      *out = *at;
      length = !is_special(*at, 1);
    }
    at += length;
    out += length;
  }
  *from = at;
  return out;
}

const uint8_t *scan_unescape(const uint8_t *at, const uint8_t *end, uint8_t *room, size_t size,
                             scan_unescape_result *result) {
  uint8_t *out = room;
  const uint8_t *room_end = room + size;
  result->status = UNESCAPE_FULL;
  while (room_end - out >= UNESCAPE_ROOM) {
    out = copy_characters(&at, end, out, room_end);
    if (room_end - out < UNESCAPE_ROOM)
      break;
    if (at < end && *at == '"') {
      result->status = UNESCAPE_DONE;
      break;
    }
    uint8_t *after = at < end - 1 && *at == '\\' ? decode_escape(&at, end, out) : NULL;
    if (!after) {
      result->status = UNESCAPE_INVALID;
      break;
    }
    out = after;
  }
  result->length = (size_t)(out - room);
  return at;
}
