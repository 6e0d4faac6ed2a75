#include "CJanssonFunctions.h"

#include <CBoundFunctions.h>

static struct jansson_functions functions = {
#define FUNCTION(name) .name = name,
    JANSSON_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* When the library is loaded: a child of fork() must not take the lock of the dynamic linker. */
__attribute__((constructor)) static void bind(void) {
#define FUNCTION(name) functions.name = (__typeof__(name) *)bound_function(#name, (void *)name);
  JANSSON_FUNCTIONS(FUNCTION)
#undef FUNCTION
}

const struct jansson_functions *jansson_functions(void) { return &functions; }

void jansson_decref(json_t *json) {
  if (json && json->refcount != (size_t)-1 && JSON_INTERNAL_DECREF(json) == 0)
    functions.json_delete(json);
}
