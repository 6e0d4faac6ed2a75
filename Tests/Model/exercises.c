#include "exercises.h"
#include "report.h"

#include <immutabledata.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WATCHES = 8, OBSERVED_ACTIONS = 16, STREAMED_ACTIONS = 32, REQUESTED_ACTIONS = 1000 };
enum { RECORDS = 65536, RUN_OF_CHANGES = 500, CHANGE = 100 };

static const size_t z = IMD_ZERO_TERMINATED;

/* Stay open, so that their memory is counted. */
static imd_store *counter, *client, *asking, *drawing, *tables[3];

/* ---- A store of a number ------------------------------------------------------------------- */

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context, (void)action;
  int64_t n = 0;
  imd_status status = imd_value_get_integer(state, "/n", &n, error);
  if (status == IMD_OK) status = imd_value_set_integer(state, "/n", n + 1, next, error);
  return status;
}

static void release(void *context) { (void)context; }

static imd_store *create_with(const char *options) {
  imd_store *store;
  EXPECT_STATUS(imd_store_create("{\"n\":0}", z, reduce, NULL, release, options, z, &store, NULL),
                IMD_OK);
  EXPECT_STATUS(imd_store_define_selector(store, "n", "n", NULL), IMD_OK);
  return store;
}

static imd_store *create(void) { return create_with(NULL); }

static void dispatch(imd_store *store) {
  EXPECT_STATUS(imd_store_dispatch(store, "{\"type\":\"added\"}", z, NULL), IMD_OK);
}

/* ---- Observations and streams -------------------------------------------------------------- */

static void observe(void *context, const imd_delivery *delivery) {
  (void)context, (void)delivery;
}

static imd_observation *begin(imd_store *store, long i) {
  static const char *const options[] = {NULL, "{\"deliver\":\"patch\"}", "{\"when\":\"queued\"}",
                                        "{\"when\":\"queued\",\"capacity\":2,\"label\":\"it\"}"};
  imd_observation *observation;
  EXPECT_STATUS(imd_store_observe(store, "n", NULL, 0, options[i % 4], z, observe, NULL, release,
                                  &observation, NULL), IMD_OK);
  return observation;
}

static imd_stream *open_stream(imd_store *store, long i) {
  static const char *const options[] = {
      NULL, "{\"capacity\":2,\"overflow\":\"dropOldest\"}", "{\"types\":[\"add*\"]}"};
  imd_stream *stream;
  EXPECT_STATUS(imd_store_stream(store, options[i % 3], z, &stream, NULL), IMD_OK);
  return stream;
}

void exercise_observations(long count) {
  if (!counter) counter = create();
  imd_store *store = counter;
  imd_observation *observations[WATCHES] = {NULL};
  int descriptor;
  EXPECT_STATUS(imd_store_fd(store, &descriptor, NULL), IMD_OK);
  for (long i = 0; i < count; i++) {
    imd_observation_cancel(observations[i % WATCHES]);
    observations[i % WATCHES] = begin(store, i);
    if (i % 4 == 0) dispatch(store);
    if (i % 8 == 0) EXPECT_STATUS(imd_store_poll(store, NULL, NULL), IMD_OK);
  }
  for (int i = 0; i < WATCHES; i++) imd_observation_cancel(observations[i]);
}

void exercise_streams(long count) {
  if (!counter) counter = create();
  imd_store *store = counter;
  imd_value *action, *old_state, *new_state;
  int descriptor;
  for (long i = 0; i < count; i++) {
    imd_stream *stream = open_stream(store, i);
    if (i % 8 == 0) EXPECT_STATUS(imd_stream_fd(stream, &descriptor, NULL), IMD_OK);
    dispatch(store);
    if (i % 2 == 0) {
      EXPECT_STATUS(imd_stream_next(stream, -1, &action, &old_state, &new_state, NULL), IMD_OK);
      imd_value_release(action);
      imd_value_release(old_state);
      imd_value_release(new_state);
    }
    imd_stream_close(stream);
  }
}

void exercise_stores(long count) {
  int descriptor;
  for (long i = 0; i < count; i++) {
    imd_store *store = create();
    imd_observation *observation = begin(store, i);
    EXPECT_STATUS(imd_store_observe(store, "n", NULL, 0, NULL, 0, observe, NULL, release, NULL,
                                    NULL), IMD_OK); /* ends with its store */
    imd_stream *stream = open_stream(store, i);
    if (i % 8 == 0) EXPECT_STATUS(imd_store_fd(store, &descriptor, NULL), IMD_OK);
    dispatch(store);
    imd_store_close(store);
    imd_stream_close(stream);
    imd_observation_cancel(observation);
  }
}

/* ---- Requests ------------------------------------------------------------------------------ */

