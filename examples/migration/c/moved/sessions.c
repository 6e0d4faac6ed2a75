#include "moved.h"
#include "values.h"

#include <string.h>

/* ---- The rule ------------------------------------------------------------------------------ */

/* Appends an effect to the array. order: borrowed. */
static imd_status ask(imd_value **effects, const char *effect, const imd_value *order,
                      imd_error *error) {
  imd_value *record;
  imd_status status = imd_value_parse("{\"arguments\":{}}", IMD_ZERO_TERMINATED, &record, error);
  if (status == IMD_OK) status = put_text(&record, "/effect", effect, error);
  if (status == IMD_OK) status = put(&record, "/arguments/order", order, error);
  if (status == IMD_OK) status = append(effects, "/-", record, error);
  imd_value_release(record);
  return status;
}

/* Compares the old and the new value of one order; either may be NULL. */
static imd_status compare(imd_value **effects, const imd_value *old, const imd_value *new,
                          imd_error *error) {
  int was = old != NULL && is_text(old, "/status", "preparing");
  int is = new != NULL && is_text(new, "/status", "preparing");
  if (is && !was) return ask(effects, "startActivity", new, error);
  if (was && !is) return ask(effects, "endActivity", old, error);
  return IMD_OK;
}

/* Compares the order that an operation of a JSON Patch of the orders changes. */
static imd_status compare_changed(imd_value **effects, const imd_value *operation,
                                  char **last_pointer, const imd_value *old, const imd_value *new,
                                  imd_error *error) {
  char *pointer;
  imd_value *old_order = NULL, *new_order = NULL;
  imd_status status = imd_value_get_string(operation, "/path", &pointer, NULL, error);
  if (status != IMD_OK) return status;
  /* "/#1201/status" changes the order at "/#1201". */
  char *end = pointer[0] == '\0' ? NULL : strchr(pointer + 1, '/');
  if (end != NULL) *end = '\0';
  if (*last_pointer == NULL || strcmp(*last_pointer, pointer) != 0) {
    imd_value_get(old, pointer, &old_order, NULL);
    imd_value_get(new, pointer, &new_order, NULL);
    status = compare(effects, old_order, new_order, error);
  }
  imd_value_release(old_order);
  imd_value_release(new_order);
  imd_free(*last_pointer);
  *last_pointer = pointer;
  return status;
}

/* Asks to start a session for each order that becomes "preparing", and to end it afterwards. */
static imd_status ask_for_sessions(void *context, const imd_value *action,
                                   const imd_value *old_state, const imd_value *new_state,
                                   imd_value **effects, imd_error *error) {
  imd_value *old = NULL, *new = NULL, *patch = NULL;
  imd_cursor *cursor = NULL;
  const imd_value *operation;
  char *last_pointer = NULL; /* the operations of one order follow each other */
  (void)context, (void)action;
  imd_status status = imd_value_parse("[]", IMD_ZERO_TERMINATED, effects, error);
  if (status == IMD_OK) status = imd_value_get(old_state, "/orders", &old, error);
  if (status == IMD_OK) status = imd_value_get(new_state, "/orders", &new, error);
  if (status == IMD_OK) status = imd_value_diff(old, new, &patch, error);
  if (status == IMD_OK) status = imd_cursor_open(patch, NULL, &cursor, error);
  while (status == IMD_OK && imd_cursor_next(cursor, NULL, NULL, &operation))
    status = compare_changed(effects, operation, &last_pointer, old, new, error);
  imd_free(last_pointer);
  imd_cursor_close(cursor);
  imd_value_release(patch);
  imd_value_release(old);
  imd_value_release(new);
  return status;
}

/* ---- The effects --------------------------------------------------------------------------- */

/* The library calls these functions on a thread of its own, for one effect at a time. The program
 * reads the sessions after imd_store_settle. */
static void start(void *sessions, imd_effect *effect, const imd_value *arguments) {
  char id[TEXT_SIZE];
  if (read_text(arguments, "/order/id", id, sizeof id, NULL) == IMD_OK)
    sessions_start(sessions, id);
  imd_effect_resolve(effect, NULL, NULL);
}

static void end(void *sessions, imd_effect *effect, const imd_value *arguments) {
  char id[TEXT_SIZE];
  if (read_text(arguments, "/order/id", id, sizeof id, NULL) == IMD_OK) sessions_end(sessions, id);
  imd_effect_resolve(effect, NULL, NULL);
}

void follow_sessions(imd_store *store, sessions *sessions) {
  imd_error error;
  require(imd_store_set_effect(store, "startActivity", start, sessions, NULL, &error), &error);
  require(imd_store_set_effect(store, "endActivity", end, sessions, NULL, &error), &error);
  require(imd_store_set_rule(store, ask_for_sessions, NULL, NULL, &error), &error);
}
