/* Plain JSON data, which is always copied. */
#ifndef PLAIN_H
#define PLAIN_H

#include <jansson.h>

/* Canonical text, owned by the caller: free it. */
char *plain_text(const json_t *value);

/* A value from text that must be valid JSON. */
json_t *plain_parse(const char *text);

/* A member of an object; NULL for anything else. Borrowed. */
json_t *plain_member(const json_t *value, const char *key);

int plain_equal(const json_t *left, const json_t *right);

#endif
