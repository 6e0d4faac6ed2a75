/* A driver that keeps logs in memory, and answers some calls on a thread of its own. */
#include "check.h"

#include <immutabledata_log.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_LIMIT = 5000, STORE_LIMIT = 8 };

typedef struct {
  imd_log_place place;
  char *text;
  size_t length;
  char origin[33];
  int64_t counter;
} kept_entry;

/* The only log of the driver. */
static struct {
  pthread_mutex_t lock;
  char *header, *base;
  size_t header_length, base_length;
  kept_entry entries[ENTRY_LIMIT];
  size_t count;
  imd_log_watch *watches[STORE_LIMIT];
  int is_down;
  int answers_wrongly;
  int64_t snapshot, trimmed; /* numbers of entries */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const imd_log_engine *engine;

static char *copy(const char *text, size_t length) {
  char *copied = malloc(length + 1);
  CHECK(copied != NULL);
  memcpy(copied, text, length);
  copied[length] = 0;
  return copied;
}

static imd_log_place head(void) {
  const imd_log_place beginning = {0, {0}};
  return server.count == 0 ? beginning : server.entries[server.count - 1].place;
}

static void answer(imd_log_call *call, const imd_log_answer *given) {
  CHECK(engine->answer(call, given) == IMD_OK);
  /* Only once. */
  CHECK(engine->answer(call, given) == IMD_CLOSED);
}

static void open_log(void *context, const imd_log_opening *opening, const imd_log_engine *given,
                     imd_log_watch *watch, void **log, imd_log_call *call) {
  CHECK(context == &server);
  engine = given;
  pthread_mutex_lock(&server.lock);
  imd_log_answer result = {.outcome = IMD_LOG_DONE, .id = "00112233445566778899aabbccddeeff"};
  if (server.header == NULL && opening->base != NULL) {
    server.header = copy(opening->header, server.header_length = opening->header_length);
    server.base = copy(opening->base, server.base_length = opening->base_length);
  }
  for (int i = 0; i < STORE_LIMIT; i++)
    if (server.watches[i] == NULL) {
      server.watches[i] = watch;
      *log = &server.watches[i];
      break;
    }
  if (server.header == NULL) result.outcome = IMD_LOG_ABSENT;
  result.text = server.header;
  result.length = server.header_length;
  result.head = head();
  pthread_mutex_unlock(&server.lock);
  answer(call, &result);
}

/* Whether the server is down, which answers the call. */
static int is_down(imd_log_call *call, imd_log_outcome outcome) {
  if (!server.is_down) return 0;
  answer(call, &(imd_log_answer){.outcome = outcome, .message = "the server is down"});
  return 1;
}

static void append(void *log, const imd_log_place *after, const imd_log_entry *entries,
                   size_t count, imd_log_call *call) {
  if (is_down(call, IMD_LOG_UNAVAILABLE)) return;
  pthread_mutex_lock(&server.lock);
  imd_log_answer result = {.outcome = IMD_LOG_DONE};
  if (after != NULL && after->number != head().number) {
    result.outcome = IMD_LOG_MOVED;
  } else {
    for (size_t i = 0; i < count; i++) {
      CHECK(server.count < ENTRY_LIMIT);
      kept_entry *kept = &server.entries[server.count];
      kept->place.number = head().number + 1;
      engine->hash(head().hash, entries[i].text, entries[i].length, kept->place.hash);
      kept->text = copy(entries[i].text, kept->length = entries[i].length);
      memcpy(kept->origin, entries[i].origin, sizeof kept->origin);
      kept->counter = entries[i].counter;
      server.count++;
    }
  }
  result.head = head();
  for (int i = 0; i < STORE_LIMIT; i++)
    if (server.watches[i] != NULL && &server.watches[i] != log)
      engine->changed(server.watches[i], result.head.number);
  pthread_mutex_unlock(&server.lock);
  answer(call, &result);
}

typedef struct {
  imd_log_call *call;
  int64_t after;
} reading;

static void *answer_reading(void *argument) {
  reading *task = argument;
  if (server.answers_wrongly) {
    CHECK(engine->answer(task->call, NULL) == IMD_INVALID_ARGUMENT);
  } else {
    static imd_log_entry entries[2];
    pthread_mutex_lock(&server.lock);
    imd_log_answer result = {.outcome = IMD_LOG_DONE, .head = head(), .entries = entries};
    /* Two at a time, so that a store reads on. */
    for (size_t i = (size_t)task->after; i < server.count && result.count < 2; i++) {
      const kept_entry *kept = &server.entries[i];
      entries[result.count++] = (imd_log_entry){
          .place = kept->place, .text = kept->text, .length = kept->length,
          .origin = kept->origin, .counter = kept->counter};
    }
    CHECK(engine->answer(task->call, &result) == IMD_OK);
    pthread_mutex_unlock(&server.lock);
  }
  free(task);
  return NULL;
}

static void read_log(void *log, const imd_log_place *after, size_t limit, int hold,
                     imd_log_call *call) {
  CHECK(log != NULL && limit > 0 && (hold == 0 || hold == 1));
  if (is_down(call, IMD_LOG_UNAVAILABLE)) return;
  reading *task = malloc(sizeof *task);
  CHECK(task != NULL);
  *task = (reading){call, after->number};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, answer_reading, task) == 0);
  pthread_detach(thread);
}

