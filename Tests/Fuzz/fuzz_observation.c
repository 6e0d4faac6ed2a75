/* libFuzzer: for any observers and streams, with any options and arguments, the process
 * survives, and observers are called as documented in the header.
 *
 * The input consists of lines. The first byte of a line selects the call, the rest is its text,
 * with parts separated by tabs. A capital letter selects a predefined line. An observer that is
 * called continues with the next line. */
#include <immutabledata.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBSERVERS = 12, STREAMS = 4, PARTS = 3, DEPTH = 6 };

typedef struct {
  char *parts[PARTS]; /* selector, arguments and options */
  imd_observation *handle;
  imd_value *output; /* the last delivered value that was not a failure */
  int is_accepted, is_cancelled, has_failed, calls, running, releases;
} observer;

static imd_store *store;
static observer observers[OBSERVERS];
static imd_stream *streams[STREAMS];
static int observer_count, stream_count, depth, is_closed;
static const char *at, *end;

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "check failed: %s\n", what);
  abort();
}

static imd_status check(imd_status status, const imd_error *error) {
  require(error->status == status, "the error has the status");
  require((status == IMD_OK) == (error->message[0] == '\0'), "a failure has a message");
  return status;
}

/* ---- Observers ------------------------------------------------------------------------------ */

static void run_nested_line(void);

static void deliver(void *context, const imd_delivery *delivery) {
  observer *observer = context;
  imd_value *output = NULL;
  require(!observer->is_cancelled, "a cancelled observer is not called");
  require(!observer->releases, "a released observer is not called");
  require(!observer->running, "an observer is called once at a time");
  observer->running = 1;
  switch (delivery->kind) {
  case IMD_DELIVERY_FAILURE:
    require(delivery->value == NULL && delivery->error->status != IMD_OK, "a failure says why");
    break;
  case IMD_DELIVERY_VALUE:
    output = imd_value_retain(delivery->value);
    break;
  case IMD_DELIVERY_PATCH:
    require(observer->output != NULL, "there is an output before a patch");
    require(imd_value_patch(observer->output, delivery->value, &output, NULL) == IMD_OK,
            "the patch fits the output before");
    break;
  }
  if (output) {
    require(observer->has_failed || !imd_value_equal(output, observer->output),
            "an output is delivered only if it changed");
    imd_value_release(observer->output);
    observer->output = output;
  }
  observer->has_failed = delivery->kind == IMD_DELIVERY_FAILURE;
  observer->calls++;
  run_nested_line();
  observer->running = 0;
}

static void release(void *context) { ((observer *)context)->releases++; }

static size_t length(const char *text) { return text ? strlen(text) : 0; }

static void observe(char *parts[PARTS]) {
  imd_error error;
  if (observer_count == OBSERVERS) return;
  observer *observer = &observers[observer_count++];
  memcpy(observer->parts, parts, sizeof observer->parts);
  memset(parts, 0, sizeof observer->parts);
  char **own = observer->parts;
  imd_status status = imd_store_observe(store, own[0], own[1], length(own[1]), own[2],
                                        length(own[2]), deliver, observer, release,
                                        &observer->handle, &error);
  check(status, &error);
  observer->is_accepted = status == IMD_OK;
  if (status != IMD_OK)
    require(!observer->handle && !observer->calls && !observer->releases,
            "what fails leaves nothing behind");
}

static void require_released(const observer *observer, const char *what) {
  if (observer->is_accepted && !observer->running) require(observer->releases == 1, what);
}

static void cancel(const char *text) {
  if (observer_count == 0) return;
  observer *observer = &observers[(unsigned char)text[0] % observer_count];
  imd_observation_cancel(observer->handle);
  observer->is_cancelled = observer->handle != NULL;
  require_released(observer, "cancelling releases");
}

static void close_store(void) {
  imd_store_close(store);
  is_closed = 1;
  for (int i = 0; i < observer_count; i++)
    require_released(&observers[i], "closing the store releases");
}

static void poll_store(void) {
  imd_error error;
  size_t delivered;
  imd_status expected = is_closed ? IMD_CLOSED : IMD_OK;
  require(check(imd_store_poll(store, &delivered, &error), &error) == expected,
          "polling succeeds while the store is open");
}

/* Whether an option allows that the observer does not have the current output. */
static int may_be_behind(const char *options) {
  imd_value *value = NULL, *ignore = NULL, *dependencies = NULL;
  if (options == NULL) return 0;
  require(imd_value_parse(options, strlen(options), &value, NULL) == IMD_OK, "options are JSON");
  imd_value_get(value, "/ignore", &ignore, NULL);
  imd_value_get(value, "/dependencies", &dependencies, NULL);
  int may_be = ignore != NULL || dependencies != NULL;
  imd_value_release(ignore);
  imd_value_release(dependencies);
  imd_value_release(value);
  return may_be;
}

