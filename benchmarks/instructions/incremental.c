/* Runs selects of one expression after changes, under callgrind, which writes a file for each.
 *
 *     incremental EXPRESSION
 *
 * The description of a file is "KIND CHANGES": KIND is "anew", "update" if results were kept, or "row"
 * for each of the selects in a row of a new expression, and CHANGES the number of scattered records
 * that were changed before. "second 1" is the evaluation that builds what is kept.
 */
#include "jobs.h"

#include "measure.h"
#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

enum { ROW = 24, LONGEST = 512, KEPT = 8 };

static const int numbers[] = {1, 100, 1000, 5000, RECORDS};

/* An odd factor visits all records once before it repeats one, then with another value. */
static void change(records *records, int count) {
  static unsigned next;
  imd_error error;
  for (int i = 0; i < count; i++, next++) {
    char action[96];
    int length = snprintf(action, sizeof action,
                          "{\"type\":\"set\",\"payload\":{\"id\":\"k%u\",\"value\":%u}}",
                          next * 40503u % RECORDS, (next + next / RECORDS) * 25173u % RECORDS);
    check(imd_store_dispatch(records->store, action, (size_t)length, &error), &error);
  }
}

/* Keeps the last states before many changes. Else a select would release one, whether it evaluates
 * anew or not. */
static void change_and_keep(records *records, int count) {
  static imd_value *states[KEPT];
  static unsigned next;
  imd_value **state = &states[next++ % KEPT];
  imd_error error;
  imd_value_release(*state);
  *state = NULL;
  if (count > 1000)
    check(imd_store_state(records->store, state, &error), &error);
  change(records, count);
}

static void query(records *records, const char *expression) {
  imd_error error;
  char *text;
  check(imd_store_query(records->store, expression, NULL, 0, &text, NULL, &error), &error);
  imd_free(text);
}

static void count(records *records, const char *expression, const char *kind, int changes) {
  char name[64];
  snprintf(name, sizeof name, "%s %d", kind, changes);
  CALLGRIND_START_INSTRUMENTATION;
  query(records, expression);
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
}

/* The same expression with other spaces, of which nothing is known. */
static const char *renew(char text[LONGEST], const char *expression) {
  static int spaces;
  snprintf(text, LONGEST, "%s%*s", expression, ++spaces, "");
  return text;
}

int main(int arguments, char **values) {
  if (arguments != 2 || strlen(values[1]) > LONGEST / 2)
    return fprintf(stderr, "usage: incremental EXPRESSION\n"), 1;
  const char *expression = values[1];
  records records;
  char text[LONGEST], other[LONGEST];
  open_records(&records, RECORDS);
  query(&records, renew(other, expression));
  query(&records, renew(text, expression));
  change(&records, 1);
  count(&records, text, "second", 1);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    /* Whatever was dropped is built again. */
    for (int j = 0; j < ROW; j++) {
      change(&records, 1);
      query(&records, text);
    }
    change_and_keep(&records, numbers[i]);
    count(&records, text, "update", numbers[i]);
    count(&records, renew(other, expression), "anew", numbers[i]);
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    renew(text, expression);
    for (int j = 0; j < (numbers[i] < RECORDS ? ROW : ROW / 2); j++) {
      change_and_keep(&records, numbers[i]);
      count(&records, text, "row", numbers[i]);
    }
  }
  return 0;
}
