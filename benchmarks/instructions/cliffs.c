/* Runs operations on values and stores of one size, under callgrind, which writes a file for each.
 *
 *     cliffs SIZE
 *
 * The description of a file is "CHANGES NAME": the name of the operation, and the number of changes
 * that it makes or meets. An operation runs once to warm up, and is then counted once.
 */
#include "jobs.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

static int size;
static imd_error error;

/* ---- The state ------------------------------------------------------------------------------- */

/* {"records": {"k0": {…}, …}, "rows": [{…}, …]}, with SIZE of each. */
static char *make_state(void) {
  char *text = malloc((size_t)size * 128 + 64), *at = text + sprintf(text, "{\"records\":{");
  for (int i = 0; i < size; i++)
    at += sprintf(at, "%s\"k%d\":{\"id\":%d,\"n\":%d}", i ? "," : "", i, i, i % 100);
  at += sprintf(at, "},\"rows\":[");
  for (int i = 0; i < size; i++)
    at += sprintf(at, "%s{\"id\":%d,\"n\":%d}", i ? "," : "", i, i % 100);
  strcpy(at, "]}");
  return text;
}

static imd_value *parse(const char *text) {
  imd_value *value;
  check(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, &error), &error);
  return value;
}

/* Replaces a value by the next one. */
static void become(imd_value **value, imd_value *next) {
  imd_value_release(*value);
  *value = next;
}

/* A number that differs in each call. */
static int fresh(void) {
  static int last = 1000;
  return ++last;
}

/* One of SIZE places, scattered. */
static int place(int i) {
  return (int)((unsigned)i * 40503u % (unsigned)size);
}

/* ---- Operations on a value ------------------------------------------------------------------- */

static imd_value *state;

static void get(int changes) {
  int64_t n;
  (void)changes;
  check(imd_value_get_integer(state, "/records/k77/n", &n, &error), &error);
  check(imd_value_get_integer(state, "/rows/77/n", &n, &error), &error);
}

static imd_value *with_changes(const char *collection, int changes) {
  imd_value *value = imd_value_retain(state), *next;
  for (int i = 0; i < changes; i++) {
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/%s%d/n", collection, place(i));
    check(imd_value_set_integer(value, pointer, fresh(), &next, &error), &error);
    become(&value, next);
  }
  return value;
}

static void set_member(int changes) {
  imd_value_release(with_changes("records/k", changes));
}

static void set_element(int changes) {
  imd_value_release(with_changes("rows/", changes));
}

static void insert_at(const char *pointer) {
  imd_value *row = parse("{\"id\":-1,\"n\":0}"), *next;
  check(imd_value_insert(state, pointer, row, &next, &error), &error);
  imd_value_release(row);
  imd_value_release(next);
}

static void insert_first(int changes) {
  (void)changes;
  insert_at("/rows/0");
}

static void append(int changes) {
  (void)changes;
  insert_at("/rows/-");
}

static void remove_first(int changes) {
  imd_value *next;
  (void)changes;
  check(imd_value_remove(state, "/rows/0", &next, &error), &error);
  imd_value_release(next);
}

static void slice(int changes) {
  imd_value *rows, *part;
  (void)changes;
  check(imd_value_get(state, "/rows", &rows, &error), &error);
  check(imd_value_slice(rows, (size_t)size / 2, (size_t)size / 2 + 10, &part, &error), &error);
  imd_value_release(rows);
  imd_value_release(part);
}

static void traverse_ten(int changes) {
  imd_value *records;
  const imd_value *value;
  imd_cursor *cursor;
  const char *key;
  size_t length;
  (void)changes;
  check(imd_value_get(state, "/records", &records, &error), &error);
  check(imd_cursor_open(records, "k5", &cursor, &error), &error);
  for (int i = 0; i < 10; i++)
    if (!imd_cursor_next(cursor, &key, &length, &value))
      exit(1);
  imd_cursor_close(cursor);
  imd_value_release(records);
}

/* ---- Comparisons ----------------------------------------------------------------------------- */

static imd_value *other;

static void change_members(int changes) {
  become(&other, with_changes("records/k", changes));
}

static void change_elements(int changes) {
  become(&other, with_changes("rows/", changes));
}

static void move_row(int distance) {
  imd_value *row, *without, *next;
  char pointer[32];
  check(imd_value_get(state, "/rows/3", &row, &error), &error);
  check(imd_value_remove(state, "/rows/3", &without, &error), &error);
  snprintf(pointer, sizeof pointer, "/rows/%d", 3 + distance);
  check(imd_value_insert(without, pointer, row, &next, &error), &error);
  imd_value_release(row);
  imd_value_release(without);
  become(&other, next);
}

static void roll_window(int distance) {
  imd_value *value = imd_value_retain(state), *next, *row = parse("{\"id\":-1,\"n\":0}");
  for (int i = 0; i < distance; i++) {
    check(imd_value_remove(value, "/rows/0", &next, &error), &error);
    become(&value, next);
    check(imd_value_insert(value, "/rows/-", row, &next, &error), &error);
    become(&value, next);
  }
  imd_value_release(row);
  become(&other, value);
}

static void roll_window_by_100(int changes) {
  roll_window(100 * changes);
}

static void diff(int changes) {
  imd_value *patch;
  (void)changes;
  check(imd_value_diff(state, other, &patch, &error), &error);
  imd_value_release(patch);
}

static void compare_equal(int changes) {
  (void)changes;
  if (imd_value_equal(state, other))
    exit(1);
}

/* ---- Operations on a store ------------------------------------------------------------------- */

static imd_store *store;

