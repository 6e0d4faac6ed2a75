#include "address.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const EXPECTED = "expected, for example, postgresql://host/database?log=NAME";

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes percent-encoded text in place; false if it is malformed, or contains a NUL. */
static bool decode(char *text) {
  char *to = text;
  for (const char *from = text; *from; from++, to++) {
    *to = *from;
    if (*from != '%') continue;
    int high = digit(from[1]), low = high < 0 ? -1 : digit(from[2]);
    if (low < 0 || (high == 0 && low == 0)) return false;
    *to = (char)(high * 16 + low);
    from += 2;
  }
  *to = 0;
  return true;
}

/* Where libpq takes the host to begin: a password may contain any character but "@" and "/". */
static char *host_of(char *text) {
  char *begin = strstr(text, "://") + 3;
  char *end = begin + strcspn(begin, "@/");
  return *end == '@' ? end + 1 : begin;
}

/* Takes the parameter "log" out of an address; *count is how often it has it. */
static char *take_log(char *text, int *count) {
  char *log = NULL, *query = strchr(host_of(text), '?');
  *count = 0;
  if (!query) return NULL;
  for (char *each = query + 1; *each;) {
    size_t length = strcspn(each, "&");
    char *next = each + length + (each[length] == '&');
    if (strncmp(each, "log=", 4) != 0) {
      each = next;
      continue;
    }
    free(log);
    log = strndup(each + 4, length - 4);
    ++*count;
    memmove(each, next, strlen(next) + 1);
  }
  size_t length = strlen(text);
  if (text[length - 1] == '&' || text[length - 1] == '?') text[length - 1] = 0;
  return log;
}

/* The user, without a password, the host and the path. */
static char *without_credentials(char *text) {
  char *shown = strdup(text);
  if (!shown) return NULL;
  char *host = host_of(shown), *user = strstr(shown, "://") + 3;
  host[strcspn(host, "?")] = 0;
  char *colon = host > user ? memchr(user, ':', (size_t)(host - user)) : NULL;
  if (colon) memmove(colon, host - 1, strlen(host - 1) + 1);
  return shown;
}

/* What libpq would take for a host or a port, and repeat in its messages, may belong to a password
 * that is not encoded. */
static const char *part_of_password(char *text, const PQconninfoOption *options) {
  const char *host = host_of(text);
  if (memchr(host, '@', strcspn(host, "?")))
    return "there is an \"@\" after the host: in a password, write \"@\" as %40, \"/\" as %2F and "
           "\"?\" as %3F";
  for (; options->keyword; options++)
    if (strcmp(options->keyword, "port") == 0 && options->val &&
        options->val[strspn(options->val, "0123456789,")])
      return "the port is not a number";
  return NULL;
}

bool address_parse(address *address, const char *text, failure *failure) {
  *address = (struct address){0};
  if (strncmp(text, "postgresql://", 13) != 0 && strncmp(text, "postgres://", 11) != 0)
    return fail(failure, IMD_LOG_REFUSED, "the address does not begin with postgresql://; %s",
                EXPECTED);
  char *copy = strdup(text);
  if (!copy) return fail(failure, IMD_LOG_UNAVAILABLE, "out of memory");
  int count;
  address->log = take_log(copy, &count);
  address->shown = without_credentials(copy);
  address->options = PQconninfoParse(copy, NULL);
  const char *wrong = address->options ? part_of_password(copy, address->options) : NULL;
  free(copy);
  if (count > 1)
    fail(failure, IMD_LOG_REFUSED, "the address has the parameter \"log\" more than once; %s",
         EXPECTED);
  else if (address->log && !decode(address->log))
    fail(failure, IMD_LOG_REFUSED, "the name of the log is not percent-encoded correctly; %s",
         EXPECTED);
  else if (!address->options)
    fail(failure, IMD_LOG_REFUSED,
         "the address is not a connection URI of libpq, or has a parameter that libpq does not "
         "know; %s",
         EXPECTED);
  else if (wrong)
    fail(failure, IMD_LOG_REFUSED, "%s; %s", wrong, EXPECTED);
  else if (!address->shown || (count > 0 && !address->log))
    fail(failure, IMD_LOG_UNAVAILABLE, "out of memory");
  else
    return true;
  address_free(address);
  return false;
}

void address_free(address *address) {
  free(address->log);
  free(address->shown);
  PQconninfoFree(address->options);
  *address = (struct address){0};
}
