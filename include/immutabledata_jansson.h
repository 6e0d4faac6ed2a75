/* immutabledata for programs that hold jansson values: the same stores and values, without text in
 * between.
 *
 * The conventions are those of immutabledata.h. A json_t that goes in is *borrowed for the call*
 * and stays as it is. One that is handed out is *owned by the caller*: json_decref it.
 * A json_t beyond a limit of values is IMD_LIMIT; one that contains itself nests without end. A
 * string or key that is not UTF-8, and a key with U+0000 in it, is IMD_INVALID_JSON. Errors have no
 * line, column or offset. */
#ifndef IMMUTABLEDATA_JANSSON_H
#define IMMUTABLEDATA_JANSSON_H

#include "immutabledata.h"
#include <jansson.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a value of a jansson one. O(n). */
imd_status imd_value_from_jansson(const json_t *json, imd_value **out, imd_error *error);

/* Makes a jansson value of a value. O(n). */
imd_status imd_value_to_jansson(const imd_value *value, json_t **out, imd_error *error);

/* Sends one action, as imd_store_dispatch does. */
imd_status imd_store_dispatch_jansson(imd_store *store, const json_t *action, imd_error *error);

/* Reads the output of a selector, as imd_store_select does. arguments may be NULL for none. */
imd_status imd_store_select_jansson(imd_store *store, const char *selector,
                                    const json_t *arguments, json_t **out, imd_error *error);

#ifdef __cplusplus
}
#endif

#endif /* IMMUTABLEDATA_JANSSON_H */
