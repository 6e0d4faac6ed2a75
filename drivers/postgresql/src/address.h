/* The address of a log: a connection URI of libpq with the parameter "log". */
#ifndef ADDRESS_H
#define ADDRESS_H

#include "failure.h"

typedef struct address {
  char *log;                 /* the name of the log; NULL if there is none */
  char *shown;               /* the address without credentials and parameters, for messages */
  PQconninfoOption *options; /* all else, parsed */
} address;

/* Parses an address. Never repeats it in a message, since it may contain a password. */
bool address_parse(address *address, const char *text, failure *failure);
void address_free(address *address);

#endif
