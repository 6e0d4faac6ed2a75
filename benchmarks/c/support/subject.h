/* What holds the records that are changed, inserted, deleted, read and selected: our store, and what
 * it is compared with. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "batch.h"

#include <stdint.h>

typedef struct subject {
  const char *name;
  void *(*open)(int count);
  void (*close)(void *context);
  /* Each performs all operations of a batch. NULL: the subject has no row for it. */
  void (*change)(void *context, const batch *batch);
  void (*insert)(void *context, const batch *batch);
  void (*remove)(void *context, const batch *batch);
  int64_t (*read)(void *context, const batch *batch); /* the sum of the fields read */
  /* The records with f3 > limit, in the order of f3; returns their number. */
  int (*select)(void *context, double limit);
} subject;

extern const subject store_subject, value_subject, sqlite_subject, sqlite_indexed_subject,
    jansson_subject;

#endif
