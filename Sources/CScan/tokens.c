#include "CScan.h"

#include <string.h>

enum { NONE = UINT8_MAX };

static const uint8_t *skip_space(const uint8_t *at, const uint8_t *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
    at++;
  return at;
}

static inline void set_range(scan_token *token, const uint8_t *text, const uint8_t *start,
                             const uint8_t *end) {
  token->start = (uint16_t)(start - text);
  token->end = (uint16_t)(end - text);
}

/* These functions return the end of what they scan; NULL if it is something else. */

/* A string without escapes. The range is that of its characters. */
static const uint8_t *string(const uint8_t *text, const uint8_t *at, const uint8_t *end,
                             scan_token *token) {
  if (at == end || *at != '"')
    return NULL;
  const uint8_t *stop = scan_characters(at + 1, end);
  if (stop == end || *stop != '"')
    return NULL;
  set_range(token, text, at + 1, stop);
  return stop + 1;
}

/* A key, and the colon after it. */
static const uint8_t *key(const uint8_t *text, const uint8_t *at, const uint8_t *end,
                          scan_token *token) {
  token->kind = SCAN_KEY;
  at = string(text, skip_space(at, end), end, token);
  if (!at)
    return NULL;
  at = skip_space(at, end);
  return at < end && *at == ':' ? at + 1 : NULL;
}

static const uint8_t *number(const uint8_t *text, const uint8_t *at, const uint8_t *end,
                             scan_token *token) {
  scan_number_result number;
  const uint8_t *stop = scan_number(at, end, &number);
  if (number.kind != SCAN_INTEGER && number.kind != SCAN_REAL)
    return NULL;
  token->kind = SCAN_NUMBER;
  set_range(token, text, at, stop);
  return stop;
}

static const uint8_t *word(const uint8_t *text, const uint8_t *at, const uint8_t *end,
                           scan_token *token) {
  const char *word = *at == 't' ? "true" : *at == 'f' ? "false" : "null";
  size_t length = strlen(word);
  if ((size_t)(end - at) < length || memcmp(at, word, length) != 0)
    return NULL;
  token->kind = SCAN_WORD;
  set_range(token, text, at, at + length);
  return at + length;
}

static const uint8_t *scalar(const uint8_t *text, const uint8_t *at, const uint8_t *end,
                             scan_token *token) {
  switch (*at) {
  case '"':
    token->kind = SCAN_STRING;
    return string(text, at, end, token);
  case 't':
  case 'f':
  case 'n':
    return word(text, at, end, token);
  default:
    return number(text, at, end, token);
  }
}

/* An index of up to nine digits, without a leading zero; negative for other names. */
static int32_t to_index(const uint8_t *name, size_t length) {
  if (length == 0 || length > 9 || (*name == '0' && length > 1))
    return -1;
  int32_t index = 0;
  for (size_t i = 0; i < length; i++) {
    if (name[i] < '0' || name[i] > '9')
      return -1;
    index = 10 * index + (name[i] - '0');
  }
  return index;
}

static const scan_token *child(const scan_token *tokens, const scan_token *parent,
                               const uint8_t *text, const uint8_t *name, size_t length) {
  const scan_token *first = parent + 1, *end = tokens + parent->next, *found = NULL;
  if (parent->kind == SCAN_OBJECT) {
    /* Of repeated keys the last one counts. */
    for (const scan_token *key = first; key < end; key = tokens + key[1].next)
      if ((size_t)(key->end - key->start) == length && memcmp(text + key->start, name, length) == 0)
        found = key + 1;
  } else if (parent->kind == SCAN_ARRAY) {
    int32_t index = to_index(name, length);
    for (const scan_token *element = first; element < end; element = tokens + element->next)
      if (index-- == 0)
        found = element;
  }
  return found;
}

const scan_token *scan_find(const scan_token *tokens, const void *json, const void *pointer,
                            size_t length) {
  const scan_token *found = tokens;
  const uint8_t *at = pointer, *end = at + length;
  while (found && at < end) {
    if (*at++ != '/')
      return NULL;
    const uint8_t *name = at;
    for (; at < end && *at != '/'; at++)
      if (*at == '~')
        return NULL;
    found = child(tokens, found, json, name, (size_t)(at - name));
  }
  return found;
}

int scan_tokens(const void *json, size_t length, scan_token *tokens, size_t *out_length) {
  const uint8_t *text = json;
  const uint8_t *at = text, *end = text + (length < SCAN_MAX_TEXT ? length : SCAN_MAX_TEXT);
  int count = 0, parent = NONE;
  for (;;) {
    /* A value. */
    at = skip_space(at, end);
    /* Leaves room for a key. */
    if (at == end || count > SCAN_MAX_TOKENS - 2)
      return 0;
    scan_token *token = &tokens[count];
    int is_container = *at == '{' || *at == '[';
    if (is_container) {
      token->kind = *at == '{' ? SCAN_OBJECT : SCAN_ARRAY;
      token->start = (uint16_t)(at - text);
      /* While it is open, this is the container around it. */
      token->next = (uint8_t)parent;
      parent = count++;
      at = skip_space(at + 1, end);
      if (at < end && *at != (token->kind == SCAN_OBJECT ? '}' : ']')) {
        if (token->kind == SCAN_OBJECT && !(at = key(text, at, end, &tokens[count++])))
          return 0;
        continue;
      }
    } else {
      if (!(at = scalar(text, at, end, token)))
        return 0;
      token->next = (uint8_t)++count;
    }
    /* Closing brackets, and then a comma or the end. */
    for (;;) {
      if (parent == NONE) {
        *out_length = (size_t)(at - text);
        return count;
      }
      at = skip_space(at, end);
      if (at == end)
        return 0;
      scan_token *container = &tokens[parent];
      if (*at == ',' && !is_container) {
        at++;
        if (container->kind == SCAN_OBJECT) {
          if (count > SCAN_MAX_TOKENS - 2 || !(at = key(text, at, end, &tokens[count++])))
            return 0;
        }
        break;
      }
      if (*at != (container->kind == SCAN_OBJECT ? '}' : ']'))
        return 0;
      at++;
      container->end = (uint16_t)(at - text);
      parent = container->next;
      container->next = (uint8_t)count;
      is_container = 0;
    }
  }
}
