/* Counts appends a second: through the driver, and beside it by libpq alone with the same function.
 *
 *     appends ADDRESS [SECONDS]
 *
 * The database of the address, which has no parameter "log", needs the schema. */
#include <endian.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "immutabledata_postgresql.h"

enum { LARGEST_BATCH = 1000, TEXT = 120, MAXIMUM_CLIENTS = 8 };

typedef struct client {
  pthread_t thread;
  const char *address, *log;
  double seconds;
  size_t batch;
  char origin[33];
  int64_t appended; /* entries; -1 if it failed */

  /* The answer to the last call. */
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int answered;
  imd_log_outcome outcome;
  char message[512];
} client;

static char text[TEXT + 1];

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void set_origin(client *client) {
  unsigned char random[16] = {0};
  if (getrandom(random, sizeof random, 0) != sizeof random) abort();
  for (int i = 0; i < 16; i++) snprintf(client->origin + 2 * i, 3, "%02x", random[i]);
}

static imd_status answer(imd_log_call *call, const imd_log_answer *answer) {
  client *client = (struct client *)call;
  pthread_mutex_lock(&client->mutex);
  client->outcome = answer->outcome;
  snprintf(client->message, sizeof client->message, "%s", answer->message ? answer->message : "");
  client->answered = 1;
  pthread_cond_signal(&client->condition);
  pthread_mutex_unlock(&client->mutex);
  return IMD_OK;
}

static void changed(imd_log_watch *watch, int64_t number) {
  (void)watch;
  (void)number;
}

static int wait_for_answer(client *client) {
  pthread_mutex_lock(&client->mutex);
  while (!client->answered) pthread_cond_wait(&client->condition, &client->mutex);
  client->answered = 0;
  pthread_mutex_unlock(&client->mutex);
  if (client->outcome == IMD_LOG_DONE) return 1;
  fprintf(stderr, "outcome %d: %s\n", client->outcome, client->message);
  client->appended = -1;
  return 0;
}

static void *run_driver(void *context) {
  client *client = context;
  const imd_log_driver *driver = imd_postgresql_driver();
  const imd_log_engine engine = {answer, changed, NULL};
  char address[1024];
  snprintf(address, sizeof address, "%s%clog=%s", client->address,
           strchr(client->address, '?') ? '&' : '?', client->log);
  const imd_log_opening opening = {address, "{}", 2, "{}", 2, 30000};
  void *log;
  driver->open(driver->context, &opening, &engine, NULL, &log, (imd_log_call *)client);
  int good = wait_for_answer(client);
  static imd_log_entry none[LARGEST_BATCH];
  imd_log_entry *entries = malloc(sizeof none);
  for (size_t i = 0; entries && i < client->batch; i++)
    entries[i] = (imd_log_entry){.text = text, .length = TEXT, .origin = client->origin};
  for (double end = seconds() + client->seconds; entries && good && seconds() < end;) {
    entries[0].counter = client->appended + 1;
    driver->append(log, NULL, entries, client->batch, (imd_log_call *)client);
    good = wait_for_answer(client);
    if (good) client->appended += (int64_t)client->batch;
  }
  free(entries);
  driver->close(log);
  return NULL;
}

/* The key of the log, which the driver has made. */
static char *find_key(PGconn *connection, const char *log) {
  PGresult *result = PQexecParams(connection, "select counter from immutabledata.open($1)", 1, NULL,
                                  (const char *const[]){log}, NULL, NULL, 0);
  char *key = PQntuples(result) == 1 ? strdup(PQgetvalue(result, 0, 0)) : NULL;
  PQclear(result);
  return key;
}

static void *run_libpq(void *context) {
  client *client = context;
  PGconn *connection = PQconnectdb(client->address);
  char *key = PQstatus(connection) == CONNECTION_OK ? find_key(connection, client->log) : NULL;
  char *texts = malloc(client->batch * (TEXT + 1) + 2), *at = texts;
  if (key && texts) {
    PQclear(PQprepare(connection, "append",
                      "select * from immutabledata.append($1, null, null, $2, $3, $4, 0)", 0,
                      NULL));
    *at++ = '{';
    for (size_t i = 0; i < client->batch; i++) {
      memcpy(at, text, TEXT);
      at[TEXT] = ',';
      at += TEXT + 1;
    }
    memcpy(at - 1, "}", 2);
  }
  for (double end = seconds() + client->seconds; key && texts && seconds() < end;) {
    char counter[24];
    snprintf(counter, sizeof counter, "%" PRId64, client->appended + 1);
    const char *const values[] = {key, client->origin, counter, texts};
    PGresult *result = PQexecPrepared(connection, "append", 4, values, NULL, NULL, 0);
    int good = PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 0), "0") == 0;
    PQclear(result);
    if (!good) break;
    client->appended += (int64_t)client->batch;
  }
  if (client->appended == 0) fprintf(stderr, "%s", PQerrorMessage(connection));
  free(texts);
  free(key);
  PQfinish(connection);
  return NULL;
}

static double measure(void *(*run)(void *), const char *address, const char *log, double duration,
                      size_t count, size_t batch) {
  static client clients[MAXIMUM_CLIENTS];
  for (size_t i = 0; i < count; i++) {
    clients[i] = (client){.address = address, .log = log, .seconds = duration, .batch = batch};
    pthread_mutex_init(&clients[i].mutex, NULL);
    pthread_cond_init(&clients[i].condition, NULL);
    set_origin(&clients[i]);
    pthread_create(&clients[i].thread, NULL, run, &clients[i]);
  }
  double total = 0;
  for (size_t i = 0; i < count; i++) {
    pthread_join(clients[i].thread, NULL);
    total += (double)clients[i].appended;
  }
  return total / duration;
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    size_t clients, batch;
  } rows[] = {{"1 client, one by one", 1, 1},
              {"8 clients, one by one", 8, 1},
              {"1 client, 1,000 at once", 1, 1000},
              {"4 clients, 1,000 at once", 4, 1000}};
  if (count < 2) return fprintf(stderr, "appends ADDRESS [SECONDS]\n"), 2;
  double duration = count > 2 ? atof(arguments[2]) : 3;
  memset(text, '7', TEXT);
  printf("| entries a second | driver | libpq alone | ratio |\n| --- | ---: | ---: | ---: |\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char log[48];
    snprintf(log, sizeof log, "benchmark-%zu-%lld", i, (long long)time(NULL));
    double driver =
        measure(run_driver, arguments[1], log, duration, rows[i].clients, rows[i].batch);
    double libpq = measure(run_libpq, arguments[1], log, duration, rows[i].clients, rows[i].batch);
    printf("| %s | %.0f | %.0f | %.2f |\n", rows[i].name, driver, libpq, driver / libpq);
    if (driver <= 0 || libpq <= 0) return 1;
  }
}
