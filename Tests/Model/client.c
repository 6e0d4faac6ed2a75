/* A client of a server that changes, fails, and responds late, twice or never. */
#define _POSIX_C_SOURCE 200809L

#include "features.h"
#include "model_test.h"
#include "plain.h"
#include "server.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_OF_A_STORE = 20, ACTIONS_OF_A_ROUND = 3, TIMEOUT_SECONDS = 15 };

typedef struct client client;

/* A fetch function, and its release. */
typedef struct fetcher {
  client *client;
  atomic_int released;
} fetcher;

struct client {
  imd_store *store;
  server *server;
  fetcher *fetcher;
  atomic_int released, is_closing;
  int connection; /* the last one used */
};

static const imd_header event_header[] = {{"Content-Type", "text/event-stream"}};

/* ---- The store ----------------------------------------------------------------------------- */

/* Also in callbacks. */
static void preview(client *client) {
  static const char action[] = "[{\"type\":\"ui/categoryList/onTapReloadSampleDataButton\"}]";
  imd_status status = imd_store_preview(client->store, action, IMD_ZERO_TERMINATED, NULL, NULL,
                                        NULL, NULL);
  if (status == IMD_OK) status = imd_store_mark_clean(client->store, NULL);
  if (status != IMD_CLOSED || !atomic_load(&client->is_closing)) EXPECT_STATUS(status, IMD_OK);
}

static void fetch(void *context, imd_request *request, const imd_request_info *info) {
  fetcher *fetcher = context;
  EXPECT(atomic_load(&fetcher->released) == 0, "a released function is asked for a request");
  preview(fetcher->client);
  server_fetch(fetcher->client->server, request, info);
}

static void release_fetcher(void *context) {
  EXPECT(atomic_fetch_add(&((fetcher *)context)->released, 1) == 0, "released twice");
}

/* Also called for actions of effects, even while the store is being closed. */
static void observe(void *context, const imd_delivery *delivery) {
  client *client = context;
  EXPECT(delivery->kind == IMD_DELIVERY_VALUE, "no output");
  preview(client);
  if (!has_feature(SETTLE_IN_CALLBACK)) return;
  imd_status status = imd_store_settle(client->store, -1, NULL);
  if (status != IMD_CLOSED || !atomic_load(&client->is_closing)) EXPECT_STATUS(status, IMD_REENTRANT);
}

static void release_client(void *context) { atomic_fetch_add(&((client *)context)->released, 1); }

static void use_fetcher(client *client) {
  fetcher *old = client->fetcher;
  client->fetcher = calloc(1, sizeof *client->fetcher);
  client->fetcher->client = client;
  note("set fetch");
  EXPECT_STATUS(imd_store_set_fetch(client->store, fetch, client->fetcher, release_fetcher, NULL),
                IMD_OK);
  if (!old) return;
  EXPECT(atomic_load(&old->released) == 1, "a replaced function is not released");
  free(old);
}

static void open_client(client *client, server *server, int is_optimistic) {
  char options[128];
  snprintf(options, sizeof options,
           "{\"remote\":\"http://animals\",\"timeout\":%d,\"optimistic\":%s,\"history\":true}",
           server->is_reliable ? 20000 : 60, is_optimistic ? "true" : "false");
  *client = (struct client){.server = server};
  server->connections = 0;
  note("open animals %s", options);
  EXPECT_STATUS(imd_store_open("animals", options, IMD_ZERO_TERMINATED, &client->store, NULL),
                IMD_OK);
  preview(client); /* before there are threads: see run_threads */
  use_fetcher(client);
  EXPECT_STATUS(imd_store_observe(client->store, "selectAnimalsStatus", NULL, 0, NULL, 0, observe,
                                  client, release_client, NULL, NULL), IMD_OK);
}

static void close_client(client *client) {
  note("close animals");
  atomic_store(&client->is_closing, 1);
  imd_store_close(client->store);
  EXPECT(atomic_load(&client->fetcher->released) == 1, "the function is not released");
  EXPECT(atomic_load(&client->released) == 1, "the observer is not released");
  server_check(client->server);
  free(client->fetcher);
}

static json_t *query(const client *client, const char *expression) {
  char *text;
  EXPECT_STATUS(imd_store_query(client->store, expression, NULL, 0, &text, NULL, NULL), IMD_OK);
  json_t *value = plain_parse(text);
  imd_free(text);
  return value;
}

static void settle(const client *client) {
  EXPECT_STATUS(imd_store_settle(client->store, -1, NULL), IMD_OK);
}

/* ---- Following ----------------------------------------------------------------------------- */

/* The stream of a newer connection than the last one used. Fails if there is none for long: the
 * client has stopped following. */
static imd_request *next_stream(client *client) {
  server *server = client->server;
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += TIMEOUT_SECONDS;
  pthread_mutex_lock(&server->mutex);
  while (server->connections <= client->connection)
    EXPECT(pthread_cond_timedwait(&server->connected, &server->mutex, &end) == 0,
           "the client neither takes what the server sends nor connects again");
  client->connection = server->connections;
  imd_request *stream = server->stream;
  pthread_mutex_unlock(&server->mutex);
  return stream;
}

static imd_status send_event(imd_request *stream, const char *name, const char *data) {
  static int number;
  char text[512];
  snprintf(text, sizeof text, "id: %d\nevent: %s\ndata: %s\n\n", ++number, name, data);
  note("the server sends %s %s", name, data);
  return imd_request_receive(stream, 200, event_header, 1, text, strlen(text), NULL);
}

/* The server sends resets until the client has refetched. A stream that the client abandoned
 * accepts nothing. */
