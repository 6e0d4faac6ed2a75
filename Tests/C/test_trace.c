/* The trace of a store: what a function gets, when, and what is redacted. */
#define _POSIX_C_SOURCE 200809L

#include "query.h"

#include <immutabledata.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  imd_store *store;
  int lines, releases;
  imd_status dispatched, removed;
  char last[1024];
} recorder;

static void record(void *context, const char *line, size_t length) {
  recorder *recorder = context;
  CHECK(line[length] == '\0');
  CHECK(strlen(line) == length);
  recorder->lines++;
  snprintf(recorder->last, sizeof recorder->last, "%s", line);
}

static void count_release(void *context) {
  ((recorder *)context)->releases++;
}

static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  char *type = NULL;
  CHECK(imd_value_get_string(action, "/type", &type, NULL, error) == IMD_OK);
  const int is_refused = strcmp(type, "refused") == 0;
  imd_free(type);
  if (is_refused) {
    snprintf(error->message, sizeof error->message, "the password hunter2 is bad");
    return IMD_INVALID_ARGUMENT;
  }
  imd_value *payload = NULL;
  if (imd_value_get(action, "/payload", &payload, NULL) != IMD_OK) return IMD_OK;
  const imd_status status = imd_value_set(state, "/user", payload, next, error);
  imd_value_release(payload);
  return status;
}

static imd_store *create(const char *options) {
  imd_store *store = NULL;
  imd_error error;
  if (imd_store_create("{}", IMD_ZERO_TERMINATED, reduce, NULL, NULL, options, IMD_ZERO_TERMINATED,
                       &store, &error) != IMD_OK)
    fprintf(stderr, "%s\n", error.message);
  return store;
}

static imd_status dispatch(imd_store *store, const char *action) {
  return imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, NULL);
}

/* Checks a member of a line as canonical JSON; NULL if it must be missing. */
static void check_member(const char *line, const char *pointer, const char *expected) {
  imd_value *value = NULL, *member = NULL;
  char *text = NULL;
  CHECK(imd_value_parse(line, IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);
  const imd_status status = imd_value_get(value, pointer, &member, NULL);
  CHECK(status == (expected ? IMD_OK : IMD_NOT_FOUND));
  if (expected && imd_value_text(member, &text, NULL, NULL) == IMD_OK) CHECK_TEXT(text, expected);
  imd_free(text);
  imd_value_release(member);
  imd_value_release(value);
}

static void a_function_gets_lines(void) {
  recorder first = {0}, second = {0};
  imd_store *store = create(NULL);
  CHECK(imd_store_set_trace(store, record, &first, count_release, NULL) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"renamed\",\"payload\":{\"name\":\"Ada\"}}") == IMD_OK);
  CHECK(first.lines == 1);
  check_member(first.last, "/trace", "\"action\"");
  check_member(first.last, "/number", "1");
  check_member(first.last, "/action/payload/name", "\"Ada\"");
  check_member(first.last, "/changes",
               "[{\"op\":\"add\",\"path\":\"/user\",\"value\":{\"name\":\"Ada\"}}]");
  CHECK(dispatch(store, "{\"type\":\"refused\"}") == IMD_REDUCER_FAILED);
  check_member(first.last, "/trace", "\"rejected\"");
  check_member(first.last, "/code", "\"reducerFailed\"");
  check_member(first.last, "/message", "\"the password hunter2 is bad\"");
  check_query(store, "user.name", "\"Ada\"");
  check_member(first.last, "/expression", "\"user.name\"");
  CHECK(first.lines == 3);

  CHECK(imd_store_set_trace(store, record, &second, count_release, NULL) == IMD_OK);
  CHECK(first.releases == 1);
  CHECK(dispatch(store, "{\"type\":\"none\"}") == IMD_OK);
  CHECK(first.lines == 3 && second.lines == 1);
  CHECK(imd_store_set_trace(store, NULL, &first, count_release, NULL) == IMD_OK);
  CHECK(first.releases == 2 && second.releases == 1);
  CHECK(dispatch(store, "{\"type\":\"none\"}") == IMD_OK);
  CHECK(second.lines == 1);

  CHECK(imd_store_set_trace(store, record, &second, count_release, NULL) == IMD_OK);
  imd_store_close(store);
  CHECK(second.releases == 2);
  CHECK(imd_store_set_trace(store, record, &second, count_release, NULL) == IMD_CLOSED);
  CHECK(imd_store_set_trace(NULL, record, &second, count_release, NULL) == IMD_INVALID_ARGUMENT);
  CHECK(second.releases == 2);
}

/* Uses the store, and removes itself. */
static void use_store(void *context, const char *line, size_t length) {
  recorder *recorder = context;
  record(context, line, length);
  check_query(recorder->store, "user", "null");
  recorder->dispatched = dispatch(recorder->store, "{\"type\":\"again\"}");
  if (recorder->lines == 2)
    recorder->removed = imd_store_set_trace(recorder->store, NULL, NULL, NULL, NULL);
}

