/* Forks a process whose threads use the library continuously.
 *
 *     test_fork [FORKS] */
#define _POSIX_C_SOURCE 200809L

#include "check.h"
#include "child.h"

#include <errno.h>
#include <immutabledata.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child has a few milliseconds of work; one that takes longer than this hangs. */
enum { CHILD_TIMEOUT_MS = 120000 };

static char folder[] = "/tmp/imd-fork-XXXXXX";
static char shared_options[64], own_options[64], shared_copy[64], own_copy[64];

static imd_store *store;
static imd_stream *stream;
static imd_observation *observation;
static imd_value *value;
static atomic_int should_stop;

static imd_status count(void *context, const imd_value *state, const imd_value *action,
                        imd_value **next, imd_error *error) {
  (void)context;
  (void)action;
  int64_t number = 0;
  imd_status status = imd_value_get_integer(state, "/n", &number, error);
  return status == IMD_OK ? imd_value_set_integer(state, "/n", number + 1, next, error) : status;
}

static void ignore(void *context, const imd_delivery *delivery) {
  (void)context;
  (void)delivery;
}

static imd_status dispatch(imd_store *to, const char *action, imd_error *error) {
  return imd_store_dispatch(to, action, IMD_ZERO_TERMINATED, error);
}

/* Checks that a call of the parent succeeded, and says why it did not. */
static void check_ok(imd_status status, const imd_error *error) {
  if (!CHECK(status == IMD_OK)) fprintf(stderr, "  %s\n", error->message);
}

/* Opens animals, lets effects read and write the database, and closes it. */
static imd_status use_animals(const char *options, imd_error *error) {
  imd_store *animals = NULL;
  imd_status status =
      imd_store_open("animals", options, IMD_ZERO_TERMINATED, &animals, error);
  if (status != IMD_OK) return status;
  status = dispatch(animals, "{\"type\":\"ui/animalList/onAppear\"}", error);
  if (status == IMD_OK)
    status = dispatch(animals,
                      "{\"type\":\"ui/animalEditor/onTapAddAnimalButton\",\"payload\":"
                      "{\"id\":\"1\",\"name\":\"Owl\",\"diet\":\"Carnivore\","
                      "\"categoryId\":\"Bird\"}}",
                      error);
  if (status == IMD_OK) status = imd_store_settle(animals, -1, error);
  imd_store_close(animals);
  return status;
}

/* Copies a database of animals. */
static imd_status back_up_animals(const char *options, const char *path, imd_error *error) {
  imd_store *animals = NULL;
  imd_status status = imd_store_open("animals", options, IMD_ZERO_TERMINATED, &animals, error);
  if (status == IMD_OK) status = imd_store_backup(animals, path, error);
  imd_store_close(animals);
  unlink(path);
  return status;
}

/* ---- The threads of the parent ------------------------------------------------------------- */

/* Posted by each thread when it has used everything often enough that the Swift runtime has
 * instantiated its types: it does so under a lock, and a child could inherit that lock while it is
 * held. */
static sem_t warmed_up;

static void count_round(int *rounds) {
  if (++*rounds == 10) sem_post(&warmed_up);
}

static void *keep_dispatching(void *context) {
  (void)context;
  for (int rounds = 0; !should_stop; count_round(&rounds))
    CHECK(dispatch(store, "{\"type\":\"add\"}", NULL) == IMD_OK);
  return NULL;
}

static void *keep_reading(void *context) {
  (void)context;
  int rounds = 0;
  for (int i = 0; !should_stop; i++) {
    char expression[64], *output = NULL;
    snprintf(expression, sizeof expression, "n.b%d || `1`", i % 300);
    if (imd_store_query(store, expression, NULL, 0, &output, NULL, NULL) == IMD_OK)
      imd_free(output);
    count_round(&rounds);
  }
  return NULL;
}

static void *keep_observing(void *context) {
  (void)context;
  for (int rounds = 0; !should_stop; count_round(&rounds)) {
    imd_observation *other = NULL;
    imd_value *action = NULL, *state = NULL;
    CHECK(imd_store_observe(store, "n", NULL, 0, NULL, 0, ignore, NULL, NULL, &other, NULL) ==
          IMD_OK);
    imd_observation_cancel(other);
    if (imd_stream_next(stream, 0, &action, NULL, &state, NULL) == IMD_OK) {
      imd_value_release(action);
      imd_value_release(state);
    }
  }
  return NULL;
}

