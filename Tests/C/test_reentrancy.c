/* Calls that a reducer must not make, and the result of its dispatch. */
#include "number.h"

static imd_store *store, *other;
static imd_stream *stream;
static imd_observation *observation;

/* Makes a call that a reducer must not make, and returns its status. */
typedef imd_status (*mistake)(imd_error *error);

static mistake current_mistake;
static int fails;
static imd_status inner;
static int deliveries, releases;

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  imd_error own;
  inner = current_mistake ? current_mistake(&own) : IMD_OK;
  if (fails) return inner == IMD_OK ? IMD_INVALID_ACTION : inner;
  return number_reduce(context, state, action, next, error);
}

static imd_status dispatch(imd_error *error) {
  (void)error;
  return number_set(store, 2);
}
static imd_status dispatch_elsewhere(imd_error *error) {
  (void)error;
  return number_set(other, 2);
}
static imd_status select_n(imd_error *error) {
  char *text = NULL;
  imd_status status = imd_store_select(store, "n", NULL, 0, &text, NULL, error);
  imd_free(text);
  return status;
}
static imd_status poll_store(imd_error *error) { return imd_store_poll(store, NULL, error); }
static imd_status store_fd(imd_error *error) {
  int fd = 0;
  imd_status status = imd_store_fd(store, &fd, error);
  CHECK(fd == -1);
  return status;
}
static imd_status stream_fd(imd_error *error) {
  int fd = 0;
  imd_status status = imd_stream_fd(stream, &fd, error);
  CHECK(fd == -1);
  return status;
}
static imd_status dropped(imd_error *error) {
  size_t count = 1;
  return imd_stream_dropped(stream, &count, error);
}
static imd_status stream_next(imd_error *error) {
  return imd_stream_next(stream, -1, NULL, NULL, NULL, error);
}
static imd_status settle(imd_error *error) { return imd_store_settle(store, -1, error); }
static imd_status set_fetch(imd_error *error) {
  return imd_store_set_fetch(store, NULL, NULL, NULL, error);
}
static imd_status undo(imd_error *error) { return imd_store_undo(store, 1, NULL, error); }
static imd_status undo_elsewhere(imd_error *error) { return imd_store_undo(other, 1, NULL, error); }
static imd_status redo(imd_error *error) { return imd_store_redo(store, 1, NULL, error); }
static imd_status travel(imd_error *error) { return imd_store_travel(store, 0, error); }
static imd_status begin_group(imd_error *error) { return imd_store_begin_group(store, error); }
static imd_status end_group(imd_error *error) { return imd_store_end_group(store, error); }
static imd_status mark_clean(imd_error *error) { return imd_store_mark_clean(store, error); }
static imd_status history(imd_error *error) {
  char *text = NULL;
  return imd_store_history(store, NULL, 0, &text, NULL, error);
}
static imd_status blame(imd_error *error) {
  char *text = NULL;
  return imd_store_blame(store, "", NULL, 0, &text, NULL, error);
}

/* An invalid argument does not hide the re-entrant call. */
static imd_status dispatch_invalid_json(imd_error *error) {
  return imd_store_dispatch(store, "{", IMD_ZERO_TERMINATED, error);
}
static imd_status dispatch_null_elsewhere(imd_error *error) {
  return imd_store_dispatch_batch(other, NULL, 0, error);
}
static imd_status select_without_out(imd_error *error) {
  return imd_store_select(store, NULL, NULL, 0, NULL, NULL, error);
}
static imd_status observe_with_invalid_options(imd_error *error) {
  return imd_store_observe(store, "n", NULL, 0, "{\"x\":1}", IMD_ZERO_TERMINATED, NULL, NULL, NULL,
                           NULL, error);
}
static imd_status stream_with_invalid_options(imd_error *error) {
  return imd_store_stream(store, "[", 1, NULL, error);
}
static imd_status history_with_invalid_options(imd_error *error) {
  return imd_store_history(store, "[", 1, NULL, NULL, error);
}
static imd_status blame_with_invalid_pointer(imd_error *error) {
  return imd_store_blame_value(store, "n", NULL, 0, NULL, error);
}
static imd_status close_stream(imd_error *error) {
  (void)error;
  imd_stream_close(stream);
  return IMD_REENTRANT;
}
static imd_status cancel(imd_error *error) {
  (void)error;
  imd_observation_cancel(observation);
  return IMD_REENTRANT;
}
static imd_status close_store(imd_error *error) {
  (void)error;
  imd_store_close(store);
  return IMD_REENTRANT;
}

static void deliver(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
  deliveries++;
}
static void release(void *context) {
  (void)context;
  releases++;
}

static void begin(mistake mistake, int does_fail) {
  current_mistake = NULL;
  store = number_create(reduce, NULL);
  other = number_open();
  observation = number_observe(store, "{\"initial\":false}", deliver, NULL, release);
  CHECK(imd_store_stream(store, NULL, 0, &stream, NULL) == IMD_OK);
  current_mistake = mistake;
  fails = does_fail;
  deliveries = releases = 0;
}

static void end(void) {
  imd_stream_close(stream);
  imd_store_close(store);
  imd_store_close(other);
}

/* The dispatch fails with IMD_REENTRANT, whether or not the reducer returns it. Nothing has
 * changed, and the next dispatch works. */
static void check_reentrant(mistake mistake, int does_fail) {
  begin(mistake, does_fail);
  CHECK(number_set(store, 1) == IMD_REENTRANT);
  CHECK(inner == IMD_REENTRANT);
  CHECK(deliveries == 0 && releases == 0);
  CHECK(imd_stream_next(stream, 0, NULL, NULL, NULL, NULL) == IMD_TIMEOUT);
  current_mistake = NULL;
  fails = 0;
  CHECK(number_set(store, 1) == IMD_OK);
  CHECK(number_set(other, 1) == IMD_OK);
  CHECK(deliveries == 1 && releases == 0);
  CHECK(imd_stream_next(stream, 0, NULL, NULL, NULL, NULL) == IMD_OK);
  end();
  CHECK(releases == 1);
}

int main(void) {
  const mistake mistakes[] = {
      dispatch,         dispatch_elsewhere,      select_n,          poll_store,    store_fd,
      stream_fd,        dropped,                 stream_next,       settle,        set_fetch,
      close_store,      close_stream,            cancel,            undo,          undo_elsewhere,
      redo,             travel,                  begin_group,       end_group,     mark_clean,
      history,          blame,
      observe_with_invalid_options,              stream_with_invalid_options,
      history_with_invalid_options,              blame_with_invalid_pointer,
      dispatch_invalid_json, dispatch_null_elsewhere, select_without_out,
  };
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
    for (int does_fail = 0; does_fail < 2; does_fail++)
      check_reentrant(mistakes[i], does_fail);
  return check_report();
}
