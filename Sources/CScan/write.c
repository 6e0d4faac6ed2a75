#include "CScan.h"

#include <math.h>
#include <string.h>

#include "block.h"
#include "powers.h"
#include "rounding.h"

/* ---- Digits ---------------------------------------------------------------------------------- */

static const uint64_t ones = 0x0101010101010101;

static uint8_t *store_word(uint8_t *out, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  memcpy(out, &word, sizeof word);
  return out + sizeof word;
}

/* The eight digits of a number below 10^8, the first in the lowest byte. Splits the number into two
 * halves of four digits, these into halves of two, and these into digits, all halves at once. */
static inline uint64_t eight_digits(uint32_t number) {
  uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32;
  uint64_t hundreds = (fours * 5243 >> 19) & 0x0000007F0000007F;
  uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
  uint64_t tens = (twos * 103 >> 10) & 0x000F000F000F000F;
  return tens | (twos - 10 * tens) << 8;
}

enum { TEN_8 = 100000000 };

static uint8_t *write_eight_digits(uint8_t *out, uint32_t number) {
  return store_word(out, eight_digits(number) + ones * '0');
}

/* Writes a number below 10^8 without leading zeros. */
static uint8_t *write_small(uint8_t *out, uint32_t number) {
  uint64_t digits = eight_digits(number);
  /* The last digit is written also if it is 0. */
  int leading_zeros = __builtin_ctzll(digits | (uint64_t)1 << 56) >> 3;
  store_word(out, (digits + ones * '0') >> (8 * leading_zeros));
  return out + 8 - leading_zeros;
}

static uint8_t *write_integer(uint8_t *out, int64_t integer) {
  uint64_t rest = integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer;
  *out = '-';
  out += integer < 0;
  if (rest < TEN_8)
    return write_small(out, (uint32_t)rest);
  uint64_t high = rest / TEN_8;
  if (high < TEN_8) {
    out = write_small(out, (uint32_t)high);
  } else {
    out = write_small(out, (uint32_t)(high / TEN_8));
    out = write_eight_digits(out, (uint32_t)(high % TEN_8));
  }
  return write_eight_digits(out, (uint32_t)(rest % TEN_8));
}

size_t json_write_integer(uint8_t *out, int64_t integer) {
  return (size_t)(write_integer(out, integer) - out);
}

/* ---- Doubles --------------------------------------------------------------------------------- */

/* digits * 10^exponent */
typedef struct {
  uint64_t digits;
  int exponent;
} decimal;

/* The integer part of number * 10^power / 2^x for the x that leaves 64 bits. The last bit is also
 * set if there is a fraction. */
static inline uint64_t scale(uint64_t number, uint64_t high_power, uint64_t low_power) {
  unsigned __int128 low = (unsigned __int128)number * low_power;
  unsigned __int128 product = (unsigned __int128)number * high_power + (uint64_t)(low >> 64);
  return (uint64_t)(product >> 64) | ((uint64_t)product > 1);
}

/* The decimal with the fewest digits in the interval of the numbers that are rounded to a positive
 * double, and of these the one nearest to the double. May have trailing zeros.
 *
 * R. Giulietti, The Schubfach way to render doubles (2020). Variables are named as there. */
