/* Backups of a store's database, while the store is in use. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <immutabledata.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANIMALS = 40, COPIES = 4, THREADS = 4 };

static char folder[] = "/tmp/imd-backup-XXXXXX";

/* Returns the path of a file in the folder, valid until the fourth next call. */
static const char *path_of(const char *name) {
  static char paths[4][128];
  static int last;
  char *path = paths[last = (last + 1) % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

/* Opens animals in a file, or in memory if path is NULL. */
static imd_store *open_animals(const char *path) {
  char options[256];
  imd_store *store = NULL;
  snprintf(options, sizeof options, path ? "{\"store\":\"%s\"}" : "{}", path);
  CHECK(imd_store_open("animals", options, IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
  return store;
}

/* Adds the animal "animal NUMBER". */
static imd_status add(imd_store *store, int number) {
  char action[256];
  snprintf(action, sizeof action,
           "{\"type\":\"ui/animalEditor/onTapAddAnimalButton\",\"payload\":{\"id\":\"%d\","
           "\"name\":\"animal %d\",\"diet\":\"Carnivore\",\"categoryId\":\"Bird\"}}",
           number, number);
  return imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL);
}

/* Returns how many animals a copy has that add() added, all of them numbered from 100 on without a
 * gap; -1 if that is not so. */
static int count_added(const char *path) {
  imd_store *store = open_animals(path);
  char *names = NULL, expected[32];
  int count = 0;
  CHECK(imd_store_dispatch(store, "{\"type\":\"ui/animalList/onAppear\"}", IMD_ZERO_TERMINATED,
                           NULL) == IMD_OK);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  CHECK(imd_store_query(store, "sort(animals.data.*.name)[?starts_with(@, 'animal ')]", NULL, 0,
                        &names, NULL, NULL) == IMD_OK);
  imd_store_close(store);
  for (const char *rest = names; rest && (rest = strstr(rest, "animal ")) != NULL; count++) {
    snprintf(expected, sizeof expected, "animal %d\"", 100 + count);
    if (strncmp(rest, expected, strlen(expected)) != 0) {
      imd_free(names);
      return -1;
    }
    rest += strlen(expected);
  }
  imd_free(names);
  return count;
}

/* Checks that a backup fails, and that it creates no file. PATH in a message is replaced by the
 * path. */
static void check_failure(imd_store *store, const char *path, imd_status status,
                          const char *message) {
  imd_error error;
  char expected[512];
  struct stat before, after;
  int existed = path && lstat(path, &before) == 0;
  const char *rest = strstr(message, "PATH");
  if (rest)
    snprintf(expected, sizeof expected, "%.*s\"%s\"%s", (int)(rest - message), message, path,
             rest + strlen("PATH"));
  else
    snprintf(expected, sizeof expected, "%s", message);
  CHECK(imd_store_backup(store, path, &error) == status && error.status == status);
  CHECK_TEXT(error.message, expected);
  CHECK(path == NULL || (lstat(path, &after) == 0) == existed);
}

/* ---- One thread ------------------------------------------------------------------------------ */

static void test_copies(void) {
  for (int is_in_memory = 0; is_in_memory < 2; is_in_memory++) {
    const char *copy = path_of(is_in_memory ? "copy-of-memory" : "copy-of-file");
    imd_store *store = open_animals(is_in_memory ? NULL : path_of("animals"));
    CHECK(add(store, 100) == IMD_OK);
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
    CHECK(imd_store_backup(store, copy, NULL) == IMD_OK);
    CHECK(add(store, 101) == IMD_OK);
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
    CHECK(count_added(copy) == 1);
    imd_store_close(store);
  }
}

static void test_paths(void) {
  imd_store *store = open_animals(path_of("paths"));
  const char *exists = "PATH already exists; remove it, or choose another path";
  char long_path[4200];
  imd_error error;
  CHECK(symlink("nothing", path_of("link")) == 0);
  CHECK(mkdir(path_of("closed-folder"), 0700) == 0);
  check_failure(store, path_of("paths"), IMD_INVALID_ARGUMENT, exists);
  check_failure(store, path_of("link"), IMD_INVALID_ARGUMENT, exists);
  check_failure(store, path_of("closed-folder"), IMD_INVALID_ARGUMENT, exists);
  check_failure(store, folder, IMD_INVALID_ARGUMENT, exists);
  check_failure(store, NULL, IMD_INVALID_ARGUMENT, "path must not be NULL");
  check_failure(store, "", IMD_INVALID_ARGUMENT, "a path cannot be empty or contain U+0000");
  CHECK(imd_store_backup(store, "\xff", &error) == IMD_INVALID_ARGUMENT);
  CHECK(strstr(error.message, "UTF-8") != NULL);
  check_failure(store, "/dev/null/copy", IMD_IO,
                "cannot create PATH: \"/dev/null\" is not a directory");
  memset(long_path, 'a', sizeof long_path);
  long_path[0] = '/';
  long_path[sizeof long_path - 1] = 0;
  CHECK(imd_store_backup(store, long_path, &error) == IMD_IO);
  /* SQLite would take the log of another database for that of the copy. */
  CHECK(symlink("nothing", path_of("other-wal")) == 0);
  CHECK(imd_store_backup(store, path_of("other"), &error) == IMD_INVALID_ARGUMENT);
  CHECK(strstr(error.message, "other-wal\" already exists") != NULL);
  imd_store_close(store);
}

/* Relative paths that SQLite itself takes for a URI or for a database in memory. */
static void test_special_names(void) {
  static const char *const names[] = {"file:a", "file:%41", "file:b?mode=memory", ":memory:"};
  char stored[64];
  CHECK(chdir(folder) == 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    imd_store *store = open_animals(names[i]);
    CHECK(add(store, 100) == IMD_OK);
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
    snprintf(stored, sizeof stored, "%s-copy", names[i]);
    CHECK(imd_store_backup(store, stored, NULL) == IMD_OK);
    imd_store_close(store);
    CHECK(access(path_of(names[i]), F_OK) == 0 && access(path_of(stored), F_OK) == 0);
    CHECK(count_added(path_of(names[i])) == 1);
    CHECK(count_added(path_of(stored)) == 1);
    CHECK(unlink(names[i]) == 0);
    store = open_animals(NULL);
    CHECK(imd_store_backup(store, names[i], NULL) == IMD_OK);
    imd_store_close(store);
    CHECK(count_added(path_of(names[i])) == 0);
  }
  CHECK(chdir("/") == 0);
}

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)state, (void)action, (void)next;
  return imd_store_backup(*(imd_store **)context, path_of("copy-of-reducer"), error);
}

static void test_stores(void) {
  const char *none = "the store has no database to back up; save its state instead";
  const char *copy = path_of("copy-of-none");
  imd_store *store = NULL;
  int other = 0;
  CHECK(imd_store_open("counter", NULL, 0, &store, NULL) == IMD_OK);
  check_failure(store, copy, IMD_INVALID_ARGUMENT, none);
  imd_store_close(store);
  check_failure(store, copy, IMD_CLOSED, "the store was closed; open another one");
  check_failure(NULL, copy, IMD_INVALID_ARGUMENT, "store must not be NULL");
  check_failure((imd_store *)&other, copy, IMD_INVALID_ARGUMENT,
                "store was never a valid imd_store *; pass one that this library "
                "returned");
  CHECK(imd_store_create("0", IMD_ZERO_TERMINATED, reduce, &store, NULL, NULL, 0, &store, NULL) ==
        IMD_OK);
  check_failure(store, copy, IMD_INVALID_ARGUMENT, none);
  CHECK(imd_store_dispatch(store, "{\"type\":\"any\"}", IMD_ZERO_TERMINATED, NULL) ==
        IMD_REENTRANT);
  imd_store_close(store);
}

static void back_up(void *context, const imd_delivery *delivery) {
  (void)delivery;
  imd_store *store = *(imd_store **)context;
  CHECK(imd_store_backup(store, path_of("copy-of-observer"), NULL) == IMD_OK);
}

static void test_observer(void) {
  imd_store *store = open_animals(NULL);
  CHECK(imd_store_observe(store, "selectCategoriesStatus", NULL, 0, NULL, 0, back_up, &store, NULL,
                          NULL, NULL) == IMD_OK);
  CHECK(count_added(path_of("copy-of-observer")) == 0);
  imd_store_close(store);
}

/* ---- Several threads ------------------------------------------------------------------------- */

static void *add_animals(void *store) {
  for (int number = 100; number < 100 + ANIMALS; number++) CHECK(add(store, number) == IMD_OK);
  return NULL;
}

/* Each copy has the animals that were added before some moment. */
static void test_dispatches_meanwhile(void) {
  for (int is_in_memory = 0; is_in_memory < 2; is_in_memory++) {
    imd_store *store = open_animals(is_in_memory ? NULL : path_of("shared"));
    pthread_t thread;
    char name[32];
    CHECK(pthread_create(&thread, NULL, add_animals, store) == 0);
    for (int i = 0; i < COPIES; i++) {
      snprintf(name, sizeof name, "copy-%d-%d", is_in_memory, i);
      CHECK(imd_store_backup(store, path_of(name), NULL) == IMD_OK);
    }
    pthread_join(thread, NULL);
    imd_store_close(store);
    for (int i = 0; i < COPIES; i++) {
      snprintf(name, sizeof name, "copy-%d-%d", is_in_memory, i);
      CHECK(count_added(path_of(name)) >= 0);
    }
  }
}

typedef struct {
  imd_store *store;
  const char *path;
  imd_status status;
} backup;

static void *make_backup(void *context) {
  backup *backup = context;
  backup->status = imd_store_backup(backup->store, backup->path, NULL);
  return NULL;
}

/* Exactly one of several backups to the same path succeeds. */
static void test_one_path(void) {
  imd_store *store = open_animals(NULL);
  backup backups[THREADS];
  pthread_t threads[THREADS];
  const char *copy = path_of("copy-of-one");
  int made = 0;
  for (int i = 0; i < THREADS; i++) {
    backups[i] = (backup){store, copy, IMD_OK};
    CHECK(pthread_create(&threads[i], NULL, make_backup, &backups[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    made += backups[i].status == IMD_OK;
    CHECK(backups[i].status == IMD_OK || backups[i].status == IMD_INVALID_ARGUMENT);
  }
  CHECK(made == 1);
  imd_store_close(store);
  CHECK(count_added(copy) == 0);
}

/* A backup of a store that is closed meanwhile is complete, or there is none. */
static void test_closing(void) {
  for (int i = 0; i < 20; i++) {
    char name[32];
    snprintf(name, sizeof name, "copy-closed-%d", i);
    backup backup = {open_animals(i % 2 ? NULL : path_of("closed")), path_of(name), IMD_OK};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, make_backup, &backup) == 0);
    imd_store_close(backup.store);
    pthread_join(thread, NULL);
    CHECK(backup.status == IMD_OK || backup.status == IMD_CLOSED);
    CHECK((access(backup.path, F_OK) == 0) == (backup.status == IMD_OK));
    if (backup.status == IMD_OK) CHECK(count_added(backup.path) == 0);
  }
}

int main(void) {
  char command[128];
  CHECK(mkdtemp(folder) != NULL);
  test_copies();
  test_paths();
  test_special_names();
  test_stores();
  test_observer();
  test_dispatches_meanwhile();
  test_one_path();
  test_closing();
  /* No temporary file remains: their names are "backup", a dot and six characters. */
  snprintf(command, sizeof command, "! ls %s | grep '\\.'", folder);
  CHECK(system(command) == 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_report();
}
