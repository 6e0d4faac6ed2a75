/* Generates texts to be measured, the same on every machine. */
#ifndef GENERATE_H
#define GENERATE_H

#include <stddef.h>
#include <stdint.h>

/* Returns a number from 0 to below - 1 (SplitMix64). */
unsigned random_below(uint64_t *seed, unsigned below);

/* Writes the record of a number, {"f0":…,…,"f9":…}. Returns the length. */
int write_record(char *out, int number);

/* Returns {"records":{"k0":…,…}}, which the caller frees. */
char *make_records(int count);

/* Returns the number of the i-th record to use, in a scattered order; some are used repeatedly.
 * count must be a power of 2. */
int scattered(int i, int count);

/* Returns at least size bytes of earthquakes in GeoJSON, in the format of the USGS. The caller frees
 * the text. */
char *make_earthquakes(size_t size, size_t *length);

#endif
