#include "CScan.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

/* CRC-32C (RFC 3720, appendix B.4): the polynomial 0x1EDC6F41, with its bits reversed. */

#if !defined(__ARM_FEATURE_CRC32)

/* tables[n][byte] is the remainder of a byte that n bytes follow. */
static uint32_t tables[8][256];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void fill_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
    tables[0][byte] = crc;
  }
  for (int slice = 1; slice < 8; slice++)
    for (int byte = 0; byte < 256; byte++) {
      uint32_t crc = tables[slice - 1][byte];
      tables[slice][byte] = crc >> 8 ^ tables[0][crc & 0xFF];
    }
}

static uint32_t crc_by_tables(uint32_t crc, const uint8_t *at, size_t count) {
  pthread_once(&tables_once, fill_tables);
  for (; count >= 8; at += 8, count -= 8) {
    crc ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    crc = tables[7][crc & 0xFF] ^ tables[6][crc >> 8 & 0xFF] ^ tables[5][crc >> 16 & 0xFF] ^
          tables[4][crc >> 24] ^ tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^
          tables[0][at[7]];
  }
  for (; count > 0; at++, count--)
    crc = crc >> 8 ^ tables[0][(crc ^ *at) & 0xFF];
  return crc;
}

#endif

#if defined(__x86_64__)

__attribute__((target("sse4.2")))
static uint32_t crc_by_instruction(uint32_t crc, const uint8_t *at, size_t count) {
  uint64_t wide = crc;
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    wide = _mm_crc32_u64(wide, bytes);
  }
  crc = (uint32_t)wide;
  for (; count > 0; at++, count--)
    crc = _mm_crc32_u8(crc, *at);
  return crc;
}

static int has_instruction(void) {
  /* 0 if it is not yet known. Threads that find out at the same time store the same. */
  static int known;
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!answer) {
    unsigned a, b, c, d;
    answer = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2) ? 1 : 2;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == 1;
}

#elif defined(__ARM_FEATURE_CRC32)

static uint32_t crc_by_instruction(uint32_t crc, const uint8_t *at, size_t count) {
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    crc = __crc32cd(crc, bytes);
  }
  for (; count > 0; at++, count--)
    crc = __crc32cb(crc, *at);
  return crc;
}

static int has_instruction(void) { return 1; }

#endif

uint32_t scan_crc32c(uint32_t crc, const uint8_t *at, size_t count) {
#if defined(__x86_64__) || defined(__ARM_FEATURE_CRC32)
  if (has_instruction())
    return ~crc_by_instruction(~crc, at, count);
#endif
#if !defined(__ARM_FEATURE_CRC32)
  return ~crc_by_tables(~crc, at, count);
#endif
}

uint32_t scan_crc32c_portable(uint32_t crc, const uint8_t *at, size_t count) {
#if defined(__ARM_FEATURE_CRC32)
  return scan_crc32c(crc, at, count);
#else
  return ~crc_by_tables(~crc, at, count);
#endif
}

const uint8_t *scan_line(const uint8_t *at, const uint8_t *end) {
  const uint8_t *found = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
  return found ? found : end;
}