static void fetch(void *context, imd_request *request, const imd_request_info *info) {
  static const imd_header header[] = {{"Content-Type", "application/json"}};
  static const char answer[] =
      "{\"mutation\":[{\"addAnimal\":{\"animal\":{\"animalId\":\"Owl\",\"categoryId\":\"Bird\","
      "\"diet\":\"Carnivore\",\"name\":\"Owl\"}}}]}";
  (void)context;
  if (!info->is_streamed)
    EXPECT_STATUS(imd_request_resolve(request, 200, header, 1, answer, z, NULL), IMD_OK);
}

static imd_store *open_client(void) {
  imd_store *store;
  EXPECT_STATUS(imd_store_open("animals", "{\"remote\":\"http://animals\",\"timeout\":20000}", z,
                               &store, NULL), IMD_OK);
  EXPECT_STATUS(imd_store_set_fetch(store, fetch, NULL, release, NULL), IMD_OK);
  return store;
}

static void request(imd_store *store) {
  static const char action[] =
      "{\"type\":\"ui/animalEditor/onTapAddAnimalButton\",\"payload\":{\"id\":\"new\",\"name\":"
      "\"Owl\",\"diet\":\"Carnivore\",\"categoryId\":\"Bird\"}}";
  EXPECT_STATUS(imd_store_dispatch(store, action, z, NULL), IMD_OK);
  EXPECT_STATUS(imd_store_settle(store, -1, NULL), IMD_OK);
}

void exercise_requests(long count) {
  if (!client) client = open_client();
  for (long i = 0; i < count; i++) request(client);
}

/* ---- All of it ----------------------------------------------------------------------------- */

void exercise_actions(long count) {
  if (!counter) counter = create();
  if (!client) client = open_client();
  imd_store *store = counter;
  imd_observation *observations[WATCHES] = {NULL};
  imd_stream *stream = open_stream(store, 1);
  for (long i = 0; i < count; i++) {
    dispatch(store);
    if (i % OBSERVED_ACTIONS == 0) {
      long k = i / OBSERVED_ACTIONS;
      imd_observation_cancel(observations[k % WATCHES]);
      observations[k % WATCHES] = begin(store, k);
      EXPECT_STATUS(imd_store_poll(store, NULL, NULL), IMD_OK);
    }
    if (i % STREAMED_ACTIONS == 0) {
      imd_stream_close(stream);
      stream = open_stream(store, i / STREAMED_ACTIONS);
    }
    if (i % REQUESTED_ACTIONS == 0) request(client);
  }
  for (int i = 0; i < WATCHES; i++) imd_observation_cancel(observations[i]);
  imd_stream_close(stream);
}

void end_exercises(void) {
  imd_store_close(client);
  imd_store_close(counter);
  imd_store_close(asking);
  imd_store_close(drawing);
  for (int i = 0; i < 3; i++) imd_store_close(tables[i]);
}

/* ---- Large states -------------------------------------------------------------------------- */

static imd_status change(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  char *pointer = NULL;
  imd_value *value = NULL;
  (void)context;
  imd_status status = imd_value_get_string(action, "/payload/at", &pointer, NULL, error);
  if (status == IMD_OK) status = imd_value_get(action, "/payload/value", &value, error);
  if (status == IMD_OK) status = imd_value_set(state, pointer, value, next, error);
  imd_free(pointer);
  imd_value_release(value);
  return status;
}

/* Plain, with an observer, and with a history. */
static void create_tables(void) {
  static const char record[] = "{\"done\":[0],\"n\":0,\"name\":\"0000\",\"x\":0.5}";
  char *text = malloc(RECORDS * (sizeof record + 16)), *end = text;
  for (int i = 0; i < RECORDS; i++)
    end += sprintf(end, "%s\"%05d\":%s", i == 0 ? "{" : ",", i, record);
  strcpy(end, "}");
  for (int i = 0; i < 3; i++)
    EXPECT_STATUS(imd_store_create(text, z, change, NULL, NULL,
                                   i == 2 ? "{\"history\":true}" : NULL, z, &tables[i], NULL),
                  IMD_OK);
  EXPECT_STATUS(imd_store_define_selector(tables[1], "n", "\"00007\"", NULL), IMD_OK);
  EXPECT_STATUS(imd_store_observe(tables[1], "n", NULL, 0, NULL, 0, observe, NULL, NULL, NULL,
                                  NULL), IMD_OK);
  free(text);
}

static int write_change(char *text, unsigned number) {
  static const char *const values[] = {"/n\",\"value\":%u", "/x\",\"value\":%u.25",
                                       "/name\",\"value\":\"%04u\"", "/done\",\"value\":[%u]"};
  int length = sprintf(text, "{\"type\":\"changed\",\"payload\":{\"at\":\"/%05u",
                       number * 40503 % RECORDS);
  length += sprintf(text + length, values[number % 4], number % 10000);
  return length + sprintf(text + length, "}}");
}

static void dispatch_value(imd_store *store, const char *text) {
  imd_value *action;
  EXPECT_STATUS(imd_value_parse(text, z, &action, NULL), IMD_OK);
  EXPECT_STATUS(imd_store_dispatch_value(store, action, NULL), IMD_OK);
  imd_value_release(action);
}