/* When everything is delivered, an observer has the output that a select returns. */
static void require_current(const observer *observer) {
  char *const *parts = observer->parts;
  if (!observer->is_accepted || observer->is_cancelled || !observer->calls) return;
  if (may_be_behind(parts[2])) return;
  char *text, *delivered = NULL;
  imd_status status =
      imd_store_select(store, parts[0], parts[1], length(parts[1]), &text, NULL, NULL);
  require((status == IMD_OK) == !observer->has_failed, "an observer is notified of failures");
  if (status == IMD_OK) {
    require(imd_value_text(observer->output, &delivered, NULL, NULL) == IMD_OK, "outputs are text");
    require(strcmp(text, delivered) == 0, "an observer has the current output");
  }
  imd_free(text);
  imd_free(delivered);
}

/* ---- Streams -------------------------------------------------------------------------------- */

/* Whether a dispatch might wait for a reader, which would be this thread. */
static int may_block(const char *options) {
  imd_value *value;
  char *overflow;
  imd_value_parse(options, length(options), &value, NULL);
  imd_value_get_string(value, "/overflow", &overflow, NULL, NULL);
  int may = overflow != NULL && strcmp(overflow, "block") == 0;
  imd_free(overflow);
  imd_value_release(value);
  return may;
}

static void begin_stream(const char *options) {
  imd_error error;
  imd_stream *stream;
  if (stream_count == STREAMS) return;
  imd_status status = imd_store_stream(store, options, length(options), &stream, &error);
  require((check(status, &error) == IMD_OK) == (stream != NULL), "success gives a stream");
  if (may_block(options)) imd_stream_close(stream);
  streams[stream_count++] = stream;
}

static void read_stream(const char *text) {
  imd_error error;
  imd_value *action, *old_state, *new_state;
  size_t dropped;
  if (stream_count == 0) return;
  imd_stream *stream = streams[(unsigned char)text[0] % stream_count];
  imd_status status = imd_stream_next(stream, 0, &action, &old_state, &new_state, &error);
  check(status, &error);
  require((status == IMD_OK) == (action != NULL) && (status == IMD_OK) == (old_state != NULL) &&
              (status == IMD_OK) == (new_state != NULL),
          "success gives the action and both states");
  imd_value_release(action);
  imd_value_release(old_state);
  imd_value_release(new_state);
  check(imd_stream_dropped(stream, &dropped, &error), &error);
}

