/* The errors of databases that cannot be opened or backed up, for a user to whom permissions
 * apply. */
#define _GNU_SOURCE

#include "check.h"

#include <grp.h>
#include <immutabledata.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/imd-files-XXXXXX";

static void run(const char *command) {
  char text[256];
  snprintf(text, sizeof text, "cd %s && %s", folder, command);
  CHECK(system(text) == 0);
}

/* Checks the message of an error. FOLDER in the expected message is replaced by its path. */
static void check_message(const imd_error *error, const char *message) {
  char expected[512];
  size_t length = 0;
  while (*message && length < sizeof expected - sizeof folder) {
    int is_folder = strncmp(message, "FOLDER", 6) == 0;
    if (is_folder) length += (size_t)sprintf(expected + length, "%s", folder);
    if (!is_folder) expected[length++] = *message;
    message += is_folder ? 6 : 1;
  }
  expected[length] = 0;
  CHECK_TEXT(error->message, expected);
}

/* Opens a store of animals in a file of the folder. */
static void check(const char *file, imd_status status, const char *message) {
  char options[128];
  imd_error error;
  imd_store *store = NULL;
  snprintf(options, sizeof options, "{\"store\":\"%s/%s\"}", folder, file);
  CHECK(imd_store_open("animals", options, IMD_ZERO_TERMINATED, &store, &error) == status);
  check_message(&error, message);
  imd_store_close(store);
}

/* Backs up animals to a file of the folder. */
static void check_backup(imd_store *store, const char *file, imd_status status,
                         const char *message) {
  char path[128];
  imd_error error;
  snprintf(path, sizeof path, "%s/%s", folder, file);
  CHECK(imd_store_backup(store, path, &error) == status);
  check_message(&error, message);
}

static int stat_file(const char *file, struct stat *status) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  return stat(path, status);
}

int main(void) {
  CHECK(mkdtemp(folder) != NULL);
  if (geteuid() == 0) {
    /* The superuser may write to everything. */
    CHECK(chown(folder, 65534, 65534) == 0);
    if (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0) {
      puts("permissions cannot be tested: this process cannot become another user");
      rmdir(folder);
      return check_report();
    }
  }
  run("mkdir closed full locked && touch full/file");
  check("full/animals", IMD_OK, "");
  check("locked/animals", IMD_OK, "");
  check("locked/read-only", IMD_OK, "");
  check("secret", IMD_OK, "");
  run("chmod 400 locked/read-only; chmod 0 secret; chmod 500 locked; chmod 0 closed");

  check("no/animals", IMD_IO,
        "cannot open \"FOLDER/no/animals\": the directory \"FOLDER/no\" does not exist");
  check("full/file/animals", IMD_IO,
        "cannot open \"FOLDER/full/file/animals\": \"FOLDER/full/file\" is not a directory");
  check("full", IMD_IO, "cannot open \"FOLDER/full\": it is a directory, not a file");
  check("closed/animals", IMD_IO,
        "cannot open \"FOLDER/closed/animals\": the directory \"FOLDER/closed\": "
        "permission denied");
  check("closed/no/animals", IMD_IO,
        "cannot open \"FOLDER/closed/no/animals\": \"FOLDER/closed/no\": permission denied");
  check("secret", IMD_IO, "cannot open \"FOLDER/secret\": permission denied");
  check("locked/new", IMD_IO,
        "cannot open \"FOLDER/locked/new\": the directory \"FOLDER/locked\": permission denied");
  /* The file is writable, but not the log next to it. */
  check("locked/animals", IMD_IO,
        "cannot write \"FOLDER/locked/animals\": the directory \"FOLDER/locked\": permission "
        "denied; the file and its directory must be writable");
  check("locked/read-only", IMD_IO,
        "cannot write \"FOLDER/locked/read-only\": permission denied; the file and its directory "
        "must be writable");

  imd_store *store = NULL;
  CHECK(imd_store_open("animals", NULL, 0, &store, NULL) == IMD_OK);
  check_backup(store, "locked/copy", IMD_IO,
               "cannot create \"FOLDER/locked/copy\": the directory \"FOLDER/locked\": "
               "permission denied");
  check_backup(store, "closed/copy", IMD_IO,
               "cannot create \"FOLDER/closed/copy\": the directory \"FOLDER/closed\": "
               "permission denied");
  check_backup(store, "no/copy", IMD_IO,
               "cannot create \"FOLDER/no/copy\": the directory \"FOLDER/no\" does not exist");
  check_backup(store, "full/copy", IMD_OK, "");

  mode_t mask = umask(0777);
  struct stat copy;
  check_backup(store, "full/masked", IMD_OK, "");
  CHECK(stat_file("full/masked", &copy) == 0 && (copy.st_mode & 0777) == 0600);
  umask(mask);

  struct rlimit limit, small = {8192, 8192};
  CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  small.rlim_max = limit.rlim_max;
  CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &small) == 0);
  check_backup(store, "full/large", IMD_IO,
               "cannot read or write \"FOLDER/full/large\": File too large");
  CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  CHECK(stat_file("full/large", &copy) != 0);
  imd_store_close(store);

  run("echo notes > full/notes; chmod 400 full/animals");
  check("full/notes", IMD_CORRUPT, "\"FOLDER/full/notes\" is not a database");
  check("full/animals", IMD_IO,
        "cannot write \"FOLDER/full/animals\": permission denied; the file and its directory "
        "must be writable");
  run("chmod 700 closed locked; chmod 600 full/animals locked/read-only secret; rm -r *");
  CHECK(rmdir(folder) == 0);
  return check_report();
}
