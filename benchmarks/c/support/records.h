/* Stores of records, with a reducer in C that changes, adds or removes a record. */
#ifndef RECORDS_H
#define RECORDS_H

#include "batch.h"

#include <immutabledata.h>

typedef struct records {
  imd_store *store;
  batch *batch;
} records;

/* The reducer. Ignores other members of the payload. */
imd_status reduce_records(void *context, const imd_value *state, const imd_value *action,
                          imd_value **next, imd_error *error);

/* Opens a store of count records, and makes a batch of operations on all of them. */
void open_records(records *records, int count);
/* The same with further members of the state, such as ",\"page\":1". */
void open_records_beside(records *records, int count, const char *members);
/* The same with options of the store, such as "{\"history\":true}". */
void open_records_with(records *records, int count, const char *options);
void close_records(records *records);

/* Replaces the batch with one of operations on the first count records; count is a power of 2. */
void limit_batch(records *records, int count);

/* Dispatches an action for each key of the batch, which changes one field. */
void dispatch_each(imd_store *store, const batch *batch);

/* Parses the same actions; release_actions releases them. */
void make_actions(const batch *batch, imd_value **actions);
void release_actions(imd_value **actions);

/* Dispatches the values. */
void dispatch_actions(imd_store *store, imd_value *const *actions);

/* A measurement, whose context is records: renews the batch and dispatches it. */
double dispatch(void *context);

#endif
