/* The deepest valid input of each function, on a thread with the stack size documented in the
 * header.
 *
 * The arguments are the size of that stack in KiB and the names of cases, all if there are none.
 * With "measure" for a size the program prints how much stack each case takes. */
#define _GNU_SOURCE
#include "check.h"

#include <immutabledata.h>
#include <immutabledata_jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { DEPTH = 2048, EXPRESSION_DEPTH = 110 };

/* ---- Deep values ---------------------------------------------------------------------------- */

/* Text that nests: DEPTH times open, the inside, DEPTH times close. The caller frees it. */
static char *nested_text(const char *open, const char *inside, const char *close, int depth) {
  size_t length = strlen(inside) + (strlen(open) + strlen(close)) * (size_t)depth;
  char *text = malloc(length + 1), *end = text;
  for (int i = 0; i < depth; i++)
    end = stpcpy(end, open);
  end = stpcpy(end, inside);
  for (int i = 0; i < depth; i++)
    end = stpcpy(end, close);
  return text;
}

/* A value with DEPTH levels, built from the inside: objects {"a":…} or arrays. */
static imd_value *nested_around(imd_value *value, int depth, int objects) {
  imd_value *around = NULL, *next = NULL;
  CHECK(imd_value_parse(objects ? "{\"a\":0,\"b\":1}" : "[0,1]", IMD_ZERO_TERMINATED, &around,
                        NULL) == IMD_OK);
  for (int i = 0; i < depth; i++) {
    CHECK(imd_value_set(around, objects ? "/a" : "/0", value, &next, NULL) == IMD_OK);
    imd_value_release(value);
    value = next;
  }
  imd_value_release(around);
  return value;
}

static imd_value *nested(int64_t inside, int depth, int objects) {
  imd_value *value = NULL;
  CHECK(imd_value_from_integer(inside, &value, NULL) == IMD_OK);
  return nested_around(value, depth, objects);
}

/* The pointer to the innermost value. The caller frees it. */
static char *nested_pointer(int objects, const char *last) {
  return nested_text(objects ? "/a" : "/0", last, "", DEPTH);
}

static void check_text(const imd_value *value, const char *expected) {
  char *text = NULL;
  CHECK(imd_value_text(value, &text, NULL, NULL) == IMD_OK);
  CHECK(text != NULL && strcmp(text, expected) == 0);
  imd_free(text);
}

/* ---- Values --------------------------------------------------------------------------------- */

static void parse(const char *open, const char *close) {
  char *text = nested_text(open, "1", close, DEPTH);
  imd_value *value = NULL;
  imd_error error;
  CHECK(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  imd_value_release(value);
  free(text);
}

static void parse_arrays(void) {
  parse("[", "]");
}

static void parse_objects(void) {
  parse("{\"a\":", "}");
}

static void text(void) {
  imd_value *value = nested(1, DEPTH, 0);
  char *expected = nested_text("[", "1", ",1]", DEPTH);
  check_text(value, expected);
  free(expected);
  imd_value_release(value);
}

static void equal(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *one = nested(1, DEPTH, objects), *same = nested(1, DEPTH, objects);
    imd_value *other = nested(2, DEPTH, objects);
    CHECK(imd_value_equal(one, same));
    CHECK(!imd_value_equal(one, other));
    imd_value_release(one);
    imd_value_release(same);
    imd_value_release(other);
  }
}

static void diff_and_patch(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *one = nested(1, DEPTH, objects), *other = nested(2, DEPTH, objects);
    imd_value *patch = NULL, *patched = NULL;
    imd_error error;
    CHECK(imd_value_diff(one, other, &patch, &error) == IMD_OK);
    CHECK(imd_value_count(patch) == 1);
    CHECK(imd_value_patch(one, patch, &patched, &error) == IMD_OK);
    CHECK_TEXT(error.message, "");
    CHECK(imd_value_equal(patched, other));
    imd_value_release(one);
    imd_value_release(other);
    imd_value_release(patch);
    imd_value_release(patched);
  }
}