static void *keep_counting(void *context) {
  (void)context;
  for (int rounds = 0; !should_stop; count_round(&rounds)) {
    imd_store *counter = NULL;
    CHECK(imd_store_open("counter", NULL, 0, &counter, NULL) == IMD_OK);
    CHECK(dispatch(counter, "{\"type\":\"didTapIncrementButton\"}", NULL) == IMD_OK);
    imd_store_close(counter);
  }
  return NULL;
}

static void *keep_using_animals(void *context) {
  (void)context;
  imd_error error = {0};
  for (int rounds = 0; !should_stop; count_round(&rounds))
    check_ok(use_animals(NULL, &error), &error);
  return NULL;
}

/* One thread uses the file: a second connection could wait for its lock longer than the timeout. */
static void *keep_using_the_file(void *context) {
  (void)context;
  imd_error error = {0};
  for (int rounds = 0; !should_stop; count_round(&rounds)) {
    check_ok(use_animals(shared_options, &error), &error);
    check_ok(back_up_animals(shared_options, shared_copy, &error), &error);
  }
  return NULL;
}

/* ---- The child ----------------------------------------------------------------------------- */

#define EXPECT(condition) \
  do {                    \
    if (!(condition)) {   \
      fprintf(stderr, "%s:%d: in the child: check failed: %s: %s\n", __FILE__, __LINE__, #condition, \
              error.message);                                                                  \
      return 1;                                                                                \
    }                                                                                          \
  } while (0)

/* Inherited handles are closed; new ones work. */
static int run_child(void) {
  imd_error error = {0};
  imd_store *own = NULL;
  imd_stream *own_stream = NULL;
  char *text = NULL;
  EXPECT(dispatch(store, "{\"type\":\"add\"}", &error) == IMD_CLOSED);
  EXPECT(imd_store_query(store, "n", NULL, 0, &text, NULL, &error) == IMD_CLOSED);
  EXPECT(imd_stream_next(stream, -1, NULL, NULL, NULL, &error) == IMD_CLOSED);
  EXPECT(imd_store_settle(store, -1, &error) == IMD_CLOSED);
  EXPECT(imd_store_poll(store, NULL, &error) == IMD_CLOSED);
  EXPECT(imd_store_backup(store, own_copy, &error) == IMD_CLOSED);
  EXPECT(imd_value_text(value, &text, NULL, &error) == IMD_OK);
  imd_free(text);
  imd_observation_cancel(observation);
  imd_stream_close(stream);
  imd_store_close(store);

  EXPECT(imd_store_create("{\"n\":0}", IMD_ZERO_TERMINATED, count, NULL, NULL, NULL, 0, &own,
                          &error) == IMD_OK);
  EXPECT(imd_store_define_selector(own, "n", "n", &error) == IMD_OK);
  EXPECT(imd_store_observe(own, "n", NULL, 0, NULL, 0, ignore, NULL, NULL, NULL, &error) ==
         IMD_OK);
  EXPECT(imd_store_stream(own, NULL, 0, &own_stream, &error) == IMD_OK);
  for (int i = 0; i < 20; i++) EXPECT(dispatch(own, "{\"type\":\"add\"}", &error) == IMD_OK);
  EXPECT(imd_store_select(own, "n", NULL, 0, &text, NULL, &error) == IMD_OK);
  EXPECT(strcmp(text, "20") == 0);
  imd_free(text);
  imd_store_close(own);
  EXPECT(use_animals(NULL, &error) == IMD_OK);
  EXPECT(use_animals(own_options, &error) == IMD_OK);
  EXPECT(back_up_animals(own_options, own_copy, &error) == IMD_OK);
  return 0;
}

/* Waits for the child to exit, with a timeout. The pipe closes when it exits.
 *
 * Returns its exit status, or -1. */
