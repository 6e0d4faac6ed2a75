/* The socket of inspectors: its place, the environment, control on another thread, and forks. */
#define _GNU_SOURCE

#include "child.h"
#include "query.h"

#include <immutabledata.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/imd-inspector-XXXXXX";
static pthread_t reducing_thread;

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context, (void)state;
  reducing_thread = pthread_self();
  return imd_value_get(action, "/payload", next, error);
}

static imd_store *create(const char *options, imd_status expected) {
  imd_store *store = NULL;
  imd_error error = {0};
  CHECK(imd_store_create("1", IMD_ZERO_TERMINATED, reduce, NULL, NULL, options,
                         IMD_ZERO_TERMINATED, &store, &error) == expected);
  return store;
}

/* Connects to a socket in the folder; -1 if nobody listens. */
static int connect_to(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", folder, name);
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(client, (struct sockaddr *)&address, sizeof address) == 0) return client;
  close(client);
  return -1;
}

/* Sends a request, if it is not empty, and reads one line; empty at the end. */
static const char *ask(int client, const char *request) {
  static char line[4096];
  size_t length = 0;
  const size_t size = strlen(request);
  if (size > 0 && send(client, request, size, MSG_NOSIGNAL) < 0) return "";
  while (length + 1 < sizeof line && read(client, line + length, 1) == 1 && line[length] != '\n')
    length++;
  line[length] = '\0';
  return line;
}

static const char *default_name(void) {
  static char name[128];
  snprintf(name, sizeof name, "immutabledata/%s-%d.sock", program_invocation_short_name,
           (int)getpid());
  return name;
}

/* The variable of the environment lets stores be inspected, but not changed. */
static void test_environment(void) {
  setenv("XDG_RUNTIME_DIR", folder, 1);
  setenv("IMMUTABLEDATA_INSPECT", "1", 1);
  imd_store *store = create(NULL, IMD_OK);
  imd_store *hidden = create("{\"inspect\":false}", IMD_OK);
  unsetenv("IMMUTABLEDATA_INSPECT");
  char path[256];
  struct stat status = {0};
  snprintf(path, sizeof path, "%s/immutabledata", folder);
  CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0700);
  snprintf(path, sizeof path, "%s/%s", folder, default_name());
  CHECK(stat(path, &status) == 0 && S_ISSOCK(status.st_mode) && (status.st_mode & 0777) == 0600);

  const int client = connect_to(default_name());
  const char *stores = ask(client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stores\"}\n");
  CHECK(strstr(stores, "\"control\":false") != NULL);
  const char *number = strstr(stores, "\"store\":");
  CHECK(number != NULL && strstr(number + 1, "\"store\":") == NULL);
  char request[256];
  snprintf(request, sizeof request,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"dispatch\",\"params\":{\"store\":%d,"
           "\"action\":{\"type\":\"a\",\"payload\":2}}}\n",
           number == NULL ? 0 : atoi(number + 8));
  CHECK(strstr(ask(client, request), "-32002") != NULL);

  imd_store_close(store);
  CHECK(strstr(ask(client, ""), "\"closed\"") != NULL);
  CHECK_TEXT(ask(client, ""), "");
  CHECK(connect_to(default_name()) == -1);
  CHECK(stat(path, &status) != 0);
  close(client);
  imd_store_close(hidden);
  snprintf(path, sizeof path, "%s/immutabledata", folder);
  rmdir(path);
}

static void options_at(char options[256], const char *name) {
  snprintf(options, 256, "{\"history\":true,\"inspect\":{\"path\":\"%s/%s\",\"control\":true}}",
           folder, name);
}

/* With control, the thread of the inspector calls the reducer. */
static void test_control(void) {
  char options[256];
  options_at(options, "s");
  imd_store *store = create(options, IMD_OK);
  create(strcpy(options, "{\"inspect\":1}"), IMD_INVALID_ARGUMENT);
  create(strcpy(options, "{\"inspect\":{\"path\":\"/nowhere/s\"}}"), IMD_IO);
  const int client = connect_to("s");
  const char *stores = ask(client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stores\"}\n");
  const char *member = strstr(stores, "\"store\":");
  const int number = member == NULL ? 0 : atoi(member + 8);
  char request[256];
  snprintf(request, sizeof request,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"dispatch\",\"params\":{\"store\":%d,"
           "\"action\":{\"type\":\"a\",\"payload\":2}}}\n",
           number);
  CHECK_TEXT(ask(client, request), "{\"id\":2,\"jsonrpc\":\"2.0\",\"result\":{\"commit\":1}}");
  CHECK(!pthread_equal(reducing_thread, pthread_self()));
  check_query(store, "@", "2");
  imd_store_close(store);
  close(client);
}