static void get_snapshot(void *log, imd_log_call *call) {
  CHECK(log != NULL);
  answer(call, &(imd_log_answer){.outcome = IMD_LOG_DONE,
                                 .text = server.base,
                                 .length = server.base_length,
                                 .place.number = server.snapshot});
}

static void put_snapshot(void *log, int64_t old, const imd_log_place *place, const char *text,
                         size_t length, imd_log_call *call) {
  CHECK(log != NULL && old >= 0 && place != NULL && text != NULL && length > 0);
  answer(call, &(imd_log_answer){.outcome = IMD_LOG_REFUSED, .message = "it keeps none"});
}

static void trim(void *log, int64_t number, imd_log_call *call) {
  CHECK(log != NULL && number == server.snapshot);
  if (is_down(call, IMD_LOG_REFUSED)) return;
  server.trimmed = number;
  answer(call, &(imd_log_answer){.outcome = IMD_LOG_DONE});
}

static void close_log(void *log) {
  pthread_mutex_lock(&server.lock);
  *(imd_log_watch **)log = NULL;
  pthread_mutex_unlock(&server.lock);
}

static const imd_log_driver driver = {
    sizeof(imd_log_driver), &server, open_log, append, read_log, get_snapshot, put_snapshot, trim,
    close_log};

static imd_status add(void *context, const imd_value *state, const imd_value *action,
                      imd_value **next, imd_error *error) {
  (void)context;
  int64_t sum, added;
  imd_status status = imd_value_get_integer(state, NULL, &sum, error);
  if (status == IMD_OK) status = imd_value_get_integer(action, "/payload", &added, error);
  if (status != IMD_OK) return status;
  return imd_value_from_integer(sum + added, next, error);
}

static imd_store *open_store(void) {
  imd_store *store;
  imd_error error;
  const char *options = "{\"log\":{\"path\":\"memory://host/log\",\"timeout\":50}}";
  imd_store_create("0", 1, add, NULL, NULL, options, IMD_ZERO_TERMINATED, &store, &error);
  CHECK_TEXT(error.message, "");
  return store;
}

static const char *action = "{\"type\":\"add\",\"payload\":1}";

static void dispatch(imd_store *store) {
  imd_error error;
  imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error);
  CHECK_TEXT(error.message, "");
}

static void expect_state(imd_store *store, int64_t expected) {
  imd_value *state;
  int64_t sum = 0;
  CHECK(imd_store_refresh(store, NULL) == IMD_OK);
  CHECK(imd_store_state(store, &state, NULL) == IMD_OK);
  CHECK(imd_value_get_integer(state, NULL, &sum, NULL) == IMD_OK && sum == expected);
  imd_value_release(state);
}

static void *dispatch_many(void *store) {
  for (int i = 0; i < 100; i++)
    dispatch(store);
  return NULL;
}

