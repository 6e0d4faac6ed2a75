#ifndef BLOCK_H
#define BLOCK_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

/* A special byte is a quotation mark, backslash, control character or (with or_non_ascii) non-ASCII
 * byte. A block is the BLOCK bytes that one step examines. find_special returns the index of its
 * first special byte, or BLOCK. */

static inline int is_special(uint8_t byte, int or_non_ascii) {
  return byte < 0x20 || byte == '"' || byte == '\\' || (or_non_ascii && byte >= 0x80);
}

#if defined(__SSE2__)

enum { BLOCK = 16 };

static inline int find_special(const uint8_t *block, int or_non_ascii) {
  __m128i bytes = _mm_loadu_si128((const __m128i *)block);
  __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  /* As signed bytes, non-ASCII ones are negative. */
  __m128i low = or_non_ascii
                    ? _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20))
                    : _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
  int mask = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, slashes), low));
  return mask ? __builtin_ctz((unsigned)mask) : BLOCK;
}

#elif defined(__ARM_NEON) && defined(__aarch64__)

enum { BLOCK = 16 };

static inline int find_special(const uint8_t *block, int or_non_ascii) {
  uint8x16_t bytes = vld1q_u8(block);
  uint8x16_t found = vorrq_u8(vceqq_u8(bytes, vdupq_n_u8('"')), vceqq_u8(bytes, vdupq_n_u8('\\')));
  found = vorrq_u8(found, vcltq_u8(bytes, vdupq_n_u8(0x20)));
  if (or_non_ascii)
    found = vorrq_u8(found, vcgeq_u8(bytes, vdupq_n_u8(0x80)));
  /* Four bits for each byte. */
  uint64_t mask = vget_lane_u64(
      vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(found), 4)), 0);
  return mask ? __builtin_ctzll(mask) >> 2 : BLOCK;
}

#else

enum { BLOCK = 8 };

static inline int find_special(const uint8_t *block, int or_non_ascii) {
  const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  uint64_t bytes;
  memcpy(&bytes, block, sizeof bytes);
  uint64_t quotes = bytes ^ (ones * '"'), slashes = bytes ^ (ones * '\\');
  uint64_t found = ((bytes - ones * 0x20) | (quotes - ones) | (slashes - ones)) & ~bytes & highs;
  if (or_non_ascii)
    found |= bytes & highs;
  if (!found)
    return BLOCK;
  /* A borrow can also mark the next more significant byte, which is before the special one on
   * big-endian machines. So the marks do not identify the first special byte. */
  int index = 0;
  while (index < BLOCK && !is_special(block[index], or_non_ascii))
    index++;
  return index;
}

#endif

#endif
