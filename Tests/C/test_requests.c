/* Requests end exactly once, and the state follows the server. The program acts as the server of
 * animals.
 *
 *     test_requests [REQUESTS] */
#define _POSIX_C_SOURCE 200809L

#include "query.h"

#include <immutabledata.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const imd_header json[] = {{"Content-Type", "application/json"}};
static const imd_header events[] = {{"Content-Type", "text/event-stream"}};

/* ---- Events that a test waits for ------------------------------------------------------------ */

static pthread_mutex_t events_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;

static void count_up(atomic_int *count) {
  pthread_mutex_lock(&events_lock);
  (*count)++;
  pthread_cond_broadcast(&event);
  pthread_mutex_unlock(&events_lock);
}

static struct timespec deadline_of_events(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  return deadline;
}

/* ---- A server of one owl --------------------------------------------------------------------- */

typedef struct {
  const char *name; /* the name of the owl; NULL if the server is unreachable */
  int status;       /* the status of responses to changes; 0 if the test responds */
  char token[64], last_id[16];
  imd_request *held;
  pthread_mutex_t lock;
  imd_request *stream; /* guarded by lock */
  atomic_int streams, holds;
} server;

static void answer(server *server, imd_request *request, const char *body) {
  char owl[128], text[512];
  if (server->name == NULL) {
    CHECK(imd_request_reject(request, "connection refused", NULL) == IMD_OK);
    return;
  }
  snprintf(owl, sizeof owl,
           "{\"animalId\":\"Owl\",\"categoryId\":\"Bird\",\"diet\":\"Carnivore\",\"name\":\"%s\"}",
           server->name);
  const char *categories =
      strstr(body, "categories")
          ? ",{\"categories\":{\"categories\":[{\"categoryId\":\"Bird\",\"name\":\"Bird\"}]}}"
          : "";
  snprintf(text, sizeof text, "{\"query\":[{\"animals\":{\"animals\":[%s]}}%s]}", owl, categories);
  CHECK(imd_request_resolve(request, 200, json, 1, text, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
}

static void fetch(void *context, imd_request *request, const imd_request_info *info) {
  server *server = context;
  for (size_t i = 0; i < info->header_count; i++) {
    const imd_header *header = &info->headers[i];
    if (strcmp(header->name, "Authorization") == 0)
      snprintf(server->token, sizeof server->token, "%s", header->value);
    if (strcmp(header->name, "Last-Event-ID") == 0)
      snprintf(server->last_id, sizeof server->last_id, "%s", header->value);
  }
  if (info->is_streamed) {
    pthread_mutex_lock(&server->lock);
    server->stream = request;
    pthread_mutex_unlock(&server->lock);
    count_up(&server->streams);
  } else if (strstr(info->body, "mutation") == NULL) {
    answer(server, request, info->body);
  } else if (server->status != 0) {
    CHECK(imd_request_resolve(request, server->status, json, 1, "{}", 2, NULL) == IMD_OK);
  } else {
    server->held = request;
    count_up(&server->holds);
  }
}

static void wait_for(atomic_int *count, int wanted) {
  struct timespec deadline = deadline_of_events();
  pthread_mutex_lock(&events_lock);
  while (*count < wanted && pthread_cond_timedwait(&event, &events_lock, &deadline) == 0) {
  }
  pthread_mutex_unlock(&events_lock);
  CHECK(*count >= wanted);
}

static imd_status send_event(server *server, const char *text) {
  pthread_mutex_lock(&server->lock);
  imd_request *stream = server->stream;
  pthread_mutex_unlock(&server->lock);
  return imd_request_receive(stream, 200, events, 1, text, strlen(text), NULL);
}

static imd_store *open_store(server *server, const char *options) {
  imd_store *store = NULL;
  pthread_mutex_init(&server->lock, NULL);
  CHECK(imd_store_open("animals", options, IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
  CHECK(imd_store_set_fetch(store, fetch, server, NULL, NULL) == IMD_OK);
  wait_for(&server->streams, 1);
  return store;
}

static void dispatch(imd_store *store, const char *action) {
  imd_error error;
  if (!CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_OK))
    fprintf(stderr, "  %s\n", error.message);
}

/* An output that a test waits for. It is seen even if it does not last. */
typedef struct {
  const char *selector, *prefix;
  imd_observation *observation;
  int is_seen; /* guarded by events_lock */
} awaited_output;

static void look_at_output(void *context, const imd_delivery *delivery) {
  awaited_output *output = context;
  char *text = NULL;
  CHECK(imd_value_text(delivery->value, &text, NULL, NULL) == IMD_OK);
  pthread_mutex_lock(&events_lock);
  if (text && strncmp(text, output->prefix, strlen(output->prefix)) == 0) output->is_seen = 1;
  pthread_cond_broadcast(&event);
  pthread_mutex_unlock(&events_lock);
  imd_free(text);
}

/* Begins to wait until the output of a selector begins with a prefix. */
static void begin_waiting(imd_store *store, awaited_output *output) {
  CHECK(imd_store_observe(store, output->selector, NULL, 0, NULL, 0, look_at_output, output, NULL,
                          &output->observation, NULL) == IMD_OK);
}

static void end_waiting(awaited_output *output) {
  struct timespec deadline = deadline_of_events();
  pthread_mutex_lock(&events_lock);
  while (!output->is_seen && pthread_cond_timedwait(&event, &events_lock, &deadline) == 0) {
  }
  pthread_mutex_unlock(&events_lock);
  imd_observation_cancel(output->observation);
  if (!CHECK(output->is_seen))
    fprintf(stderr, "  %s never was %s\n", output->selector, output->prefix);
}

static void wait_for_output(imd_store *store, const char *selector, const char *prefix) {
  awaited_output output = {.selector = selector, .prefix = prefix};
  begin_waiting(store, &output);
  end_waiting(&output);
}

static const char remote[] = "{\"remote\":\"http://127.0.0.1:1\",\"timeout\":10000}";
static const char appear[] = "{\"type\":\"ui/animalList/onAppear\"}";
static const char update[] =
    "{\"type\":\"ui/animalEditor/onTapUpdateAnimalButton\",\"payload\":{\"animalId\":\"Owl\","
    "\"name\":\"X\",\"diet\":\"Carnivore\",\"categoryId\":\"Bird\"}}";

/* ---- The state follows the server ------------------------------------------------------------ */

static void test_resets(void) {
  server server = {.name = "v1"};
  imd_store *store = open_store(&server, remote);
  dispatch(store, appear);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  for (int i = 1; i <= 4; i++) {
    char name[8], text[64], expected[8];
    snprintf(name, sizeof name, "v%d", i);
    snprintf(text, sizeof text, "id: %d\nevent: reset\ndata: {}\n\n", i);
    snprintf(expected, sizeof expected, "\"v%d\"", i);
    server.name = name;
    CHECK(send_event(&server, text) == IMD_OK);
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
    check_query(store, "animals.data.Owl.name", expected);
  }
  imd_store_close(store);
}

/* A failed refetch is retried, and so is a fetch that failed in the meantime. */
static void test_failed_refetch(void) {
  server server = {.name = "v1"};
  imd_store *store = open_store(&server, remote);
  dispatch(store, appear);
  CHECK(send_event(&server, "id: 1\nevent: reset\ndata: {}\n\n") == IMD_OK);
  wait_for_output(store, "selectConnection", "{\"following\":");
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  server.name = NULL;
  CHECK(send_event(&server, "id: 2\nevent: reset\ndata: {}\n\n") == IMD_OK);
  wait_for(&server.streams, 2);
  CHECK_TEXT(server.last_id, "");
  dispatch(store, "{\"type\":\"ui/categoryList/onAppear\"}");
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  server.name = "v2";
  CHECK(send_event(&server, "id: 3\nevent: reset\ndata: {}\n\n") == IMD_OK);
  wait_for_output(store, "selectConnection", "{\"following\":");
  check_query(store, "[animals.data.Owl.name, animals.status, categories.status]",
              "[\"v2\",{\"success\":{}},{\"success\":{}}]");
  imd_store_close(store);
}

static void test_lost_connection(void) {
  server server = {.name = "v1"};
  imd_store *store = open_store(&server, remote);
  wait_for_output(store, "selectConnection", "{\"connecting\":{}}");
  CHECK(send_event(&server, "id: 7\nevent: reset\ndata: {}\n\n") == IMD_OK);
  wait_for_output(store, "selectConnection", "{\"following\":{}}");
  CHECK(imd_request_reject(server.stream, "connection reset", NULL) == IMD_OK);
  wait_for(&server.streams, 2);
  wait_for_output(store, "selectConnection", "{\"retrying\":{\"error\":\"cannot reach ");
  CHECK_TEXT(server.last_id, "7");
  /* The server sets its own heartbeat, and is silent for more than two and a half of them. */
  const imd_header head[] = {{"Content-Type", "text/event-stream"}, {"Animals-Heartbeat", "40"}};
  awaited_output following = {.selector = "selectConnection", .prefix = "{\"following\":{}}"};
  begin_waiting(store, &following);
  CHECK(imd_request_receive(server.stream, 200, head, 2, NULL, 0, NULL) == IMD_OK);
  end_waiting(&following);
  wait_for(&server.streams, 3);
  /* Without a function there is no connection; setting another one reconnects. */
  CHECK(imd_store_set_fetch(store, NULL, NULL, NULL, NULL) == IMD_OK);
  wait_for_output(store, "selectConnection", "null");
  CHECK(send_event(&server, ": still here\n") == IMD_CLOSED);
  int streams = server.streams;
  CHECK(imd_store_set_fetch(store, fetch, &server, NULL, NULL) == IMD_OK);
  wait_for(&server.streams, streams + 1);
  imd_store_close(store);
}

/* A change ends even if another client deleted the animal in the meantime. */
static void test_update_of_a_deleted_animal(const char *options) {
  server server = {.name = "Owl"};
  imd_store *store = open_store(&server, options);
  dispatch(store, appear);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  dispatch(store, "{\"type\":\"ui/animalEditor/onTapAddAnimalButton\",\"payload\":{\"id\":\"new\","
                  "\"name\":\"X\",\"diet\":\"Carnivore\",\"categoryId\":\"Bird\"}}");
  wait_for(&server.holds, 1);
  server.status = 404;
  CHECK(send_event(&server, "id: 5\nevent: change\ndata: {\"deleteAnimal\":{\"animal\":{\"animalId\":"
                      "\"Owl\",\"categoryId\":\"Bird\",\"diet\":\"Carnivore\",\"name\":\"Owl\"}}}"
                      "\n\n") == IMD_OK);
  dispatch(store, update);
  CHECK(imd_request_reject(server.held, "no", NULL) == IMD_OK);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  check_query(store, "[animals.data, animals.queue.Owl]",
              "[{},{\"failure\":{\"error\":\"http://127.0.0.1:1 answered with status 404\"}}]");
  /* Nothing is in flight: a later outcome rolls back nothing. */
  dispatch(store, "{\"type\":\"data/persistentSession/didUpdateAnimal\",\"payload\":{\"animalId\":"
                  "\"Owl\",\"result\":{\"failure\":{\"error\":\"late\"}}}}");
  check_query(store, "animals", "{\"data\":{},\"queue\":{\"Owl\":{\"failure\":{\"error\":\"late\"}},"
                                "\"new\":{\"failure\":{\"error\":\"cannot reach http://127.0.0.1:1: "
                                "no\"}}},\"status\":{\"success\":{}}}");
  imd_store_close(store);
}

/* ---- Requests end exactly once --------------------------------------------------------------- */

/* The number of requests. None may leak memory. */
static int requests = 10000;

typedef struct {
  imd_request *_Atomic request;
  atomic_int round, done, won;
} race;

static void take_request(void *context, imd_request *request, const imd_request_info *info) {
  race *race = context;
  if (info->is_streamed) return;
  race->won = 0;
  race->request = request;
  race->round++;
}

static void *answer_all(void *context) {
  race *race = context;
  for (int round = 1; round <= requests / 20; round++) {
    while (race->round < round) sched_yield();
    imd_status status = imd_request_resolve(
        race->request, 200, json, 1,
        "{\"query\":[{\"categories\":{\"categories\":[{\"categoryId\":\"Bird\",\"name\":\"Bird\"}]}}]}",
        IMD_ZERO_TERMINATED, NULL);
    CHECK(status == IMD_OK || status == IMD_CLOSED);
    if (status == IMD_OK) race->won++;
    count_up(&race->done);
  }
  return NULL;
}

static void test_two_answers(void) {
  race race = {0};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, answer_all, &race) == 0);
  for (int round = 1; round <= requests / 20; round++) {
    imd_store *store = NULL;
    CHECK(imd_store_open("animals", remote, IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
    CHECK(imd_store_set_fetch(store, take_request, &race, NULL, NULL) == IMD_OK);
    dispatch(store, "{\"type\":\"ui/categoryList/onAppear\"}");
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
    wait_for(&race.done, 2 * round);
    CHECK(race.won == 1);
    check_query(store, "categories.status", "{\"success\":{}}");
    imd_store_close(store);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

static long resident_kilobytes(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  CHECK(fscanf(file, "%ld %ld", &size, &resident) == 2);
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

#if defined(__SANITIZE_ADDRESS__)
#define DELAYS_FREEING 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DELAYS_FREEING 1
#endif
#endif

/* No part of a request stays in memory. A leak would take 80 MB. */
static void test_memory(void) {
  enum { LENGTH = 8000 };
  static char name[LENGTH + 1], action[LENGTH + 256];
  memset(name, 'n', LENGTH);
  snprintf(action, sizeof action,
           "{\"type\":\"ui/animalEditor/onTapAddAnimalButton\",\"payload\":{\"id\":\"same\","
           "\"name\":\"%s\",\"diet\":\"Carnivore\",\"categoryId\":\"Bird\"}}",
           name);
  server server = {.name = "Owl", .status = 500};
  imd_store *store = open_store(&server, remote);
  long before = 0;
  for (int i = 0; i < requests + requests / 10; i++) {
    if (i == requests / 10) before = resident_kilobytes();
    dispatch(store, action);
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  }
  long growth = resident_kilobytes() - before;
#ifdef DELAYS_FREEING
  growth = 0;
#endif
  if (!CHECK(growth < 40000)) fprintf(stderr, "  grew by %ld KB\n", growth);
  imd_store_close(store);
}

/* ---- The token ------------------------------------------------------------------------------- */

static void test_token(void) {
  server server = {.name = "v1"};
  imd_store *store =
      open_store(&server, "{\"remote\":\"http://127.0.0.1:1\",\"token\":\"s3cret\"}");
  CHECK_TEXT(server.token, "Bearer s3cret");
  server.token[0] = 0;
  dispatch(store, appear);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  CHECK_TEXT(server.token, "Bearer s3cret");
  imd_store_close(store);

  imd_error error;
  CHECK(imd_store_open("animals", "{\"remote\":\"http://h\",\"token\":\"s3cret\\r\\nX: y\"}",
                       IMD_ZERO_TERMINATED, &store, &error) == IMD_INVALID_ARGUMENT);
  CHECK(strstr(error.message, "options/token: ") == error.message);
  CHECK(strstr(error.message, "s3cret") == NULL);
}

int main(int count, char **arguments) {
  if (count > 1) requests = atoi(arguments[1]);
  test_resets();
  test_failed_refetch();
  test_lost_connection();
  test_update_of_a_deleted_animal(remote);
  test_update_of_a_deleted_animal(
      "{\"remote\":\"http://127.0.0.1:1\",\"timeout\":10000,\"optimistic\":true}");
  test_two_answers();
  test_memory();
  test_token();
  return check_report();
}
