/* A subject of the benchmarks: this library, or one that it is compared with. It holds records, and
 * changes, inserts, deletes, reads and selects them. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "batch.h"

#include <stdint.h>

typedef struct subject {
  const char *name;
  void *(*open)(int count);
  void (*close)(void *context);
  /* These perform all operations of a batch. NULL if the subject is not measured for it. */
  void (*change)(void *context, const batch *batch);
  void (*insert)(void *context, const batch *batch);
  void (*remove)(void *context, const batch *batch);
  int64_t (*read)(void *context, const batch *batch); /* returns the sum of the fields f4 */
  /* Selects the records with f3 > limit, in the order of f3, as text. Returns their number. */
  int (*select)(void *context, double limit);
} subject;

extern const subject store_subject, value_subject, sqlite_subject, sqlite_indexed_subject,
    jansson_subject, memory_subject, floor_subject;

#endif
