/* The texts of entries, as a parameter of the type bytea[]. */
#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>

#include "immutabledata_log.h"

/* How many bytes a call can pass. */
enum { MAXIMUM_BYTES = 1 << 29 };

/* The sum of two sizes, of which the first is small; more than MAXIMUM_BYTES if the other is. */
size_t bytes_sum(size_t size, size_t more);

/* How many bytes texts_write writes; more than MAXIMUM_BYTES if it is too much. */
size_t texts_size(const imd_log_entry *entries, size_t count);
void texts_write(char *to, const imd_log_entry *entries, size_t count);

#endif
