/* libFuzzer: whatever text comes in, the library and jansson say the same of it. */
#include "../Parse/jansson_check.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  jansson_check_text((const char *)data, size);
  return 0;
}
