#define _GNU_SOURCE
#include "CBoundFunctions.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

/* The library that contains this code, whose functions are searched together with those of what it
 * needs. If a program contains this code, all that the program needs. */
static void *scope(void) {
  static char here;
  Dl_info info;
  struct link_map *map = NULL;
  if (!dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !map->l_name[0])
    return RTLD_NEXT;
  /* Never closed, as the library is never unloaded. */
  return dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
}

void *bound_function(const char *name, void *linked) {
  static void *found;
  if (!found)
    found = scope();
  void *function = found ? dlsym(found, name) : NULL;
  return function ? function : linked;
}
