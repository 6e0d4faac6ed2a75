/* A naive animals server. */
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
  int made;        /* how many names and ids were made */
  random_source source;
  int is_reliable;   /* answers everything: at once, in parts, twice or late */
  int is_well;       /* responds to everything immediately */
  int may_race;      /* two threads may respond to one request */
  int last_failed;   /* whether the last response to a query failed */
  imd_request *stream;
  int connections;
  imd_request *requests[REQUESTS]; /* requests since the last check */
  int requested, mutations; /* how many; and how many of them change something */
  pthread_t threads[THREADS];
  int started;
} server;

void server_begin(server *server, uint64_t seed);
void server_end(server *server);

/* The fetch function of a store. The context is the server. */
void server_fetch(void *context, imd_request *request, const imd_request_info *info);

/* Another client changes something. Returns the change as in an event; owned by the caller. */
json_t *server_change(server *server);

/* The number of requests since the last check that change something. */
int server_mutations(server *server);

/* Waits for the responding threads. Afterwards every request is complete. */
void server_check(server *server);

#endif