/* A process of another user gets nothing, even if it can open the socket. */
static void test_other_user(void) {
  if (geteuid() != 0) return;
  char options[256], path[256];
  options_at(options, "u");
  imd_store *store = create(options, IMD_OK);
  snprintf(path, sizeof path, "%s/u", folder);
  CHECK(chmod(folder, 0711) == 0 && chmod(path, 0666) == 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(65534) != 0) end_child(2);
    const int client = connect_to("u");
    const char *line = ask(client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stores\"}\n");
    end_child(client == -1 || *line != '\0');
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  imd_store_close(store);
}

static int open_descriptors(void) {
  int count = 0;
  for (int descriptor = 0; descriptor < 1024; descriptor++)
    count += fcntl(descriptor, F_GETFD) != -1;
  return count;
}

typedef struct {
  imd_store *store;
  int stop, dispatched;
} dispatching;

static void *dispatch_until_stopped(void *context) {
  dispatching *dispatching = context;
  while (!__atomic_load_n(&dispatching->stop, __ATOMIC_RELAXED)) {
    char action[64];
    const int length = snprintf(action, sizeof action, "{\"type\":\"a\",\"payload\":%d}",
                                ++dispatching->dispatched);
    CHECK(imd_store_dispatch(dispatching->store, action, (size_t)length, NULL) == IMD_OK);
  }
  return NULL;
}

static int member_of(const char *line, const char *name) {
  const char *found = strstr(line, name);
  return found == NULL ? 0 : atoi(found + strlen(name));
}

/* Clients come and go while a thread dispatches. Each is told of all commits, or how many it missed. */
static void test_coming_and_going(int rounds) {
  char options[256], request[128];
  options_at(options, "a");
  dispatching dispatching = {.store = create(options, IMD_OK)};
  const int before = open_descriptors();
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, dispatch_until_stopped, &dispatching) == 0);
  for (int round = 0; round < rounds; round++) {
    const int client = connect_to("a");
    const int store = member_of(
        ask(client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stores\"}\n"), "\"store\":");
    snprintf(request, sizeof request,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"attach\",\"params\":{\"store\":%d}}\n",
             store);
    int last = member_of(ask(client, request), "\"commit\":");
    for (int i = 0; i < 20; i++) {
      const char *line = ask(client, "");
      if (strstr(line, "\"dropped\"") != NULL) {
        last += member_of(line, "\"commits\":");
        continue;
      }
      const int number = member_of(line, "\"commit\":");
      /* The payload is the number of the dispatch. */
      CHECK(number == last + 1 && member_of(line, "\"payload\":") == number);
      last = number;
    }
    close(client);
  }
  __atomic_store_n(&dispatching.stop, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
  char count[16];
  snprintf(count, sizeof count, "%d", dispatching.dispatched);
  check_query(dispatching.store, "@", count);
  imd_store_close(dispatching.store);
  /* The listener, and the signal that woke its thread. */
  CHECK(open_descriptors() == before - 3);
}

/* The child of a fork does not serve the stores of its parent, but its own. */
static void test_fork(void) {
  char options[256];
  options_at(options, "f");
  imd_store *store = create(options, IMD_OK);
  const int client = connect_to("f");
  CHECK(strstr(ask(client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stores\"}\n"), "result"));
  int ends[2];
  CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    options_at(options, "c");
    imd_store *own = create(options, IMD_OK);
    const int other = connect_to("c");
    CHECK(strstr(ask(other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stores\"}\n"), "result"));
    imd_store_close(own);
    CHECK(connect_to("c") == -1);
    close(other);
    /* It ends only after its parent has closed the store. */
    char byte;
    close(ends[1]);
    CHECK(read(ends[0], &byte, 1) == 0);
    end_child(failures != 0);
  }
  close(ends[0]);
  imd_store_close(store);
  CHECK(strstr(ask(client, ""), "\"closed\"") != NULL);
  /* The child has no end of this connection, nor of the socket. */
  CHECK_TEXT(ask(client, ""), "");
  CHECK(connect_to("f") == -1);
  close(client);
  close(ends[1]);
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char **argv) {
  if (mkdtemp(folder) == NULL) return 1;
  test_environment();
  test_control();
  test_other_user();
  test_coming_and_going(argc > 1 ? atoi(argv[1]) : 100);
  test_fork();
  rmdir(folder);
  return check_report();
}
