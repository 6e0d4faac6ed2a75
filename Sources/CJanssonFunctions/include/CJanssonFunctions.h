/* The functions of jansson that the library calls. */
#ifndef CJANSSONFUNCTIONS_H
#define CJANSSONFUNCTIONS_H

#include <jansson.h>

#define JANSSON_FUNCTIONS(FUNCTION)                                                                \
  FUNCTION(json_array)                                                                             \
  FUNCTION(json_array_append_new)                                                                  \
  FUNCTION(json_array_get)                                                                         \
  FUNCTION(json_delete)                                                                            \
  FUNCTION(json_false)                                                                             \
  FUNCTION(json_integer)                                                                           \
  FUNCTION(json_integer_value)                                                                     \
  FUNCTION(json_loadb)                                                                             \
  FUNCTION(json_null)                                                                              \
  FUNCTION(json_object)                                                                            \
  FUNCTION(json_object_iter)                                                                       \
  FUNCTION(json_object_iter_key)                                                                   \
  FUNCTION(json_object_iter_key_len)                                                               \
  FUNCTION(json_object_iter_next)                                                                  \
  FUNCTION(json_object_iter_value)                                                                 \
  FUNCTION(json_object_seed)                                                                       \
  FUNCTION(json_object_setn_new_nocheck)                                                           \
  FUNCTION(json_real)                                                                              \
  FUNCTION(json_real_value)                                                                        \
  FUNCTION(json_string_length)                                                                     \
  FUNCTION(json_string_value)                                                                      \
  FUNCTION(json_stringn_nocheck)                                                                   \
  FUNCTION(json_true)

struct jansson_functions {
#define FUNCTION(name) __typeof__(name) *_Nonnull name;
  JANSSON_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* The functions of jansson, also if the program has others of the same names. */
const struct jansson_functions *_Nonnull jansson_functions(void);

/* json_decref, which calls json_delete by its name. */
void jansson_decref(json_t *_Nullable json);

#endif
