#include "CScan.h"

#include <string.h>

#include "powers.h"
#include "rounding.h"

static inline int is_digit(const uint8_t *at, const uint8_t *end) {
  return at < end && (uint8_t)(*at - '0') < 10;
}

/* ---- Doubles --------------------------------------------------------------------------------- */

static double compose(uint64_t bits) {
  double real;
  memcpy(&real, &bits, sizeof real);
  return real;
}

static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Computes the double nearest to digits * 10^exponent, ties to even. Returns 0 if it cannot decide.
 *
 * If both factors are exact, and the thread rounds to nearest: W. D. Clinger, How to read floating
 * point numbers accurately (1990). Otherwise, with integers: D. Lemire, Number parsing at a gigabyte
 * per second (2021). The product with a 128-bit power of five is precise enough to round, except in
 * rare cases that it detects. */
static int nearest_double(uint64_t digits, int64_t exponent, double *out) {
  if (digits == 0) {
    *out = 0;
    return 1;
  }
  if (digits <= (uint64_t)1 << 53 && -22 <= exponent && exponent <= 22 && rounds_to_nearest()) {
    double factor = (double)digits;
    *out = exponent < 0 ? factor / exact_powers[-exponent] : factor * exact_powers[exponent];
    return 1;
  }
  if (exponent < MIN_POWER || exponent > MAX_POWER)
    return 0;
  const uint64_t *power = powers_of_five[exponent - MIN_POWER];
  int leading_zeros = __builtin_clzll(digits);
  digits <<= leading_zeros;
  unsigned __int128 product = (unsigned __int128)digits * power[0];
  uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
  if ((high & 0x1FF) == 0x1FF) {
    uint64_t more = (uint64_t)(((unsigned __int128)digits * power[1]) >> 64);
    low += more;
    high += low < more;
  }
  if (low == UINT64_MAX && (exponent < -27 || exponent > 55))
    return 0;
  int top_bit = (int)(high >> 63);
  int shift = top_bit + 64 - 52 - 3;
  uint64_t mantissa = high >> shift;
  /* floor(log2(10^exponent)), by a fraction that is exact in this range. */
  int biased_exponent =
      (int)((217706 * exponent) >> 16) + 63 + top_bit - leading_zeros + 1023;
  if (biased_exponent <= 0)
    return 0;
  /* Halfway between two doubles: round to even. */
  if (low <= 1 && -4 <= exponent && exponent <= 23 && (mantissa & 3) == 1 &&
      mantissa << shift == high)
    mantissa &= ~(uint64_t)1;
  mantissa += mantissa & 1;
  mantissa >>= 1;
  if (mantissa >= (uint64_t)2 << 52) {
    mantissa = (uint64_t)1 << 52;
    biased_exponent++;
  }
  if (biased_exponent >= 0x7FF)
    return 0;
  mantissa &= ~((uint64_t)1 << 52);
  *out = compose(mantissa | (uint64_t)biased_exponent << 52);
  return 1;
}

/* ---- Grammar --------------------------------------------------------------------------------- */

enum { MAX_DIGITS = 19 };

static inline uint64_t load_word(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

/* The number of bytes before the first that is not a digit. */
static inline int count_digits(uint64_t word) {
  const uint64_t highs = 0xF0F0F0F0F0F0F0F0, zeros = 0x3030303030303030;
  /* The high half of a digit is 3, also after 6 is added to it. */
  uint64_t others = ((word & highs) ^ zeros) | (((word + 0x0606060606060606) & highs) ^ zeros);
  return others ? __builtin_ctzll(others) >> 3 : 8;
}

/* The number with eight digits, or bytes 0, the first in the lowest byte. Combines neighbors to
 * numbers of two digits, these to numbers of four, and these to the result, all pairs at once. */
static inline uint64_t parse_eight_digits(uint64_t word) {
  word = (word & 0x0F0F0F0F0F0F0F0F) * ((10 << 8) + 1) >> 8;
  word = (word & 0x00FF00FF00FF00FF) * ((100 << 16) + 1) >> 16;
  return (word & 0x0000FFFF0000FFFF) * (((uint64_t)10000 << 32) + 1) >> 32;
}

/* Appends digits to a number, modulo 2^64. */
static inline const uint8_t *read_digits(const uint8_t *at, const uint8_t *end, uint64_t *number) {
  static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  uint64_t result = *number;
  int count = 8;
  while (end - at >= 8 && count == 8) {
    uint64_t word = load_word(at);
    count = count_digits(word);
    if (count > 0)
      result = powers[count] * result + parse_eight_digits(word << (64 - 8 * count));
    at += count;
  }
  for (; count == 8 && is_digit(at, end); at++)
    result = 10 * result + (uint64_t)(*at - '0');
  *number = result;
  return at;
}

/* The number of digits in a text without a sign and an exponent. Leading zeros do not count. */
static int64_t count_significant(const uint8_t *at, const uint8_t *end) {
  int64_t count = 0;
  for (; at < end; at++)
    count += *at != '.' && (count > 0 || *at != '0');
  return count;
}

static const uint8_t *fail(const uint8_t *at, scan_number_result *out) {
  out->kind = SCAN_INVALID;
  return at;
}

static void set_integer(uint64_t digits, int64_t count, int is_negative,
                        scan_number_result *out) {
  uint64_t max = (uint64_t)INT64_MAX + (uint64_t)is_negative;
  if (count > MAX_DIGITS || digits > max) {
    out->kind = SCAN_OVERFLOW;
    return;
  }
  out->kind = SCAN_INTEGER;
  out->integer = (int64_t)(is_negative ? 0 - digits : digits);
}

static void set_real(uint64_t digits, int64_t count, int64_t exponent, int is_negative,
                     scan_number_result *out) {
  double real;
  if (count > MAX_DIGITS || !nearest_double(digits, exponent, &real)) {
    out->kind = SCAN_UNROUNDED;
    return;
  }
  out->kind = SCAN_REAL;
  out->real = is_negative ? -real : real;
}

const uint8_t *scan_number(const uint8_t *at, const uint8_t *end, scan_number_result *out) {
  int is_negative = at < end && *at == '-';
  at += is_negative;
  if (!is_digit(at, end))
    return fail(at, out);
  const uint8_t *start = at;
  uint64_t digits = 0;
  if (*at == '0') {
    at++;
    if (is_digit(at, end))
      return fail(at, out);
  } else {
    at = read_digits(at, end, &digits);
  }
  int has_fraction = at < end && *at == '.';
  int64_t exponent = 0;
  if (has_fraction) {
    at++;
    if (!is_digit(at, end))
      return fail(at, out);
    const uint8_t *fraction = at;
    at = read_digits(at, end, &digits);
    exponent = fraction - at;
  }
  /* More may be leading zeros. The digits do not overflow if there are at most MAX_DIGITS. */
  int64_t count = at - start - has_fraction;
  if (count > MAX_DIGITS)
    count = count_significant(start, at);
  int has_exponent = at < end && (*at | 0x20) == 'e';
  if (has_exponent) {
    at++;
    int is_exponent_negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (!is_digit(at, end))
      return fail(at, out);
    int64_t explicit_exponent = 0;
    while (is_digit(at, end)) {
      if (explicit_exponent < 1 << 30)
        explicit_exponent = 10 * explicit_exponent + (*at - '0');
      at++;
    }
    exponent += is_exponent_negative ? -explicit_exponent : explicit_exponent;
  }
  if (has_fraction || has_exponent)
    set_real(digits, count, exponent, is_negative, out);
  else
    set_integer(digits, count, is_negative, out);
  return at;
}
