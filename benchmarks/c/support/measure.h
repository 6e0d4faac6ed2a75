/* Measures jobs in turns, and prints what benchmarks/report reads. */
#ifndef MEASURE_H
#define MEASURE_H

#include <immutabledata.h>
#include <stddef.h>

/* How many records there are. */
enum { SIZES = 4 };
extern const int sizes[SIZES];
extern const char *const size_names[SIZES];

/* Whether BENCHMARK_QUICK is set: measures little, and only once, to show that it works. */
int is_quick(void);

/* The number of sizes to measure, from the first on. */
int sizes_measured(void);

/* The length of a text to measure, instead of size. */
size_t text_size(size_t size);

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

/* Prints the point of a plot: the median of a job with a number of records. */
void print_point(const char *job, const char *name, int size, double median, const char *unit);

/* Measures ours and theirs in turns, and prints a row. Without a peer, theirs is NULL. */
void compare(const char *job, const contestant *ours, const contestant *theirs, const char *goal);

/* Ends the program if a call failed. */
void check(imd_status status, const imd_error *error);

#endif
