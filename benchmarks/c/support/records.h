/* Stores of records, with a reducer in C that sets one field of one. */
#ifndef RECORDS_H
#define RECORDS_H

#include <immutabledata.h>

enum { BATCH = 16384 };

typedef struct action {
  char text[72];
  size_t length;
} action;

typedef struct records {
  int count;
  imd_store *store;
  action *actions; /* a batch of them */
  imd_value *before, *after;
} records;

/* Opens a store of count records, and makes actions on records from all over it. */
void open_records(records *records, int count);
void close_records(records *records);

/* Makes actions on the first count records instead; count is a power of 2. */
void aim(records *records, int count);

/* Dispatches a batch of actions. A measurement, of records. */
double dispatch(void *context);

#endif
