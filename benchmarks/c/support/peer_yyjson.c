#include "peers.h"

#ifdef HAS_YYJSON
#include <stdlib.h>
#include <yyjson.h>

/* A document that can be changed, as our values can. */
static void *read_yyjson(const char *text, size_t length) {
  yyjson_doc *read = yyjson_read(text, length, 0);
  if (!read)
    return NULL;
  yyjson_mut_doc *document = yyjson_doc_mut_copy(read, NULL);
  yyjson_doc_free(read);
  return document;
}

static void release_yyjson(void *document) {
  yyjson_mut_doc_free(document);
}

static size_t write_yyjson(void *document) {
  size_t length = 0;
  free(yyjson_mut_write(document, 0, &length));
  return length;
}

static const peer yyjson_functions = {"yyjson", read_yyjson, release_yyjson, write_yyjson};
const peer *const yyjson_peer = &yyjson_functions;
#else
const peer *const yyjson_peer = NULL;
#endif
