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

#endif
