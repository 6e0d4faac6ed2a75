/* An open log: a queue of calls, and the thread that makes them on its connection. */
#ifndef LOG_H
#define LOG_H

#include <pthread.h>
#include <sys/types.h>

#include "call.h"

typedef struct open_log {
  imd_log_engine engine;
  imd_log_watch *watch;
  address address;
  int timeout_ms;
  pid_t process;
  pthread_t thread;
  int wake; /* an eventfd: a call was added, or closing was set */

  pthread_mutex_t mutex;
  call *first, **last; /* the queue */
  bool closing;

  /* Of the thread. */
  connection connection;
  int64_t key;    /* 0 until the log was opened */
  bool listening; /* changed(…, 0) is due when the connection is lost */
} open_log;

/* Makes a log with its thread, which takes over the address; NULL, with a failure, if the system
 * has no thread, descriptor or memory left. */
open_log *log_new(const imd_log_engine *engine, imd_log_watch *watch, address *address,
                  int timeout_ms, failure *failure);

/* Adds a call to the queue, which then owns it. */
void log_add(open_log *log, call *call);

/* Waits until all calls were answered, and frees the log. */
void log_free(open_log *log);

/* Receives, without waiting, what the server has sent, and reports it. On the thread of the log. */
void log_receive(open_log *log);

/* Makes a call, and answers it. On the thread of the log. */
void log_make(open_log *log, call *call);

#endif
