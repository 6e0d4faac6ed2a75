/* Operations on scattered records, prepared before they are measured. */
#ifndef BATCH_H
#define BATCH_H

#include <stddef.h>

enum { BATCH = 8192 };

typedef struct text {
  char characters[288];
  int length;
} text;

typedef struct operation {
  char id[16];         /* of an existing record */
  char new_id[32];     /* of a record to insert */
  int value;           /* a new one for each change */
  text record;         /* the record to insert */
  text set, add, drop; /* actions with the type "set", "add" or "drop" */
} operation;

typedef struct batch {
  int count;             /* of the records */
  int inserts;           /* the number of insertions and deletions: at most a fourth of count */
  operation *operations; /* BATCH of them */
} batch;

/* Makes a batch of operations on count records; count is a power of 2. */
batch *make_batch(int count);
void free_batch(batch *batch);

/* Sets new values, so that each change has an effect. */
void renew_batch(batch *batch);

/* Lengthens an action "set" by a member of its payload, which the reducer ignores. length is at most
 * 280. */
void pad_action(text *action, int length);

#endif
