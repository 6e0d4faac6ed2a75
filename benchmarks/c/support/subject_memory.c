/* The floor of a read: one access to as much memory as our records take. Each address depends on the
 * previous access, as the address of a node depends on its parent. */
#include "subject.h"

#include <stdlib.h>

/* As large as our record, which takes about 140 bytes. */
typedef struct {
  int64_t f4;
  char others[136];
} record;

static void *open_memory(int count) {
  record *records = calloc((size_t)count, sizeof *records);
  for (int i = 0; i < count; i++)
    records[i].f4 = i + 4;
  return records;
}

static int64_t read_fields(void *context, const batch *batch) {
  const record *records = context;
  int64_t sum = 0;
  for (int i = 0; i < BATCH; i++) {
    int64_t zero = sum >> 62; /* which the compiler does not know */
    sum += records[atoi(batch->operations[i].id + 1) + zero].f4;
  }
  return sum;
}

const subject memory_subject = {"C: one access to as much memory", open_memory, free, NULL, NULL,
                                NULL, read_fields, NULL};
