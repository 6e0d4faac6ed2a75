/* Measures jobs in turns, and prints what benchmarks/table.py reads. */
#ifndef MEASURE_H
#define MEASURE_H

#include <immutabledata.h>

/* One measurement: the seconds (or bytes) that one operation takes. */
typedef double (*measurement)(void *context);

typedef struct contestant {
  const char *name;
  measurement measure;
  void *context;
} contestant;

/* Seconds of a clock that never goes back. */
double now(void);

/* Measures the contestants in turns (A B A B …), and puts the median of each into medians. */
void measure_in_turns(const contestant *contestants, int count, double *medians);

/* Prints a row. unit is "s" or "B". goal is "ratio <= 1", "ours < 1e-6" or "" for none. */
void print_row(const char *job, double ours, const char *peer, double theirs, const char *unit,
               const char *goal);

/* Measures ours and theirs in turns, and prints a row. Without a peer, theirs is NULL. */
void compare(const char *job, const contestant *ours, const contestant *theirs, const char *goal);

/* Ends the program if a call failed. */
void check(imd_status status, const imd_error *error);

#endif