void exercise_records(long count) {
  static unsigned number;
  char text[CHANGE], batch[RUN_OF_CHANGES * CHANGE], *end = batch;
  if (tables[0] == NULL) create_tables();
  for (long i = 0; i < count; i++, number++) {
    /* The first three are texts for the three stores. */
    unsigned way = number / RUN_OF_CHANGES % 5, place = number % RUN_OF_CHANGES;
    write_change(text, number);
    if (way < 3) EXPECT_STATUS(imd_store_dispatch(tables[way], text, z, NULL), IMD_OK);
    else if (way == 3) dispatch_value(tables[0], text);
    else if (place == 0 || end == batch) end = batch + sprintf(batch, "[%s", text);
    else end += sprintf(end, ",%s", text);
    if (end == batch || (place != RUN_OF_CHANGES - 1 && i != count - 1)) continue;
    strcpy(end, "]");
    EXPECT_STATUS(imd_store_dispatch_batch(tables[0], batch, z, NULL), IMD_OK);
    end = batch;
  }
}

/* ---- History ------------------------------------------------------------------------------- */

void exercise_history(long count) {
  char *text;
  if (!drawing) drawing = create_with("{\"history\":{\"limit\":8}}");
  imd_store *store = drawing;
  imd_observation *observation;
  EXPECT_STATUS(imd_store_observe(store, "@@history", NULL, 0, NULL, 0, observe, NULL, release,
                                  &observation, NULL), IMD_OK);
  for (long i = 0; i < count; i++) {
    EXPECT_STATUS(imd_store_begin_group(store, NULL), IMD_OK);
    for (int j = 0; j < 4; j++) dispatch(store);
    if (i % 3 != 0) EXPECT_STATUS(imd_store_end_group(store, NULL), IMD_OK);
    if (i % 4 == 0) EXPECT_STATUS(imd_store_undo(store, 2, NULL, NULL), IMD_OK);
    if (i % 8 == 0) EXPECT_STATUS(imd_store_redo(store, 1, NULL, NULL), IMD_OK);
    if (i % 16 == 0) EXPECT_STATUS(imd_store_mark_clean(store, NULL), IMD_OK);
    if (i % 16 != 0) continue;
    EXPECT_STATUS(imd_store_history(store, "{\"patches\":true,\"actions\":true}", z, &text, NULL,
                                    NULL), IMD_OK);
    imd_free(text);
    EXPECT_STATUS(imd_store_blame(store, "/n", NULL, 0, &text, NULL, NULL), IMD_OK);
    imd_free(text);
  }
  imd_observation_cancel(observation);
}

/* ---- Selectors ----------------------------------------------------------------------------- */

void exercise_selectors(long count) {
  enum { SELECTORS = 100000 };
  char name[32], expression[64], *text;
  for (long left = count; left > 0; left -= SELECTORS) {
    imd_store *store = create();
    for (long i = 0; i < (left < SELECTORS ? left : SELECTORS); i++) {
      snprintf(name, sizeof name, "selector%ld", i);
      snprintf(expression, sizeof expression, "rows.r%ld | [?n > `%ld`]", i, i);
      EXPECT_STATUS(imd_store_define_selector(store, name, expression, NULL), IMD_OK);
      EXPECT_STATUS(imd_store_select(store, name, NULL, 0, &text, NULL, NULL), IMD_OK);
      imd_free(text);
    }
    imd_store_close(store);
  }
}

/* ---- Functions of effects ------------------------------------------------------------------ */

static imd_status keep(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error) {
  (void)context, (void)state, (void)action, (void)next, (void)error;
  return IMD_OK;
}

static imd_status ask(void *context, const imd_value *action, const imd_value *old_state,
                      const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)context, (void)old_state, (void)new_state;
  return imd_value_get(action, "/payload", effects, error);
}

static void perform(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)context, (void)arguments;
  EXPECT_STATUS(imd_effect_resolve(effect, NULL, NULL), IMD_OK);
}

void exercise_effects(long count) {
  static long number;
  char name[200], action[300];
  imd_error error;
  if (asking == NULL) {
    EXPECT_STATUS(imd_store_create("null", z, keep, NULL, NULL, NULL, 0, &asking, NULL), IMD_OK);
    EXPECT_STATUS(imd_store_set_rule(asking, ask, NULL, NULL, NULL), IMD_OK);
  }
  for (long i = 0; i < count; i++) {
    snprintf(name, sizeof name, "%0150ld", number++);
    snprintf(action, sizeof action, "{\"type\":\"x\",\"payload\":[{\"effect\":\"%s\"}]}", name);
    EXPECT_STATUS(imd_store_set_effect(asking, name, perform, NULL, release, &error), IMD_OK);
    EXPECT_STATUS(imd_store_dispatch(asking, action, z, &error), IMD_OK);
    EXPECT_STATUS(imd_store_settle(asking, -1, &error), IMD_OK);
    EXPECT_STATUS(imd_store_set_effect(asking, name, NULL, NULL, NULL, &error), IMD_OK);
  }
}
