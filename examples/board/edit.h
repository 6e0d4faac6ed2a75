/* Changing the values of a board, and finding its projects and tasks. */
#ifndef BOARD_EDIT_H
#define BOARD_EDIT_H

#include <immutabledata.h>

/* Refuses an action, in our own words. */
imd_status refuse(imd_error *error, const char *format, ...);

/* ---- Values -------------------------------------------------------------------------------- */

/* These put what they make of *value, a share of the caller's, in its place. If they fail, it stays
 * as it was. */

/* Sets an element. */
imd_status put(imd_value **value, const char *pointer, const imd_value *element, imd_error *error);
imd_status put_bool(imd_value **value, const char *pointer, int boolean, imd_error *error);
imd_status put_integer(imd_value **value, const char *pointer, int64_t integer, imd_error *error);
imd_status put_text(imd_value **value, const char *pointer, const char *text, imd_error *error);

/* Takes out what is at a pointer, if something is. */
imd_status drop(imd_value **value, const char *pointer, imd_error *error);

/* What to do for a member of a payload that is missing, or null. */
typedef enum missing {
  REFUSE,
  SKIP,  /* nothing */
  CHANGE /* nothing if it is missing; take it out of the value if it is null */
} missing;

/* Copies a member of the action's payload, such as "/title": a string or a boolean. */
imd_status copy_member(imd_value **into, const imd_value *action, const char *member, imd_kind kind,
                       missing missing, imd_error *error);

/* Whether something other than null is at a pointer. */
int has(const imd_value *value, const char *pointer);

/* Whether this text is at a pointer. */
int is_text(const imd_value *value, const char *pointer, const char *text);

/* The JSON Pointer of a member, to free. NULL if there is no memory. */
char *pointer_to(const char *parent, const char *key);

/* ---- Records ------------------------------------------------------------------------------- */

typedef enum kind { PROJECT, TASK } kind;

/* A project or a task: its id, and where it is, or would be, on the board. Whatever the functions
 * below answer, the record is to be released. */
typedef struct record {
  char *id;
  char *pointer;
} record;

void release_record(record *record);

/* The record whose id stands at a pointer in the action. It has to be on the board. value, which
 * may be NULL, gets a share of it. */
imd_status find_record(kind kind, const imd_value *board, const imd_value *action,
                       const char *pointer, record *out, imd_value **value, imd_error *error);

/* The record that the payload has the id of. It must not be on the board yet. */
imd_status new_record(kind kind, const imd_value *board, const imd_value *action, record *out,
                      imd_error *error);

#endif /* BOARD_EDIT_H */
