/* Observers in a GLib main loop: a timer takes readings, and observers show what changed.
 *
 *     loop_glib COUNT     exits after showing COUNT readings
 *     loop_glib           runs until the process is stopped
 *
 * The observers are queued: they run when the loop calls imd_store_poll, which it does when the
 * descriptor of the store is readable. Any thread may dispatch. */
#include <glib-unix.h>
#include <immutabledata.h>
#include <stdlib.h>

typedef struct {
  GMainLoop *loop;
  imd_store *store;
  gint64 count; /* of readings; 0 for no end */
  gint64 measured;
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

/* The timer function: takes one reading, until there are enough. */
static gboolean measure(gpointer context) {
  static const char *const rooms[] = {"attic", "cellar", "kitchen"};
  station *station = context;
  imd_error error;
  gint64 i = ++station->measured;
  char *action = g_strdup_printf("{\"type\":\"measured\",\"payload\":{\"count\":%" G_GINT64_FORMAT
                                 ",\"celsius\":{\"%s\":%" G_GINT64_FORMAT "}}}",
                                 i, rooms[i % 3], 10 + i * 7 % 10);
  if (imd_store_dispatch(station->store, action, IMD_ZERO_TERMINATED, &error) != IMD_OK)
    g_printerr("%s\n", error.message);
  g_free(action);
  return i == station->count ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/* Called by the loop when the descriptor is readable. */
static gboolean poll_store(gint fd, GIOCondition condition, gpointer context) {
  (void)fd, (void)condition;
  station *station = context;
  imd_error error;
  if (imd_store_poll(station->store, NULL, &error) != IMD_OK) {
    g_printerr("%s\n", error.message);
    g_main_loop_quit(station->loop);
  }
  return G_SOURCE_CONTINUE;
}

static void show(const char *name, const imd_delivery *delivery) {
  imd_error error;
  char *text = NULL;
  if (delivery->kind == IMD_DELIVERY_FAILURE)
    g_printerr("%s: %s\n", name, delivery->error->message);
  else if (imd_value_text(delivery->value, &text, NULL, &error) != IMD_OK)
    g_printerr("%s: %s\n", name, error.message);
  else
    g_print("%s  %s\n", name, text);
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
  int64_t shown;
  show("summary", delivery);
  if (station->count > 0 && delivery->kind == IMD_DELIVERY_VALUE &&
      imd_value_get_integer(delivery->value, "/count", &shown, NULL) == IMD_OK &&
      shown == station->count)
    g_main_loop_quit(station->loop);
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

int main(int count, char **arguments) {
  const char *state = "{\"celsius\":{\"attic\":25,\"cellar\":12,\"kitchen\":20},\"count\":0}";
  station station = {.count = count > 1 ? atoi(arguments[1]) : 0};
  imd_error error;
  int fd = -1;
  imd_status status = imd_store_create(state, IMD_ZERO_TERMINATED, reduce, NULL, NULL, NULL, 0,
                                       &station.store, &error);
  if (status == IMD_OK) status = observe(&station, &error);
  if (status == IMD_OK) status = imd_store_fd(station.store, &fd, &error);
  if (status == IMD_OK) {
    station.loop = g_main_loop_new(NULL, FALSE);
    guint queue = g_unix_fd_add(fd, G_IO_IN, poll_store, &station);
    g_timeout_add(20, measure, &station);
    g_main_loop_run(station.loop);
    /* Closing the store closes the descriptor, so the loop must stop watching it first. */
    g_source_remove(queue);
    g_main_loop_unref(station.loop);
  } else {
    g_printerr("%s\n", error.message);
  }
  imd_store_close(station.store);
  return status == IMD_OK ? 0 : 1;
}