static void close_stream(const char *text) {
  if (stream_count > 0) imd_stream_close(streams[(unsigned char)text[0] % stream_count]);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

/* The payload of an action is merged into the state. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  imd_value *payload = NULL;
  imd_status status = imd_value_get(action, "/payload", &payload, error);
  if (status == IMD_OK) status = imd_value_merge(state, payload, next, error);
  imd_value_release(payload);
  return status;
}

static void merge(const char *payload) {
  imd_error error;
  size_t size = strlen(payload) + 64;
  char *action = malloc(size);
  snprintf(action, size, "{\"type\":\"ui/merge\",\"payload\":%s}", payload);
  check(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error), &error);
  free(action);
}

static void ask_for_descriptors(void) {
  imd_error error;
  int fd;
  check(imd_store_fd(store, &fd, &error), &error);
  for (int i = 0; i < stream_count; i++) check(imd_stream_fd(streams[i], &fd, &error), &error);
}

static char *copy(const char *text, size_t count) {
  char *copied = malloc(count + 1);
  memcpy(copied, text, count);
  copied[count] = '\0';
  return copied;
}

/* Predefined lines, A to Z, which random bytes would rarely produce. */
static const char *const prepared[] = {
    "oall\t\t{\"deliver\":\"patch\"}",
    "oa\t{}\t{\"when\":\"queued\",\"capacity\":2,\"overflow\":\"coalesce\"}",
    "osum\t{}\t{\"initial\":false}",
    "oabove\t{\"least\":1}\t{\"deliver\":\"patch\",\"when\":\"queued\"}",
    "odeep\t{}\t{\"coalesce\":true}",
    "oall\t{}\t{\"when\":\"queued\",\"coalesce\":true,\"deliver\":\"patch\"}",
    "osum\t{}\t{\"ignore\":[\"ui/*\"],\"label\":\"total\"}",
    "odeep\t{}\t{\"dependencies\":[\"a\"]}",
    "m{\"a\":{\"b\":{\"c\":2}}}",
    "d{\"type\":\"x\",\"payload\":{\"a\":{\"b\":3}},\"meta\":{\"optimistic\":{\"begin\":\"k\"}}}",
    "m{\"a\":{\"b\":7}}",
    "m{\"a\":{\"x\":1}}",
    "m{\"a\":{\"x\":null}}",
    "m{\"a\":null}",
    "m{\"list\":null}",
    "m{\"list\":[2,{\"y\":[1]},3]}",
    "d{\"type\":\"x\",\"payload\":{\"list\":[3]},\"meta\":{\"optimistic\":{\"begin\":\"l\"}}}",
    "d{\"type\":\"plain\",\"payload\":{\"a\":{\"b\":5}}}",
    "b[{\"type\":\"plain\",\"payload\":{\"a\":{\"b\":6}}},{\"type\":\"x\",\"payload\":{}}]",
    "p",
    "c0",
    "d{\"type\":\"x\",\"payload\":{},\"meta\":{\"optimistic\":{\"succeed\":\"k\"}}}",
    "d{\"type\":\"x\",\"payload\":{\"a\":{\"x\":2}},\"meta\":{\"optimistic\":{\"fail\":\"k\"}}}",
    "s{\"capacity\":2}",
    "s{\"capacity\":1,\"overflow\":\"dropOldest\",\"types\":[\"ui/*\"]}",
    "n0",
};

static char *next_line(void) {
  if (*at >= 'A' && *at <= 'Z') {
    const char *line = prepared[*at++ - 'A'];
    return copy(line, strlen(line));
  }
  const char *from = at;
  const char *stop = memchr(from, '\n', (size_t)(end - from));
  at = stop ? stop + 1 : end;
  return copy(from, (size_t)((stop ? stop : end) - from));
}

/* Parses the next line, and performs its call. */
static void run_line(void) {
  char *line = next_line();
  char *text = line[0] ? line + 1 : line;
  char *parts[PARTS] = {NULL};
  const char *from = text;
  for (int i = 0; i < PARTS && from; i++) {
    const char *tab = strchr(from, '\t');
    size_t count = tab ? (size_t)(tab - from) : strlen(from);
    parts[i] = count > 0 ? copy(from, count) : NULL;
    from = tab ? tab + 1 : NULL;
  }
  imd_error error;
  switch (line[0]) {
  case 'o': observe(parts); break;
  case 'c': cancel(text); break;
  case 'p': poll_store(); break;
  case 'm': merge(text); break;
  case 'd': check(imd_store_dispatch(store, text, strlen(text), &error), &error); break;
  case 'b': check(imd_store_dispatch_batch(store, text, strlen(text), &error), &error); break;
  case 'e': check(imd_store_define_selector(store, parts[0], parts[1], &error), &error); break;
  case 's': begin_stream(parts[0]); break;
  case 'n': read_stream(text); break;
  case 'q': close_stream(text); break;
  case 'f': ask_for_descriptors(); break;
  case 'x': close_store(); break;
  }
  for (int i = 0; i < PARTS; i++) free(parts[i]);
  free(line);
}

static void run_nested_line(void) {
  if (at == end || depth == DEPTH) return;
  depth++;
  run_line();
  depth--;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const selectors[][2] = {
      {"all", "@"}, {"a", "a"}, {"deep", "a.b.c"}, {"sum", "sum(values(a))"},
      {"above", "list[?@ > $least]"}};
  const char *state = "{\"a\":{\"b\":{\"c\":1}},\"list\":[1,2]}";
  size_t delivered = 1;

  require(imd_store_create(state, IMD_ZERO_TERMINATED, reduce, NULL, NULL, "{\"optimistic\":true}",
                           IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK,
          "create");
  for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++)
    imd_store_define_selector(store, selectors[i][0], selectors[i][1], NULL);
  observer_count = stream_count = is_closed = 0;
  memset(observers, 0, sizeof observers);

  for (at = (const char *)data, end = at + size; at < end;) run_line();

  while (!is_closed && delivered > 0)
    require(imd_store_poll(store, &delivered, NULL) == IMD_OK, "polling succeeds");
  for (int i = 0; i < observer_count && !is_closed; i++) require_current(&observers[i]);

  for (int i = 0; i < stream_count; i++) imd_stream_close(streams[i]);
  close_store();
  for (int i = 0; i < observer_count; i++) {
    imd_observation_cancel(observers[i].handle);
    imd_value_release(observers[i].output);
    for (int part = 0; part < PARTS; part++) free(observers[i].parts[part]);
  }
  return 0;
}