static void reset(client *client, imd_request **stream, int has_asked) {
  client->server->is_well = 1;
  client->server->last_failed = 1;
  for (;;) {
    if (!*stream) *stream = next_stream(client);
    imd_status status = send_event(*stream, "reset", "{}");
    settle(client);
    if (status == IMD_OK && !(has_asked && client->server->last_failed)) break;
    *stream = NULL;
  }
  client->server->is_well = 0;
}

/* After a reset the client has what the server has. */
static void reconcile(client *client, imd_request **stream) {
  json_t *status = query(client, "[animals.status, categories.status]");
  int has_asked = !json_is_null(json_array_get(status, 0)) ||
                  !json_is_null(json_array_get(status, 1));
  json_decref(status);
  reset(client, stream, has_asked);
  if (!has_asked) return;
  json_t *data = query(client, "animals.data");
  char *is = plain_text(data), *should_be = plain_text(client->server->animals);
  EXPECT(strcmp(is, should_be) == 0, "the client is stale\n  is:        %s\n  should be: %s", is,
         should_be);
  free(is);
  free(should_be);
  json_decref(data);
}

/* Another client changes something; the server sends it if it is connected. */
static void change(client *client, imd_request **stream) {
  pthread_mutex_lock(&client->server->mutex);
  json_t *change = server_change(client->server);
  pthread_mutex_unlock(&client->server->mutex);
  char *text = plain_text(change);
  if (*stream && send_event(*stream, "change", text) != IMD_OK) *stream = NULL;
  free(text);
  json_decref(change);
}

static void cut(imd_request **stream) {
  if (!*stream) return;
  note("the server cuts the stream");
  imd_request_reject(*stream, "cut", NULL);
  *stream = NULL;
}

/* ---- Actions ------------------------------------------------------------------------------- */

static void dispatch(client *client, random_source *source) {
  static const char *const plain[] = {"ui/categoryList/onAppear", "ui/animalList/onAppear",
                                      "ui/categoryList/onTapReloadSampleDataButton"};
  char action[256];
  int kind = random_below(source, 6), number = random_below(source, 4);
  const char *name = "a name";
  if (kind == 5 && !has_feature(LOST_UPDATE)) kind = 3;
  if (kind < 3)
    snprintf(action, sizeof action, "{\"type\":\"%s\"}", plain[kind]);
  else if (kind == 3)
    snprintf(action, sizeof action,
             "{\"type\":\"ui/animalEditor/onTapAddAnimalButton\",\"payload\":{\"id\":\"new%d\","
             "\"name\":\"%s\",\"diet\":\"Herbivore\",\"categoryId\":\"Bird\"}}", number, name);
  else if (kind == 4)
    snprintf(action, sizeof action,
             "{\"type\":\"ui/animalList/onTapDeleteSelectedAnimalButton\",\"payload\":{"
             "\"animalId\":\"A%d\"}}", number);
  else
    snprintf(action, sizeof action,
             "{\"type\":\"ui/animalEditor/onTapUpdateAnimalButton\",\"payload\":{\"animalId\":"
             "\"A%d\",\"name\":\"%s\",\"diet\":\"Herbivore\",\"categoryId\":\"Bird\"}}", number,
             name);
  note("dispatch %s", action);
  imd_status status = imd_store_dispatch(client->store, action, IMD_ZERO_TERMINATED, NULL);
  EXPECT(status == IMD_OK || (kind > 3 && status == IMD_REDUCER_FAILED), "%s",
         imd_status_name(status));
}

/* Every effect completed its change, and a preview begins none. The client may query the server at any
 * time, because it follows its changes. */
static void check_settled(client *client) {
  settle(client);
  int mutations = server_mutations(client->server);
  preview(client);
  settle(client);
  EXPECT(server_mutations(client->server) == mutations, "a preview has effects");
  json_t *waiting = query(client, "[animals.status, categories.status, values(animals.queue)][]"
                                  " | length([?waiting])");
  EXPECT(json_integer_value(waiting) == 0, "%d changes still wait for an outcome",
         (int)json_integer_value(waiting));
  json_decref(waiting);
  server_check(client->server);
  if (!client->server->is_reliable) return;
  json_t *failed = query(client, "[animals.status, categories.status][?failure]");
  EXPECT(json_array_size(failed) == 0, "every request was answered, and the client has a failure");
  json_decref(failed);
}

static void play(client *client, random_source *source, imd_request **stream) {
  for (int i = 1 + random_below(source, ACTIONS_OF_A_ROUND); i > 0; i--) {
    int kind = random_below(source, 10);
    if (kind < 6) dispatch(client, source);
    else if (kind < 8 && has_feature(FOLLOWING)) change(client, stream);
    else if (kind < 9) use_fetcher(client);
    else if (has_feature(FOLLOWING) && random_chance(source, 20)) cut(stream);
  }
  imd_status status = imd_store_settle(client->store, random_below(source, 2), NULL);
  EXPECT(status == IMD_OK || status == IMD_TIMEOUT, "%s", imd_status_name(status));
  check_settled(client);
  if (has_feature(FOLLOWING)) reconcile(client, stream);
}

void run_client(const run *run) {
  random_source source = {run->seed};
  server server;
  for (long calls = 0; calls < run->calls; calls += ROUNDS_OF_A_STORE) {
    client client;
    imd_request *stream = NULL;
    server_begin(&server, random_next(&source));
    server.is_reliable = random_chance(&source, 50);
    server.may_race = has_feature(RACING_ANSWERS);
    open_client(&client, &server, random_chance(&source, 50));
    for (int i = 0; i < ROUNDS_OF_A_STORE; i++) play(&client, &source, &stream);
    /* Closed during its work. */
    for (int i = 0; i < ACTIONS_OF_A_ROUND; i++) dispatch(&client, &source);
    close_client(&client);
    server_end(&server);
  }
}
