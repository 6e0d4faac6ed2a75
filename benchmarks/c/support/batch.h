/* Operations on records all over a state, prepared before they are measured. */
#ifndef BATCH_H
#define BATCH_H

#include <stddef.h>

enum { BATCH = 8192 };

typedef struct text {
  char characters[288];
  int length;
} text;

typedef struct operation {
  char id[16];        /* of a record that is there */
  char new_id[16];    /* of one that is not */
  int value;          /* another one each time */
  text record;        /* the new record */
  text set, add, drop; /* actions with the type "set", "add" or "drop" */
} operation;

typedef struct batch {
  int count;   /* of the records */
  int inserts; /* how many of the operations insert and delete: a fourth of count at most */
  operation *operations; /* BATCH of them */
} batch;

/* A batch of operations on count records; count is a power of 2. */
batch *make_batch(int count);
void free_batch(batch *batch);

/* Takes new values, so that each change changes something. */
void renew_batch(batch *batch);

#endif
