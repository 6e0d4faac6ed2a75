/* Random texts: valid and almost valid JSON. */
#ifndef TEXTS_H
#define TEXTS_H

#include "../Model/random.h"

#include <stddef.h>

enum { TEXT_CAPACITY = 4096 };

/* Writes a random text to out, and returns its length. */
size_t text_make(random_source *source, char out[TEXT_CAPACITY]);

#endif
