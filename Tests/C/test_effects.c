/* Effects in a C program that acts as the animals server. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <immutabledata.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t counted = PTHREAD_COND_INITIALIZER;

/* The behavior of the server, and the requests that it received. */
typedef struct {
  const char *answer;
  int status;
  enum { IMMEDIATELY, LATER, TWICE, NEVER, REFUSED, IN_PARTS, TOO_LONG } behavior;
  int released;
  char body[256], url[128], type[64];
  imd_request *last, *stream;
  imd_status again;
  atomic_int asked, followed, returned; /* counted after the fields above are set */
} server;

static const imd_header json[] = {{"Content-Type", "application/json"}};
static const imd_header events[] = {{"Content-Type", "text/event-stream"}};

static const char categories[] =
    "{\"query\":[{\"categories\":{\"categories\":[{\"categoryId\":\"Bird\",\"name\":\"Bird\"}]}}]}";
static const char animals[] =
    "{\"query\":[{\"animals\":{\"animals\":[{\"animalId\":\"Owl\",\"categoryId\":\"Bird\","
    "\"diet\":\"Carnivore\",\"name\":\"Owl\"}]}}]}";

static imd_status resolve(server *server, imd_request *request) {
  return imd_request_resolve(request, server->status, json, 1, server->answer, IMD_ZERO_TERMINATED,
                           NULL);
}

static void count(atomic_int *counter) {
  pthread_mutex_lock(&mutex);
  ++*counter;
  pthread_cond_broadcast(&counted);
  pthread_mutex_unlock(&mutex);
}

static void wait_for(atomic_int *counter, int wanted) {
  pthread_mutex_lock(&mutex);
  while (*counter < wanted) pthread_cond_wait(&counted, &mutex);
  pthread_mutex_unlock(&mutex);
  CHECK(*counter == wanted);
}

/* Answers after the fetch function has returned. */
static void *resolve_later(void *context) {
  server *server = context;
  wait_for(&server->returned, 1);
  CHECK(resolve(server, server->last) == IMD_OK);
  return NULL;
}

static void take(server *server, imd_request *request, const imd_request_info *info) {
  pthread_t thread;
  CHECK(info->body[info->body_length] == 0);
  if (info->is_streamed) {
    CHECK(strcmp(info->method, "GET") == 0 && info->body_length == 0);
    server->stream = request;
    count(&server->followed);
    return;
  }
  CHECK(strcmp(info->method, "POST") == 0);
  server->last = request;
  snprintf(server->body, sizeof server->body, "%s", info->body);
  snprintf(server->url, sizeof server->url, "%s", info->url);
  for (size_t i = 0; i < info->header_count; i++)
    if (strcmp(info->headers[i].name, "Content-Type") == 0)
      snprintf(server->type, sizeof server->type, "%s", info->headers[i].value);
  count(&server->asked);
  switch (server->behavior) {
  case IMMEDIATELY: CHECK(resolve(server, request) == IMD_OK); break;
  case LATER:
    CHECK(pthread_create(&thread, NULL, resolve_later, server) == 0);
    CHECK(pthread_detach(thread) == 0);
    break;
  case TWICE:
    CHECK(resolve(server, request) == IMD_OK);
    server->again = resolve(server, request);
    break;
  case NEVER: break;
  case REFUSED: CHECK(imd_request_reject(request, "connection refused", NULL) == IMD_OK); break;
  case IN_PARTS:
    for (const char *part = server->answer; *part; part++)
      CHECK(imd_request_receive(request, server->status, json, 1, part, 1, NULL) == IMD_OK);
    CHECK(imd_request_resolve(request, 500, NULL, 0, NULL, 0, NULL) == IMD_OK);
    break;
  case TOO_LONG: {
    size_t length = (64u << 20) + 1;
    char *garbage = calloc(1, length);
    CHECK(imd_request_resolve(request, 200, json, 1, garbage, length, NULL) == IMD_LIMIT);
    free(garbage);
    break;
  }
  }
}

static void fetch(void *context, imd_request *request, const imd_request_info *info) {
  server *server = context;
  take(server, request, info);
  if (!info->is_streamed) count(&server->returned);
}

static void count_release(void *context) { ((server *)context)->released++; }