static decimal shortest_decimal(uint64_t fraction, int biased_exponent) {
  uint64_t c = biased_exponent ? fraction | (uint64_t)1 << 52 : fraction;
  int q = (biased_exponent ? biased_exponent : 1) - 1075;
  if (-52 <= q && q <= 0 && (c & (((uint64_t)1 << -q) - 1)) == 0)
    return (decimal){c >> -q, 0};
  /* A power of two is twice as far from the next double as from the previous one. */
  int is_lower_closer = fraction == 0 && biased_exponent > 1;
  int is_odd = (int)(c & 1);
  /* floor(log10(2^q)), or floor(log10(3/4 * 2^q)) */
  int k = (q * 1262611 - (is_lower_closer ? 524031 : 0)) >> 22;
  /* The second part is floor(log2(10^-k)). */
  int h = q + ((-k * 217706) >> 16) + 1;
  /* The power is rounded up, unless it is exact. */
  const uint64_t *power = powers_of_five[-k - MIN_POWER];
  uint64_t high = power[0], low = power[1] + (-k < -27 || -k > 55);
  /* Four times the double and the bounds of its interval, divided by 10^k. */
  uint64_t lower = scale((4 * c - 2 + (uint64_t)is_lower_closer) << h, high, low) + (uint64_t)is_odd;
  uint64_t middle = scale((4 * c) << h, high, low);
  uint64_t upper = scale((4 * c + 2) << h, high, low) - (uint64_t)is_odd;
  uint64_t digits = middle / 4;
  /* With one digit less. */
  uint64_t fewer = digits / 10;
  int is_below = lower <= 40 * fewer, is_above = 40 * fewer + 40 <= upper;
  if (digits >= 10 && is_below != is_above)
    return (decimal){fewer + (uint64_t)is_above, k + 1};
  is_below = lower <= 4 * digits;
  is_above = 4 * digits + 4 <= upper;
  /* If both neighbors are in the interval, the nearer one; if none is nearer, the even one. */
  uint64_t half = 4 * digits + 2;
  int is_nearer_above = middle > half || (middle == half && digits & 1);
  return (decimal){digits + (uint64_t)(is_below != is_above ? is_above : is_nearer_above), k};
}

/* The digits of a decimal without zeros at both ends: 0.ddd * 10^point. */
typedef struct {
  /* The digits begin at first; '0' follows them. */
  uint8_t text[48];
  int first, count, point;
} decimal_text;

static void set_text(decimal_text *out, decimal decimal) {
  enum { FIELD = 24 };
  uint64_t high = decimal.digits / TEN_8;
  uint64_t words[3] = {eight_digits((uint32_t)(high / TEN_8)),
                       eight_digits((uint32_t)(high % TEN_8)),
                       eight_digits((uint32_t)(decimal.digits % TEN_8))};
  uint8_t *at = out->text;
  for (int i = 0; i < 6; i++)
    at = store_word(at, (i < 3 ? words[i] : 0) + ones * '0');
  int start = words[0] ? 0 : words[1] ? 1 : 2, end = words[2] ? 2 : words[1] ? 1 : 0;
  out->first = 8 * start + (__builtin_ctzll(words[start]) >> 3);
  out->count = 8 * (end + 1) - (__builtin_clzll(words[end]) >> 3) - out->first;
  out->point = FIELD - out->first + decimal.exponent;
}

/* Writes d.ddde-05. */
static uint8_t *write_scientific(uint8_t *out, const uint8_t *digits, int count, int exponent) {
  *out++ = digits[0];
  if (count > 1) {
    *out++ = '.';
    memcpy(out, digits + 1, 16);
    out += count - 1;
  }
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  uint32_t magnitude = (uint32_t)(exponent < 0 ? -exponent : exponent);
  if (magnitude < 10)
    *out++ = '0';
  return write_small(out, magnitude);
}

/* Writes a decimal with up to seven digits before the point and eight after it, as coordinates and
 * prices are; returns NULL for other doubles, and if the thread does not round to nearest. Two
 * decimals of at most 15 digits are never the same double, so no other one is shorter. The bits are
 * those of the double, which is positive. */
static uint8_t *write_short_double(uint8_t *out, double real, uint64_t bits) {
  static const uint64_t least = 0x3F1A36E2EB1C432D /* 1e-4 */, end = 0x416312D000000000 /* 1e7 */;
  if (bits - least >= end - least || !rounds_to_nearest())
    return NULL;
  uint64_t scaled = (uint64_t)(int64_t)(real * TEN_8 + 0.5);
  if ((double)(int64_t)scaled / TEN_8 != real)
    return NULL;
  out = write_small(out, (uint32_t)(scaled / TEN_8));
  *out++ = '.';
  uint64_t digits = eight_digits((uint32_t)(scaled % TEN_8));
  store_word(out, digits + ones * '0');
  /* The first digit is written also if it is 0. */
  int trailing_zeros = __builtin_clzll(digits | 1) >> 3;
  return out + 8 - trailing_zeros;
}

