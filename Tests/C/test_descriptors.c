/* A program that was started without its standard streams: no file of the library gets their
 * descriptors, to which the program would write its messages. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <fcntl.h>
#include <immutabledata.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  imd_value *payload = NULL;
  if (imd_value_get(action, "/payload", &payload, error) != IMD_OK) return IMD_REDUCER_FAILED;
  const imd_status status = imd_value_set(state, "/n", payload, next, error);
  imd_value_release(payload);
  return status;
}

static imd_store *create(const char *options) {
  imd_store *store = NULL;
  CHECK(imd_store_create("{\"n\":0}", IMD_ZERO_TERMINATED, reduce, NULL, NULL, options,
                         IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
  return store;
}

static int all_are_closed(void) {
  for (int number = 0; number < 3; number++)
    if (fcntl(number, F_GETFD) >= 0) return 0;
  return 1;
}

/* SQLite opens /dev/null until it gets another descriptor. */
static int none_is_of_a_file(void) {
  struct stat status;
  for (int number = 0; number < 3; number++)
    if (fstat(number, &status) == 0 && S_ISREG(status.st_mode)) return 0;
  return 1;
}

static void use_logs(void) {
  imd_error error;
  int fd = -1;
  imd_store *store = create("{\"log\":{\"path\":\"a.imd\",\"durability\":\"full\"},"
                            "\"trace\":{\"file\":\"trace\"}}");
  CHECK(all_are_closed());
  CHECK(imd_store_fd(store, &fd, NULL) == IMD_OK && fd > 2);
  imd_stream *stream = NULL;
  CHECK(imd_store_stream(store, NULL, 0, &stream, NULL) == IMD_OK);
  CHECK(imd_stream_fd(stream, &fd, NULL) == IMD_OK && fd > 2);
  CHECK(all_are_closed());
  /* To find out which process has the file, descriptors of others are read. */
  imd_store *second = NULL;
  CHECK(imd_store_create("{}", 2, reduce, NULL, NULL, "{\"log\":\"a.imd\"}", IMD_ZERO_TERMINATED,
                         &second, &error) == IMD_IO);
  imd_store *follower = create("{\"log\":{\"path\":\"a.imd\",\"readOnly\":true}}");
  CHECK(imd_store_dispatch(store, "{\"type\":\"set\",\"payload\":1}", IMD_ZERO_TERMINATED, NULL) ==
        IMD_OK);
  CHECK(imd_store_refresh(follower, NULL) == IMD_OK);
  CHECK(all_are_closed());
  imd_store_close(follower);
  imd_stream_close(stream);
  imd_store_close(store);
  CHECK(imd_log_compact("a.imd", "{\"keep\":{\"entries\":1}}", IMD_ZERO_TERMINATED, reduce, NULL,
                        NULL) == IMD_OK);
  CHECK(all_are_closed());
}

static void use_databases(void) {
  imd_store *store = NULL;
  CHECK(imd_store_open("animals", "{\"store\":\"animals\"}", IMD_ZERO_TERMINATED, &store, NULL) ==
        IMD_OK);
  CHECK(imd_store_backup(store, "copy", NULL) == IMD_OK);
  CHECK(none_is_of_a_file());
  imd_store_close(store);
}

int main(void) {
  char folder[] = "/tmp/descriptors-XXXXXX";
  CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
  /* Failures are reported at the end. */
  static char report[65536];
  setvbuf(stderr, report, _IOFBF, sizeof report);
  const int out = fcntl(1, F_DUPFD, 100), err = fcntl(2, F_DUPFD, 100);
  for (int number = 0; number < 3; number++) close(number);
  CHECK(all_are_closed());
  use_logs();
  use_databases();
  dup2(out, 1);
  dup2(err, 2);
  CHECK(chdir("/") == 0);
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_report();
}
