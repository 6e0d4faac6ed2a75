#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *resize(void *memory, size_t count, size_t size) {
  if (count == 0) count = 1;
  void *resized = count > SIZE_MAX / size ? NULL : realloc(memory, count * size);
  if (resized == NULL) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  return resized;
}

void copy_text(char *buffer, size_t size, const char *text) {
  buffer[0] = '\0';
  append_text(buffer, size, text);
}

void append_text(char *buffer, size_t size, const char *text) {
  size_t used = strlen(buffer), added = strlen(text), space = size - used - 1;
  if (added > space) added = space;
  memcpy(buffer + used, text, added);
  buffer[used + added] = '\0';
}
