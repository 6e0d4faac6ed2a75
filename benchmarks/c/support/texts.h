/* Generated texts that can be slow to parse. The caller frees them. */
#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>

/* [1,1,…] */
char *make_ones(size_t size, size_t *length);

/* An array of random doubles with 17 digits. */
char *make_doubles(size_t size, size_t *length);

/* Objects of strings in several scripts, with escapes of every kind. */
char *make_words(size_t size, size_t *length);

/* An object of records that have members of all kinds. */
char *make_mixed(size_t size, size_t *length);

/* A text to be measured: the name of its row, the function that makes it, and the goal. */
typedef struct sample {
  const char *row;
  char *(*make)(size_t size, size_t *length);
  size_t size;
  const char *goal;
} sample;

/* Makes each text, calls measure, which prints its row, and frees the text. */
void measure_samples(const sample *samples, int count,
                     void (*measure)(const sample *sample, const char *text, size_t length));

#endif
