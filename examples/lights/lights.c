/* Opens a store of a domain that is written in Swift and registered by the library of this package.
 *
 *     swift build && cc lights.c -I../../include -L.build/debug -llights && ./a.out */
#include <immutabledata.h>
#include <stdio.h>

/* LightDomain.swift */
void register_lights(void);

int main(void) {
  imd_error error;
  imd_store *store;
  char *text;
  register_lights();
  if (imd_store_open("light", NULL, 0, &store, &error) != IMD_OK ||
      imd_store_dispatch(store, "{\"type\":\"toggle\"}", IMD_ZERO_TERMINATED, &error) != IMD_OK ||
      imd_store_select(store, "selectIsOn", NULL, 0, &text, NULL, &error) != IMD_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  puts(text);
  imd_free(text);
  imd_store_close(store);
}
