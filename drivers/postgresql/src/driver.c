/* The functions of the driver. Each copies its arguments into a call, for the thread of the log. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "immutabledata_postgresql.h"
#include "log.h"
#include "texts.h"

/* TRIMMED_AT_ONCE: how many entries one transaction removes; each must end before the deadline. */
enum { MOVED_BYTES = 1 << 18, MAXIMUM_NAME = 200, TRIMMED_AT_ONCE = 10000 };

static void answer_failure(const imd_log_engine *engine, imd_log_call *handle,
                           const failure *failure) {
  engine->answer(handle,
                 &(imd_log_answer){.outcome = failure->outcome, .message = failure->message});
}

static void refuse(const open_log *log, imd_log_call *handle, const char *message) {
  failure failure;
  fail(&failure, IMD_LOG_REFUSED, "%s", message);
  answer_failure(&log->engine, handle, &failure);
}

/* Makes a call of an open log, with the key as its first parameter; answers it if that fails. */
static call *begin(const open_log *log, function function, imd_log_call *handle, size_t size) {
  failure failure;
  call *call = NULL;
  if (log->process != getpid())
    fail(&failure, IMD_LOG_UNAVAILABLE, "the log was opened before a fork");
  else if (size > MAXIMUM_BYTES)
    fail(&failure, IMD_LOG_REFUSED, "a call can pass at most %d bytes", MAXIMUM_BYTES);
  else if (!(call = call_new(function, handle, size)))
    fail(&failure, IMD_LOG_UNAVAILABLE, "out of memory");
  if (call)
    call_add_number(call, 0);
  else
    answer_failure(&log->engine, handle, &failure);
  return call;
}

static void add_place(call *call, const imd_log_place *place) {
  if (place) {
    call_add_number(call, place->number);
    call_add_bytes(call, place->hash, sizeof place->hash);
  } else {
    call_add_null(call);
    call_add_null(call);
  }
}

static void driver_open(void *context, const imd_log_opening *opening, const imd_log_engine *engine,
                        imd_log_watch *watch, void **log, imd_log_call *handle) {
  (void)context;
  *log = NULL;
  failure failure;
  address address;
  open_log *made = NULL;
  call *call = NULL;
  size_t base = opening->base ? opening->base_length : 0;
  if (!address_parse(&address, opening->address, &failure)) {
    answer_failure(engine, handle, &failure);
    return;
  }
  size_t name = address.log ? strlen(address.log) : 0;
  if (name == 0 || name > MAXIMUM_NAME)
    fail(&failure, IMD_LOG_REFUSED,
         "the address must name a log of 1 to %d bytes: add the parameter log, as in "
         "postgresql://host/database?log=NAME",
         MAXIMUM_NAME);
  else if (opening->header_length > MAXIMUM_BYTES || base > MAXIMUM_BYTES)
    fail(&failure, IMD_LOG_REFUSED, "a header or snapshot has more than %d bytes", MAXIMUM_BYTES);
  else if (!(call = call_new(OPEN, handle, name + opening->header_length + base)))
    fail(&failure, IMD_LOG_UNAVAILABLE, "out of memory");
  else {
    call->create = opening->base != NULL;
    call_add_bytes(call, address.log, name);
    call_add_bytes(call, opening->header, opening->header_length);
    call_add_bytes(call, opening->base, base);
    made = log_new(engine, watch, &address, opening->timeout_ms, &failure);
  }
  if (made) {
    *log = made;
    log_add(made, call);
    return;
  }
  free(call);
  address_free(&address);
  answer_failure(engine, handle, &failure);
}

static bool set_uuid(unsigned char uuid[16], const char *digits) {
  for (int i = 0; i < 32; i++) {
    const char *all = "0123456789abcdef", *at = digits[i] ? strchr(all, digits[i]) : NULL;
    if (!at) return false;
    uuid[i / 2] = (unsigned char)((uuid[i / 2] << 4) | (at - all));
  }
  return digits[32] == 0;
}

static void driver_append(void *context, const imd_log_place *after, const imd_log_entry *entries,
                          size_t count, imd_log_call *handle) {
  open_log *log = context;
  unsigned char origin[16] = {0};
  if (count > 0 && !set_uuid(origin, entries[0].origin)) {
    refuse(log, handle, "the origin is not 32 hexadecimal digits");
    return;
  }
  size_t size = texts_size(entries, count);
  call *call = begin(log, APPEND, handle, size + sizeof after->hash + sizeof origin);
  if (!call) return;
  add_place(call, after);
  call_add_bytes(call, origin, sizeof origin);
  call_add_number(call, count > 0 ? entries[0].counter : 0);
  texts_write(call_add(call, size), entries, count);
  call_add_number(call, MOVED_BYTES);
  log_add(log, call);
}

static void driver_read(void *context, const imd_log_place *after, size_t limit, int hold,
                        imd_log_call *handle) {
  open_log *log = context;
  call *call = begin(log, READ, handle, sizeof after->hash);
  if (!call) return;
  add_place(call, after);
  call_add_number(call, limit > MAXIMUM_BYTES ? MAXIMUM_BYTES : (int64_t)limit);
  call->hold = hold != 0;
  log_add(log, call);
}

static void driver_get_snapshot(void *context, imd_log_call *handle) {
  open_log *log = context;
  call *call = begin(log, GET_SNAPSHOT, handle, 0);
  if (call) log_add(log, call);
}

static void driver_put_snapshot(void *context, int64_t old, const imd_log_place *place,
                                const char *text, size_t length, imd_log_call *handle) {
  open_log *log = context;
  call *call = begin(log, PUT_SNAPSHOT, handle, bytes_sum(sizeof place->hash, length));
  if (!call) return;
  call_add_number(call, old);
  add_place(call, place);
  call_add_bytes(call, text, length);
  log_add(log, call);
}

static void driver_trim(void *context, int64_t number, imd_log_call *handle) {
  open_log *log = context;
  call *call = begin(log, TRIM, handle, 0);
  if (!call) return;
  call_add_number(call, number);
  call_add_number(call, TRIMMED_AT_ONCE);
  call->number = number;
  log_add(log, call);
}

/* In the child of a fork nothing is done: ending the connection would end that of the parent. */
static void driver_close(void *context) {
  open_log *log = context;
  if (log && log->process == getpid()) log_free(log);
}

const imd_log_driver *imd_postgresql_driver(void) {
  static const imd_log_driver driver = {
      .size = sizeof driver,
      .open = driver_open,
      .append = driver_append,
      .read = driver_read,
      .get_snapshot = driver_get_snapshot,
      .put_snapshot = driver_put_snapshot,
      .trim = driver_trim,
      .close = driver_close,
  };
  return &driver;
}
