/* Changing the values of a board, and finding its projects and tasks. */
#ifndef BOARD_EDIT_H
#define BOARD_EDIT_H

#include <immutabledata.h>

/* Refuses an action: writes the message and returns IMD_INVALID_ACTION. */
imd_status refuse(imd_error *error, const char *format, ...);

/* ---- Values -------------------------------------------------------------------------------- */

/* These functions replace *value, a reference of the caller's, with a changed value. If they fail,
 * *value stays as it was. */

/* Sets an element. */
imd_status put(imd_value **value, const char *pointer, const imd_value *element, imd_error *error);
imd_status put_bool(imd_value **value, const char *pointer, int boolean, imd_error *error);
imd_status put_integer(imd_value **value, const char *pointer, int64_t integer, imd_error *error);
imd_status put_text(imd_value **value, const char *pointer, const char *text, imd_error *error);

/* Removes the part at a pointer, if it exists. */
imd_status drop(imd_value **value, const char *pointer, imd_error *error);

/* What to do if a member of a payload is missing or null. */
typedef enum missing {
  REFUSE,
  SKIP,          /* nothing */
  REMOVE_IF_NULL /* if it is null, remove it from the value; if it is missing, nothing */
} missing;

/* Copies a string or boolean of the action's payload, such as "/title". */
imd_status copy_member(imd_value **into, const imd_value *action, const char *member, imd_kind kind,
                       missing missing, imd_error *error);

/* Whether there is a part other than null at a pointer. */
int has(const imd_value *value, const char *pointer);

/* Whether the string at a pointer equals the text. */
int is_text(const imd_value *value, const char *pointer, const char *text);

/* Returns the JSON Pointer of a member, which the caller frees; NULL if memory is exhausted. */
char *pointer_to(const char *parent, const char *key);

/* ---- Records ------------------------------------------------------------------------------- */

typedef enum kind { PROJECT, TASK } kind;

/* A project or task: its id, and its pointer on the board. Release it even if the function that
 * filled it failed. */
typedef struct record {
  char *id;
  char *pointer;
} record;

void release_record(record *record);

/* Finds the record whose id is at a pointer in the action; it must be on the board. value, which
 * may be NULL, receives a new reference to it. */
imd_status find_record(kind kind, const imd_value *board, const imd_value *action,
                       const char *pointer, record *out, imd_value **value, imd_error *error);

/* Makes a record with the id in the payload; it must not be on the board yet. */
imd_status new_record(kind kind, const imd_value *board, const imd_value *action, record *out,
                      imd_error *error);

#endif /* BOARD_EDIT_H */
