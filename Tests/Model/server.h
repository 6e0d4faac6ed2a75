/* A naive server of animals: what it has, and how it answers. */
#ifndef SERVER_H
#define SERVER_H

#include "random.h"

#include <immutabledata.h>
#include <jansson.h>
#include <pthread.h>

typedef enum manner {
  ANSWERS_AT_ONCE,
  ANSWERS_IN_PARTS,
  ANSWERS_TWICE,
  ANSWERS_LATE,    /* from another thread */
  ANSWERS_RACING,  /* from two threads at once */
  ANSWERS_NEVER,
  REFUSES,         /* there is no connection */
  FAILS,           /* with a status of HTTP */
  ANSWERS_GARBAGE,
  MANNERS
} manner;

enum { REQUESTS = 64, THREADS = 64 };

typedef struct server {
  pthread_mutex_t mutex;
  pthread_cond_t connected;
  json_t *animals; /* by id */
  int made;        /* how many were added */
  random_source source;
  int is_reliable;   /* answers everything, in whichever manner */
  int is_well;       /* answers everything at once */
  int may_race;      /* two threads may answer one request */
  int last_failed;   /* what became of the last answer to a query */
  imd_request *stream;
  int connections;
  imd_request *requests[REQUESTS]; /* those that were made since the last check */
  int requested;
  pthread_t threads[THREADS];
  int started;
} server;

void server_begin(server *server, uint64_t seed);
void server_end(server *server);

/* Makes requests for a store: the context is the server. */
void server_fetch(void *context, imd_request *request, const imd_request_info *info);

/* Another client changes something. The change, as an event has it; owned by the caller. */
json_t *server_change(server *server);

/* Waits for the threads that answer; then every request is over. */
void server_check(server *server);

#endif
