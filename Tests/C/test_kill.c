/* Kills a program that keeps its state in a log, at random moments, and opens the log again.
 *
 *     test_kill [KILLS]
 *
 * The program sends the number of each action that was acknowledged. No such action may be missing
 * after the kill, and only the one after it may be there without. */
#define _XOPEN_SOURCE 700

#include "check.h"

#include <immutabledata.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KEYS = 64 };

static char folder[] = "/tmp/imd-kill-XXXXXX";
static char path[sizeof folder + 8];

/* Counts the actions; each also sets one of the keys to its number. */
static imd_status count(void *context, const imd_value *state, const imd_value *action,
                        imd_value **next, imd_error *error) {
  (void)context;
  (void)action;
  char key[16];
  int64_t number = 0;
  imd_value *counted = NULL;
  imd_status status = imd_value_get_integer(state, "/n", &number, error);
  if (status != IMD_OK) return status;
  snprintf(key, sizeof key, "/k%d", (int)((number + 1) % KEYS));
  status = imd_value_set_integer(state, "/n", number + 1, &counted, error);
  if (status == IMD_OK) status = imd_value_set_integer(counted, key, number + 1, next, error);
  imd_value_release(counted);
  return status;
}

/* Reads the number of the last action; -1 if another part of the state does not match it. */
static int64_t last_number(imd_store *store) {
  imd_value *state = NULL;
  int64_t number = -1;
  if (imd_store_state(store, &state, NULL) != IMD_OK) return -1;
  if (imd_value_get_integer(state, "/n", &number, NULL) != IMD_OK) number = -1;
  for (int64_t past = number; past > 0 && past > number - KEYS; past--) {
    char key[16];
    int64_t found = 0;
    snprintf(key, sizeof key, "/k%d", (int)(past % KEYS));
    if (imd_value_get_integer(state, key, &found, NULL) != IMD_OK || found != past) number = -1;
  }
  imd_value_release(state);
  return number;
}

/* Opens the log and dispatches until it is killed, or count times. Sends the number of the last
 * action at first and after each dispatch; -1 if something fails. */
static void run(int out, const char *durability, int dispatches) {
  char options[256];
  imd_store *store = NULL;
  imd_error error;
  snprintf(options, sizeof options,
           "{\"history\":{\"limit\":3},\"log\":{\"path\":\"%s\",\"durability\":\"%s\"}}", path,
           durability);
  imd_status status = imd_store_create("{\"n\":0}", IMD_ZERO_TERMINATED, count, NULL, NULL, options,
                                       IMD_ZERO_TERMINATED, &store, &error);
  int64_t number = status == IMD_OK ? last_number(store) : -1;
  for (;;) {
    if (number < 0) fprintf(stderr, "  %s\n", status == IMD_OK ? "wrong state" : error.message);
    if (write(out, &number, sizeof number) < 0 || number < 0 || dispatches-- == 0) break;
    status = imd_store_dispatch(store, "{\"type\":\"count\"}", IMD_ZERO_TERMINATED, &error);
    number = status == IMD_OK ? number + 1 : -1;
  }
  imd_store_close(store);
}

/* Runs the program, and kills it after it has sent as many numbers, or at once.
 *
 * Returns the last number that it has sent; `last` if none. */
static int64_t run_and_kill(const char *durability, int kill_after, int64_t last) {
  int ends[2];
  if (!CHECK(pipe(ends) == 0)) return -1;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run(ends[1], durability, -1);
    _exit(1);
  }
  close(ends[1]);
  int64_t number = 0;
  int count = 0, is_killed = 0;
  for (;;) {
    if (!is_killed && count >= kill_after) is_killed = kill(child, SIGKILL) == 0;
    if (read(ends[0], &number, sizeof number) != (ssize_t)sizeof number) break;
    if (count++ > 0) {
      CHECK(number == last + 1);
    } else if (!CHECK(number == last || number == last + 1)) {
      fprintf(stderr, "  %lld, not %lld\n", (long long)number, (long long)last);
    }
    last = number;
    if (number < 0) break;
  }
  close(ends[0]);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return last;
}

int main(int argc, char **argv) {
  int kills = argc > 1 ? atoi(argv[1]) : 20;
  unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : (unsigned)time(NULL);
  printf("seed %u\n", seed);
  srand(seed);
  if (!CHECK(mkdtemp(folder) != NULL)) return check_report();
  snprintf(path, sizeof path, "%s/x.imd", folder);

  int64_t last = 0;
  for (int kill = 0; kill < kills && last >= 0; kill++) {
    int is_full = rand() % 4 == 0;
    int kill_after = rand() % 6 == 0 ? 0 : rand() % (is_full ? 50 : 2000);
    last = run_and_kill(is_full ? "full" : "normal", kill_after, last);
  }

  /* The program ends by itself: it closes the log, with a snapshot. */
  int ends[2];
  int64_t number = -1;
  CHECK(pipe(ends) == 0);
  run(ends[1], "normal", 0);
  CHECK(read(ends[0], &number, sizeof number) == (ssize_t)sizeof number);
  CHECK(number == last || number == last + 1);

  const char *const suffixes[] = {"", "-snapshot", "-snapshot-new", "-new", "-cut"};
  for (size_t index = 0; index < sizeof suffixes / sizeof *suffixes; index++) {
    char file[sizeof path + 16];
    snprintf(file, sizeof file, "%s%s", path, suffixes[index]);
    unlink(file);
  }
  CHECK(rmdir(folder) == 0);
  return check_report();
}
