#include "texts.h"

#include <stdio.h>
#include <string.h>

typedef struct writer {
  random_source *source;
  char *out;
  size_t length;
} writer;

static void put(writer *writer, const char *bytes, size_t length) {
  if (writer->length + length > TEXT_CAPACITY) return;
  memcpy(writer->out + writer->length, bytes, length);
  writer->length += length;
}

static void put_text(writer *writer, const char *text) { put(writer, text, strlen(text)); }

static int below(writer *writer, int limit) { return random_below(writer->source, limit); }

static const char *one_of(writer *writer, const char *const *choices, size_t count) {
  return choices[below(writer, (int)count)];
}

#define ONE_OF(writer, choices) one_of(writer, choices, sizeof choices / sizeof *choices)

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_space(writer *writer) {
  static const char *const spaces[] = {" ", "\n", "\t", "\r\n", "  "};
  while (below(writer, 8) == 0) put_text(writer, ONE_OF(writer, spaces));
}

static void put_digits(writer *writer, int most) {
  for (int count = 1 + below(writer, most); count > 0; count--) {
    char digit = (char)('0' + below(writer, 10));
    put(writer, &digit, 1);
  }
}

static void put_number(writer *writer) {
  static const char *const numbers[] = {
      "0",    "-0",  "-0.0", "9223372036854775807",  "-9223372036854775808",
      "1e22", "1e5", "5e-324", "9223372036854775808", "-9223372036854775809",
      "1e23", "0e9", "2.2250738585072014e-308", "1.7976931348623157e308",
      "1e309", "9007199254740993.0", "0.1", "1E+2", "1e-400", "0.30000000000000004"};
  char text[64];
  switch (below(writer, 6)) {
  case 0: put_text(writer, ONE_OF(writer, numbers)); return;
  case 1: snprintf(text, sizeof text, "%d", below(writer, 300) - 150); break;
  case 2: snprintf(text, sizeof text, "%.17g", (double)(random_next(writer->source) >> 11) * 0x1p-53);
    break;
  case 3: {
    uint64_t bits = random_next(writer->source);
    double real;
    memcpy(&real, &bits, sizeof real);
    snprintf(text, sizeof text, "%.17g", real == real && real - real == 0 ? real : 1.5);
    break;
  }
  default:
    if (below(writer, 2)) put_text(writer, "-");
    snprintf(text, sizeof text, "%d", 1 + below(writer, 9));
    put_text(writer, text);
    if (below(writer, 2)) put_digits(writer, 20);
    if (below(writer, 2)) put_text(writer, "."), put_digits(writer, 20);
    if (below(writer, 3)) return;
    snprintf(text, sizeof text, "%c%s%d", below(writer, 2) ? 'e' : 'E', below(writer, 2) ? "-" : "",
             below(writer, 340));
  }
  put_text(writer, text);
}

static void put_string(writer *writer) {
  static const char *const escapes[] = {
      "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0041", "\\u00e9",
      "\\u20AC", "\\ud83d\\ude00", "\\u0000", "\\uFFFF", "\\u001f"};
  static const char *const characters[] = {"\u00e9", "\u20ac", "\U0001F600", "\u65e5\u672c\u8a9e",
                                           "\x7f", "e\u0301", "\ufeff", "/", "{", "["};
  put_text(writer, "\"");
  for (int count = below(writer, 4) ? below(writer, 12) : below(writer, 60); count > 0; count--) {
    char letter = (char)('a' + below(writer, 26));
    int choice = below(writer, 16);
    if (choice == 0) put_text(writer, ONE_OF(writer, escapes));
    else if (choice == 1) put_text(writer, ONE_OF(writer, characters));
    else put(writer, &letter, 1);
  }
  put_text(writer, "\"");
}

static void put_key(writer *writer) {
  static const char *const keys[] = {"\"a\"", "\"b\"", "\"type\"", "\"payload\"", "\"\"",
                                     "\"a\\u0062\"", "\"longer than eight\"", "\"longer than nine\"",
                                     "\"type\\u0000\"", "\"id\"", "\"\u00e9\""};
  int choice = below(writer, 24);
  if (choice == 0) put_string(writer);
  else if (choice < 6) put_text(writer, keys[choice]);
  else if (choice == 6) put_text(writer, ONE_OF(writer, keys));
  else {
    char key[16];
    snprintf(key, sizeof key, "\"k%d\"", below(writer, 40));
    put_text(writer, key);
  }
}

