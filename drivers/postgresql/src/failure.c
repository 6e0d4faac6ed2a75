#include "failure.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool fail(failure *failure, imd_log_outcome outcome, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure->message, sizeof failure->message, format, arguments);
  va_end(arguments);
  failure->outcome = outcome;
  failure->uncertain = failure->uninitialized = false;
  return false;
}

static bool is_one_of(const char *state, const char *states) {
  /* A class is compared by its two characters. */
  for (const char *each = states; *each; each += strcspn(each, " "), each += strspn(each, " "))
    if (strncmp(each, state, strcspn(each, " ")) == 0) return true;
  return false;
}

static imd_log_outcome outcome_of(const char *state) {
  if (is_one_of(state, "28")) return IMD_LOG_UNAUTHENTICATED;
  /* The connection, a conflict, resources, a lock, an operator, the system, a standby. */
  if (is_one_of(state, "08 25006 25P 40 53 55 57 58")) return IMD_LOG_UNAVAILABLE;
  return IMD_LOG_REFUSED;
}

bool fail_result(failure *failure, const PGresult *result) {
  const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  const char *hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
  if (!state || !message) { /* of libpq itself */
    fail(failure, IMD_LOG_UNAVAILABLE, "the connection was lost");
    failure->uncertain = true;
    return false;
  }
  if (is_one_of(state, "3F000 42883 42P01")) {
    fail(failure, IMD_LOG_REFUSED, "the database has no schema for logs");
    failure->uninitialized = true;
    return false;
  }
  if (is_one_of(state, "42501") && !hint)
    hint = "the functions immutabledata.allow and immutabledata.allow_create give it";
  fail(failure, outcome_of(state), hint ? "%s; %s" : "%s", message, hint);
  /* After an error the transaction was rolled back; one that ends the session may come later. */
  failure->uncertain = !severity || strcmp(severity, "ERROR") != 0 || is_one_of(state, "40003");
  return false;
}

/* Takes the SQLSTATE out of a verbose message such as "… failed: FATAL:  28P01: …", and all that
 * follows its first line. */
static void take_state(char *message, char state[6]) {
  for (char *at = message; (at = strstr(at, ":  ")); at++) {
    size_t length = strspn(at + 3, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (length != 5 || strncmp(at + 8, ": ", 2) != 0) continue;
    memcpy(state, at + 3, 5);
    state[5] = 0;
    memmove(at + 3, at + 10, strlen(at + 10) + 1);
    at[3 + strcspn(at + 3, "\n")] = 0;
  }
}

bool fail_connection(failure *failure, const PGconn *connection) {
  char state[6] = "";
  fail(failure, IMD_LOG_UNAVAILABLE, "%s", PQerrorMessage(connection));
  take_state(failure->message, state);
  for (size_t length = strlen(failure->message);
       length > 0 && isspace((unsigned char)failure->message[length - 1]);)
    failure->message[--length] = 0;
  for (char *at = failure->message; *at; at++)
    if (*at == '\n' || *at == '\t') *at = ' ';
  if (state[0])
    failure->outcome = outcome_of(state);
  else if (PQconnectionNeedsPassword(connection))
    failure->outcome = IMD_LOG_UNAUTHENTICATED;
  return false;
}