static void test_registering(void) {
  imd_error error;
  CHECK(imd_register_log(NULL, &driver, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_register_log("memory", NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_register_log("Memory", &driver, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_register_log("", &driver, &error) == IMD_INVALID_ARGUMENT);
  imd_log_driver wrong = driver;
  wrong.size = 1;
  CHECK(imd_register_log("memory", &wrong, &error) == IMD_INVALID_ARGUMENT);
  wrong = driver;
  wrong.trim = NULL;
  CHECK(imd_register_log("memory", &wrong, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "driver: a function is NULL; set all of them");
  CHECK(imd_register_log("memory", &driver, &error) == IMD_OK);
}

static void test_two_stores(void) {
  imd_store *first = open_store(), *second = open_store();
  dispatch(first);
  dispatch(second);
  expect_state(first, 2);
  pthread_t threads[3];
  imd_store *stores[3] = {first, second, second};
  for (int i = 0; i < 3; i++)
    CHECK(pthread_create(&threads[i], NULL, dispatch_many, stores[i]) == 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  expect_state(first, 302);
  expect_state(second, 302);
  /* 302 actions, and two stores that have opened it. */
  CHECK(server.count == 304);
  imd_store_close(first);
  imd_store_close(second);
  imd_store *third = open_store();
  expect_state(third, 302);
  imd_store_close(third);
}

static void test_a_server_that_is_down(void) {
  imd_store *store = open_store();
  imd_error error;
  server.is_down = 1;
  CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_UNAVAILABLE);
  CHECK_TEXT(error.message, "\"memory://host/log\": the server is down");
  server.is_down = 0;
  while (imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_UNAVAILABLE) {
  }
  CHECK(error.status == IMD_OK);
  expect_state(store, 303);
  server.answers_wrongly = 1;
  CHECK(imd_store_refresh(store, &error) == IMD_REFUSED);
  CHECK_TEXT(error.message,
               "\"memory://host/log\": the driver has answered wrongly: answer must not be NULL");
  server.answers_wrongly = 0;
  imd_store_close(store);
}

static imd_status trim_inside(void *context, const imd_value *state, const imd_value *action,
                              imd_value **next, imd_error *error) {
  (void)context, (void)state, (void)action, (void)next, (void)error;
  CHECK(imd_log_trim("memory://host/log", NULL, NULL) == IMD_REENTRANT);
  return IMD_OK;
}

static void test_trimming(void) {
  imd_error error;
  int64_t number = 1;
  const char *address = "memory://ann:secret@host/log";
  server.snapshot = 5;
  CHECK(imd_log_trim(address, &number, &error) == IMD_OK);
  CHECK(number == 5 && server.trimmed == 5 && error.status == IMD_OK);
  server.trimmed = 0;
  CHECK(imd_log_trim(address, NULL, NULL) == IMD_OK && server.trimmed == 5);
  for (int i = 0; i < STORE_LIMIT; i++)
    CHECK(server.watches[i] == NULL); /* Closed. */
  /* Nothing to remove. */
  server.snapshot = server.trimmed = 0;
  CHECK(imd_log_trim(address, &number, &error) == IMD_OK && number == 0 && server.trimmed == 0);
  server.snapshot = 5;
  server.is_down = 1;
  CHECK(imd_log_trim(address, &number, &error) == IMD_REFUSED && number == 0);
  CHECK_TEXT(error.message, "\"memory://ann@host/log\": the server is down");
  server.is_down = 0;
  server.snapshot = 0;

  CHECK(imd_log_trim(NULL, &number, &error) == IMD_INVALID_ARGUMENT);
  CHECK(imd_log_trim("board.imd", &number, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "address: \"board.imd\" is not the address of a log that a driver "
                            "keeps, such as \"postgresql:///app?log=plans\"; a file is compacted");
  CHECK(imd_log_trim("other://u:secret@host/log", &number, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "address: no driver is registered for the scheme \"other\" of "
                            "\"other://u@host/log\"; register one first");
  imd_store *store;
  CHECK(imd_store_create("0", 1, trim_inside, NULL, NULL, NULL, 0, &store, &error) == IMD_OK);
  dispatch(store);
  imd_store_close(store);
}

static void test_trimming_no_log(void) {
  imd_error error;
  CHECK(imd_log_trim("memory://host/log", NULL, &error) == IMD_IO);
  CHECK_TEXT(error.message, "cannot open \"memory://host/log\": No such file or directory");
}

int main(void) {
  test_registering();
  test_trimming_no_log();
  test_two_stores();
  test_a_server_that_is_down();
  test_trimming();
  for (size_t i = 0; i < server.count; i++)
    free(server.entries[i].text);
  free(server.header);
  free(server.base);
  return check_report();
}
