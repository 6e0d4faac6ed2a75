/* Observers in a loop with poll(2): a thread takes readings, the main thread shows what changed.
 *
 *     loop_poll COUNT     exits after showing COUNT readings
 *     loop_poll           runs until "q" is entered, or the input ends
 *
 * The observers are queued: they run on the main thread when it calls imd_store_poll, which it does
 * when the descriptor of the store is readable. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <immutabledata.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  imd_store *store;
  int64_t count; /* of readings; 0 for no end */
  int64_t shown; /* the count of the latest summary; used only by the main thread */
} station;

/* A reading is {"count": …, "celsius": {ROOM: …}} and is merged into the state. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  imd_value *reading = NULL;
  imd_status status = imd_value_get(action, "/payload", &reading, error);
  if (status == IMD_OK) status = imd_value_merge(state, reading, next, error);
  imd_value_release(reading);
  return status;
}

/* The thread: takes a reading every 20 ms, until there are enough or the store is closed. */
static void *measure(void *context) {
  static const char *const rooms[] = {"attic", "cellar", "kitchen"};
  const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
  const station *station = context;
  imd_error error;
  for (int64_t i = 1; station->count == 0 || i <= station->count; i++) {
    imd_status status = imd_store_dispatch_object(
        station->store,
        IMD_ACTION("measured", IMD_MEMBER("count", i),
                   IMD_OBJECT_MEMBER("celsius", IMD_MEMBER(rooms[i % 3], 10 + i * 7 % 10))),
        &error);
    if (status == IMD_CLOSED) break;
    if (status != IMD_OK) fprintf(stderr, "%s\n", error.message);
    nanosleep(&pause, NULL);
  }
  return NULL;
}

static void show(const char *name, const imd_delivery *delivery) {
  imd_error error;
  char *text = NULL;
  if (delivery->kind == IMD_DELIVERY_FAILURE)
    fprintf(stderr, "%s: %s\n", name, delivery->error->message);
  else if (imd_value_text(delivery->value, &text, NULL, &error) != IMD_OK)
    fprintf(stderr, "%s: %s\n", name, error.message);
  else
    printf("%s  %s\n", name, text);
  imd_free(text);
}

/* Receives all temperatures first, then a patch for each reading. */
static void show_celsius(void *context, const imd_delivery *delivery) {
  (void)context;
  show("celsius", delivery);
}

/* Receives only the latest summary, and skips those before it. */
static void show_summary(void *context, const imd_delivery *delivery) {
  station *station = context;
  show("summary", delivery);
  if (delivery->kind == IMD_DELIVERY_VALUE &&
      imd_value_get_integer(delivery->value, "/count", &station->shown, NULL) != IMD_OK)
    fprintf(stderr, "the summary has no count\n");
}

static imd_status observe(station *station, imd_error *error) {
  imd_store *store = station->store;
  imd_status status = imd_store_define_selector(store, "celsius", "celsius", error);
  if (status == IMD_OK)
    status = imd_store_define_selector(
        store, "summary", "{count: count, warmest: max(values(celsius))}", error);
  if (status == IMD_OK)
    status = imd_store_observe(store, "celsius", NULL, 0,
                               "{\"when\":\"queued\",\"deliver\":\"patch\"}", IMD_ZERO_TERMINATED,
                               show_celsius, NULL, NULL, NULL, error);
  if (status == IMD_OK)
    status = imd_store_observe(store, "summary", NULL, 0, "{\"when\":\"queued\",\"coalesce\":true}",
                               IMD_ZERO_TERMINATED, show_summary, station, NULL, NULL, error);
  return status;
}

static int wants_to_quit(void) {
  char input[256];
  return read(STDIN_FILENO, input, sizeof input) <= 0 || input[0] == 'q';
}

/* Waits for readings and shows them, until there are enough or the user quits. */
static imd_status loop(station *station, imd_error *error) {
  /* poll(2) ignores a negative descriptor. */
  struct pollfd input = {.fd = station->count == 0 ? STDIN_FILENO : -1, .events = POLLIN};
  struct pollfd queue = {.events = POLLIN};
  imd_status status = imd_store_fd(station->store, &queue.fd, error);
  while (status == IMD_OK && (station->count == 0 || station->shown < station->count)) {
    struct pollfd ready[] = {input, queue};
    if (poll(ready, 2, -1) < 0) {
      if (errno == EINTR) continue;
      perror("poll");
      break;
    }
    if (ready[0].revents && wants_to_quit()) break;
    if (ready[1].revents) status = imd_store_poll(station->store, NULL, error);
  }
  return status;
}

int main(int count, char **arguments) {
  const char *state = "{\"celsius\":{\"attic\":25,\"cellar\":12,\"kitchen\":20},\"count\":0}";
  station station = {.count = count > 1 ? atoi(arguments[1]) : 0};
  imd_error error;
  imd_status status = imd_store_create(state, IMD_ZERO_TERMINATED, reduce, NULL, NULL, NULL, 0,
                                       &station.store, &error);
  if (status == IMD_OK) status = observe(&station, &error);

  pthread_t thread;
  int is_measuring = status == IMD_OK && pthread_create(&thread, NULL, measure, &station) == 0;
  if (is_measuring) status = loop(&station, &error);

  if (status != IMD_OK) fprintf(stderr, "%s\n", error.message);
  imd_store_close(station.store);
  if (is_measuring) pthread_join(thread, NULL);
  return is_measuring && status == IMD_OK ? 0 : 1;
}
