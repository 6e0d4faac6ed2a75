#include "values.h"

#include "../legacy/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void require(imd_status status, const imd_error *error) {
  if (status == IMD_OK) return;
  fprintf(stderr, "%s: %s\n", imd_status_name(status), error->message);
  exit(1);
}

/* ---- Changing ------------------------------------------------------------------------------ */

static void replace(imd_value **value, imd_value *made) {
  imd_value_release(*value);
  *value = made;
}

imd_status put(imd_value **value, const char *pointer, const imd_value *element, imd_error *error) {
  imd_value *made;
  imd_status status = imd_value_set(*value, pointer, element, &made, error);
  if (status == IMD_OK) replace(value, made);
  return status;
}

imd_status insert(imd_value **value, const char *pointer, const imd_value *element,
                  imd_error *error) {
  imd_value *made;
  imd_status status = imd_value_insert(*value, pointer, element, &made, error);
  if (status == IMD_OK) replace(value, made);
  return status;
}

imd_status insert_id(imd_value **value, const char *pointer, const imd_value *record,
                     imd_error *error) {
  imd_value *id;
  imd_status status = imd_value_get(record, "/id", &id, error);
  if (status == IMD_OK) status = insert(value, pointer, id, error);
  imd_value_release(id);
  return status;
}

imd_status put_text(imd_value **value, const char *pointer, const char *text, imd_error *error) {
  imd_value *made;
  imd_status status =
      imd_value_set_string(*value, pointer, text, IMD_ZERO_TERMINATED, &made, error);
  if (status == IMD_OK) replace(value, made);
  return status;
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* Escapes a key as RFC 6901 says: "~" is "~0", "/" is "~1". */
static char *join_pointer(const char *parent, const char *key) {
  size_t length = strlen(parent);
  char *text = resize(NULL, length + 2 * strlen(key) + 2, 1);
  memcpy(text, parent, length);
  text[length++] = '/';
  for (; *key != '\0'; key++) {
    int is_escaped = *key == '~' || *key == '/';
    if (is_escaped) text[length++] = '~';
    text[length++] = !is_escaped ? *key : *key == '~' ? '0' : '1';
  }
  text[length] = '\0';
  return text;
}

imd_status pointer_to(const char *parent, const imd_value *value, const char *pointer, char **text,
                      imd_error *error) {
  char *key;
  *text = NULL;
  imd_status status = imd_value_get_string(value, pointer, &key, NULL, error);
  if (status == IMD_OK) *text = join_pointer(parent, key);
  imd_free(key);
  return status;
}

int is_text(const imd_value *value, const char *pointer, const char *text) {
  char *found;
  int is_equal = imd_value_get_string(value, pointer, &found, NULL, NULL) == IMD_OK &&
                 strcmp(found, text) == 0;
  imd_free(found);
  return is_equal;
}

imd_status read_text(const imd_value *value, const char *pointer, char *buffer, size_t size,
                     imd_error *error) {
  char *found;
  imd_status status = imd_value_get_string(value, pointer, &found, NULL, error);
  if (status == IMD_OK) copy_text(buffer, size, found);
  imd_free(found);
  return status;
}

/* ---- Dispatching --------------------------------------------------------------------------- */

imd_status dispatch(imd_store *store, const char *type, const imd_value *payload,
                    imd_error *error) {
  imd_value *action;
  imd_status status = imd_value_parse("{}", IMD_ZERO_TERMINATED, &action, error);
  if (status == IMD_OK) status = put_text(&action, "/type", type, error);
  if (status == IMD_OK && payload != NULL) status = put(&action, "/payload", payload, error);
  if (status == IMD_OK) status = imd_store_dispatch_value(store, action, error);
  imd_value_release(action);
  return status;
}
