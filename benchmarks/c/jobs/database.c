/* Opens the domain animals with a database, until its state has all animals of the file. */
#include "jobs.h"

#include "measure.h"
#include "sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANIMALS = 65536, COLUMNS = 4 };

typedef struct file {
  char path[64];
  int count;
} file;

/* ---- The domain ------------------------------------------------------------------------------ */

static imd_store *open_animals(const file *file) {
  imd_error error;
  imd_store *store;
  char options[128];
  int length = sprintf(options, "{\"store\":\"%s\"}", file->path);
  check(imd_store_open("animals", options, (size_t)length, &store, &error), &error);
  return store;
}

static void must_have_succeeded(imd_store *store) {
  imd_error error;
  char *status;
  check(imd_store_select(store, "selectAnimalsStatus", NULL, 0, &status, NULL, &error), &error);
  if (strcmp(status, "{\"success\":{}}") != 0)
    exit(1);
  imd_free(status);
}

static double open_and_fetch(void *context) {
  imd_error error;
  double start = now();
  imd_store *store = open_animals(context);
  check(imd_store_dispatch(store, "{\"type\":\"ui/animalList/onAppear\"}", IMD_ZERO_TERMINATED,
                           &error),
        &error);
  check(imd_store_settle(store, -1, &error), &error);
  double time = now() - start;
  must_have_succeeded(store);
  imd_store_close(store);
  return time;
}

/* ---- SQLite ---------------------------------------------------------------------------------- */

/* Copies the texts of all animals. */
static double open_and_read(void *context) {
  const file *file = context;
  char **texts = malloc(COLUMNS * sizeof *texts * (size_t)file->count);
  int count = 0, result;
  sqlite3 *database;
  sqlite3_stmt *statement;
  double start = now();
  must(NULL, sqlite3_open(file->path, &database), SQLITE_OK);
  must(database,
       sqlite3_prepare_v2(database, "SELECT animal_id, name, diet, category_id FROM animals", -1,
                          &statement, NULL),
       SQLITE_OK);
  while ((result = sqlite3_step(statement)) == SQLITE_ROW && count < COLUMNS * file->count)
    for (int column = 0; column < COLUMNS; column++)
      texts[count++] = strdup((const char *)sqlite3_column_text(statement, column));
  must(database, result, SQLITE_DONE);
  double time = now() - start;
  sqlite3_finalize(statement);
  sqlite3_close(database);
  while (count > 0)
    free(texts[--count]);
  free(texts);
  return time;
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Creates a database by the domain, and replaces its animals. */
static void create(file *file) {
  imd_store_close(open_animals(file));
  sqlite3 *database;
  sqlite3_stmt *statement;
  must(NULL, sqlite3_open(file->path, &database), SQLITE_OK);
  execute(database, "BEGIN; DELETE FROM animals");
  must(database,
       sqlite3_prepare_v2(database, "INSERT INTO animals VALUES(?, ?, 'Herbivore', 'Mammal')", -1,
                          &statement, NULL),
       SQLITE_OK);
  for (int i = 0; i < file->count; i++) {
    char id[48], name[48]; /* An id is as long as a UUID. */
    sprintf(id, "%08X-0000-4000-8000-%012X", i * 2654435761u, i);
    sprintf(name, "Southern gibbon %d", i);
    sqlite3_bind_text(statement, 1, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
    must(database, sqlite3_step(statement), SQLITE_DONE);
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  execute(database, "COMMIT");
  sqlite3_close(database);
}

static void delete_file(const file *file) {
  const char *const suffixes[] = {"", "-wal", "-shm"};
  for (int i = 0; i < 3; i++) {
    char path[sizeof file->path + 4];
    sprintf(path, "%s%s", file->path, suffixes[i]);
    unlink(path);
  }
}

void measure_database(void) {
  file file = {.path = "/tmp/animals-XXXXXX", .count = is_quick() ? 1024 : ANIMALS};
  int descriptor = mkstemp(file.path);
  if (descriptor < 0)
    exit(1);
  close(descriptor);
  create(&file);
  compare("open the domain animals with 65,536 animals in a database",
          &(contestant){"", open_and_fetch, &file},
          &(contestant){"SQLite, copying the texts", open_and_read, &file}, "");
  delete_file(&file);
}
