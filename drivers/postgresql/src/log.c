#include "log.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void wake(const open_log *log) {
  uint64_t one = 1;
  while (write(log->wake, &one, sizeof one) < 0 && errno == EINTR);
}

/* Passes notifications of other sessions on, and the loss of the connection. */
static void report(open_log *log) {
  PGconn *handle = log->connection.handle;
  PGnotify *each;
  while (handle && (each = PQnotifies(handle))) {
    long long number = strtoll(each->extra, NULL, 10);
    if (each->be_pid != PQbackendPID(handle))
      log->engine.changed(log->watch, number > 0 ? number : 0);
    PQfreemem(each);
  }
  if (log->listening && !handle) {
    log->listening = false;
    log->engine.changed(log->watch, 0);
  }
}

void log_receive(open_log *log) {
  PGconn *handle = log->connection.handle;
  if (handle && (!PQconsumeInput(handle) || PQstatus(handle) == CONNECTION_BAD))
    connection_close(&log->connection);
  report(log);
}

/* Waits until there may be a call, or the server has sent something. */
static void idle(open_log *log) {
  PGconn *handle = log->connection.handle;
  struct pollfd waits[] = {{.fd = log->wake, .events = POLLIN},
                           {.fd = handle ? PQsocket(handle) : -1, .events = POLLIN}};
  if (poll(waits, 2, -1) < 0) return;
  uint64_t count;
  if (waits[0].revents && read(log->wake, &count, sizeof count) < 0) return;
  if (waits[1].revents) log_receive(log);
}

/* Takes a call from the queue; *ended is whether there will be none. */
static call *take(open_log *log, bool *ended) {
  pthread_mutex_lock(&log->mutex);
  call *taken = log->first;
  if (taken && !(log->first = taken->next)) log->last = &log->first;
  *ended = !taken && log->closing;
  pthread_mutex_unlock(&log->mutex);
  return taken;
}

static void *run(void *context) {
  open_log *log = context;
  for (bool ended = false; !ended;) {
    call *call = take(log, &ended);
    if (call) {
      log_make(log, call);
      free(call);
      report(log);
    } else if (!ended) {
      idle(log);
    }
  }
  connection_close(&log->connection);
  return NULL;
}

/* Starts the thread, on which no signal is handled. */
static bool start(open_log *log) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&log->thread, NULL, run, log);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error == 0;
}

open_log *log_new(const imd_log_engine *engine, imd_log_watch *watch, address *address,
                  int timeout_ms, failure *failure) {
  open_log *log = calloc(1, sizeof *log);
  if (log) {
    log->engine = *engine;
    log->watch = watch;
    log->address = *address;
    log->timeout_ms = timeout_ms;
    log->process = getpid();
    log->last = &log->first;
    log->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&log->mutex, NULL);
    if (log->wake >= 0 && start(log)) {
      address->log = address->shown = NULL;
      address->options = NULL;
      return log;
    }
    if (log->wake >= 0) close(log->wake);
    pthread_mutex_destroy(&log->mutex);
    free(log);
  }
  fail(failure, IMD_LOG_UNAVAILABLE, "the process has no thread, descriptor or memory left");
  return NULL;
}

void log_add(open_log *log, call *call) {
  call->deadline = now() + log->timeout_ms;
  pthread_mutex_lock(&log->mutex);
  *log->last = call;
  log->last = &call->next;
  pthread_mutex_unlock(&log->mutex);
  wake(log);
}

void log_free(open_log *log) {
  pthread_mutex_lock(&log->mutex);
  log->closing = true;
  pthread_mutex_unlock(&log->mutex);
  wake(log);
  pthread_join(log->thread, NULL);
  pthread_mutex_destroy(&log->mutex);
  close(log->wake);
  address_free(&log->address);
  free(log);
}
