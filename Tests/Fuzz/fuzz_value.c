/* libFuzzer: for any text as value, pointer, patch or expression, the value functions return a
 * status, and their results satisfy the laws that relate them.
 *
 * The input is the text of a value, a NUL, and the text of a patch, pointer or expression. */
#define _POSIX_C_SOURCE 200809L

#include <immutabledata.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "check failed: %s\n", what);
  abort();
}

static void check_written(const imd_value *value) {
  char *text;
  size_t length;
  imd_value *again;
  require(imd_value_text(value, &text, &length, NULL) == IMD_OK, "a value is written");
  require(imd_value_parse(text, length, &again, NULL) == IMD_OK, "what is written is read");
  require(imd_value_equal(value, again), "what is read is what was written");
  imd_free(text);
  imd_value_release(again);
}

/* Checks the result of a change, and that the difference leads to it. */
static void check_changed(const imd_value *old, imd_value *new) {
  if (new == NULL) return;
  imd_value *patch, *patched;
  check_written(new);
  require(imd_value_diff(old, new, &patch, NULL) == IMD_OK, "there is a difference");
  require(imd_value_patch(old, patch, &patched, NULL) == IMD_OK, "the difference applies");
  require(imd_value_equal(new, patched), "the difference leads to the new value");
  imd_value_release(patch);
  imd_value_release(patched);
  imd_value_release(new);
}

/* Checks that imd_value_read agrees with imd_value_get, which may have found nothing. */
static void check_read(const imd_value *value, const char *pointer, const imd_value *got) {
  imd_content part;
  imd_value *again = NULL;
  imd_status status = imd_value_read(value, pointer, &part, NULL);
  require((status == IMD_OK) == (got != NULL), "what can be got can be read");
  require(part.kind == imd_value_kind(got), "it is of the same kind");
  switch (part.kind) {
    case IMD_NULL: return;
    case IMD_BOOL: imd_value_set_bool(got, "", part.as.boolean, &again, NULL); break;
    case IMD_INTEGER: imd_value_set_integer(got, "", part.as.integer, &again, NULL); break;
    case IMD_REAL: imd_value_set_real(got, "", part.as.real, &again, NULL); break;
    case IMD_STRING:
      imd_value_set_string(got, "", part.as.string, part.count, &again, NULL);
      imd_free(part.as.string);
      break;
    case IMD_ARRAY:
    case IMD_OBJECT:
      require(part.count == imd_value_count(got), "it has as many elements");
      again = part.as.value;
  }
  require(imd_value_equal(again, got), "it has the same content");
  imd_value_release(again);
}

static imd_status keep(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error) {
  (void)context, (void)state, (void)action, (void)next, (void)error;
  return IMD_OK;
}

static void query(const char *state, size_t length, const char *expression) {
  imd_store *store;
  char *output;
  require(imd_store_create(state, length, keep, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK,
          "a value is a state");
  if (imd_store_query(store, expression, NULL, 0, &output, NULL, NULL) == IMD_OK) {
    imd_value *value;
    require(imd_value_parse(output, IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK,
            "an output is JSON");
    imd_value_release(value);
    imd_free(output);
  }
  imd_store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  size_t length = size == 0 ? 0 : strnlen(text, size);
  size_t rest = length < size ? size - length - 1 : 0;
  char *other = malloc(rest + 1);
  memcpy(other, text + length + (length < size), rest);
  other[rest] = '\0';

  imd_value *value, *patch, *made;
  if (imd_value_parse(text, length, &value, NULL) == IMD_OK) {
    check_written(value);
    imd_value_get(value, other, &made, NULL);
    check_read(value, other, made);
    imd_value_release(made);
    imd_value_remove(value, other, &made, NULL);
    check_changed(value, made);
    imd_value_slice(value, strlen(other) / 2, strlen(other), &made, NULL);
    check_changed(value, made);
    imd_value_set(value, other, value, &made, NULL);
    check_changed(value, made);
    imd_value_set_bool(value, other, 1, &made, NULL);
    check_changed(value, made);
    imd_value_set_integer(value, other, -1, &made, NULL);
    check_changed(value, made);
    imd_value_set_real(value, other, 0.5, &made, NULL);
    check_changed(value, made);
    imd_value_set_string(value, other, other, rest, &made, NULL);
    check_changed(value, made);
    imd_value_insert(value, other, value, &made, NULL);
    check_changed(value, made);
    if (imd_value_parse(other, rest, &patch, NULL) == IMD_OK) {
      imd_value_patch(value, patch, &made, NULL);
      check_changed(value, made);
      imd_value_merge(value, patch, &made, NULL);
      check_changed(value, made);
      check_changed(value, patch);
    }
    query(text, length, other);
    imd_value_release(value);
  }
  free(other);
  return 0;
}