static void the_function_may_use_the_store(void) {
  recorder recorder = {.store = create(NULL)};
  CHECK(imd_store_set_trace(recorder.store, use_store, &recorder, count_release, NULL) == IMD_OK);
  CHECK(dispatch(recorder.store, "{\"type\":\"a\"}") == IMD_OK);
  CHECK(recorder.lines == 1);
  CHECK(recorder.dispatched == IMD_REENTRANT);
  CHECK(dispatch(recorder.store, "{\"type\":\"b\"}") == IMD_OK);
  CHECK(recorder.lines == 2 && recorder.removed == IMD_OK && recorder.releases == 1);
  CHECK(dispatch(recorder.store, "{\"type\":\"c\"}") == IMD_OK);
  CHECK(recorder.lines == 2);
  imd_store_close(recorder.store);
}

static void redacted_values_are_hidden(void) {
  recorder recorder = {0};
  imd_store *store = create(
      "{\"trace\":{\"file\":null,\"redact\":[\"/payload/password\",\"/user/password\"]}}");
  CHECK(imd_store_set_trace(store, record, &recorder, count_release, NULL) == IMD_OK);
  CHECK(dispatch(store, "{\"type\":\"a\",\"payload\":{\"name\":\"Ada\",\"password\":\"hunter2\"}}") ==
        IMD_OK);
  CHECK(strstr(recorder.last, "hunter2") == NULL);
  check_member(recorder.last, "/action/payload",
               "{\"name\":\"Ada\",\"password\":\"[redacted]\"}");
  check_member(recorder.last, "/changes",
               "[{\"op\":\"add\",\"path\":\"/user\",\"value\":{\"name\":\"Ada\",\"password\":"
               "\"[redacted]\"}}]");
  CHECK(dispatch(store, "{\"type\":\"refused\"}") == IMD_REDUCER_FAILED);
  CHECK(strstr(recorder.last, "hunter2") == NULL);
  check_member(recorder.last, "/message", "\"[redacted]\"");
  imd_store_close(store);

  imd_store *refused = NULL;
  imd_error error;
  CHECK(imd_store_open("counter", "{\"trace\":{\"redact\":[\"password\"]}}", IMD_ZERO_TERMINATED,
                       &refused, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message,
             "options/trace/redact: \"password\" is not a JSON Pointer: it must be empty or begin "
             "with \"/\"; write \"/password\"");
}

/* The environment of a child: lines of two stores, one of which has an option, in a file and on
 * standard error. */
static void run_child(void) {
  imd_store *traced = NULL, *untraced = NULL;
  CHECK(imd_store_open("counter", NULL, 0, &traced, NULL) == IMD_OK);
  CHECK(imd_store_open("counter", "{\"trace\":false}", IMD_ZERO_TERMINATED, &untraced, NULL) ==
        IMD_OK);
  CHECK(dispatch(traced, "{\"type\":\"didTapIncrementButton\"}") == IMD_OK);
  CHECK(dispatch(untraced, "{\"type\":\"didTapIncrementButton\"}") == IMD_OK);
  imd_store_close(traced);
  imd_store_close(untraced);
}

/* Runs a child with an environment; returns what it wrote to standard error. */
static void child_output(const char *names, const char *file, char *text, size_t size) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    setenv("IMMUTABLEDATA_TRACE", names, 1);
    if (file) setenv("IMMUTABLEDATA_TRACE_FILE", file, 1);
    run_child();
    _exit(failures != 0);
  }
  close(ends[1]);
  size_t length = 0;
  ssize_t count;
  while (length + 1 < size && (count = read(ends[0], text + length, size - 1 - length)) > 0)
    length += (size_t)count;
  text[length] = '\0';
  close(ends[0]);
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void the_environment_turns_traces_on(void) {
  char text[4096], path[] = "/tmp/test_trace.XXXXXX";
  child_output("actions", NULL, text, sizeof text);
  char *time = strstr(text, " µs\n");
  if (!time) time = strstr(text, " ms\n"); /* under valgrind */
  CHECK(time != NULL);
  CHECK(strncmp(text, "[counter ", 9) == 0);
  CHECK(strstr(text, "] #1 didTapIncrementButton ") != NULL);
  CHECK(time != NULL && strchr(time, '\n')[1] == '\0');

  child_output("action", NULL, text, sizeof text);
  const char *warning =
      "immutabledata: IMMUTABLEDATA_TRACE: unknown name \"action\"; did you mean \"actions\"?\n";
  CHECK(strncmp(text, warning, strlen(warning)) == 0);

  const int file = mkstemp(path);
  CHECK(file >= 0);
  child_output("changes", path, text, sizeof text);
  CHECK_TEXT(text, "");
  const ssize_t length = read(file, text, sizeof text - 1);
  CHECK(length > 0);
  text[length > 0 ? length : 0] = '\0';
  char *end = strchr(text, '\n');
  CHECK(end != NULL && end[1] == '\0');
  if (end) *end = '\0';
  check_member(text, "/changes", "[{\"op\":\"replace\",\"path\":\"/value\",\"value\":1}]");
  close(file);
  unlink(path);
}

int main(void) {
  /* First: a child gives up the handles of its parent, which valgrind reports as lost. */
  the_environment_turns_traces_on();
  a_function_gets_lines();
  the_function_may_use_the_store();
  redacted_values_are_hidden();
  return check_report();
}
