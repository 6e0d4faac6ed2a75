/* Uses the domains of liblights.so: one that is written in Swift in this folder, and one of
 * immutabledata. */
#include <immutabledata.h>
#include <stdio.h>

/* Opens a store, dispatches an action, and prints the output of a selector. */
static int use(const char *domain, const char *action, const char *selector) {
  imd_error error;
  imd_store *store = NULL;
  char *text = NULL;
  if (imd_store_open(domain, NULL, 0, &store, &error) == IMD_OK &&
      imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_OK &&
      imd_store_select(store, selector, NULL, 0, &text, NULL, &error) == IMD_OK)
    printf("%s: %s\n", domain, text);
  else
    fprintf(stderr, "%s\n", error.message);
  imd_free(text);
  imd_store_close(store);
  return error.status == IMD_OK ? 0 : 1;
}

int main(void) {
  return use("light", "{\"type\":\"toggle\"}", "selectIsOn") |
         use("counter", "{\"type\":\"didTapIncrementButton\"}", "selectValue");
}
