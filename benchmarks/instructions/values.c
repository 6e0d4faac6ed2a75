/* Values: one of 65,536 records, and the difference of two states. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = 10 };

typedef struct state {
  imd_value *value;    /* {"records": {"k0": {"f0": 0, …}, …}} */
  imd_value *previous; /* retained, so that the nodes are shared, as in a store */
  imd_value *record;
} state;

static imd_value *parse(const char *text) {
  imd_error error;
  imd_value *value;
  check(imd_value_parse(text, IMD_ZERO_TERMINATED, &value, &error), &error);
  return value;
}

static void *open_state(void) {
  state *state = calloc(1, sizeof *state);
  char record[256], *text = make_records(RECORDS);
  state->value = parse(text);
  write_record(record, 1);
  state->record = parse(record);
  free(text);
  return state;
}

/* Replaces the state, and retains the previous one. */
static void advance(state *state, imd_value *next) {
  imd_value_release(state->previous);
  state->previous = state->value;
  state->value = next;
}

static const char *pointer_to_field(int i) {
  static char pointer[64];
  snprintf(pointer, sizeof pointer, "/records/k%d/f3", scattered(i, RECORDS));
  return pointer;
}

static const char *pointer_to_new_record(int i) {
  static char pointer[64];
  snprintf(pointer, sizeof pointer, "/records/n%d", scattered(i, RECORDS));
  return pointer;
}

static void get(void *context) {
  state *state = context;
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    int64_t integer;
    check(imd_value_get_integer(state->value, pointer_to_field(i), &integer, &error), &error);
  }
}

/* Each run sets fields of other records. */
static void set(void *context) {
  static int number;
  state *state = context;
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++, number++) {
    imd_value *next;
    const char *pointer = pointer_to_field(number);
    check(imd_value_set_integer(state->value, pointer, -1, &next, &error), &error);
    advance(state, next);
  }
}

/* Every run inserts into the same state. */
static void insert(void *context) {
  state start = *(state *)context;
  state state = {imd_value_retain(start.value), NULL, start.record};
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    imd_value *next;
    check(imd_value_set(state.value, pointer_to_new_record(i), state.record, &next, &error), &error);
    advance(&state, next);
  }
  advance(&state, NULL);
  imd_value_release(state.previous);
}

/* Every run removes from the same state. */
static void remove_records(void *context) {
  state start = *(state *)context;
  state state = {imd_value_retain(start.value), NULL, start.record};
  imd_error error;
  for (int i = 0; i < OPERATIONS; i++) {
    imd_value *next;
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/records/k%d", scattered(i, RECORDS));
    check(imd_value_remove(state.value, pointer, &next, &error), &error);
    advance(&state, next);
  }
  advance(&state, NULL);
  imd_value_release(state.previous);
}

/* A state before and after ten changes. */
static void *open_states(void) {
  state *state = open_state();
  imd_error error;
  state->previous = imd_value_retain(state->value);
  for (int i = 0; i < CHANGES; i++) {
    imd_value *next;
    check(imd_value_set_integer(state->value, pointer_to_field(i), -1, &next, &error), &error);
    imd_value_release(state->value);
    state->value = next;
  }
  return state;
}

static void diff(void *context) {
  state *state = context;
  imd_error error;
  imd_value *patch;
  check(imd_value_diff(state->previous, state->value, &patch, &error), &error);
  if (imd_value_count(patch) != CHANGES)
    exit(1);
  imd_value_release(patch);
}

const job value_jobs[] = {
    {"get a field, 65,536 records", OPERATIONS, open_state, get},
    {"set a field, 65,536 records", OPERATIONS, open_state, set},
    {"insert a record, 65,536 records", OPERATIONS, open_state, insert},
    {"remove a record, 65,536 records", OPERATIONS, open_state, remove_records},
    {"diff of ten changes, 65,536 records", 1, open_states, diff},
    {0},
};
