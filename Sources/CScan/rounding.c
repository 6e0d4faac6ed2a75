#include <fenv.h>

#include "CScan.h"

int scan_round_to_nearest(void) {
  int mode = fegetround();
  if (mode != FE_TONEAREST)
    fesetround(FE_TONEAREST);
  return mode;
}

void scan_set_rounding(int mode) {
  if (mode != FE_TONEAREST)
    fesetround(mode);
}