static imd_store *open_remote(server *server, const char *options) {
  imd_store *store = NULL;
  CHECK(imd_store_open("animals", options, IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
  CHECK(imd_store_set_fetch(store, fetch, server, count_release, NULL) == IMD_OK);
  return store;
}

static void dispatch(imd_store *store, const char *type) {
  char action[128];
  snprintf(action, sizeof action, "{\"type\":\"%s\"}", type);
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
}

static void check_select(imd_store *store, const char *selector, const char *arguments,
                         const char *expected) {
  char *text = NULL;
  CHECK(imd_store_select(store, selector, arguments, arguments ? IMD_ZERO_TERMINATED : 0, &text,
                         NULL, NULL) == IMD_OK);
  CHECK_TEXT(text ? text : "", expected);
  imd_free(text);
}

static const char remote[] = "{\"remote\":\"http://127.0.0.1:1\",\"timeout\":10000}";

static void test_answers(void) {
  const int behaviors[] = {IMMEDIATELY, LATER, TWICE, IN_PARTS};
  for (int i = 0; i < 4; i++) {
    server server = {.answer = categories, .status = 200, .behavior = behaviors[i]};
    imd_store *store = open_remote(&server, remote);
    dispatch(store, "ui/categoryList/onAppear");
    CHECK(imd_store_settle(store, 10000, NULL) == IMD_OK);
    check_select(store, "selectCategories", NULL,
                 "{\"Bird\":{\"categoryId\":\"Bird\",\"name\":\"Bird\"}}");
    CHECK_TEXT(server.body, "{\"query\":[{\"categories\":{}}]}");
    CHECK_TEXT(server.url, "http://127.0.0.1:1/animals/api");
    CHECK_TEXT(server.type, "application/json");
    CHECK(server.asked == 1);
    if (behaviors[i] == TWICE) {
      wait_for(&server.returned, 1); /* the first answer ended the effect */
      CHECK(server.again == IMD_CLOSED);
    }
    imd_store_close(store);
    CHECK(server.released == 1);
    CHECK(resolve(&server, server.last) == IMD_CLOSED);
  }
}

static void test_failures(void) {
  const struct {
    int behavior;
    const char *options, *status;
  } cases[] = {
      {REFUSED, remote,
       "{\"failure\":{\"error\":\"no response from http://127.0.0.1:1: connection refused\"}}"},
      {NEVER, "{\"remote\":\"http://127.0.0.1:1/\",\"timeout\":30}",
       "{\"failure\":{\"error\":\"http://127.0.0.1:1: there was no response within 30 ms\"}}"},
      {TOO_LONG, remote,
       "{\"failure\":{\"error\":\"http://127.0.0.1:1: the response is longer than 67108864 "
       "bytes\"}}"},
  };
  for (int i = 0; i < 3; i++) {
    server server = {.answer = categories, .status = 200, .behavior = cases[i].behavior};
    imd_store *store = open_remote(&server, cases[i].options);
    dispatch(store, "ui/categoryList/onAppear");
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
    check_select(store, "selectCategoriesStatus", NULL, cases[i].status);
    check_select(store, "selectCategories", NULL, "{}");
    imd_store_close(store);
  }
}

static void send_event(server *server, const char *text) {
  CHECK(imd_request_receive(server->stream, 200, events, 1, text, strlen(text), NULL) == IMD_OK);
}

/* Changes by others arrive in a stream of events. */
static void test_following(void) {
  server server = {.answer = animals, .status = 200};
  imd_store *store = open_remote(&server, remote);
  wait_for(&server.followed, 1);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  send_event(&server, "id: 1\nevent: reset\ndata: {}\n\n");
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  CHECK(server.asked == 0); /* nothing has been fetched yet */
  dispatch(store, "ui/animalList/onAppear");
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  send_event(&server, ": still here\n\nid: 2\nevent: change\ndata: {\"updateAnimal\":{\"animal\":{");
  send_event(&server, "\"animalId\":\"Owl\",\"categoryId\":\"Bird\",\"diet\":\"Carnivore\","
                      "\"name\":\"Barn owl\"}}}\n\n");
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  check_select(store, "selectAnimal", "{\"animalId\":\"Owl\"}",
               "{\"animalId\":\"Owl\",\"categoryId\":\"Bird\",\"diet\":\"Carnivore\","
               "\"name\":\"Barn owl\"}");
  /* It reconnects after a lost connection. */
  CHECK(imd_request_reject(server.stream, "cut", NULL) == IMD_OK);
  wait_for(&server.followed, 2);
  imd_store_close(store);
  CHECK(imd_request_receive(server.stream, 200, events, 1, ":\n", 2, NULL) == IMD_CLOSED);
  CHECK(server.released == 1);
}

/* Closing wakes an effect that waits. */
static void test_closing(void) {
  server server = {.answer = categories, .status = 200, .behavior = NEVER};
  imd_store *store = open_remote(&server, remote);
  imd_error error;
  dispatch(store, "ui/categoryList/onAppear");
  CHECK(imd_store_settle(store, 20, &error) == IMD_TIMEOUT);
  CHECK_TEXT(error.message, "an effect is still in flight after 20 ms");
  wait_for(&server.asked, 1);
  imd_store_close(store);
  CHECK(server.released == 1);
  CHECK(resolve(&server, server.last) == IMD_CLOSED);
  CHECK(imd_store_settle(store, 0, NULL) == IMD_CLOSED);
}

static void record_status(void *context, const imd_error *error) {
  *(imd_status *)context = error->status;
}

static void test_long_reason(void) {
  server server = {.answer = categories, .status = 200, .behavior = NEVER};
  imd_store *store = open_remote(&server, remote);
  imd_error error;
  dispatch(store, "ui/categoryList/onAppear");
  wait_for(&server.asked, 1);
  imd_request *request = server.last;
  CHECK(imd_set_limit(IMD_LIMIT_INPUT, 8, NULL) == IMD_OK);
  CHECK(imd_request_reject(request, "too long.", &error) == IMD_LIMIT);
  CHECK_TEXT(error.message, "reason has more than 8 bytes, which is the input limit");
  CHECK(imd_set_limit(IMD_LIMIT_INPUT, 256 << 20, NULL) == IMD_OK);
  CHECK(imd_request_reject(request, "no", NULL) == IMD_CLOSED);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  check_select(store, "selectCategoriesStatus", NULL,
               "{\"failure\":{\"error\":\"http://127.0.0.1:1: reason has more than 8 bytes, "
               "which is the input limit\"}}");
  imd_store_close(store);
}

/* The texts of a response are subject to the input limit, too. One beyond it ends the request. */
static void test_long_response(int is_part, imd_header header, const char *body,
                               const char *which) {
  server server = {.answer = categories, .status = 200, .behavior = NEVER};
  imd_store *store = open_remote(&server, remote);
  imd_error error;
  imd_status failure = IMD_OK;
  char message[96], status[192];
  CHECK(imd_store_set_effect_error_handler(store, record_status, &failure, NULL, NULL) == IMD_OK);
  snprintf(message, sizeof message, "%s has more than 8 bytes, which is the input limit", which);
  snprintf(status, sizeof status,
           "{\"failure\":{\"error\":\"http://127.0.0.1:1: %s\"}}", message);
  const imd_header headers[] = {{"12345678", "12345678"}, header};
  dispatch(store, "ui/categoryList/onAppear");
  wait_for(&server.asked, 1);
  imd_request *request = server.last;
  CHECK(imd_set_limit(IMD_LIMIT_INPUT, 8, NULL) == IMD_OK);
  CHECK(imd_request_receive(request, 200, headers, 1, "{", 1, NULL) == IMD_OK);
  CHECK((is_part ? imd_request_receive : imd_request_resolve)(request, 200, headers, 2, body,
                                                              IMD_ZERO_TERMINATED, &error) ==
        IMD_LIMIT);
  CHECK_TEXT(error.message, message);
  CHECK(imd_set_limit(IMD_LIMIT_INPUT, 256 << 20, NULL) == IMD_OK);
  CHECK(imd_request_resolve(request, 200, json, 1, "{}", 2, NULL) == IMD_CLOSED);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  check_select(store, "selectCategoriesStatus", NULL, status);
  imd_store_close(store);
  CHECK(failure == IMD_LIMIT);
}

static void test_bad_input(void) {
  server server = {.answer = categories, .status = 200, .behavior = NEVER};
  imd_store *store = open_remote(&server, remote);
  imd_error error;
  dispatch(store, "ui/categoryList/onAppear");
  wait_for(&server.asked, 1);
  imd_request *request = server.last;
  const imd_header nameless[] = {{NULL, "x"}}, valueless[] = {{"x", NULL}};
  CHECK(imd_request_resolve(NULL, 200, NULL, 0, NULL, 0, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_request_receive(NULL, 200, NULL, 0, NULL, 0, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_request_reject(NULL, "x", NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_request_reject(request, NULL, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_request_resolve((imd_request *)store, 200, NULL, 0, NULL, 0, &error) ==
        IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message,
             "request was never a valid imd_request *; pass one that this library "
             "returned");
  CHECK(imd_request_resolve(request, 200, NULL, 1, NULL, 0, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_request_resolve(request, 200, nameless, 1, NULL, 0, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_request_resolve(request, 200, valueless, 1, NULL, 0, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_request_resolve(request, 200, json, 1, NULL, 5, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_request_receive(request, 200, json, 1, NULL, (size_t)-5, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_store_set_fetch(NULL, fetch, NULL, NULL, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(imd_store_settle(NULL, 0, NULL) == IMD_INVALID_ARGUMENT);
  /* No request was answered. */
  CHECK(imd_request_reject(request, "caf\xe9", NULL) == IMD_OK);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  check_select(store, "selectCategoriesStatus", NULL,
               "{\"failure\":{\"error\":\"no response from http://127.0.0.1:1: "
               "caf\xef\xbf\xbd\"}}");
  CHECK(imd_store_set_fetch(store, NULL, NULL, NULL, NULL) == IMD_OK);
  CHECK(server.released == 1);
  /* Without a function, the context is released at once. */
  CHECK(imd_store_set_fetch(store, NULL, &server, count_release, NULL) == IMD_OK);
  CHECK(server.released == 2);
  imd_store_close(store);
  CHECK(imd_store_set_fetch(store, fetch, NULL, NULL, &error) == IMD_CLOSED);

  CHECK(imd_store_open("animals", "{\"store\":\"/no/such/x\"}", IMD_ZERO_TERMINATED, &store,
                       &error) == IMD_IO);
  CHECK(strstr(error.message, "does not exist") != NULL);
}

/* A response beyond a limit ends its request, so that no effect waits for another response. */
static void test_limits(size_t header_count, size_t length) {
  server server = {.answer = categories, .status = 200, .behavior = NEVER};
  imd_store *store = open_remote(&server, remote);
  dispatch(store, "ui/categoryList/onAppear");
  wait_for(&server.asked, 1);
  CHECK(imd_request_resolve(server.last, 200, json, header_count, "x", length, NULL) == IMD_LIMIT);
  CHECK(imd_request_resolve(server.last, 200, json, 1, "x", 1, NULL) == IMD_CLOSED);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  char *text = NULL;
  CHECK(imd_store_select(store, "selectCategoriesStatus", NULL, 0, &text, NULL, NULL) == IMD_OK);
  CHECK(text != NULL && strncmp(text, "{\"failure\":", 11) == 0);
  imd_free(text);
  imd_store_close(store);
}

/* A database: an added animal exists after the store is reopened. */
static void test_database(void) {
  char path[] = "/tmp/animals-XXXXXX", options[64];
  int file = mkstemp(path);
  CHECK(file >= 0);
  close(file);
  snprintf(options, sizeof options, "{\"store\":\"%s\"}", path);
  for (int i = 0; i < 2; i++) {
    imd_store *store = NULL;
    CHECK(imd_store_open("animals", options, IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
    dispatch(store, "ui/animalList/onAppear");
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
    check_select(store, "selectAnimalStatus", "{\"animalId\":\"Dog\"}", "null");
    char *text = NULL;
    CHECK(imd_store_query(store, "animals.data.Dog.name", NULL, 0, &text, NULL, NULL) == IMD_OK);
    CHECK_TEXT(text ? text : "", i == 0 ? "\"Dog\"" : "\"Rex\"");
    imd_free(text);
    const char *action =
        "{\"type\":\"ui/animalEditor/onTapUpdateAnimalButton\",\"payload\":{\"animalId\":\"Dog\","
        "\"name\":\"Rex\",\"diet\":\"Omnivore\",\"categoryId\":\"Mammal\"}}";
    CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL) == IMD_OK);
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
    check_select(store, "selectAnimalStatus", "{\"animalId\":\"Dog\"}", "{\"success\":{}}");
    imd_store_close(store);
  }
  unlink(path);
  strcat(strcpy(options, path), "-wal");
  unlink(options);
  strcat(strcpy(options, path), "-shm");
  unlink(options);
}

int main(void) {
  test_answers();
  test_failures();
  test_following();
  test_closing();
  test_long_reason();
  for (int is_part = 0; is_part < 2; is_part++) {
    test_long_response(is_part, (imd_header){"123456789", "x"}, "}", "the name of a header");
    test_long_response(is_part, (imd_header){"x", "123456789"}, "}", "the value of a header");
    test_long_response(is_part, (imd_header){"x", "y"}, "123456789", is_part ? "part" : "body");
  }
  test_bad_input();
  test_limits(1001, 1);
  test_limits((size_t)-5, 1);
  test_limits(1, (size_t)-5);
  test_database();
  return check_report();
}
