/* Sorted animals after one of them was renamed, beside sorting and encoding all of them. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

enum { ANIMALS = 65536, QUICK_ANIMALS = 1024, LONGEST_ANIMAL = 128, LONGEST_ACTION = 512 };

static const char SELECTOR[] = "selectAnimalsValues";
static const char ARGUMENTS[] = "{\"categoryId\":\"Mammal\"}";

/* One way to get the sorted animals. */
typedef struct reader {
  imd_store *store; /* of which one animal is renamed; NULL for a new store each time */
  const char *action; /* that adds all animals */
  imd_value *arguments;
  int count, renames;
  int is_text;
} reader;

static int write_animal(char *out, int number, int version) {
  static const char *const kinds[] = {"Southern", "Northern", "Red", "Great", "Lesser", "Common"};
  return sprintf(out,
                 "{\"animalId\":\"id%d\",\"categoryId\":\"Mammal\",\"diet\":\"Omnivore\","
                 "\"name\":\"%s badger %d of %d\"}",
                 number, kinds[(number + version) % 6], version, number);
}

/* The action that adds all animals, to be freed. */
static char *make_animals(int count) {
  char *action = malloc((size_t)count * LONGEST_ANIMAL + LONGEST_ACTION), *at = action;
  at += sprintf(at, "{\"type\":\"data/persistentSession/didFetchAnimals\","
                    "\"payload\":{\"result\":{\"success\":{\"animals\":[");
  for (int i = 0; i < count; i++) {
    at += sprintf(at, i ? "," : "");
    at += write_animal(at, i, 0);
  }
  sprintf(at, "]}}}}");
  return action;
}

static imd_store *open_animals(const char *action) {
  imd_error error;
  imd_store *store;
  check(imd_store_open("animals", NULL, 0, &store, &error), &error);
  check(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error), &error);
  return store;
}

static void rename_animal(reader *reader) {
  char action[LONGEST_ACTION], *at = action;
  imd_error error;
  int number = scattered(reader->renames % reader->count, reader->count);
  at += sprintf(at,
                "{\"type\":\"data/persistentSession/didUpdateAnimal\",\"payload\":{"
                "\"animalId\":\"id%d\",\"result\":{\"success\":{\"animal\":",
                number);
  at += write_animal(at, number, ++reader->renames);
  sprintf(at, "}}}}");
  check(imd_store_dispatch(reader->store, action, IMD_ZERO_TERMINATED, &error), &error);
}

static double select_animals(void *context) {
  reader *reader = context;
  imd_store *store = reader->store ? reader->store : open_animals(reader->action);
  imd_error error;
  if (reader->store)
    rename_animal(reader);
  double start = now(), time;
  if (reader->is_text) {
    char *text;
    check(imd_store_select(store, SELECTOR, ARGUMENTS, IMD_ZERO_TERMINATED, &text, NULL, &error),
          &error);
    time = now() - start;
    imd_free(text);
  } else {
    imd_value *value;
    check(imd_store_select_value(store, SELECTOR, reader->arguments, NULL, &value, &error), &error);
    time = now() - start;
    if (imd_value_count(value) != (size_t)reader->count)
      exit(1);
    imd_value_release(value);
  }
  if (!reader->store)
    imd_store_close(store);
  return time;
}

/* The text that both contestants have to write. */
static double write_animals(void *context) {
  reader *reader = context;
  imd_error error;
  imd_value *value;
  char *text;
  check(imd_store_select_value(reader->store, SELECTOR, reader->arguments, NULL, &value, &error),
        &error);
  double start = now();
  check(imd_value_text(value, &text, NULL, &error), &error);
  double time = now() - start;
  imd_free(text);
  imd_value_release(value);
  return time;
}

void measure_sorted(void) {
  int count = is_quick() ? QUICK_ANIMALS : ANIMALS;
  const char *size = is_quick() ? "1,024" : "65,536";
  char *action = make_animals(count), job[80];
  imd_error error;
  imd_value *arguments;
  check(imd_value_parse(ARGUMENTS, IMD_ZERO_TERMINATED, &arguments, &error), &error);
  reader kept = {open_animals(action), action, arguments, count, 0, 0};
  reader anew = {NULL, action, arguments, count, 0, 0};
  const contestant ours = {"", select_animals, &kept}, theirs = {"sort all", select_animals, &anew};
  snprintf(job, sizeof job, "select of %s sorted animals, one changed, as a value", size);
  compare(job, &ours, &theirs, "ratio <= 0.05");
  kept.is_text = anew.is_text = 1;
  snprintf(job, sizeof job, "select of %s sorted animals, one changed, as text", size);
  compare(job, &ours, &theirs, "ratio <= 0.05");
  snprintf(job, sizeof job, "write %s sorted animals", size);
  compare(job, &(contestant){"", write_animals, &kept}, NULL, "");
  imd_store_close(kept.store);
  imd_value_release(arguments);
  free(action);
}
