/* libFuzzer: for any text as action, batch, options, arguments or name, a store returns a status
 * and keeps its state unless the call succeeded, and the process survives.
 *
 * The first byte of the input selects the call. */
#include <immutabledata.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static imd_store *store;

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "check failed: %s\n", what);
  abort();
}

static long value(void) {
  char *text;
  require(imd_store_select(store, "selectValue", NULL, 0, &text, NULL, NULL) == IMD_OK, "select");
  long value = strtol(text, NULL, 10);
  imd_free(text);
  return value;
}

static void check(imd_status status, const imd_error *error) {
  require(error->status == status, "the error has the status");
  require((status == IMD_OK) == (error->message[0] == '\0'), "a failure has a message");
  require(memchr(error->message, '\0', sizeof error->message) != NULL, "the message ends");
}

static void select_output(const char *name, const char *arguments, size_t length) {
  imd_error error;
  char *out;
  imd_status status = imd_store_select(store, name, arguments, length, &out, NULL, &error);
  check(status, &error);
  require((status == IMD_OK) == (out != NULL), "there is output after success");
  imd_free(out);
}

static void open_other(const char *name, const char *options, size_t length) {
  imd_error error;
  imd_store *other;
  imd_status status = imd_store_open(name, options, length, &other, &error);
  check(status, &error);
  require((status == IMD_OK) == (other != NULL), "there is a store after success");
  imd_store_close(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (store == NULL) require(imd_store_open("counter", NULL, 0, &store, NULL) == IMD_OK, "open");
  if (size == 0) return 0;

  const char *text = (const char *)data + 1;
  size_t length = size - 1;
  char *name = malloc(size);
  memcpy(name, text, length);
  name[length] = '\0';

  imd_error error;
  imd_status status = IMD_OK;
  long before = value();
  switch (data[0] % 6) {
    case 0: check(status = imd_store_dispatch(store, text, length, &error), &error); break;
    case 1: check(status = imd_store_dispatch_batch(store, text, length, &error), &error); break;
    case 2: open_other("counter", text, length); break;
    case 3: select_output("selectValue", text, length); break;
    case 4: open_other(name, NULL, 0); break;
    default: select_output(name, NULL, 0); break;
  }
  long after = value();
  require(data[0] % 6 < 2 && status == IMD_OK ? labs(after - before) <= (long)size : after == before,
          "only a dispatch that succeeds changes the state");
  free(name);
  return 0;
}
