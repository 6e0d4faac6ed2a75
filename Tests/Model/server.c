#define _POSIX_C_SOURCE 200809L

#include "server.h"

#include "plain.h"
#include "report.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const imd_header json_header[] = {{"Content-Type", "application/json"}};

void server_begin(server *server, uint64_t seed) {
  *server = (struct server){.animals = json_object(), .source = {seed}};
  pthread_mutex_init(&server->mutex, NULL);
  pthread_cond_init(&server->connected, NULL);
  for (int i = 0; i < 3; i++) json_decref(server_change(server));
}

void server_end(server *server) {
  json_decref(server->animals);
  pthread_mutex_destroy(&server->mutex);
  pthread_cond_destroy(&server->connected);
}

/* ---- Data ---------------------------------------------------------------------------------- */

static json_t *put(server *server, const char *id, const char *name) {
  json_t *animal = json_pack("{s:s,s:s,s:s,s:s}", "animalId", id, "categoryId", "Bird", "diet",
                             "Herbivore", "name", name);
  json_object_set(server->animals, id, animal);
  return animal;
}

static json_t *take(server *server, const char *id) {
  json_t *animal = json_incref(json_object_get(server->animals, id));
  if (animal) json_object_del(server->animals, id);
  return animal;
}

json_t *server_change(server *server) {
  char id[16], name[32];
  int number = random_below(&server->source, 4);
  snprintf(id, sizeof id, "A%d", number);
  snprintf(name, sizeof name, "version %d", server->made++);
  if (json_object_size(server->animals) > 2 && json_object_get(server->animals, id) &&
      random_chance(&server->source, 30))
    return json_pack("{s:{s:o}}", "deleteAnimal", "animal", take(server, id));
  const char *what = json_object_get(server->animals, id) ? "updateAnimal" : "addAnimal";
  return json_pack("{s:{s:o}}", what, "animal", put(server, id, name));
}

static json_t *list(const server *server) {
  json_t *list = json_array(), *animal;
  const char *id;
  json_object_foreach(server->animals, id, animal) json_array_append(list, animal);
  return list;
}

static json_t *categories(void) {
  return json_pack("[{s:s,s:s}]", "categoryId", "Bird", "name", "Birds");
}

static json_t *query(const server *server, json_t *query) {
  if (json_object_get(query, "animals"))
    return json_pack("{s:{s:o}}", "animals", "animals", list(server));
  return json_pack("{s:{s:o}}", "categories", "categories", categories());
}

/* NULL if the animal to update or delete does not exist. */
static json_t *mutate(server *server, json_t *mutation) {
  void *step = json_object_iter(mutation);
  const char *what = json_object_iter_key(step);
  json_t *payload = json_object_iter_value(step), *animal;
  const char *id = json_string_value(json_object_get(payload, "animalId"));
  const char *name = json_string_value(json_object_get(payload, "name"));
  char made[16];
  if (strcmp(what, "reloadSampleData") == 0)
    return json_pack("{s:{s:o,s:o}}", what, "animals", list(server), "categories", categories());
  if (strcmp(what, "addAnimal") == 0) {
    snprintf(made, sizeof made, "B%d", server->made++ % 3);
    animal = put(server, made, name);
  } else if (!json_object_get(server->animals, id)) {
    return NULL;
  } else if (strcmp(what, "updateAnimal") == 0) {
    animal = put(server, id, name);
  } else {
    animal = take(server, id);
  }
  return json_pack("{s:{s:o}}", what, "animal", animal);
}

/* The response to a request, owned by the caller; NULL if an animal in it does not exist. */
static char *answer(server *server, const char *body) {
  json_t *request = plain_parse(body), *answers = json_array(), *part;
  size_t index;
  int is_query = json_object_get(request, "query") != NULL, is_possible = 1;
  json_array_foreach(json_object_get(request, is_query ? "query" : "mutation"), index, part) {
    json_t *one = is_query ? query(server, part) : mutate(server, part);
    if (one) json_array_append_new(answers, one);
    else is_possible = 0;
  }
  json_t *whole = json_pack("{s:o}", is_query ? "query" : "mutation", answers);
  char *text = is_possible ? plain_text(whole) : NULL;
  json_decref(whole);
  json_decref(request);
  return text;
}

/* ---- Responses ----------------------------------------------------------------------------- */

typedef struct late_answer {
  imd_request *request;
  char *text;
  imd_status status;
  struct late_answer *other; /* its competitor */
  atomic_int is_ready;
} late_answer;

static imd_status resolve(imd_request *request, const char *text) {
  return imd_request_resolve(request, 200, json_header, 1, text, IMD_ZERO_TERMINATED, NULL);
}

static void *answer_late(void *context) {
  late_answer *answer = context;
  atomic_store(&answer->is_ready, 1);
  while (answer->other && !atomic_load(&answer->other->is_ready)) {}
  answer->status = resolve(answer->request, answer->text);
  free(answer->text);
  return answer;
}

