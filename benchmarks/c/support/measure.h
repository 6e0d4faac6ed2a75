/* Measures jobs alternately, and prints the lines that benchmarks/report reads. */
#ifndef MEASURE_H
#define MEASURE_H

#include <immutabledata.h>
#include <stddef.h>

/* The numbers of records. */
enum { SIZES = 4 };
extern const int sizes[SIZES];
extern const char *const size_names[SIZES];

/* Whether BENCHMARK_QUICK is set: then less is measured, and only once, to test the benchmarks. */
int is_quick(void);

/* The number of sizes to measure: the first ones. */
int sizes_measured(void);

/* The length of a text to measure: size, or less if is_quick(). */
size_t text_size(size_t size);

/* Compares two doubles, for qsort. */
int ascending(const void *left, const void *right);

/* Performs a measurement. Returns the seconds (or bytes) of one operation. */
typedef double (*measurement)(void *context);

typedef struct contestant {
  const char *name;
  measurement measure;
  void *context;
} contestant;

/* The time of a monotonic clock in seconds. */
double now(void);

/* Measures the contestants alternately (A B A B …), and writes the median of each to medians. */
void measure_in_turns(const contestant *contestants, int count, double *medians);

/* Prints a row. unit is "s", "B" or "%". goal is "ratio <= 1", "ours < 1e-6" or ""
 * for none. */
void print_row(const char *job, double ours, const char *peer, double theirs, const char *unit,
               const char *goal);

/* Prints the point of a plot: the median of a job with a number of records. */
void print_point(const char *job, const char *name, int size, double median, const char *unit);

/* Measures ours and theirs alternately, and prints a row. theirs is NULL if there is no peer. */
void compare(const char *job, const contestant *ours, const contestant *theirs, const char *goal);

/* Ends the program if a call failed. */
void check(imd_status status, const imd_error *error);

#endif
