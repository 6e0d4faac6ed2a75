#include "peers.h"

#ifdef HAS_SIMDJSON
#include <simdjson.h>

// simdjson's document is a tape that is read in order and cannot be changed.
static void *read_simdjson(const char *text, size_t length) {
  auto *parser = new simdjson::dom::parser;
  if (!parser->parse(text, length).error())
    return parser;
  delete parser;
  return nullptr;
}

static void release_simdjson(void *parser) {
  delete static_cast<simdjson::dom::parser *>(parser);
}

static const peer simdjson_functions = {"simdjson", read_simdjson, release_simdjson, nullptr};
extern const peer *const simdjson_peer = &simdjson_functions;
#else
extern const peer *const simdjson_peer = nullptr;
#endif

#if __has_include(<rapidjson/document.h>)
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

// As exact as our parser: by default, RapidJSON rounds doubles incorrectly and does not check UTF-8.
enum { EXACT = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag };

static void *read_rapidjson(const char *text, size_t length) {
  auto *document = new rapidjson::Document;
  if (!document->Parse<EXACT>(text, length).HasParseError())
    return document;
  delete document;
  return nullptr;
}

static void release_rapidjson(void *document) {
  delete static_cast<rapidjson::Document *>(document);
}

static size_t write_rapidjson(void *document) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  static_cast<rapidjson::Document *>(document)->Accept(writer);
  return buffer.GetSize();
}

static const peer rapidjson_functions = {"RapidJSON", read_rapidjson, release_rapidjson,
                                         write_rapidjson};
extern const peer *const rapidjson_peer = &rapidjson_functions;
#else
extern const peer *const rapidjson_peer = nullptr;
#endif