/* A patch whose "test" compares the deepest value that fits in its own three levels. */
static void patch_test(void) {
  imd_value *value = nested(1, DEPTH - 2, 1), *expected = nested(1, DEPTH - 2, 1);
  imd_value *patch = NULL, *deep = NULL, *patched = NULL;
  CHECK(imd_value_parse("[{\"op\":\"test\",\"path\":\"\",\"value\":0}]", IMD_ZERO_TERMINATED,
                        &patch, NULL) == IMD_OK);
  CHECK(imd_value_set(patch, "/0/value", expected, &deep, NULL) == IMD_OK);
  CHECK(imd_value_patch(value, deep, &patched, NULL) == IMD_OK);
  CHECK(imd_value_identical(value, patched));
  imd_value_release(value);
  imd_value_release(expected);
  imd_value_release(patch);
  imd_value_release(deep);
  imd_value_release(patched);
}

static void merge(void) {
  imd_value *one = nested(1, DEPTH, 1), *other = nested(2, DEPTH, 1), *merged = NULL;
  imd_value *scalar = NULL;
  CHECK(imd_value_merge(one, other, &merged, NULL) == IMD_OK);
  CHECK(imd_value_equal(merged, other));
  imd_value_release(merged);
  CHECK(imd_value_from_bool(1, &scalar, NULL) == IMD_OK);
  CHECK(imd_value_merge(scalar, other, &merged, NULL) == IMD_OK);
  CHECK(imd_value_equal(merged, other));
  imd_value_release(merged);
  imd_value_release(scalar);
  imd_value_release(one);
  imd_value_release(other);
}

static void change(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *value = nested(1, DEPTH, objects), *changed = NULL;
    imd_value *expected = nested(2, DEPTH, objects), *element = NULL;
    char *pointer = nested_pointer(objects, "");
    CHECK(imd_value_from_integer(2, &element, NULL) == IMD_OK);
    CHECK(imd_value_set(value, pointer, element, &changed, NULL) == IMD_OK);
    CHECK(imd_value_equal(changed, expected));
    imd_value_release(changed);
    CHECK(imd_value_set_integer(value, pointer, 2, &changed, NULL) == IMD_OK);
    CHECK(imd_value_equal(changed, expected));
    imd_value_release(changed);
    CHECK(imd_value_insert(value, pointer, element, &changed, NULL) == IMD_OK);
    CHECK(imd_value_equal(changed, expected) == objects);
    imd_value_release(changed);
    CHECK(imd_value_remove(value, pointer, &changed, NULL) == IMD_OK);
    CHECK(!imd_value_equal(changed, value));
    imd_value_release(changed);
    free(pointer);
    imd_value_release(value);
    imd_value_release(expected);
    imd_value_release(element);
  }
}

/* The longest pointers that use the fast path. */
static void change_by_short_pointer(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *value = nested(1, 128, objects), *changed = NULL;
    imd_value *expected = nested(2, 128, objects);
    char *pointer = nested_text(objects ? "/a" : "/0", "", "", 128);
    CHECK(imd_value_set_integer(value, pointer, 2, &changed, NULL) == IMD_OK);
    CHECK(imd_value_equal(changed, expected));
    free(pointer);
    imd_value_release(value);
    imd_value_release(changed);
    imd_value_release(expected);
  }
}

/* An array of many elements at each level: trees of several nodes. */
static void wide(void) {
  char *text = nested_text("0,", "0]", "", 400);
  char *open = malloc(strlen(text) + 2);
  imd_value *value = NULL, *next = NULL, *copy = NULL;
  CHECK(imd_value_from_integer(1, &value, NULL) == IMD_OK);
  imd_value *around = NULL;
  sprintf(open, "[%s", text);
  CHECK(imd_value_parse(open, IMD_ZERO_TERMINATED, &around, NULL) == IMD_OK);
  for (int i = 0; i < DEPTH; i++) {
    CHECK(imd_value_set(around, "/200", value, &next, NULL) == IMD_OK);
    imd_value_release(value);
    value = next;
  }
  char *pointer = nested_text("/200", "", "", DEPTH);
  CHECK(imd_value_set_integer(value, pointer, 2, &copy, NULL) == IMD_OK);
  CHECK(!imd_value_equal(value, copy));
  imd_value_release(value);
  imd_value_release(copy);
  imd_value_release(around);
  free(pointer);
  free(open);
  free(text);
}

