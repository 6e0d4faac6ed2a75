/* Replays actions: reads JSON Lines, dispatches each to a store, and prints a selector's output.
 *
 *     replay counter selectValue < actions.jsonl
 *
 * A line is an action, or an array of actions to be dispatched as a batch. A refused line is
 * reported and changes nothing; the exit status is then 1.
 *
 * The store begins with the initial state of the domain, and performs effects. If the lines are
 * those of a stream, they contain the outcomes of effects, so leave out the actions that start them:
 *
 *     grep '"type":"data/' actions.jsonl | replay animals selectAnimalsStatus
 *
 * A log has an array of actions in each entry:
 *
 *     jq -c '.actions // empty' counter.imd | replay counter selectValue */
#define _POSIX_C_SOURCE 200809L

#include <immutabledata.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static imd_status replay(imd_store *store, const char *line, size_t length, imd_error *error) {
  return line[0] == '[' ? imd_store_dispatch_batch(store, line, length, error)
                        : imd_store_dispatch(store, line, length, error);
}

static imd_status print_output(imd_store *store, const char *selector, imd_error *error) {
  char *output;
  imd_status status = imd_store_select(store, selector, NULL, 0, &output, NULL, error);
  if (status == IMD_OK) puts(output);
  imd_free(output);
  return status;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: %s DOMAIN SELECTOR < ACTIONS\n", arguments[0]);
    return 2;
  }

  imd_error error;
  imd_store *store;
  if (imd_store_open(arguments[1], NULL, 0, &store, &error) != IMD_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 2;
  }

  int exit_status = 0;
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  for (int number = 1; (length = getline(&line, &capacity, stdin)) > 0; number++) {
    if (replay(store, line, (size_t)length, &error) != IMD_OK ||
        print_output(store, arguments[2], &error) != IMD_OK) {
      fprintf(stderr, "line %d: %s: %s\n", number, imd_status_name(error.status), error.message);
      exit_status = 1;
    }
  }

  free(line);
  imd_store_close(store);
  return exit_status;
}
