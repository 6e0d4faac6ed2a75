/* Makes the texts that are measured; the same on every machine. */
#ifndef GENERATE_H
#define GENERATE_H

#include <stddef.h>
#include <stdint.h>

/* A number in 0..<below; SplitMix64. */
unsigned random_below(uint64_t *seed, unsigned below);

/* {"f0":…,…,"f9":…}, the record of a number. Returns the length. */
int write_record(char *out, int number);

/* {"records":{"k0":…,…}}, to be freed. */
char *make_records(int count);

/* The number of the i-th of count records to be changed: each as often, in no order to speak of.
 * count has to be a power of 2. */
int scattered(int i, int count);

/* At least size bytes of earthquakes as the USGS publishes them in GeoJSON, to be freed. */
char *make_earthquakes(size_t size, size_t *length);

#endif
