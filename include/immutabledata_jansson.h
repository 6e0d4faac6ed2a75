/* immutabledata for programs that hold jansson values: the same stores and values, without
 * converting them to text. A program that includes it needs the headers of jansson (libjansson-dev
 * on Debian), and links jansson: cc program.c $(pkg-config --cflags --libs immutabledata jansson)
 *
 * The conventions are those of immutabledata.h. A json_t that is passed in is *borrowed for the
 * call* and does not change. One that is returned is *owned by the caller*: release it with
 * json_decref. A json_t that exceeds a value limit yields IMD_LIMIT; so does one that contains
 * itself. A string or key that is not UTF-8, or a key that contains U+0000, yields
 * IMD_INVALID_JSON. Errors in a json_t have no line, column or offset. */
#ifndef IMMUTABLEDATA_JANSSON_H
#define IMMUTABLEDATA_JANSSON_H

#include "immutabledata.h"
#include <jansson.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Converts a json_t to a value. O(n). */
imd_status imd_value_from_jansson(const json_t *json, imd_value **out, imd_error *error);

/* Converts a value to a json_t. A shared part is copied at each occurrence: O(n) in the text.
 * IMD_LIMIT: the value has more values than IMD_LIMIT_WORK. */
imd_status imd_value_to_jansson(const imd_value *value, json_t **out, imd_error *error);

/* Dispatches an action, as imd_store_dispatch does. */
imd_status imd_store_dispatch_jansson(imd_store *store, const json_t *action, imd_error *error);

/* Returns the output of a selector, as imd_store_select does. arguments may be NULL for none. */
imd_status imd_store_select_jansson(imd_store *store, const char *selector,
                                    const json_t *arguments, json_t **out, imd_error *error);

#ifdef __cplusplus
}
#endif

#endif /* IMMUTABLEDATA_JANSSON_H */
