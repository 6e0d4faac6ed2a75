/* The memory of a store's cached outputs and expressions is bounded. */
#include "check.h"

#include <immutabledata.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#define Z IMD_ZERO_TERMINATED
#define MEGABYTES(count) ((size_t)(count) << 20)

enum { SIZE = 2 << 20, QUERIES = 112 };

/* Allocated bytes; 0 if unknown. */
static size_t memory(void) {
#ifdef __GLIBC__
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context, (void)action, (void)error;
  *next = imd_value_retain(state);
  return IMD_OK;
}

static int64_t evaluations(imd_store *store) {
  char *text;
  imd_value *statistics;
  int64_t count = -1;
  CHECK(imd_store_statistics(store, &text, NULL, NULL) == IMD_OK);
  CHECK(imd_value_parse(text, Z, &statistics, NULL) == IMD_OK);
  CHECK(imd_value_get_integer(statistics, "/evaluations", &count, NULL) == IMD_OK);
  imd_value_release(statistics);
  imd_free(text);
  return count;
}

static void query(imd_store *store, int x) {
  char arguments[32], *out = NULL;
  size_t length = 0;
  snprintf(arguments, sizeof arguments, "{\"x\":%d}", x);
  CHECK(imd_store_query(store, "[@,@,$x]", arguments, Z, &out, &length, NULL) == IMD_OK);
  CHECK(length > 2 * SIZE);
  imd_free(out);
}

static void test_outputs(void) {
  char *state = malloc(SIZE + 3);
  if (!state) abort();
  memset(state, 'a', SIZE + 2);
  state[0] = state[SIZE + 1] = '"';
  imd_store *store = NULL;
  CHECK(imd_store_create(state, SIZE + 2, reduce, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  free(state);

  query(store, 0);
  size_t before = memory(), most = 0;
  for (int x = 1; x < QUERIES; x++) {
    query(store, x);
    size_t now = memory();
    if (now > most) most = now;
  }
  if (!CHECK(most <= before + MEGABYTES(128)))
    fprintf(stderr, "  %zu bytes more\n", most - before);

  /* The last one is cached, the first ones are not. */
  CHECK(evaluations(store) == QUERIES);
  query(store, QUERIES - 1);
  CHECK(evaluations(store) == QUERIES);
  query(store, 0);
  CHECK(evaluations(store) == QUERIES + 1);
  imd_store_close(store);
}

static imd_status replace(void *context, const imd_value *state, const imd_value *action,
                          imd_value **next, imd_error *error) {
  (void)context, (void)state;
  return imd_value_get(action, "/payload", next, error);
}

/* Each small output depends on a large state, which the next action replaces. */
static void test_old_states(void) {
  enum { STATES = 60, ELEMENTS = 200000 };
  static const char head[] = "{\"type\":\"replace\",\"payload\":[0";
  char *action = malloc(sizeof head + 2 * ELEMENTS + 3);
  if (!action) abort();
  char *end = action + sprintf(action, "%s", head);
  for (int i = 0; i < ELEMENTS; i++) end += sprintf(end, ",%d", i % 10);
  strcpy(end, "]}");
  imd_store *store = NULL;
  CHECK(imd_store_create("[]", Z, replace, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  size_t before = memory();
  for (int i = 0; i < STATES; i++) {
    CHECK(imd_store_dispatch(store, action, Z, NULL) == IMD_OK);
    char expression[32], *out = NULL;
    snprintf(expression, sizeof expression, "[length(@), `%d`]", i);
    CHECK(imd_store_query(store, expression, NULL, 0, &out, NULL, NULL) == IMD_OK);
    imd_free(out);
  }
  size_t now = memory();
  if (!CHECK(now <= before + MEGABYTES(16))) fprintf(stderr, "  %zu bytes more\n", now - before);
  imd_store_close(store);
  free(action);
}

static void test_expressions(void) {
  enum { EXPRESSIONS = 40, LENGTH = 1 << 20 };
  char *expression = malloc(LENGTH + 32);
  if (!expression) abort();
  imd_store *store = NULL;
  CHECK(imd_store_create("[]", Z, reduce, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  size_t before = memory();
  for (int i = 0; i < EXPRESSIONS; i++) {
    char *out = NULL;
    int start = sprintf(expression, "length('%d", i);
    memset(expression + start, 'y', LENGTH);
    strcpy(expression + start + LENGTH, "')");
    CHECK(imd_store_query(store, expression, NULL, 0, &out, NULL, NULL) == IMD_OK);
    imd_free(out);
  }
  size_t now = memory();
  if (!CHECK(now <= before + MEGABYTES(80))) fprintf(stderr, "  %zu bytes more\n", now - before);
  imd_store_close(store);
  free(expression);
}

int main(void) {
  test_outputs();
  test_old_states();
  test_expressions();
  return check_report();
}
