/* Stores of 65,536 records, and bare libpq beside them, for stores.py:
 *
 *     stores follow WITH ADDRESS LOG                       prints what arrives, till it is killed
 *     stores append WITH ADDRESS LOG COUNT                 one by one, each after a pause
 *     stores dispatch WITH ADDRESS LOG MILLISECONDS BATCH  begins at the end of the standard input
 *     stores read libpq ADDRESS LOG MILLISECONDS           as dispatch, and finds nothing
 *     stores fill libpq ADDRESS LOG COUNT                  in batches of 1,000
 *
 * WITH is store or libpq. A line of follow and append has the number of an entry, or of an action
 * as a store sees it, and the time in nanoseconds. dispatch and read print how many they did:
 * a store dispatches on BATCH threads, libpq appends BATCH at once. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "immutabledata_postgresql.h"
#include "peer.h"

enum { RECORDS = 65536, FILLED = 1000, PAUSE_MS = 5, MAXIMUM_BATCH = 64 };

static const char *address, *name;
static imd_store *store;
static int64_t end;   /* of dispatch */
static int64_t shift; /* from the number of an entry to what it sets */

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void print_time(int64_t number) {
  printf("%" PRId64 " %" PRId64 "\n", number, now());
  fflush(stdout);
}

/* Waits for the end of the standard input, so that several processes begin together. */
static void wait_for_start(void) {
  printf("ready\n");
  fflush(stdout);
  if (getchar() != EOF) abort();
}

static void check(imd_status status, const imd_error *error) {
  if (status == IMD_OK) return;
  fprintf(stderr, "status %d: %s\n", status, error->message);
  exit(1);
}

/* The text of an entry as a store writes it. The action sets a record to a number. */
static void write_entry(int64_t number, char text[256]) {
  snprintf(text, 256,
           "{\"number\":%" PRId64 ",\"time\":1732000000000,\"writer\":1,\"actions\":"
           "[{\"type\":\"set\",\"payload\":%" PRId64 "}]}",
           number, number + shift);
}

static imd_status set(void *context, const imd_value *state, const imd_value *action,
                      imd_value **next, imd_error *error) {
  (void)context;
  int64_t number;
  char pointer[32];
  imd_status status = imd_value_get_integer(action, "/payload", &number, error);
  if (status != IMD_OK) return status;
  snprintf(pointer, sizeof pointer, "/r%05d/value", (int)(number % RECORDS));
  return imd_value_set_integer(state, pointer, number, next, error);
}

static void observe(void *context, const imd_delivery *delivery) {
  (void)context;
  int64_t number = 0;
  imd_value_get_integer(delivery->value, "", &number, NULL);
  print_time(number);
}

static void open_store(void) {
  imd_error error;
  char options[1024], *initial = malloc(RECORDS * 64), *at = initial;
  if (!initial) abort();
  for (int i = 0; i < RECORDS; i++)
    at += sprintf(at, "%c\"r%05d\":{\"title\":\"record %d\",\"value\":0}", i ? ',' : '{', i, i);
  memcpy(at, "}", 2);
  snprintf(options, sizeof options, "{\"log\":\"%s?log=%s\"}", address, name);
  check(imd_register_log("postgresql", imd_postgresql_driver(), &error), &error);
  check(imd_store_create(initial, IMD_ZERO_TERMINATED, set, NULL, NULL, options,
                         IMD_ZERO_TERMINATED, &store, &error),
        &error);
  free(initial);
}

static void dispatch(int64_t number) {
  imd_error error;
  char action[64];
  snprintf(action, sizeof action, "{\"type\":\"set\",\"payload\":%" PRId64 "}", number);
  check(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error), &error);
}

static void follow_with_store(void) {
  imd_error error;
  open_store();
  check(imd_store_define_selector(store, "first", "r00000.value", &error), &error);
  check(imd_store_observe(store, "first", NULL, 0, NULL, 0, observe, NULL, NULL, NULL, &error),
        &error);
  while (1) pause();
}

static void follow_with_libpq(void) {
  peer peer = peer_open(address, name);
  print_time(peer.number);
  while (1) {
    while (peer_read(&peer) > 0) print_time(peer.number);
    peer_wait(&peer);
  }
}

static void append(int64_t count) {
  open_store();
  for (int64_t i = 1; i <= count; i++) {
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000}, NULL);
    dispatch(i * RECORDS); /* each sets the record that is observed */
    print_time(i);
  }
}

static void *dispatch_on_thread(void *context) {
  int64_t *done = context;
  while (now() < end) dispatch((*done)++);
  return NULL;
}

static int64_t dispatch_with_store(size_t threads, int64_t duration) {
  pthread_t started[MAXIMUM_BATCH];
  int64_t done[MAXIMUM_BATCH] = {0}, sum = 0;
  open_store();
  wait_for_start();
  end = now() + duration;
  for (size_t i = 0; i < threads; i++)
    pthread_create(&started[i], NULL, dispatch_on_thread, &done[i]);
  for (size_t i = 0; i < threads; i++) {
    pthread_join(started[i], NULL);
    sum += done[i];
  }
  return sum;
}

static int64_t dispatch_with_libpq(size_t batch, int64_t duration) {
  peer peer = peer_open(address, name);
  char *texts = peer_texts(1, batch, write_entry);
  wait_for_start();
  for (end = now() + duration; now() < end;) peer_append(&peer, texts, batch);
  free(texts);
  peer_close(&peer);
  return peer.counter;
}

static int64_t read_with_libpq(int64_t duration) {
  int64_t done = 0;
  peer peer = peer_open(address, name);
  wait_for_start();
  for (end = now() + duration; now() < end; done++) peer_read(&peer);
  peer_close(&peer);
  return done;
}

/* Goes on in a log of a store that was opened. The last entry sets the record that is observed. */
static void fill(int64_t count) {
  peer peer = peer_open(address, name);
  shift = 2 * RECORDS - count;
  for (int64_t i = 0; i < count; i += FILLED) {
    char *texts = peer_texts(i + 1, FILLED, write_entry);
    peer_append(&peer, texts, FILLED);
    free(texts);
  }
  peer_close(&peer);
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  const char *role = arguments[1];
  int uses_store = strcmp(arguments[2], "store") == 0;
  int64_t number = count > 5 ? atoll(arguments[5]) : 0, batch = count > 6 ? atoll(arguments[6]) : 1;
  if (batch < 1 || batch > MAXIMUM_BATCH) return 2;
  address = arguments[3];
  name = arguments[4];
  if (strcmp(role, "follow") == 0 && uses_store) follow_with_store();
  if (strcmp(role, "follow") == 0) follow_with_libpq();
  if (strcmp(role, "append") == 0) append(number);
  if (strcmp(role, "fill") == 0) fill(number);
  number *= 1000000;
  if (strcmp(role, "read") == 0) printf("%" PRId64 "\n", read_with_libpq(number));
  if (strcmp(role, "dispatch") == 0)
    printf("%" PRId64 "\n", uses_store ? dispatch_with_store((size_t)batch, number)
                                       : dispatch_with_libpq((size_t)batch, number));
}
