/* A process that has no memory for fork handlers: a store cannot be opened, but values can be used.
 * The library registers two sets of handlers; the argument is the number of the set that fails. */
#define _GNU_SOURCE

#include "check.h"

#include <dlfcn.h>
#include <errno.h>
#include <immutabledata.h>
#include <stdlib.h>
#include <unistd.h>

static int registered;

/* The function of glibc behind pthread_atfork, which is linked statically. */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                      void *library) {
  Dl_info caller;
  const char *failing = getenv("FAILING_SET");
  int is_ours = dladdr(library, &caller) && strstr(caller.dli_fname, "libimmutabledata") != NULL;
  if (is_ours && failing && ++registered == atoi(failing)) return ENOMEM;
  int (*real)(void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&real = dlsym(RTLD_NEXT, "__register_atfork");
  return real(prepare, parent, child, library);
}

static imd_status keep(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error) {
  (void)context, (void)state, (void)action, (void)next, (void)error;
  return IMD_OK;
}

static void check_store(imd_status status, imd_store *store, const imd_error *error) {
  CHECK(status == IMD_LIMIT);
  CHECK_TEXT(error->message, "the process had no memory for fork handlers (pthread_atfork), so a "
                             "child could wait forever; restart it");
  CHECK(store == NULL);
}

int main(int count, char **arguments) {
  if (count > 1) {
    /* The library is loaded before main: begin again. */
    setenv("FAILING_SET", arguments[1], 1);
    execl(arguments[0], arguments[0], (char *)NULL);
    return 1;
  }
  imd_value *value, *changed;
  CHECK(imd_value_parse("[1,[2]]", IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);
  CHECK(imd_value_set_integer(value, "/0", 3, &changed, NULL) == IMD_OK);
  char *text;
  CHECK(imd_value_text(changed, &text, NULL, NULL) == IMD_OK);
  CHECK_TEXT(text, "[3,[2]]");
  imd_free(text);
  imd_value_release(changed);
  imd_value_release(value);

  for (int i = 0; i < 2; i++) {
    imd_store *store = NULL;
    imd_error error;
    imd_status status = imd_store_open("counter", NULL, 0, &store, &error);
    check_store(status, store, &error);
    status = imd_store_create("{}", IMD_ZERO_TERMINATED, keep, NULL, NULL, NULL, 0, &store, &error);
    check_store(status, store, &error);
  }
  CHECK(registered == 2);
  return check_report();
}
