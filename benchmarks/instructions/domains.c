/* Domains: their typed actions and selectors. */
#include "jobs.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

enum { ANIMALS = 1024, LONGEST_ANIMAL = 160, LONGEST_ORDER = 400 };

static imd_store *open_domain(const char *domain) {
  imd_error error;
  imd_store *store;
  check(imd_store_open(domain, NULL, 0, &store, &error), &error);
  return store;
}

static void dispatch(imd_store *store, const char *action) {
  imd_error error;
  check(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error), &error);
}

static void *open_counter(void) {
  return open_domain("counter");
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

static void *open_animals(void) {
  imd_store *store = open_domain("animals");
  char *action = malloc(ANIMALS * LONGEST_ANIMAL + 128);
  char *at = action + sprintf(action, "{\"type\":\"data/persistentSession/didFetchAnimals\","
                                      "\"payload\":{\"result\":{\"success\":{\"animals\":[");
  for (int i = 0; i < ANIMALS; i++) {
    if (i)
      *at++ = ',';
    at += write_animal(at, i, 0);
  }
  sprintf(at, "]}}}}");
  dispatch(store, action);
  free(action);
  return store;
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

static void rename_animals(void *context) {
  static int version;
  version++;
  for (int i = 0; i < OPERATIONS; i++) {
    char action[512], *at = action;
    at += sprintf(at,
                  "{\"type\":\"data/persistentSession/didUpdateAnimal\",\"payload\":{"
                  "\"animalId\":\"id%d\",\"result\":{\"success\":{\"animal\":",
                  i);
    at += write_animal(at, i, version);
    sprintf(at, "}}}}");
    dispatch(context, action);
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
    {"dispatch to the domain animals", OPERATIONS, open_animals, rename_animals},
    {"dispatch to the domain animals, observed", OPERATIONS, open_observed_animals, rename_animals},
    {"receive an order, domain foodtruck", OPERATIONS, open_foodtruck, receive_orders},
    {0},
};