static uint8_t *write_double(uint8_t *out, double real) {
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  *out = '-';
  out += bits >> 63;
  bits &= ~((uint64_t)1 << 63);
  if (bits == 0) {
    memcpy(out, "0.0", 3);
    return out + 3;
  }
  uint8_t *end = write_short_double(out, fabs(real), bits);
  if (end)
    return end;
  decimal_text text;
  set_text(&text, shortest_decimal(bits & (((uint64_t)1 << 52) - 1), (int)(bits >> 52)));
  const uint8_t *digits = text.text + text.first;
  int count = text.count, point = text.point;
  static const uint64_t two_to_53 = (uint64_t)(1023 + 53) << 52;
  if (point < -3 || bits > two_to_53)
    return write_scientific(out, digits, count, point - 1);
  if (point <= 0) {
    memcpy(out, "0.000", 5);
    out += 2 - point;
    memcpy(out, digits, 17);
    return out + count;
  }
  memcpy(out, digits, 17);
  if (count > point) {
    memcpy(out + point + 1, digits + point, 16);
    out[point] = '.';
    return out + count + 1;
  }
  memcpy(out + point, ".0", 2);
  return out + point + 2;
}

size_t json_write_double(uint8_t *out, double real) {
  return (size_t)(write_double(out, real) - out);
}

/* ---- Strings --------------------------------------------------------------------------------- */

static uint8_t *write_escape(uint8_t *out, uint8_t byte) {
  static const char hexadecimal[] = "0123456789abcdef";
  *out++ = '\\';
  switch (byte) {
  case '"':
  case '\\': *out = byte; break;
  case '\b': *out = 'b'; break;
  case '\t': *out = 't'; break;
  case '\n': *out = 'n'; break;
  case '\f': *out = 'f'; break;
  case '\r': *out = 'r'; break;
  default:
    memcpy(out, "u00", 3);
    out[3] = (uint8_t)hexadecimal[byte >> 4];
    out[4] = (uint8_t)hexadecimal[byte & 0xF];
    out += 4;
  }
  return out + 1;
}

/* Writes fewer bytes than a block. Returns NULL if it cannot do so at once: if one of them needs an
 * escape, or there are few. */
static inline uint8_t *write_plain_end(uint8_t *out, const uint8_t *at, size_t count) {
  if (count < BLOCK / 2)
    return NULL;
  /* The two halves may overlap. */
  uint8_t block[BLOCK];
  memcpy(block, at, BLOCK / 2);
  memcpy(block + BLOCK / 2, at + count - BLOCK / 2, BLOCK / 2);
  if (find_special(block, 0) < BLOCK)
    return NULL;
  memcpy(out, block, BLOCK / 2);
  memcpy(out + count - BLOCK / 2, block + BLOCK / 2, BLOCK / 2);
  return out + count;
}

static uint8_t *write_characters(uint8_t *out, const uint8_t *at, const uint8_t *end) {
  while (at < end) {
    if (end - at >= BLOCK) {
      memcpy(out, at, BLOCK);
      int found = find_special(at, 0);
      out += found;
      at += found;
      if (found == BLOCK)
        continue;
    } else {
      uint8_t *plain_end = write_plain_end(out, at, (size_t)(end - at));
      if (plain_end)
        return plain_end;
      while (at < end && !is_special(*at, 0))
        *out++ = *at++;
      if (at == end)
        return out;
    }
    out = write_escape(out, *at++);
  }
  return out;
}

size_t json_write_characters(uint8_t *out, const uint8_t *at, size_t count) {
  return (size_t)(write_characters(out, at, at + count) - out);
}
