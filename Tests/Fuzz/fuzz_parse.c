/* libFuzzer: for any text, the library and jansson have the same result. */
#include "../Parse/jansson_check.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  jansson_check_text((const char *)data, size);
  return 0;
}
