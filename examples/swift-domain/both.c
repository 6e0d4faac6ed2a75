/* Uses several libraries with the functions of immutabledata.h in one process:
 *
 *     both LIBRARY DOMAIN [LIBRARY DOMAIN]...
 *
 * Opens a store of each domain, and prints its state. With RTLD_LOCAL, the functions of each
 * library are found by its handle only. A store or a value must only be passed to the library that
 * returned it. */
#include <dlfcn.h>
#include <immutabledata.h>
#include <stdio.h>

/* The functions of a library that this program uses. */
struct library {
  imd_status (*open)(const char *, const char *, size_t, imd_store **, imd_error *);
  imd_status (*query)(imd_store *, const char *, const char *, size_t, char **, size_t *,
                      imd_error *);
  void (*close)(imd_store *);
  void (*free)(void *);
};

/* POSIX converts the object pointer of dlsym this way. */
#define FIND(library, member, name) *(void **)&(library)->member = dlsym(handle, name)

/* Loads a library. Returns 0 if it fails. */
static int load(const char *path, struct library *library) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
  FIND(library, open, "imd_store_open");
  FIND(library, query, "imd_store_query");
  FIND(library, close, "imd_store_close");
  FIND(library, free, "imd_free");
  return library->open && library->query && library->close && library->free;
}

/* Prints the state of a new store of a domain. */
static int show(const struct library *library, const char *domain) {
  imd_error error;
  imd_store *store = NULL;
  char *text = NULL;
  if (library->open(domain, NULL, 0, &store, &error) == IMD_OK &&
      library->query(store, "@", NULL, 0, &text, NULL, &error) == IMD_OK)
    printf("%s: %s\n", domain, text);
  else
    fprintf(stderr, "%s\n", error.message);
  library->free(text);
  library->close(store);
  return error.status == IMD_OK ? 0 : 1;
}

int main(int count, char **arguments) {
  int failed = 0;
  for (int i = 1; i + 1 < count; i += 2) {
    struct library library;
    if (!load(arguments[i], &library)) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    failed |= show(&library, arguments[i + 1]);
  }
  return failed;
}