static imd_status reduce(void *context, const imd_value *old, const imd_value *action,
                         imd_value **next, imd_error *failure) {
  char *pointer;
  int64_t n;
  (void)context;
  imd_status status = imd_value_get_string(action, "/payload/at", &pointer, NULL, failure);
  if (status == IMD_OK)
    status = imd_value_get_integer(action, "/payload/n", &n, failure);
  if (status == IMD_OK)
    status = imd_value_set_integer(old, pointer, n, next, failure);
  imd_free(pointer);
  return status;
}

static int write_action(char *out, int i) {
  return sprintf(out, "{\"type\":\"set\",\"payload\":{\"at\":\"/records/k%d/n\",\"n\":%d}}",
                 place(i), fresh());
}

static void dispatch(int changes) {
  for (int i = 0; i < changes; i++) {
    char action[96];
    int length = write_action(action, i);
    check(imd_store_dispatch(store, action, (size_t)length, &error), &error);
  }
}

static void dispatch_batch(int changes) {
  char *text = malloc((size_t)changes * 96 + 2), *at = text;
  *at++ = '[';
  for (int i = 0; i < changes; i++) {
    if (i)
      *at++ = ',';
    at += write_action(at, i);
  }
  *at++ = ']';
  check(imd_store_dispatch_batch(store, text, (size_t)(at - text), &error), &error);
  free(text);
}

static void select_text(const char *selector, const char *arguments) {
  char *text;
  check(imd_store_select(store, selector, arguments, IMD_ZERO_TERMINATED, &text, NULL, &error),
        &error);
  imd_free(text);
}

static void select_path(int changes) {
  (void)changes;
  select_text("path", NULL);
}

static void select_record(int changes) {
  (void)changes;
  select_text("record", "{\"id\":\"k77\"}");
}

static void read_state(int changes) {
  imd_value *value;
  (void)changes;
  check(imd_store_state(store, &value, &error), &error);
  imd_value_release(value);
}

static void undo(int changes) {
  check(imd_store_undo(store, (size_t)changes, NULL, &error), &error);
}

static void redo(int changes) {
  check(imd_store_redo(store, (size_t)changes, NULL, &error), &error);
}

static void ignore(void *context, const imd_delivery *delivery) {
  (void)context;
  (void)delivery;
}

static void observe(const char *options) {
  check(imd_store_observe(store, "all", NULL, 0, options, IMD_ZERO_TERMINATED, ignore, NULL, NULL,
                          NULL, &error),
        &error);
}

static void open_store(const char *options) {
  char *text = make_state();
  if (store)
    imd_store_close(store);
  check(imd_store_create(text, IMD_ZERO_TERMINATED, reduce, NULL, NULL, options,
                         IMD_ZERO_TERMINATED, &store, &error),
        &error);
  check(imd_store_define_selector(store, "path", "records.k77.n", &error), &error);
  check(imd_store_define_selector(store, "record", "get(records, $id)", &error), &error);
  check(imd_store_define_selector(store, "all", "records", &error), &error);
  free(text);
}

/* ---- Counting -------------------------------------------------------------------------------- */

static void count(const char *name, int changes, void (*prepare)(int), void (*run)(int)) {
  char description[96];
  snprintf(description, sizeof description, "%d %s", changes, name);
  if (prepare)
    prepare(changes);
  run(changes);
  if (prepare)
    prepare(changes);
  CALLGRIND_START_INSTRUMENTATION;
  run(changes);
  CALLGRIND_DUMP_STATS_AT(description);
  CALLGRIND_STOP_INSTRUMENTATION;
}

static void count_values(void) {
  static const int numbers[] = {1, 10, 100};
  count("diff, a window rolled by 100, O(n)", 1, roll_window_by_100, diff);
  count("get a member and an element", 1, NULL, get);
  count("insert the first element", 1, NULL, insert_first);
  count("append an element", 1, NULL, append);
  count("remove the first element", 1, NULL, remove_first);
  count("slice ten elements", 1, NULL, slice);
  count("read ten members with a cursor", 1, NULL, traverse_ten);
  for (int i = 0; i < 3; i++) {
    int changes = numbers[i];
    count("set members", changes, NULL, set_member);
    count("set elements", changes, NULL, set_element);
    count("diff, changed members", changes, change_members, diff);
    count("diff, changed elements", changes, change_elements, diff);
    count("diff, a row moved by so many", changes, move_row, diff);
    if (changes <= 10)
      count("diff, a window rolled by so many", changes, roll_window, diff);
    count("compare, changed members", changes, change_members, compare_equal);
  }
}

static void count_stores(void) {
  static const int numbers[] = {1, 10, 100};
  open_store("{\"history\":{\"limit\":1000}}");
  for (int i = 0; i < 3; i++) {
    count("undo", numbers[i], dispatch, undo);
    count("redo", numbers[i], undo, redo);
  }
  open_store("{}");
  count("read the state", 1, NULL, read_state);
  count("select a path, changed", 1, dispatch, select_path);
  count("select a record with arguments, changed", 1, dispatch, select_record);
  for (int i = 0; i < 3; i++) {
    count("dispatch", numbers[i], NULL, dispatch);
    count("dispatch a batch", numbers[i], NULL, dispatch_batch);
  }
  observe("{\"deliver\":\"patch\"}");
  for (int i = 0; i < 3; i++) {
    count("dispatch, observed as a patch", numbers[i], NULL, dispatch);
    count("dispatch a batch, observed as a patch", numbers[i], NULL, dispatch_batch);
  }
}

int main(int arguments, char **values) {
  size = arguments == 2 ? atoi(values[1]) : 0;
  if (size < 512 || size > 1 << 20)
    return fprintf(stderr, "usage: cliffs SIZE\n"), 1;
  char *text = make_state();
  state = parse(text);
  free(text);
  count_values();
  count_stores();
  imd_store_close(store);
  imd_value_release(state);
  imd_value_release(other);
  return 0;
}
