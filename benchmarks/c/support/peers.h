/* Other libraries that parse and write JSON. */
#ifndef PEERS_H
#define PEERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A library that parses JSON, and can write it unless write is NULL. */
typedef struct peer {
  const char *name;
  void *(*read)(const char *text, size_t length); /* returns NULL if the text is not JSON */
  void (*release)(void *read);
  size_t (*write)(void *read); /* returns the length of the text; 0 if it fails */
} peer;

/* NULL if the library was not installed when this was built. */
extern const peer *const simdjson_peer;
extern const peer *const rapidjson_peer;
extern const peer *const yyjson_peer;

#ifdef __cplusplus
}
#endif

#endif
