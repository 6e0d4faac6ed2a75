#include "peer.h"

#include <endian.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { NUMBER = 1, HASH = 2, BINARY = 1 };

static _Noreturn void fail(PGconn *connection) {
  fprintf(stderr, "libpq: %s", PQerrorMessage(connection));
  exit(1);
}

static int64_t number_at(const PGresult *result, int row, int column) {
  uint64_t big;
  memcpy(&big, PQgetvalue(result, row, column), sizeof big);
  return (int64_t)be64toh(big);
}

/* Goes to the place of a row. */
static void go(peer *peer, const PGresult *result, int row) {
  peer->number = number_at(result, row, NUMBER);
  memcpy(peer->hash, PQgetvalue(result, row, HASH), sizeof peer->hash);
}

static void execute(peer *peer, const char *command) {
  PGresult *result = PQexec(peer->connection, command);
  if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(peer->connection);
  PQclear(result);
}

peer peer_open(const char *address, const char *log) {
  peer peer = {.connection = PQconnectdb(address)};
  unsigned char random[16];
  if (PQstatus(peer.connection) != CONNECTION_OK) fail(peer.connection);
  PGresult *result =
      PQexecParams(peer.connection, "select *, counter::text from immutabledata.open($1)", 1, NULL,
                   (const char *const[]){log}, NULL, NULL, BINARY);
  if (PQntuples(result) != 1 || PQgetisnull(result, 0, NUMBER)) fail(peer.connection);
  go(&peer, result, 0);
  peer.key = strdup(PQgetvalue(result, 0, 7));
  PQclear(result);
  if (!peer.key || getrandom(random, sizeof random, 0) != sizeof random) abort();
  for (int i = 0; i < 16; i++) snprintf(peer.origin + 2 * i, 3, "%02x", random[i]);
  PQclear(PQprepare(peer.connection, "append",
                    "select * from immutabledata.append($1, $2, $3, $4, $5, $6, 262144)", 0, NULL));
  PQclear(PQprepare(peer.connection, "read",
                    "select * from immutabledata.read($1, $2, $3, 1048576)", 0, NULL));
  char listen[64];
  snprintf(listen, sizeof listen, "listen immutabledata_%s", peer.key);
  execute(&peer, listen);
  return peer;
}

char *peer_texts(int64_t first, size_t count, void (*write)(int64_t number, char text[256])) {
  char *texts = malloc(count * 512 + 2), *at = texts, text[256];
  if (!texts) abort();
  for (size_t i = 0; i < count; i++) {
    write(first + (int64_t)i, text);
    *at++ = i ? ',' : '{';
    *at++ = '"';
    for (const char *each = text; *each; each++) {
      if (*each == '"') *at++ = '\\';
      *at++ = *each;
    }
    *at++ = '"';
  }
  memcpy(at, "}", 2);
  return texts;
}

void peer_append(peer *peer, const char *texts, size_t count) {
  for (int done = 0; !done;) {
    char number[24], counter[24];
    snprintf(number, sizeof number, "%" PRId64, peer->number);
    snprintf(counter, sizeof counter, "%" PRId64, peer->counter + 1);
    const char *const values[] = {peer->key,     number,  (const char *)peer->hash,
                                  peer->origin, counter, texts};
    const int lengths[] = {0, 0, sizeof peer->hash, 0, 0, 0}, formats[] = {0, 0, BINARY, 0, 0, 0};
    PGresult *result =
        PQexecPrepared(peer->connection, "append", 6, values, lengths, formats, BINARY);
    if (PQntuples(result) < 1) fail(peer->connection);
    go(peer, result, 0);
    done = memcmp(PQgetvalue(result, 0, 0), "\0\0", 2) == 0;
    PQclear(result);
  }
  peer->counter += (int64_t)count;
}

int peer_read(peer *peer) {
  char number[24];
  snprintf(number, sizeof number, "%" PRId64, peer->number);
  const char *const values[] = {peer->key, number, (const char *)peer->hash};
  const int lengths[] = {0, 0, sizeof peer->hash}, formats[] = {0, 0, BINARY};
  PGresult *result = PQexecPrepared(peer->connection, "read", 3, values, lengths, formats, BINARY);
  int count = PQntuples(result) - 1;
  if (count < 0) fail(peer->connection);
  if (count > 0) go(peer, result, count);
  PQclear(result);
  return count;
}

void peer_wait(peer *peer) {
  PGnotify *notification;
  while (!(notification = PQnotifies(peer->connection))) {
    struct pollfd wait = {.fd = PQsocket(peer->connection), .events = POLLIN};
    if (poll(&wait, 1, -1) < 0 || !PQconsumeInput(peer->connection)) fail(peer->connection);
  }
  PQfreemem(notification);
}

void peer_close(peer *peer) {
  PQfinish(peer->connection);
  free(peer->key);
}
