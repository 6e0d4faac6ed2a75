#include "call.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

call *call_new(function function, imd_log_call *handle, size_t size) {
  /* A zero follows each parameter. */
  size += MAXIMUM_PARAMETERS * (sizeof(int64_t) + 1);
  call *made = calloc(1, sizeof *made + size);
  if (!made) return NULL;
  made->size = size;
  made->handle = handle;
  made->function = function;
  made->statement = call_function(function);
  made->statement.count = 0;
  return made;
}

char *call_add(call *call, size_t length) {
  int index = call->statement.count++;
  char *at = call->bytes + call->used;
  call->statement.values[index] = at;
  call->statement.lengths[index] = (int)length;
  call->used += length + 1;
  return at;
}

void call_add_bytes(call *call, const void *bytes, size_t length) {
  char *at = call_add(call, length);
  if (length > 0) memcpy(at, bytes, length);
}

void call_add_number(call *call, int64_t number) {
  uint64_t big = htobe64((uint64_t)number);
  call_add_bytes(call, &big, sizeof big);
}

void call_add_null(call *call) { call->statement.values[call->statement.count++] = NULL; }
