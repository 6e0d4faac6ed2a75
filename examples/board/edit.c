#include "edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

imd_status refuse(imd_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return IMD_INVALID_ACTION;
}

/* ---- Values -------------------------------------------------------------------------------- */

/* Replaces a reference with a new one. */
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

imd_status put_integer(imd_value **value, const char *pointer, int64_t integer, imd_error *error) {
  imd_value *made;
  imd_status status = imd_value_set_integer(*value, pointer, integer, &made, error);
  if (status == IMD_OK) replace(value, made);
  return status;
}

imd_status put_text(imd_value **value, const char *pointer, const char *text, imd_error *error) {
  imd_value *made;
  imd_status status =
      imd_value_set_string(*value, pointer, text, IMD_ZERO_TERMINATED, &made, error);
  if (status == IMD_OK) replace(value, made);
  return status;
}

imd_status put_bool(imd_value **value, const char *pointer, int boolean, imd_error *error) {
  imd_value *made;
  imd_status status = imd_value_set_bool(*value, pointer, boolean, &made, error);
  if (status == IMD_OK) replace(value, made);
  return status;
}

imd_status drop(imd_value **value, const char *pointer, imd_error *error) {
  imd_value *made;
  imd_status status = imd_value_remove(*value, pointer, &made, error);
  if (status == IMD_OK) replace(value, made);
  return status == IMD_NOT_FOUND ? IMD_OK : status;
}

int has(const imd_value *value, const char *pointer) {
  imd_value *found;
  imd_value_get(value, pointer, &found, NULL);
  int exists = imd_value_kind(found) != IMD_NULL;
  imd_value_release(found);
  return exists;
}

int is_text(const imd_value *value, const char *pointer, const char *text) {
  char *found;
  size_t length;
  if (imd_value_get_string(value, pointer, &found, &length, NULL) != IMD_OK) return 0;
  int is_equal = length == strlen(text) && memcmp(found, text, length) == 0;
  imd_free(found);
  return is_equal;
}

imd_status copy_member(imd_value **into, const imd_value *action, const char *member, imd_kind kind,
                       missing missing, imd_error *error) {
  char pointer[32];
  snprintf(pointer, sizeof pointer, "/payload%s", member);
  imd_value *part;
  imd_status status = imd_value_get(action, pointer, &part, error);
  if (status == IMD_NOT_FOUND && missing != REFUSE) return IMD_OK;
  if (status != IMD_OK) return status;
  if (imd_value_kind(part) == kind)
    status = put(into, member, part, error);
  else if (imd_value_kind(part) != IMD_NULL || missing == REFUSE)
    status = refuse(error, "expected %s at \"%s\"",
                    kind == IMD_BOOL ? "a boolean" : "a string", pointer);
  else if (missing == REMOVE_IF_NULL)
    status = drop(into, member, error);
  imd_value_release(part);
  return status;
}

char *pointer_to(const char *parent, const char *key) {
  char *pointer = malloc(strlen(parent) + 2 * strlen(key) + 2);
  if (pointer == NULL) return NULL;
  /* "~" and "/" in a key are escaped (RFC 6901). */
  char *end = pointer + sprintf(pointer, "%s/", parent);
  for (; *key != '\0'; key++) {
    if (*key == '~' || *key == '/') *end++ = '~';
    *end++ = *key == '~' ? '0' : *key == '/' ? '1' : *key;
  }
  *end = '\0';
  return pointer;
}

/* ---- Records ------------------------------------------------------------------------------- */

static const char *const PARENTS[] = {"/projects", "/tasks"};
static const char *const NAMES[] = {"project", "task"};

void release_record(record *record) {
  imd_free(record->id);
  free(record->pointer);
}

/* Reads the id at a pointer in the action. */
static imd_status name_record(kind kind, const imd_value *action, const char *pointer, record *out,
                              imd_error *error) {
  size_t length;
  *out = (record){NULL, NULL};
  imd_status status = imd_value_get_string(action, pointer, &out->id, &length, error);
  if (status != IMD_OK) return status;
  if (strlen(out->id) != length) return refuse(error, "an id must not contain U+0000");
  out->pointer = pointer_to(PARENTS[kind], out->id);
  return out->pointer == NULL ? refuse(error, "out of memory") : IMD_OK;
}

imd_status find_record(kind kind, const imd_value *board, const imd_value *action,
                       const char *pointer, record *out, imd_value **value, imd_error *error) {
  imd_value *found = NULL;
  imd_status status = name_record(kind, action, pointer, out, error);
  if (status == IMD_OK) status = imd_value_get(board, out->pointer, &found, error);
  if (status == IMD_NOT_FOUND && out->pointer != NULL)
    status = refuse(error, "there is no %s \"%s\"", NAMES[kind], out->id);
  if (value != NULL)
    *value = found;
  else
    imd_value_release(found);
  return status;
}

imd_status new_record(kind kind, const imd_value *board, const imd_value *action, record *out,
                      imd_error *error) {
  imd_status status = name_record(kind, action, "/payload/id", out, error);
  if (status != IMD_OK) return status;
  if (has(board, out->pointer))
    return refuse(error, "there is a %s \"%s\" already", NAMES[kind], out->id);
  return IMD_OK;
}
