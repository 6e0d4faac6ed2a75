/* libFuzzer: whatever a client of the inspector sends, the process survives, each line that it
 * gets is a JSON-RPC message, and other clients are served. */
#define _DEFAULT_SOURCE

#include <immutabledata.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The store stays open, because requests have its number. A leak checker does not see what it caches. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

static char path[64];

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "check failed: %s\n", what);
  abort();
}

/* The payload becomes the state. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context, (void)state;
  return imd_value_get(action, "/payload", next, error);
}

static imd_store *open_store(void) {
  static char folder[] = "/tmp/fuzz-inspector-XXXXXX";
  char options[256];
  imd_store *store = NULL;
  require(mkdtemp(folder) != NULL, "there is a folder");
  snprintf(path, sizeof path, "%s/s", folder);
  snprintf(options, sizeof options,
           "{\"history\":true,\"inspect\":{\"path\":\"%s\",\"control\":true}}", path);
  require(imd_store_create("{\"items\":[1,2,3]}", IMD_ZERO_TERMINATED, reduce, NULL, NULL, options,
                           IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK,
          "there is a store");
  return store;
}

static int connect_to_store(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, path, strlen(path) + 1);
  const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  require(connect(client, (struct sockaddr *)&address, sizeof address) == 0, "somebody listens");
  return client;
}

static void check_line(const char *line, size_t length) {
  imd_value *message = NULL;
  require(imd_value_parse(line, length, &message, NULL) == IMD_OK, "a line is JSON");
  char *version = NULL;
  require(imd_value_get_string(message, "/jsonrpc", &version, NULL, NULL) == IMD_OK &&
              strcmp(version, "2.0") == 0,
          "a line is a message");
  imd_free(version);
  imd_value_release(message);
}

/* Reads all lines, until the inspector closes the connection. */
static void read_lines(int client) {
  static char *line;
  static size_t room;
  size_t length = 0;
  for (;;) {
    if (room - length < 65536) {
      room = 2 * room + 65536;
      line = realloc(line, room);
      require(line != NULL, "there is memory");
    }
    const ssize_t count = read(client, line + length, room - length);
    if (count <= 0) break;
    length += (size_t)count;
    for (char *end; (end = memchr(line, '\n', length)) != NULL;) {
      const size_t taken = (size_t)(end - line);
      check_line(line, taken);
      length -= taken + 1;
      memmove(line, end + 1, length);
    }
  }
}

typedef struct {
  int client;
  const uint8_t *data;
  size_t size;
} sending;

static void *send_all(void *context) {
  const sending *sending = context;
  size_t sent = 0;
  while (sent < sending->size) {
    const ssize_t count =
        send(sending->client, sending->data + sent, sending->size - sent, MSG_NOSIGNAL);
    if (count <= 0) break;
    sent += (size_t)count;
  }
  shutdown(sending->client, SHUT_WR);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static imd_store *store;
  if (store == NULL) store = open_store();
  sending sending = {connect_to_store(), data, size};
  pthread_t thread;
  require(pthread_create(&thread, NULL, send_all, &sending) == 0, "there is a thread");
  read_lines(sending.client);
  pthread_join(thread, NULL);
  close(sending.client);
  return 0;
}