static void get(void) {
  for (int objects = 0; objects < 2; objects++) {
    imd_value *value = nested(1, DEPTH, objects), *part = NULL;
    char *pointer = nested_pointer(objects, "");
    int64_t integer = 0;
    imd_content read;
    imd_error error;
    CHECK(imd_value_get(value, pointer, &part, NULL) == IMD_OK);
    CHECK(imd_value_kind(part) == IMD_INTEGER);
    CHECK(imd_value_get_integer(value, pointer, &integer, NULL) == IMD_OK);
    CHECK(integer == 1);
    imd_value_release(part);
    CHECK(imd_value_read(value, pointer, &read, NULL) == IMD_OK);
    CHECK(read.kind == IMD_INTEGER);
    free(pointer);
    pointer = nested_pointer(objects, "/nothing");
    CHECK(imd_value_get(value, pointer, &part, &error) == IMD_INVALID_ARGUMENT);
    CHECK(part == NULL);
    free(pointer);
    pointer = nested_text("/a~0", "", "", 1000000);
    CHECK(imd_value_get(value, pointer, &part, &error) != IMD_OK);
    free(pointer);
    imd_value_release(value);
  }
}

/* Each level of the value is released before the next one is read from a part. */
static void release(void) {
  imd_value *value = nested(1, DEPTH, 1), *part = NULL;
  char *pointer = nested_text("/a", "", "", DEPTH / 2);
  CHECK(imd_value_get(value, pointer, &part, NULL) == IMD_OK);
  imd_value_release(value);
  CHECK(imd_value_count(part) == 2);
  imd_value_release(part);
  free(pointer);
}

static void cursor(void) {
  imd_value *value = nested(1, DEPTH, 1), *part = NULL;
  imd_cursor *cursor = NULL;
  for (int i = 0; i < DEPTH; i++) {
    const imd_value *member = NULL;
    const char *key = NULL;
    CHECK(imd_cursor_open(value, NULL, &cursor, NULL) == IMD_OK);
    CHECK(imd_cursor_next(cursor, &key, NULL, &member) == 1);
    CHECK_TEXT(key, "a");
    part = imd_value_retain(member);
    imd_value_release(value);
    imd_cursor_close(cursor);
    value = part;
  }
  CHECK(imd_value_kind(value) == IMD_INTEGER);
  imd_value_release(value);
}

/* ---- jansson -------------------------------------------------------------------------------- */

/* Created and freed level by level: jansson's own functions recurse. */
static json_t *nested_jansson(int depth) {
  json_t *json = json_integer(1);
  for (int i = 0; i < depth; i++) {
    json_t *around = i % 2 ? json_object() : json_array();
    if (i % 2)
      json_object_set_new(around, "a", json);
    else
      json_array_append_new(around, json);
    json = around;
  }
  return json;
}

static void free_jansson(json_t *json) {
  while (json) {
    json_t *part = json_is_object(json) ? json_object_get(json, "a") : json_array_get(json, 0);
    json_incref(part);
    json_decref(json);
    json = part;
  }
}

