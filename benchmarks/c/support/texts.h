/* Texts of one kind each, for what a reader may be slow at; all of them to be freed. */
#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>

/* [1,1,…] */
char *make_ones(size_t size, size_t *length);

/* An array of random doubles with 17 digits. */
char *make_doubles(size_t size, size_t *length);

/* Objects of strings in several scripts, with escapes of every kind. */
char *make_words(size_t size, size_t *length);

/* A text that is measured: its row, how it is made, and its goal. */
typedef struct sample {
  const char *row;
  char *(*make)(size_t size, size_t *length);
  size_t size;
  const char *goal;
} sample;

/* Makes one text after the other, and frees it when measure has printed its row. */
void measure_samples(const sample *samples, int count,
                     void (*measure)(const sample *sample, const char *text, size_t length));

#endif
