#ifndef ROUNDING_H
#define ROUNDING_H

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* Whether the thread rounds to nearest. In the other modes, which belong to the program, numbers are
 * computed with integers. */
static inline int rounds_to_nearest(void) {
#if defined(__SSE2__)
  return (_mm_getcsr() & _MM_ROUND_MASK) == _MM_ROUND_NEAREST;
#else
  /* A sum that is rounded up or down in all other modes. */
  volatile float small = 1e-37f;
  return small + 1.0f == 1.0f - small;
#endif
}

#endif
