/* Replaces hypotf of the C library inside this library. The Swift module Glibc refers to it, and it
 * would be the only symbol that needs glibc 2.35 instead of 2.34. cmake/immutabledata.map keeps it
 * out of the exports. */
#include <math.h>

float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)sqrt((double)x * x + (double)y * y);
}
