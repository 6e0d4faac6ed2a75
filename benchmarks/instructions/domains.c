/* Domains: their typed actions and selectors. */
#include "jobs.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

enum { ANIMALS = 1024, SORTED_ANIMALS = 16384, LONGEST_ANIMAL = 160, LONGEST_ORDER = 400 };

#define MAMMALS "{\"categoryId\":\"Mammal\"}"

static imd_store *open_domain_with(const char *domain, const char *options) {
  imd_error error;
  imd_store *store;
  check(imd_store_open(domain, options, IMD_ZERO_TERMINATED, &store, &error), &error);
  return store;
}

static imd_store *open_domain(const char *domain) {
  return open_domain_with(domain, NULL);
}

static void dispatch(imd_store *store, const char *action) {
  imd_error error;
  check(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error), &error);
}

static void *open_counter(void) {
  return open_domain("counter");
}

static void *open_undoable_counter(void) {
  return open_domain_with("counter", "{\"history\":true}");
}

static void increment(void *context) {
  for (int i = 0; i < OPERATIONS; i++)
    dispatch(context, "{\"type\":\"didTapIncrementButton\"}");
}

/* {"animalId":"id1",…}. Returns the length. */
static int write_animal(char *out, int number, int version) {
  return sprintf(out,
                 "{\"animalId\":\"id%d\",\"categoryId\":\"Mammal\",\"diet\":\"Omnivore\","
                 "\"name\":\"Badger %d of %d\"}",
                 number, version, number);
}

static void *open_some_animals(int count) {
  imd_store *store = open_domain("animals");
  char *action = malloc((size_t)count * LONGEST_ANIMAL + 128);
  char *at = action + sprintf(action, "{\"type\":\"data/persistentSession/didFetchAnimals\","
                                      "\"payload\":{\"result\":{\"success\":{\"animals\":[");
  for (int i = 0; i < count; i++) {
    if (i)
      *at++ = ',';
    at += write_animal(at, i, 0);
  }
  sprintf(at, "]}}}}");
  dispatch(store, action);
  free(action);
  return store;
}

static void *open_animals(void) {
  return open_some_animals(ANIMALS);
}

static void *open_many_animals(void) {
  return open_some_animals(SORTED_ANIMALS);
}

static void ignore_delivery(void *context, const imd_delivery *delivery) {
  (void)context;
  (void)delivery;
}

static void *open_observed_animals(void) {
  imd_store *store = open_animals();
  imd_error error;
  check(imd_store_observe(store, "selectAnimal", "{\"animalId\":\"id7\"}", IMD_ZERO_TERMINATED, NULL,
                          0, ignore_delivery, NULL, NULL, NULL, &error),
        &error);
  return store;
}

static void rename_animal(imd_store *store, int number, int version) {
  char action[512], *at = action;
  at += sprintf(at,
                "{\"type\":\"data/persistentSession/didUpdateAnimal\",\"payload\":{"
                "\"animalId\":\"id%d\",\"result\":{\"success\":{\"animal\":",
                number);
  at += write_animal(at, number, version);
  sprintf(at, "}}}}");
  dispatch(store, action);
}

static void rename_animals(void *context) {
  static int version;
  version++;
  for (int i = 0; i < OPERATIONS; i++)
    rename_animal(context, i, version);
}

static void sort_as_value(imd_store *store, const imd_value *arguments) {
  imd_error error;
  imd_value *animals;
  check(imd_store_select_value(store, "selectAnimalsValues", arguments, NULL, &animals, &error),
        &error);
  imd_value_release(animals);
}

static void sort_as_text(imd_store *store) {
  imd_error error;
  char *animals;
  check(imd_store_select(store, "selectAnimalsValues", MAMMALS, IMD_ZERO_TERMINATED, &animals, NULL,
                         &error),
        &error);
  imd_free(animals);
}

/* The first operation of the first run sorts all animals. */
static void sort_renamed_animals(void *context) {
  static int version;
  imd_error error;
  imd_value *arguments;
  check(imd_value_parse(MAMMALS, IMD_ZERO_TERMINATED, &arguments, &error), &error);
  version++;
  for (int i = 0; i < OPERATIONS; i++) {
    rename_animal(context, i, version);
    sort_as_value(context, arguments);
  }
  imd_value_release(arguments);
}

static void sort_renamed_animals_as_text(void *context) {
  static int version;
  version++;
  for (int i = 0; i < OPERATIONS; i++) {
    rename_animal(context, i, version);
    sort_as_text(context);
  }
}

static void *open_foodtruck(void) {
  return open_domain("foodtruck");
}

/* One list of OPERATIONS orders. */
static void receive_orders(void *context) {
  static int version;
  version++;
  char *action = malloc(OPERATIONS * LONGEST_ORDER + 128);
  char *at = action + sprintf(action, "{\"type\":\"data/modelListener/didReceiveOrders\","
                                      "\"payload\":{\"orders\":[");
  for (int i = 0; i < OPERATIONS; i++)
    at += sprintf(at,
                  "%s{\"city\":\"City %d\",\"creationDate\":%d,\"donuts\":[{\"dough\":"
                  "\"chocolate\",\"glaze\":\"rainbow\",\"id\":3,\"name\":\"Rainbow\","
                  "\"topping\":\"sprinkles\"}],\"grandTotal\":\"5.78\",\"id\":\"Order#%d\","
                  "\"parkingSpot\":\"Park\",\"sales\":{\"3\":1},\"status\":\"placed\","
                  "\"temperature\":72.5,\"wasRaining\":false}",
                  i ? "," : "", version, 1000 * i, i);
  sprintf(at, "]}}");
  dispatch(context, action);
  free(action);
}

const job domain_jobs[] = {
    {"dispatch to the domain counter", OPERATIONS, open_counter, increment},
    {"dispatch with history to the domain counter", OPERATIONS, open_undoable_counter, increment},
    {"dispatch to the domain animals", OPERATIONS, open_animals, rename_animals},
    {"dispatch to the domain animals, observed", OPERATIONS, open_observed_animals, rename_animals},
    {"select of 16,384 sorted animals, one changed", OPERATIONS, open_many_animals,
     sort_renamed_animals},
    {"select of 16,384 sorted animals as text, one changed", OPERATIONS, open_many_animals,
     sort_renamed_animals_as_text},
    {"receive an order, domain foodtruck", OPERATIONS, open_foodtruck, receive_orders},
    {0},
};
