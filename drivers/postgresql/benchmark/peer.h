/* Bare libpq with the same SQL functions: what a program without a store would do. */
#ifndef PEER_H
#define PEER_H

#include <libpq-fe.h>
#include <stddef.h>
#include <stdint.h>

typedef struct peer {
  PGconn *connection;
  char *key; /* of the log */
  char origin[33];
  int64_t counter;
  /* The place up to which it knows the log. */
  int64_t number;
  unsigned char hash[32];
} peer;

/* Connects to a log that exists, at its end; ends the program if that fails. */
peer peer_open(const char *address, const char *log);

/* An array in SQL of the texts of the entries with count numbers. Owned by the caller. */
char *peer_texts(int64_t first, size_t count, void (*write)(int64_t number, char text[256]));

/* Appends count entries at the end of the log; tries again if others were faster. */
void peer_append(peer *peer, const char *texts, size_t count);

/* Reads the entries after its place, of about 1 MiB. Returns how many. */
int peer_read(peer *peer);

/* Waits until the log is said to have new entries. */
void peer_wait(peer *peer);

void peer_close(peer *peer);

#endif
