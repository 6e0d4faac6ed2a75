/* Making and changing values. An imd_status that a function returns is that of the library. */
#ifndef VALUES_H
#define VALUES_H

#include <immutabledata.h>

/* Prints the message and ends the program if the status is not IMD_OK. */
void require(imd_status status, const imd_error *error);

/* These replace *value, a reference of the caller's. If they fail, *value stays as it was. */
imd_status put(imd_value **value, const char *pointer, const imd_value *element, imd_error *error);
imd_status put_text(imd_value **value, const char *pointer, const char *text, imd_error *error);

/* Inserts an element into an array, at the index at which the pointer ends; "-" is the end. */
imd_status insert(imd_value **value, const char *pointer, const imd_value *element,
                  imd_error *error);

/* Inserts the id of a record, as insert does. */
imd_status insert_id(imd_value **value, const char *pointer, const imd_value *record,
                     imd_error *error);

/* Sets *text, which the caller frees with free, to the JSON Pointer of the member of parent
 * that the string at a pointer names. */
imd_status pointer_to(const char *parent, const imd_value *value, const char *pointer, char **text,
                      imd_error *error);

/* Whether the string at a pointer equals the text. */
int is_text(const imd_value *value, const char *pointer, const char *text);

/* Copies the string at a pointer into a buffer of size bytes; a longer one is cut. */
imd_status read_text(const imd_value *value, const char *pointer, char *buffer, size_t size,
                     imd_error *error);

/* Dispatches an action: {"type": type, "payload": payload}. payload may be NULL. */
imd_status dispatch(imd_store *store, const char *type, const imd_value *payload,
                    imd_error *error);

#endif /* VALUES_H */
