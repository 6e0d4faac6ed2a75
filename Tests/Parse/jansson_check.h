/* Parses a text with the library and with jansson, and requires the same result: the same value
 * bit for bit, or an error that contains jansson's message, at the same position.
 *
 * Intended differences:
 *   - jansson counts a scalar as a level of nesting, the library does not;
 *   - the library rejects a raw NUL anywhere; jansson ignores one directly after a number or word;
 *   - the library has its own messages for an empty text, for one of white space only, for U+0000
 *     in a key, and for a byte order mark at the start;
 *   - for invalid UTF-8 after a number or word, jansson's message quotes that number or word;
 *   - jansson's position is before a byte that is not UTF-8, the library's is after it;
 *   - jansson's column can be 0, the library's is at least 1. */
#ifndef JANSSON_CHECK_H
#define JANSSON_CHECK_H

#include <immutabledata.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct jansson_check {
  const char *text;
  size_t length;
} jansson_check;

static void jansson_fail(const jansson_check *check, const char *what) {
  fprintf(stderr, "check failed: %s, for these %zu bytes:\n", what, check->length);
  fwrite(check->text, 1, check->length, stderr);
  fputc('\n', stderr);
  for (size_t i = 0; i < check->length && i < 256; i++)
    fprintf(stderr, "\\x%02x", (unsigned char)check->text[i]);
  fputc('\n', stderr);
  abort();
}

static void jansson_require(const jansson_check *check, int holds, const char *what) {
  if (!holds) jansson_fail(check, what);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void jansson_compare(const jansson_check *check, const imd_value *value, const json_t *json);

static void jansson_compare_scalar(const jansson_check *check, const imd_value *value,
                                   const json_t *json) {
  int64_t integer;
  double real, other = json_real_value(json);
  char *text;
  size_t length;
  switch (imd_value_kind(value)) {
  case IMD_NULL:
    jansson_require(check, json_is_null(json), "a null is a null");
    break;
  case IMD_BOOL: {
    int boolean = 0;
    imd_value_get_bool(value, NULL, &boolean, NULL);
    jansson_require(check, boolean ? json_is_true(json) : json_is_false(json),
                    "a boolean is the same");
    break;
  }
  case IMD_INTEGER:
    imd_value_get_integer(value, NULL, &integer, NULL);
    jansson_require(check, json_is_integer(json) && json_integer_value(json) == integer,
                    "an integer is the same");
    break;
  case IMD_REAL:
    imd_value_get_real(value, NULL, &real, NULL);
    jansson_require(check, json_is_real(json) && memcmp(&real, &other, sizeof real) == 0,
                    "a double is the same, bit for bit");
    break;
  default:
    imd_value_get_string(value, NULL, &text, &length, NULL);
    jansson_require(check,
                    json_is_string(json) && json_string_length(json) == length &&
                        memcmp(json_string_value(json), text, length) == 0,
                    "a string is the same");
    imd_free(text);
  }
}

static void jansson_compare_members(const jansson_check *check, const imd_value *value,
                                    const json_t *json) {
  imd_cursor *cursor = NULL;
  imd_cursor_open(value, NULL, &cursor, NULL);
  const char *key;
  size_t length;
  const imd_value *member;
  for (size_t index = 0; imd_cursor_next(cursor, &key, &length, &member); index++) {
    const json_t *other = key ? json_object_get(json, key) : json_array_get(json, index);
    jansson_require(check, other != NULL, "a member or element is there");
    jansson_compare(check, member, other);
  }
  imd_cursor_close(cursor);
}

static void jansson_compare(const jansson_check *check, const imd_value *value,
                            const json_t *json) {
  switch (imd_value_kind(value)) {
  case IMD_ARRAY:
    jansson_require(check, json_is_array(json) && json_array_size(json) == imd_value_count(value),
                    "an array has as many elements");
    jansson_compare_members(check, value, json);
    break;
  case IMD_OBJECT:
    jansson_require(check, json_is_object(json) && json_object_size(json) == imd_value_count(value),
                    "an object has as many members");
    jansson_compare_members(check, value, json);
    break;
  default:
    jansson_compare_scalar(check, value, json);
  }
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static int jansson_is_ascii(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text >= 0x80) return 0;
  return 1;
}

static int jansson_is_blank(const jansson_check *check) {
  for (size_t i = 0; i < check->length; i++)
    if (!strchr(" \t\n\r", check->text[i])) return 0;
  return 1;
}

/* Whether the message contains jansson's; for invalid UTF-8 only the part before " near ". Text that
 * is empty or contains only white space has a message of its own. */
static int jansson_has_words(const jansson_check *check, const imd_error *error,
                             json_error_t *other) {
  if (check->length == 0) return strstr(error->message, "the text is empty, because") != NULL;
  if (jansson_is_blank(check))
    return strstr(error->message, "the text contains only white space") != NULL;
  if (json_error_code(other) == json_error_null_byte_in_key)
    return strstr(error->message, "a key must not contain U+0000") != NULL;
  char *near = strstr(other->text, " near ");
  if (near && json_error_code(other) == json_error_invalid_utf8) *near = 0;
  /* Truncated characters in messages are repaired. */
  return !jansson_is_ascii(other->text) || strstr(error->message, other->text);
}

static void jansson_compare_error(const jansson_check *check, imd_status status,
                                  const imd_error *error, json_error_t *other) {
  enum json_error_code code = json_error_code(other);
  imd_status expected = code == json_error_numeric_overflow ? IMD_LIMIT : IMD_INVALID_JSON;
  jansson_require(check, status == expected, "the status is that of jansson's error");
  /* jansson's position is before a byte that is not UTF-8, but after any other offending byte. */
  int unread = code == json_error_invalid_utf8;
  int column = other->column + unread;
  if (error->line != other->line || error->column != (column ? column : 1) ||
      error->offset != (size_t)other->position + (size_t)unread ||
      !jansson_has_words(check, error, other)) {
    fprintf(stderr, "  is:        %d:%d, offset %zu: %s\n  should be: %d:%d, offset %d: %s\n",
            error->line, error->column, error->offset, error->message, other->line,
            column ? column : 1, other->position + unread, other->text);
    jansson_fail(check, "the error equals jansson's");
  }
}

/* ---- The check ------------------------------------------------------------------------------- */

static void jansson_check_text(const char *text, size_t length) {
  jansson_check check = {text, length};
  imd_value *value = NULL;
  imd_error error;
  imd_status status = imd_value_parse(text, length, &value, &error);
  if (memchr(text, 0, length)) {
    jansson_require(&check, status == IMD_INVALID_JSON || status == IMD_LIMIT,
                    "a raw NUL is rejected");
    return;
  }
  json_error_t other;
  json_t *json = json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &other);
  if (json == NULL && json_error_code(&other) == json_error_stack_overflow) {
    jansson_require(&check, status == IMD_OK || status == IMD_LIMIT || status == IMD_INVALID_JSON,
                    "a text too deep for jansson has a status");
  } else if (json == NULL) {
    jansson_compare_error(&check, status, &error, &other);
  } else {
    jansson_require(&check, status == IMD_OK, "a text that jansson accepts is accepted");
    jansson_compare(&check, value, json);
  }
  imd_value_release(value);
  json_decref(json);
}

#endif