static int wait_for_child(pid_t child, int pipe_end) {
  struct pollfd end = {pipe_end, POLLIN, 0};
  int ready, status = -1;
  do {
    ready = poll(&end, 1, CHILD_TIMEOUT_MS);
  } while (ready < 0 && errno == EINTR);
  if (!CHECK(ready == 1)) {
    fprintf(stderr, "  the child %d hangs: it has not ended after %d ms\n", (int)child,
            CHILD_TIMEOUT_MS);
    kill(child, SIGABRT);
  }
  close(pipe_end);
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

static int fork_once(int (*run)(void)) {
  int ends[2];
  if (!CHECK(pipe(ends) == 0)) return 0;
  pid_t child = fork();
  if (child == 0) end_child(run());
  close(ends[1]);
  return CHECK(child > 0) && CHECK(wait_for_child(child, ends[0]) == 0);
}

/* ---- A file that the parent has open --------------------------------------------------------- */

static int open_inherited_file(void) {
  imd_error error = {0};
  imd_store *animals = NULL;
  char message[256];
  snprintf(message, sizeof message,
           "cannot open \"%s/shared\": a store of the process that this one was forked from has it "
           "open; open it after exec, or in the parent", folder);
  for (int i = 0; i < 2; i++) {
    EXPECT(imd_store_open("animals", shared_options, IMD_ZERO_TERMINATED, &animals, &error) ==
           IMD_IO);
    EXPECT(strcmp(error.message, message) == 0);
  }
  EXPECT(use_animals(own_options, &error) == IMD_OK);
  return 0;
}

static int open_closed_file(void) {
  imd_error error = {0};
  EXPECT(use_animals(shared_options, &error) == IMD_OK);
  return 0;
}

static void test_file(void) {
  imd_store *animals = NULL;
  CHECK(use_animals(own_options, NULL) == IMD_OK);
  CHECK(imd_store_open("animals", shared_options, IMD_ZERO_TERMINATED, &animals, NULL) == IMD_OK);
  fork_once(open_inherited_file);
  CHECK(dispatch(animals, "{\"type\":\"ui/animalList/onAppear\"}", NULL) == IMD_OK);
  CHECK(imd_store_settle(animals, -1, NULL) == IMD_OK);
  imd_store_close(animals);
  fork_once(open_closed_file);
}

/* ---- The parent ---------------------------------------------------------------------------- */

int main(int argc, char **argv) {
  int forks = argc > 1 ? atoi(argv[1]) : 100;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(shared_options, sizeof shared_options, "{\"store\":\"%s/shared\"}", folder);
  snprintf(own_options, sizeof own_options, "{\"store\":\"%s/own\"}", folder);
  snprintf(shared_copy, sizeof shared_copy, "%s/shared-copy", folder);
  snprintf(own_copy, sizeof own_copy, "%s/own-copy", folder);
  CHECK(imd_store_create("{\"n\":0}", IMD_ZERO_TERMINATED, count, NULL, NULL, NULL, 0, &store,
                         NULL) == IMD_OK);
  CHECK(imd_store_define_selector(store, "n", "n", NULL) == IMD_OK);
  CHECK(imd_store_observe(store, "n", NULL, 0, NULL, 0, ignore, NULL, NULL, &observation, NULL) ==
        IMD_OK);
  CHECK(imd_store_stream(store, "{\"overflow\":\"dropOldest\"}", IMD_ZERO_TERMINATED, &stream,
                         NULL) == IMD_OK);
  CHECK(imd_value_parse("{\"a\":[1,2]}", IMD_ZERO_TERMINATED, &value, NULL) == IMD_OK);

  test_file();

  void *(*const work[])(void *) = {keep_dispatching, keep_reading,       keep_observing,
                                   keep_counting,    keep_using_animals, keep_using_animals,
                                   keep_using_the_file};
  enum { THREADS = sizeof work / sizeof *work };
  pthread_t threads[THREADS];
  CHECK(sem_init(&warmed_up, 0, 0) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, work[i], NULL) == 0);
  for (int i = 0; i < THREADS; i++) sem_wait(&warmed_up);
  for (int i = 0; i < forks && fork_once(run_child); i++) {
  }
  should_stop = 1;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);

  imd_value_release(value);
  imd_observation_cancel(observation);
  imd_stream_close(stream);
  imd_store_close(store);
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_report();
}
