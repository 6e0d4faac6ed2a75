/* Stores on several threads that count in one log:
 *
 *     stores ADDRESS STORES ACTIONS
 *
 * Each store adds 1 ACTIONS times. Prints the sum that they all have in the end, which is larger if
 * other programs do the same. If the server fails for less than a minute, dispatches wait. */
#include <immutabledata_postgresql.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int actions;

static imd_status add(void *context, const imd_value *state, const imd_value *action,
                      imd_value **next, imd_error *error) {
  (void)context;
  int64_t sum, added;
  imd_status status = imd_value_get_integer(state, NULL, &sum, error);
  if (status == IMD_OK) status = imd_value_get_integer(action, "/payload", &added, error);
  if (status != IMD_OK) return status;
  return imd_value_from_integer(sum + added, next, error);
}

static void check(imd_status status, const imd_error *error) {
  if (status == IMD_OK) return;
  fprintf(stderr, "status %d: %s\n", status, error->message);
  exit(1);
}

static void *dispatch(void *context) {
  imd_store *store = context;
  imd_error error;
  for (int i = 0; i < actions; i++) {
    const char *action = "{\"type\":\"add\",\"payload\":1}";
    check(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error), &error);
  }
  return NULL;
}

static int64_t sum(imd_store *store) {
  imd_error error;
  imd_value *state;
  int64_t result;
  check(imd_store_refresh(store, &error), &error);
  check(imd_store_state(store, &state, &error), &error);
  check(imd_value_get_integer(state, NULL, &result, &error), &error);
  imd_value_release(state);
  return result;
}

int main(int count, char **arguments) {
  imd_error error;
  char options[1024];
  if (count != 4) return 2;
  int stores = atoi(arguments[2]);
  actions = atoi(arguments[3]);
  imd_store *opened[16];
  pthread_t threads[16];
  if (stores < 1 || stores > 16) return 2;
  check(imd_register_log("postgresql", imd_postgresql_driver(), &error), &error);
  snprintf(options, sizeof options, "{\"log\":{\"path\":\"%s\",\"timeout\":60000}}", arguments[1]);
  for (int i = 0; i < stores; i++)
    check(imd_store_create("0", IMD_ZERO_TERMINATED, add, NULL, NULL, options, IMD_ZERO_TERMINATED,
                           &opened[i], &error),
          &error);
  for (int i = 0; i < stores; i++)
    pthread_create(&threads[i], NULL, dispatch, opened[i]);
  for (int i = 0; i < stores; i++)
    pthread_join(threads[i], NULL);
  int64_t least = sum(opened[0]);
  for (int i = 0; i < stores; i++)
    if (sum(opened[i]) < least) return 3;
  printf("%" PRId64 "\n", least);
  for (int i = 0; i < stores; i++)
    imd_store_close(opened[i]);
}
