/* Stores of records, with a reducer in C that changes, adds or removes a record. */
#ifndef RECORDS_H
#define RECORDS_H

#include "batch.h"

#include <immutabledata.h>

typedef struct records {
  imd_store *store;
  batch *batch;
} records;

/* Opens a store of count records, and makes a batch of operations on all of them. */
void open_records(records *records, int count);
void close_records(records *records);

/* Replaces the batch with one of operations on the first count records; count is a power of 2. */
void change_first(records *records, int count);

/* Dispatches actions that each change one field. */
void dispatch_batch(imd_store *store, const batch *batch);

/* A measurement, whose context is records: renews the batch and dispatches it. */
double dispatch(void *context);

#endif