static void put_value(writer *writer, int depth) {
  static const char *const words[] = {"true", "false", "null"};
  put_space(writer);
  int choice = below(writer, depth > 0 ? 8 : 4);
  if (choice == 0) put_text(writer, ONE_OF(writer, words));
  else if (choice < 3) put_number(writer);
  else if (choice == 3) put_string(writer);
  else {
    int is_object = choice > 5;
    int count = below(writer, 12) ? below(writer, 6) : below(writer, 70);
    put_text(writer, is_object ? "{" : "[");
    for (int index = 0; index < count; index++) {
      if (index) put_text(writer, ",");
      if (is_object) {
        put_space(writer);
        put_key(writer);
        put_space(writer);
        put_text(writer, ":");
      }
      /* Arrays of numbers have their own representation. */
      if (choice == 4) put_number(writer);
      else put_value(writer, depth - 1);
    }
    put_space(writer);
    put_text(writer, is_object ? "}" : "]");
  }
  put_space(writer);
}

/* ---- Invalid JSON ---------------------------------------------------------------------------- */

static void put_tokens(writer *writer) {
  static const char *const tokens[] = {
      "{",    "}",     "[",    "]",    ",",       ":",     "\"a\"", "1",      "-",     "true",
      "nul",  "0.",    "1e",   "01",   "\"",      "\\",    " ",     "\n",     "x",     "nullx",
      "[1,",  "{\"a\":", "]]", "}}",   "\xff",    "\xc3",  "\xe2\x82", "\x01", "\"\\u12\"", "\"\\ud800\"",
      "+1",   ".5",    "Infinity", "'a'", "/**/", "1.5e3", "\"\t\"", "\"\\x\"", "\xef\xbb\xbf", "-x"};
  for (int count = 1 + below(writer, 10); count > 0; count--)
    put_text(writer, ONE_OF(writer, tokens));
}

static void mutate(writer *writer) {
  static const char bytes[] = "{}[]:,\"\\ \n\t0123456789-+.eEtrufalsn/\x01\x1f\x7f\x80\xbf\xc0\xc3\xe0\xed\xf0\xf4\xff";
  for (int count = 1 + below(writer, 3); count > 0 && writer->length > 0; count--) {
    size_t at = (size_t)below(writer, (int)writer->length);
    size_t rest = writer->length - at;
    char byte = bytes[below(writer, sizeof bytes)]; /* the NUL at the end too */
    switch (below(writer, 4)) {
    case 0: writer->out[at] = byte; break;
    case 1: /* remove */
      memmove(writer->out + at, writer->out + at + 1, rest - 1);
      writer->length--;
      break;
    case 2: /* insert */
      if (writer->length == TEXT_CAPACITY) break;
      memmove(writer->out + at + 1, writer->out + at, rest);
      writer->out[at] = byte;
      writer->length++;
      break;
    default: writer->length = at; /* truncate */
    }
  }
}

static void put_nested(writer *writer) {
  /* Around the limit, which is 2,048. */
  int depth = below(writer, 4) ? below(writer, 60) : 2044 + below(writer, 8);
  const char *inner = below(writer, 2) ? "" : "1";
  for (int level = 0; level < depth; level++) put_text(writer, "[");
  put_text(writer, inner);
  for (int level = 0; level < depth && writer->length < TEXT_CAPACITY; level++)
    put_text(writer, "]");
}

size_t text_make(random_source *source, char out[TEXT_CAPACITY]) {
  writer writer = {source, out, 0};
  switch (below(&writer, 16)) {
  case 0: put_tokens(&writer); break;
  case 1: put_number(&writer); break;
  case 2: put_string(&writer); break;
  case 3:
    if (below(&writer, 50) == 0) {
      put_nested(&writer);
      break;
    }
    /* fall through */
  default: put_value(&writer, 5);
  }
  if (below(&writer, 2)) mutate(&writer);
  return writer.length;
}
