/* Stores with a log: closed and opened again, or killed, with the file written anew meanwhile. */
#define _POSIX_C_SOURCE 200809L

#include "exact.h"
#include "features.h"
#include "plain.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/imd-model-XXXXXX";
static const char *const beside[] = {"", "-snapshot", "-cut"};
static int is_made;
static long made;

/* ---- Files --------------------------------------------------------------------------------- */

char *new_log(void) {
  char path[64];
  if (!is_made) {
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    EXPECT(mkdtemp(folder) != NULL, "no folder");
  }
  is_made = 1;
  snprintf(path, sizeof path, "%s/%ld.imd", folder, made++);
  return strdup(path);
}

void remove_log(const char *path) {
  char name[80];
  for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
    snprintf(name, sizeof name, "%s%s", path, beside[i]);
    unlink(name);
  }
  /* What migrations have kept. */
  for (int version = 1; version < 100; version++) {
    snprintf(name, sizeof name, "%s-v%d", path, version);
    unlink(name);
  }
}

void remove_folder(void) {
  if (is_made) EXPECT(rmdir(folder) == 0, "the logs leave files");
  is_made = 0;
}

static void copy_file(const char *from, const char *to) {
  char bytes[4096];
  size_t count;
  FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
  if (!in) return;
  EXPECT(out != NULL, "cannot copy %s", from);
  while ((count = fread(bytes, 1, sizeof bytes, in)) > 0) fwrite(bytes, 1, count, out);
  fclose(in);
  EXPECT(fclose(out) == 0, "cannot copy %s", from);
}

static void append(const char *path, const char *text) {
  FILE *file = fopen(path, "ab");
  EXPECT(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "cannot append");
}

/* ---- While the store is closed ------------------------------------------------------------- */

static imd_reducer reducer_of(const slot *slot) {
  return slot->opening.is_counter ? NULL : host_reduce;
}

/* Checks the file, and the state at its end. */
static void check_log(const slot *slot) {
  const char *path = slot->opening.log;
  json_int_t last = slot->model->past.number;
  char *text;
  imd_value *state;
  EXPECT_STATUS(imd_log_verify(path, NULL, NULL, &text, NULL, NULL), IMD_OK);
  json_t *found = plain_parse(text);
  EXPECT(json_integer_value(json_object_get(found, "last")) == last, "%s, not %d", text,
         (int)last);
  json_decref(found);
  imd_free(text);
  EXPECT_STATUS(imd_log_state_at(path, (size_t)last, reducer_of(slot), (void *)&slot->host,
                                 &state, NULL), IMD_OK);
  expect_text(state, slot->model->state, "the state at the end of the log");
  imd_value_release(state);
}

static void rewrite(const slot *slot) {
  static const char *const keep[] = {"{\"keep\":\"all\"}", "{\"keep\":{\"entries\":0}}",
                                     "{\"keep\":{\"entries\":5}}"};
  const char *options = keep[random_below(&source, 3)];
  note("compact %s %s", slot->opening.log, options);
  EXPECT_STATUS(imd_log_compact(slot->opening.log, options, IMD_ZERO_TERMINATED, reducer_of(slot),
                                (void *)&slot->host, NULL), IMD_OK);
}

/* Steps that change nothing. */
static void migrate(slot *slot) {
  opening *opening = &slot->opening;
  imd_log_migration step = {.from_version = opening->version};
  if (opening->is_counter) return;
  note("migrate %s", opening->log);
  opening->version++;
  EXPECT_STATUS(imd_log_migrate(opening->log, opening->version, &step, 1, host_reduce,
                                &slot->host, NULL), IMD_OK);
}

/* ---- Opening again ------------------------------------------------------------------------- */

/* Copies the files, as they are when the process is killed now. Returns the path of the copy. */
static char *kill_writer(const slot *slot) {
  char from[80], to[80], *killed = new_log();
  EXPECT_STATUS(imd_store_sync(slot->host.store, -1, NULL), IMD_OK);
  for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
    snprintf(from, sizeof from, "%s%s", slot->opening.log, beside[i]);
    snprintf(to, sizeof to, "%s%s", killed, beside[i]);
    copy_file(from, to);
  }
  return killed;
}

static int index_of(const slot *slot) {
  for (int i = 0; i < SLOTS; i++)
    if (slots[i] == slot) return i;
  return -1;
}

void call_reopen(slot *slot) {
  if (callback_depth > 0 || !slot->opening.log) return;
  int index = index_of(slot), is_killed = random_chance(&source, 50);
  note("%s %p", is_killed ? "kill" : "reopen", (void *)slot->host.store);
  char *killed = is_killed ? kill_writer(slot) : NULL;
  model_past past = past_copy(&slot->model->past);
  call_close(slot);
  if (killed) {
    remove_log(slot->opening.log);
    free(slot->opening.log);
    slot->opening.log = killed;
  }
  check_log(slot);
  if (random_chance(&source, 20)) append(slot->opening.log, "{\"sum\":\"torn");
  if (random_chance(&source, 20)) rewrite(slot);
  if (random_chance(&source, 20)) migrate(slot);
  opening opening = slot->opening;
  slot->opening.log = NULL; /* it goes on */
  slot = open_slot(index, opening);
  model_restore(slot->model, &past);
  check_state(slot);
  call_history(slot);
}

/* ---- Following ----------------------------------------------------------------------------- */

static void expect_history(const slot *slot, imd_store *store) {
  char *text, *expected;
  const size_t z = IMD_ZERO_TERMINATED;
  const char *options = "{\"actions\":true,\"patches\":true}";
  if (!slot->model->history.is_on) return;
  EXPECT_STATUS(imd_store_history(slot->host.store, options, z, &expected, NULL, NULL), IMD_OK);
  EXPECT_STATUS(imd_store_history(store, options, z, &text, NULL, NULL), IMD_OK);
  EXPECT(strcmp(text, expected) == 0, "a follower has\n  %s, not\n  %s", text, expected);
  imd_free(text);
  imd_free(expected);
}

/* Opens a store that only reads the file that another one writes. */
void call_follow(slot *slot) {
  imd_store *store;
  imd_value *state;
  char options[200];
  const size_t z = IMD_ZERO_TERMINATED;
  const opening *opening = &slot->opening;
  if (callback_depth > 0 || !opening->log) return;
  note("follow %p", (void *)slot->host.store);
  EXPECT_STATUS(imd_store_sync(slot->host.store, -1, NULL), IMD_OK);
  int length = snprintf(options, 100, "{\"log\":{\"path\":\"%s\",\"readOnly\":true", opening->log);
  if (opening->is_counter) {
    snprintf(options + length, 50, "},\"history\":true}");
    EXPECT_STATUS(imd_store_open("counter", options, z, &store, NULL), IMD_OK);
  } else {
    snprintf(options + length, 80, ",\"version\":%d},\"history\":true,\"optimistic\":%s}",
             opening->version, opening->is_optimistic ? "true" : "false");
    EXPECT_STATUS(imd_store_create("{}", z, host_reduce, &slot->host, NULL, options, z, &store,
                                   NULL), IMD_OK);
  }
  EXPECT_STATUS(imd_store_state(store, &state, NULL), IMD_OK);
  expect_text(state, slot->model->state, "the state of a follower");
  imd_value_release(state);
  expect_history(slot, store);
  imd_store_close(store);
}
