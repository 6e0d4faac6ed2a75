#include <endian.h>
#include <string.h>

#include "answer.h"
#include "log.h"

static bool in_transaction(const open_log *log) {
  return log->connection.handle && PQtransactionStatus(log->connection.handle) != PQTRANS_IDLE;
}

/* Makes sure that there is a session. A connection that was lost while no call was made is replaced
 * here: nothing was sent yet. */
static bool make_ready(open_log *log, const call *call, failure *failure) {
  if (now() >= call->deadline)
    return fail(failure, IMD_LOG_UNAVAILABLE, "earlier calls took all of the time");
  if (log->key == 0 && call->function != OPEN)
    return fail(failure, IMD_LOG_REFUSED, "the log was not opened");
  log_receive(log);
  if (log->connection.handle) return true;
  if (!session_start(&log->connection, &log->address, log->timeout_ms, log->key, call->deadline,
                     failure))
    return false;
  log->listening = log->key != 0;
  return true;
}

/* Calls one function of the schema. A read that holds begins a transaction, and a write ends it: an
 * append is a part of it; another write comes after it, and so never waits for a row while it has
 * that of the log. */
static bool call_once(open_log *log, call *call, const statement *statement, decoded *decoded,
                      failure *failure) {
  static const struct statement begin = {.text = "begin isolation level read committed"},
                                commit = {.text = "commit"};
  bool held = in_transaction(log);
  struct statement statements[3];
  size_t count = 0, own;
  if (call->hold && !held) {
    statements[count++] = begin;
    statements[count] = call_function(LOCK);
    statements[count].values[0] = statement->values[0];
    statements[count].lengths[0] = statement->lengths[0];
    count++;
  }
  if (held && (call->function == PUT_SNAPSHOT || call->function == TRIM))
    statements[count++] = commit;
  own = count;
  statements[count++] = *statement;
  if (held && call->function == APPEND) statements[count++] = commit;
  PGresult *results[3];
  if (!connection_exchange(&log->connection, statements, count, results, call->deadline, failure))
    return false;
  for (size_t i = 0; i < count; i++)
    if (i != own) PQclear(results[i]);
  return decode(decoded, results[own], failure);
}

static bool make_open(open_log *log, call *call, decoded *decoded, failure *failure) {
  statement open = call->statement, create = call_function(CREATE);
  open.count = 1; /* the others are those of create_log */
  if (!call_once(log, call, &open, decoded, failure)) return false;
  if (decoded->answer.outcome == IMD_LOG_ABSENT && call->create) {
    decoded_free(decoded);
    memcpy(create.values, call->statement.values, sizeof create.values);
    memcpy(create.lengths, call->statement.lengths, sizeof create.lengths);
    PGresult *result;
    if (!connection_exchange(&log->connection, &create, 1, &result, call->deadline, failure))
      return false;
    PQclear(result);
    if (!call_once(log, call, &open, decoded, failure)) return false;
  }
  if (decoded->answer.outcome != IMD_LOG_DONE) return true;
  if (!session_listen(&log->connection, decoded->counter, call->deadline, failure)) return false;
  log->key = decoded->counter;
  log->listening = true;
  decoded->answer.id = decoded->id.digits;
  return true;
}

/* Removes entries, some in each transaction, so that one that takes too long does not undo all. */
static bool make_trim(open_log *log, call *call, decoded *decoded, failure *failure) {
  do {
    decoded_free(decoded);
    if (!call_once(log, call, &call->statement, decoded, failure)) return false;
  } while (decoded->counter < call->number);
  return true;
}

static bool make(open_log *log, call *call, decoded *decoded, failure *failure) {
  if (call->function == OPEN) return make_open(log, call, decoded, failure);
  uint64_t key = htobe64((uint64_t)log->key);
  call->statement.values[0] = (const char *)&key;
  if (call->function == TRIM) return make_trim(log, call, decoded, failure);
  if (!call_once(log, call, &call->statement, decoded, failure)) return false;
  imd_log_answer *answer = &decoded->answer;
  if (answer->outcome == IMD_LOG_REPEATED || answer->outcome == IMD_LOG_MOVED)
    answer->counter = decoded->counter;
  if (call->function == GET_SNAPSHOT) {
    answer->place = answer->head;
    answer->head = (imd_log_place){0};
  }
  return true;
}

/* Ends a transaction that failed, or that nobody is going to end. */
static void end_transaction(open_log *log, const call *call, const imd_log_answer *answer) {
  bool reads = call->function == READ || call->function == GET_SNAPSHOT;
  if (!in_transaction(log) || (reads && answer->outcome == IMD_LOG_DONE)) return;
  failure ignored;
  PGresult *result;
  if (connection_exchange(&log->connection, &(statement){.text = "rollback"}, 1, &result,
                          call->deadline, &ignored))
    PQclear(result);
}

void log_make(open_log *log, call *call) {
  failure failure;
  decoded decoded = {0};
  bool ready = make_ready(log, call, &failure);
  if (!ready || !make(log, call, &decoded, &failure)) {
    bool unanswered = ready && failure.uncertain && call->function == APPEND;
    decoded.answer = (imd_log_answer){.outcome = unanswered ? IMD_LOG_UNANSWERED : failure.outcome,
                                      .message = failure.message};
  }
  end_transaction(log, call, &decoded.answer);
  log->engine.answer(call->handle, &decoded.answer);
  decoded_free(&decoded);
}
