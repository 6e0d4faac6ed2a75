#include "texts.h"

#include <endian.h>
#include <string.h>

/* The binary format begins with the numbers of dimensions and of nulls, and the type of an element;
 * if there are elements, their number and the first index follow. Each has its length before it. */
enum { EMPTY_HEADER = 3, HEADER = 5, BYTEA = 17 };

size_t bytes_sum(size_t size, size_t more) {
  return more > MAXIMUM_BYTES ? MAXIMUM_BYTES + 1 : size + more;
}

size_t texts_size(const imd_log_entry *entries, size_t count) {
  size_t size = (count > 0 ? HEADER : EMPTY_HEADER) * sizeof(uint32_t);
  for (size_t i = 0; i < count && size <= MAXIMUM_BYTES; i++)
    size = bytes_sum(size + sizeof(uint32_t), entries[i].length);
  return size;
}

static char *put(char *to, size_t number) {
  uint32_t big = htobe32((uint32_t)number);
  memcpy(to, &big, sizeof big);
  return to + sizeof big;
}

void texts_write(char *to, const imd_log_entry *entries, size_t count) {
  const size_t header[HEADER] = {count > 0, 0, BYTEA, count, 1};
  for (size_t i = 0; i < (count > 0 ? HEADER : EMPTY_HEADER); i++) to = put(to, header[i]);
  for (size_t i = 0; i < count; i++) {
    to = put(to, entries[i].length);
    if (entries[i].length > 0) memcpy(to, entries[i].text, entries[i].length);
    to += entries[i].length;
  }
}
