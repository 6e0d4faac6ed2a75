/* Readers and writers in C++. Where the headers of one were not there to build this, it says so. */
#ifndef PEERS_H
#define PEERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Something that reads JSON, and perhaps writes it. */
typedef struct peer {
  const char *name;
  void *(*read)(const char *text, size_t length); /* NULL: it is not JSON */
  void (*release)(void *read);
  size_t (*write)(void *read); /* the length of the text; NULL: it does not write */
} peer;

/* NULL where they are not there. */
extern const peer *const simdjson_peer;
extern const peer *const rapidjson_peer;

#ifdef __cplusplus
}
#endif

#endif