static void jansson(void) {
  json_t *json = nested_jansson(DEPTH), *made = NULL;
  imd_value *value = NULL, *again = NULL;
  imd_error error;
  CHECK(imd_value_from_jansson(json, &value, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  CHECK(imd_value_to_jansson(value, &made, &error) == IMD_OK);
  CHECK(imd_value_from_jansson(made, &again, &error) == IMD_OK);
  CHECK(imd_value_equal(value, again));
  free_jansson(json);
  free_jansson(made);
  imd_value_release(value);
  imd_value_release(again);

  json = nested_jansson(DEPTH + 1);
  CHECK(imd_value_from_jansson(json, &value, &error) == IMD_LIMIT);
  CHECK_TEXT(error.message,
             "json is beyond a limit: the value would nest deeper than 2048 levels");
  free_jansson(json);

  json_t *cycle = json_array(), *inside = json_array();
  json_array_append_new(cycle, inside);
  json_array_append(inside, cycle);
  CHECK(imd_value_from_jansson(cycle, &value, &error) == IMD_LIMIT);
  json_array_clear(inside);
  json_decref(cycle);
}

/* One part 2^27 times: each distinct part is converted once. */
static void jansson_shared(void) {
  json_t *json = json_array();
  for (int i = 0; i < 27; i++) {
    json_t *around = json_array();
    json_array_append(around, json);
    json_array_append_new(around, json);
    json = around;
  }
  imd_value *value = NULL;
  CHECK(imd_value_from_jansson(json, &value, NULL) == IMD_OK);
  CHECK(imd_value_count(value) == 2);
  imd_value_release(value);
  json_decref(json);
}

/* ---- Stores --------------------------------------------------------------------------------- */

/* The state becomes the payload of the action. */
static imd_status take_payload(void *context, const imd_value *state, const imd_value *action,
                               imd_value **next, imd_error *error) {
  (void)context;
  (void)state;
  return imd_value_get(action, "/payload", next, error);
}

static void count_delivery(void *context, const imd_delivery *delivery) {
  CHECK((int)delivery->kind == *(int *)context || delivery->kind == IMD_DELIVERY_VALUE);
}

static imd_store *create(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create("{}", 2, take_payload, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  return store;
}

/* An action that sets the state to {"a":{"a":…}}, as text and as a value. */
static char *action_text(int inside) {
  char open[] = "{\"a\":", number[8];
  sprintf(number, "%d", inside);
  char *state = nested_text(open, number, "}", DEPTH - 1);
  char *action = malloc(strlen(state) + 64);
  sprintf(action, "{\"type\":\"set\",\"payload\":%s}", state);
  free(state);
  return action;
}

static void dispatch_text(void) {
  imd_store *store = create();
  char *action = action_text(1);
  imd_error error;
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  free(action);
  imd_store_close(store);
}

static void dispatch_batch(void) {
  imd_store *store = create();
  char *state = nested_text("{\"a\":", "1", "}", DEPTH - 2);
  char *actions = malloc(strlen(state) + 64);
  imd_error error;
  sprintf(actions, "[{\"type\":\"set\",\"payload\":%s}]", state);
  CHECK(imd_store_dispatch_batch(store, actions, IMD_ZERO_TERMINATED, &error) == IMD_OK);
  CHECK_TEXT(error.message, "");
  free(actions);
  free(state);
  imd_store_close(store);
}

static void create_store(void) {
  char *text = nested_text("[", "1", "]", DEPTH), *state = NULL;
  imd_store *store = NULL;
  imd_error error;
  CHECK(imd_store_create(text, IMD_ZERO_TERMINATED, take_payload, NULL, NULL, NULL, 0, &store,
                         &error) == IMD_OK);
  CHECK(imd_store_query(store, "@", NULL, 0, &state, NULL, &error) == IMD_OK);
  CHECK(state != NULL && strcmp(state, text) == 0);
  imd_free(state);
  imd_store_close(store);
  free(text);
}

/* Passes states that differ at the maximum depth through every consumer. */
static void store(void) {
  imd_store *store = create();
  imd_value *payload = NULL, *action = NULL, *empty = NULL, *state = NULL;
  imd_observation *observation = NULL, *patches = NULL;
  int value_kind = IMD_DELIVERY_VALUE, patch_kind = IMD_DELIVERY_PATCH;
  imd_error error;
  char *output = NULL;
  CHECK(imd_value_parse("{\"type\":\"set\",\"payload\":0}", IMD_ZERO_TERMINATED, &empty, NULL) ==
        IMD_OK);
  CHECK(imd_store_define_selector(store, "whole", "@", &error) == IMD_OK);
  CHECK(imd_store_observe(store, "whole", NULL, 0, NULL, 0, count_delivery, &value_kind, NULL,
                          &observation, &error) == IMD_OK);
  CHECK(imd_store_observe(store, "whole", NULL, 0, "{\"deliver\":\"patch\"}", IMD_ZERO_TERMINATED,
                          count_delivery, &patch_kind, NULL, &patches, &error) == IMD_OK);
  imd_stream *stream = NULL;
  CHECK(imd_store_stream(store, NULL, 0, &stream, &error) == IMD_OK);
  for (int i = 0; i < 4; i++) {
    payload = nested(i, DEPTH - 1, 1);
    CHECK(imd_value_set(empty, "/payload", payload, &action, NULL) == IMD_OK);
    char *text = NULL;
    CHECK(imd_value_text(action, &text, NULL, NULL) == IMD_OK);
    CHECK(imd_store_dispatch(store, text, IMD_ZERO_TERMINATED, &error) == IMD_OK);
    CHECK_TEXT(error.message, "");
    CHECK(imd_store_state(store, &state, &error) == IMD_OK);
    CHECK(imd_value_equal(state, payload));
    imd_value *old = NULL, *streamed = NULL;
    CHECK(imd_stream_next(stream, 0, &old, &streamed, &error) == IMD_OK);
    CHECK(imd_value_equal(streamed, action));
    imd_value_release(old);
    imd_value_release(streamed);
    CHECK(imd_store_select(store, "whole", NULL, 0, &output, NULL, &error) == IMD_OK);
    imd_free(output);
    CHECK(imd_store_query(store, "a.a == a.a", NULL, 0, &output, NULL, &error) == IMD_OK);
    CHECK_TEXT(output, "true");
    imd_free(output);
    imd_free(text);
    imd_value_release(state);
    imd_value_release(action);
    imd_value_release(payload);
  }
  imd_value_release(empty);
  imd_stream_close(stream);
  imd_observation_cancel(observation);
  imd_observation_cancel(patches);
  imd_store_close(store);
}

/* ---- Expressions ---------------------------------------------------------------------------- */

/* Expressions nested to the documented limit, as queries and as selectors. Whatever the result, the
 * process survives. */
static void expression(const char *open, const char *inside, const char *close) {
  imd_store *store = create();
  char *text = nested_text(open, inside, close, EXPRESSION_DEPTH), *output = NULL;
  imd_error error;
  imd_status status = imd_store_query(store, text, NULL, 0, &output, NULL, &error);
  CHECK(status == IMD_OK || status == IMD_INVALID_SELECTOR || status == IMD_LIMIT);
  imd_free(output);
  if (imd_store_define_selector(store, "nested", text, &error) == IMD_OK) {
    CHECK(imd_store_select(store, "nested", NULL, 0, &output, NULL, &error) == status);
    imd_free(output);
  }
  free(text);
  imd_store_close(store);
}

static void expression_nested_to_the_limit(void) {
  expression("(", "a", ")");
  expression("[", "a", "]");
  expression("{a: ", "a", "}");
  expression("!", "a", "");
  expression("a[?", "a", "]");
  expression("a.", "a", "");
  expression("a | ", "a", "");
  expression("a || ", "a", "");
  expression("not_null(", "a", ")");
  expression("map(&", "a", ", a)");
  expression("let $a = ", "a", " in a");
}

/* ---- Threads -------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"parse_arrays", parse_arrays},
    {"parse_objects", parse_objects},
    {"text", text},
    {"equal", equal},
    {"diff_and_patch", diff_and_patch},
    {"patch_test", patch_test},
    {"merge", merge},
    {"change", change},
    {"change_by_short_pointer", change_by_short_pointer},
    {"wide", wide},
    {"get", get},
    {"release", release},
    {"cursor", cursor},
    {"jansson", jansson},
    {"jansson_shared", jansson_shared},
    {"dispatch_text", dispatch_text},
    {"dispatch_batch", dispatch_batch},
    {"create_store", create_store},
    {"store", store},
    {"expression_nested_to_the_limit", expression_nested_to_the_limit},
};

static void *run(void *index) {
  cases[*(size_t *)index].run();
  return NULL;
}

/* Runs a case on a painted stack, and counts the bytes that it changed. */
static size_t run_on_stack(size_t index, size_t size) {
  unsigned char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  pthread_attr_t attributes;
  pthread_t thread;
  size_t untouched = 0;
  CHECK(stack != MAP_FAILED);
  /* An overflow hits this guard page instead of other memory. */
  CHECK(mprotect(stack, 4096, PROT_NONE) == 0);
  memset(stack + 4096, 0xA5, size - 4096);
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstack(&attributes, stack, size) == 0);
  CHECK(pthread_create(&thread, &attributes, run, &index) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  while (4096 + untouched < size && stack[4096 + untouched] == 0xA5)
    untouched++;
  munmap(stack, size);
  return size - 4096 - untouched;
}

int main(int count, char **arguments) {
  int measure = count > 1 && strcmp(arguments[1], "measure") == 0;
  size_t size = measure ? (size_t)64 << 20 : (size_t)(count > 1 ? atoi(arguments[1]) : 256) << 10;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int wanted = count < 3;
    for (int j = 2; j < count; j++)
      wanted |= strcmp(arguments[j], cases[i].name) == 0;
    if (!wanted)
      continue;
    fprintf(stderr, "%s\n", cases[i].name);
    size_t used = run_on_stack(i, size);
    if (measure)
      printf("%-32s %4zu KiB\n", cases[i].name, (used + 1023) / 1024);
  }
  return check_report();
}
