/* Stores of records, with a reducer in C that changes, adds or drops one. */
#ifndef RECORDS_H
#define RECORDS_H

#include "batch.h"

#include <immutabledata.h>

typedef struct records {
  imd_store *store;
  batch *batch;
} records;

/* Opens a store of count records, and makes a batch of operations on records from all over it. */
void open_records(records *records, int count);
void close_records(records *records);

/* Makes a batch of operations on the first count records instead; count is a power of 2. */
void aim(records *records, int count);

/* Dispatches actions that each change one field. */
void dispatch_batch(imd_store *store, const batch *batch);

/* Reads the same actions to values, and releases them. */
void make_actions(const batch *batch, imd_value **actions);
void release_actions(imd_value **actions);

/* Dispatches the values. */
void dispatch_actions(imd_store *store, imd_value *const *actions);

/* A measurement, of records: the same with new values. */
double dispatch(void *context);

#endif
