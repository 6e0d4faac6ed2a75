/* A call of the driver that waits for its turn: a copy of its arguments, as parameters of a
 * function of schema.sql. */
#ifndef CALL_H
#define CALL_H

#include "session.h"

typedef struct call {
  struct call *next;
  imd_log_call *handle;
  instant deadline;
  function function;
  bool hold;           /* read */
  bool create;         /* open: make the log if it is absent */
  int64_t number;      /* trim */
  statement statement; /* its first parameter, unless it opens, is the key of the log */
  size_t used, size;
  char bytes[];
} call;

/* Makes a call with room for the bytes of its parameters, besides numbers; NULL if memory is
 * exhausted. Free it with free. */
call *call_new(function function, imd_log_call *handle, size_t size);

/* Add the next parameter: a number, bytes, or none; or room for bytes, which it returns. */
void call_add_number(call *call, int64_t number);
void call_add_bytes(call *call, const void *bytes, size_t length);
void call_add_null(call *call);
char *call_add(call *call, size_t length);

#endif
