/* Functions that replace others inside this library. cmake/immutabledata.map keeps them out of the
 * exports. */
#include <math.h>
#include <stdint.h>

/* The Swift module Glibc refers to hypotf. That of the C library would be the only symbol that needs
 * glibc 2.35 instead of 2.34. */
float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)sqrt((double)x * x + (double)y * y);
}

/* Finds no name for any character. That of the Swift runtime needs a table of 0.5 MB. The linker
 * passes it all calls, by the option --wrap. */
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar, (void)buffer, (void)capacity;
  return 0;
}
