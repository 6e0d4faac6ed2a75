/* libFuzzer: whatever text comes in as value, pointer, patch or expression, a value function answers
 * with a status, and what it makes obeys the laws between them.
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
  fprintf(stderr, "not so: %s\n", what);
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

/* Checks what a change made of a value, and that the difference is what leads there. */
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

static imd_status keep(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error) {
  (void)context, (void)action, (void)error;
  *next = (imd_value *)state;
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
    imd_value_release(made);
    imd_value_remove(value, other, &made, NULL);
    check_changed(value, made);
    imd_value_set(value, other, value, &made, NULL);
    check_changed(value, made);
    imd_value_insert(value, other, value, &made, NULL);
    check_changed(value, made);
    if (imd_value_parse(other, rest, &patch, NULL) == IMD_OK) {
      imd_value_patch(value, patch, &made, NULL);
      check_changed(value, made);
      imd_value_merge(value, patch, &made, NULL);
      check_changed(value, made);
      imd_value_retain(patch);
      check_changed(value, patch);
      imd_value_release(patch);
    }
    query(text, length, other);
    imd_value_release(value);
  }
  free(other);
  return 0;
}