static void start(server *server, late_answer *answer) {
  EXPECT(server->started < THREADS, "too many threads");
  EXPECT(pthread_create(&server->threads[server->started++], NULL, answer_late, answer) == 0,
         "no thread");
}

static late_answer *make_late(imd_request *request, const char *text, const char *padding) {
  late_answer *answer = calloc(1, sizeof *answer);
  answer->request = request;
  answer->text = malloc(strlen(text) + strlen(padding) + 1);
  strcat(strcpy(answer->text, text), padding);
  return answer;
}

static void answer_in_parts(imd_request *request, const char *text) {
  size_t half = strlen(text) / 2;
  imd_request_receive(request, 200, json_header, 1, text, half, NULL);
  resolve(request, text + half);
}

static manner choose(server *server) {
  if (server->is_well) return ANSWERS_AT_ONCE;
  manner manner = (enum manner)random_below(
      &server->source, server->is_reliable ? ANSWERS_NEVER : MANNERS);
  if (manner == ANSWERS_RACING && !server->may_race) return ANSWERS_LATE;
  /* An unanswered request takes as long as the client's timeout. */
  if (manner == ANSWERS_NEVER && random_chance(&server->source, 80)) return ANSWERS_IN_PARTS;
  return manner;
}

static void perform(server *server, manner manner, imd_request *request, const char *text) {
  late_answer *first, *second;
  switch (manner) {
  case ANSWERS_AT_ONCE: resolve(request, text); break;
  case ANSWERS_IN_PARTS: answer_in_parts(request, text); break;
  case ANSWERS_TWICE:
    resolve(request, text);
    EXPECT_STATUS(resolve(request, text), IMD_CLOSED);
    break;
  case ANSWERS_LATE: start(server, make_late(request, text, "")); break;
  case ANSWERS_RACING:
    first = make_late(request, text, "");
    second = make_late(request, text, "  ");
    first->other = second;
    second->other = first;
    start(server, first);
    start(server, second);
    break;
  case ANSWERS_NEVER: break;
  case REFUSES: imd_request_reject(request, "connection refused", NULL); break;
  case FAILS: imd_request_resolve(request, 500, NULL, 0, "no", 2, NULL); break;
  case ANSWERS_GARBAGE: imd_request_resolve(request, 200, json_header, 1, "{", 1, NULL); break;
  case MANNERS: break;
  }
}

static void connect_stream(server *server, imd_request *request) {
  server->stream = request;
  server->connections++;
  pthread_cond_broadcast(&server->connected);
}

void server_fetch(void *context, imd_request *request, const imd_request_info *info) {
  static const char *const names[MANNERS] = {"at once", "in parts", "twice",   "late",   "racing",
                                             "never",   "refused",  "a failure", "garbage"};
  server *server = context;
  pthread_mutex_lock(&server->mutex);
  if (info->is_streamed) {
    note("the server gets %s %s", info->method, info->url);
    connect_stream(server, request);
    pthread_mutex_unlock(&server->mutex);
    return;
  }
  manner manner = choose(server);
  int is_lost = manner >= ANSWERS_NEVER;
  char *text = is_lost ? NULL : answer(server, info->body);
  if (!is_lost && !text) manner = FAILS;
  note("the server gets %s, and answers: %s", info->body, names[manner]);
  if (strstr(info->body, "query")) server->last_failed = manner >= ANSWERS_NEVER;
  EXPECT(server->requested < REQUESTS, "too many requests");
  server->requests[server->requested++] = request;
  if (strstr(info->body, "mutation")) server->mutations++;
  pthread_mutex_unlock(&server->mutex);
  perform(server, manner, request, text);
  free(text);
}

int server_mutations(server *server) {
  pthread_mutex_lock(&server->mutex);
  int mutations = server->mutations;
  pthread_mutex_unlock(&server->mutex);
  return mutations;
}

void server_check(server *server) {
  late_answer *answers[THREADS];
  for (int i = 0; i < server->started; i++)
    EXPECT(pthread_join(server->threads[i], (void **)&answers[i]) == 0, "no thread to join");
  for (int i = 0; i < server->started; i++) {
    const late_answer *other = answers[i]->other;
    if (!other) continue;
    EXPECT((answers[i]->status == IMD_OK) != (other->status == IMD_OK) ||
               (answers[i]->status == IMD_CLOSED && other->status == IMD_CLOSED),
           "two threads answered one request: %s and %s", imd_status_name(answers[i]->status),
           imd_status_name(other->status));
  }
  for (int i = 0; i < server->started; i++) free(answers[i]);
  server->started = 0;
  for (int i = 0; i < server->requested; i++)
    EXPECT_STATUS(imd_request_reject(server->requests[i], "late", NULL), IMD_CLOSED);
  server->requested = server->mutations = 0;
}
