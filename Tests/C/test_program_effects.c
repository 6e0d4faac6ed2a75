/* Effects that the program performs: a timer, random numbers, a clock and a dialog, which the rule
 * of a store asks for. */
#define _GNU_SOURCE

#include "child.h"
#include "query.h"

#include <dlfcn.h>
#include <errno.h>
#include <immutabledata.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- A store whose state is the list of its actions ------------------------------------------ */

static imd_status append(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  return imd_value_set(state, "/-", action, next, error);
}

/* Asks for the effects that an action has as "ask" in its payload. */
static imd_status ask(void *context, const imd_value *action, const imd_value *old_state,
                      const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)context;
  CHECK(imd_value_count(new_state) == imd_value_count(old_state) + 1);
  CHECK(error != NULL && *effects == NULL);
  imd_value_get(action, "/payload/ask", effects, NULL);
  return IMD_OK;
}

static void count_release(void *context) { ++*(atomic_int *)context; }

static imd_store *open_store(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create("[]", IMD_ZERO_TERMINATED, append, NULL, NULL, NULL, 0, &store, NULL) ==
        IMD_OK);
  CHECK(imd_store_set_rule(store, ask, NULL, NULL, NULL) == IMD_OK);
  return store;
}

static void dispatch_ask(imd_store *store, const char *effects) {
  char action[512];
  imd_error error;
  snprintf(action, sizeof action, "{\"type\":\"ask\",\"payload\":{\"ask\":%s}}", effects);
  if (!CHECK(imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error) == IMD_OK))
    fprintf(stderr, "  %s\n", error.message);
}

/* ---- Effects ---------------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* Holds one effect until the test ends it: a timer that fires when the test says so. */
typedef struct {
  atomic_int released; /* first: count_release counts there */
  imd_effect *effect;
  int64_t milliseconds;
} holder;

static void hold(void *context, imd_effect *effect, const imd_value *arguments) {
  holder *holder = context;
  pthread_mutex_lock(&mutex);
  holder->milliseconds = -1;
  imd_value_get_integer(arguments, "/milliseconds", &holder->milliseconds, NULL);
  holder->effect = effect;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

/* Waits for the next effect. */
static imd_effect *take(holder *holder) {
  pthread_mutex_lock(&mutex);
  while (holder->effect == NULL) pthread_cond_wait(&changed, &mutex);
  imd_effect *effect = holder->effect;
  holder->effect = NULL;
  pthread_mutex_unlock(&mutex);
  return effect;
}

static void set_effect(imd_store *store, const char *name, imd_effect_function function,
                       void *context, void (*release)(void *context)) {
  CHECK(imd_store_set_effect(store, name, function, context, release, NULL) == IMD_OK);
}

static void roll(void *context, imd_effect *effect, const imd_value *arguments) {
  unsigned *seed = context;
  int64_t sides = 0;
  imd_value *result = NULL;
  CHECK(imd_value_get_integer(arguments, "/sides", &sides, NULL) == IMD_OK);
  *seed = *seed * 1103515245u + 12345u;
  CHECK(imd_value_from_integer(1 + (*seed >> 16) % (unsigned)sides, &result, NULL) == IMD_OK);
  CHECK(imd_effect_resolve(effect, result, NULL) == IMD_OK);
  imd_value_release(result);
}

static void tell_time(void *context, imd_effect *effect, const imd_value *arguments) {
  imd_value *result = NULL;
  CHECK(imd_value_kind(arguments) == IMD_NULL && arguments != NULL);
  CHECK(imd_value_from_real(*(double *)context, &result, NULL) == IMD_OK);
  CHECK(imd_effect_resolve(effect, result, NULL) == IMD_OK);
  imd_value_release(result);
}

/* Rolls a die and reads the clock while a timer and a dialog are in flight. */
static void test_effects(void) {
  holder timer = {0}, dialog = {0};
  unsigned seed = 1;
  double now = 12.5;
  imd_error error;
  imd_store *store = open_store();
  set_effect(store, "timer", hold, &timer, count_release);
  set_effect(store, "dialog", hold, &dialog, count_release);
  set_effect(store, "roll", roll, &seed, NULL);
  set_effect(store, "clock", tell_time, &now, NULL);
  dispatch_ask(store,
               "[{\"effect\":\"dialog\",\"success\":\"answered\",\"failure\":\"cancelled\"},"
               "{\"effect\":\"timer\",\"arguments\":{\"milliseconds\":100},"
               "\"success\":{\"type\":\"fired\",\"meta\":{\"id\":7}}},"
               "{\"effect\":\"roll\",\"arguments\":{\"sides\":6},\"success\":\"rolled\"},"
               "{\"effect\":\"clock\",\"success\":\"told\"}]");
  imd_effect *question = take(&dialog), *wait = take(&timer);
  CHECK(timer.milliseconds == 100);
  CHECK(imd_store_settle(store, 1, &error) == IMD_TIMEOUT);
  CHECK(imd_effect_resolve(wait, NULL, NULL) == IMD_OK);
  CHECK(imd_effect_resolve(wait, NULL, &error) == IMD_CLOSED);
  CHECK_TEXT(error.message, "the effect has ended: it was answered or cancelled, or its store was closed");
  CHECK(imd_effect_reject(question, "the user is away", NULL) == IMD_OK);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  check_query(store, "[?type=='fired']", "[{\"meta\":{\"id\":7},\"payload\":null,\"type\":\"fired\"}]");
  check_query(store, "[?type=='rolled'].payload", "[3]");
  check_query(store, "[?type=='told'].payload", "[12.5]");
  check_query(store, "[?type=='cancelled'].payload", "[{\"reason\":\"the user is away\"}]");
  imd_store_close(store);
  CHECK(timer.released == 1 && dialog.released == 1);
}

/* ---- Wrong calls ------------------------------------------------------------------------------ */

static void check_refused(imd_status status, imd_status expected, const imd_error *error,
                          const char *message) {
  CHECK(status == expected);
  CHECK_TEXT(error->message, message);
}

static void test_wrong_calls(void) {
  holder holder = {0};
  imd_error error;
  imd_store *store = open_store(), *counter = NULL;
  check_refused(imd_store_set_effect(NULL, "e", hold, NULL, NULL, &error), IMD_INVALID_ARGUMENT,
                &error, "store must not be NULL");
  check_refused(imd_store_set_effect(store, NULL, hold, NULL, NULL, &error), IMD_INVALID_ARGUMENT,
                &error, "name must not be NULL");
  check_refused(imd_store_set_effect(store, "", hold, &holder, count_release, &error),
                IMD_INVALID_ARGUMENT, &error, "the name of an effect must not be empty");
  check_refused(imd_store_set_effect(store, "\xff", hold, &holder, count_release, &error),
                IMD_INVALID_ARGUMENT, &error, "the name is not UTF-8; pass it as UTF-8");
  check_refused(imd_effect_resolve(NULL, NULL, &error), IMD_INVALID_ARGUMENT, &error,
                "effect must not be NULL");
  check_refused(imd_effect_reject((imd_effect *)store, "no", &error), IMD_INVALID_ARGUMENT, &error,
                "effect was never a valid imd_effect *; pass one that this library returned");
  CHECK(imd_store_open("counter", NULL, 0, &counter, NULL) == IMD_OK);
  check_refused(imd_store_set_rule(counter, ask, &holder, count_release, &error),
                IMD_INVALID_ARGUMENT, &error,
                "the effects of a domain are part of the domain; set a rule for a store with your "
                "own reducer");
  check_refused(imd_store_set_effect(counter, "roll", hold, &holder, count_release, &error),
                IMD_INVALID_ARGUMENT, &error,
                "unknown effect \"roll\": this store asks the program for no effects");
  imd_store_close(counter);
  CHECK(holder.released == 0);

  set_effect(store, "held", hold, &holder, count_release);
  dispatch_ask(store, "[{\"effect\":\"held\",\"failure\":\"failed\"}]");
  imd_effect *effect = take(&holder);
  check_refused(imd_effect_reject(effect, NULL, &error), IMD_INVALID_ARGUMENT, &error,
                "reason must not be NULL");
  CHECK(imd_set_limit(IMD_LIMIT_INPUT, 8, NULL) == IMD_OK);
  check_refused(imd_effect_reject(effect, "too long.", &error), IMD_LIMIT, &error,
                "reason has more than 8 bytes, which is the input limit");
  CHECK(imd_set_limit(IMD_LIMIT_INPUT, 256 << 20, NULL) == IMD_OK);
  set_effect(store, "held", NULL, &holder, count_release);
  CHECK(holder.released == 2); /* of the function, and of its removal */
  CHECK(imd_effect_reject(effect, "bad \xff byte", NULL) == IMD_OK);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  check_query(store, "[-1].payload.reason", "\"bad \xef\xbf\xbd byte\"");
  CHECK(imd_store_set_rule(store, NULL, &holder, count_release, NULL) == IMD_OK);
  CHECK(imd_store_set_effect_error_handler(store, NULL, &holder, count_release, NULL) == IMD_OK);
  CHECK(holder.released == 4);
  imd_store_close(store);
  CHECK(imd_store_set_effect(store, "e", hold, &holder, count_release, NULL) == IMD_CLOSED);
  CHECK(imd_store_set_rule(store, ask, &holder, count_release, NULL) == IMD_CLOSED);
  CHECK(imd_store_set_effect_error_handler(store, NULL, &holder, count_release, NULL) ==
        IMD_CLOSED);
  CHECK(holder.released == 4);
}

/* ---- Failures --------------------------------------------------------------------------------- */

static char messages[1024];
static imd_status statuses[8];
static int failed;

static void record_failure(void *context, const imd_error *error) {
  (void)context;
  statuses[failed++] = error->status;
  strcat(strcat(messages, error->message), "\n");
}

static imd_status refuse(void *context, const imd_value *action, const imd_value *old_state,
                         const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)action, (void)old_state, (void)new_state;
  if (*(int *)context) strcpy(error->message, "out of ideas");
  *effects = imd_value_retain(action); /* is released */
  return *(int *)context ? IMD_LIMIT : IMD_NOT_FOUND;
}

/* Dispatches, and ignores that it is refused. */
static imd_status dispatch_in_rule(void *context, const imd_value *action,
                                   const imd_value *old_state, const imd_value *new_state,
                                   imd_value **effects, imd_error *error) {
  (void)action, (void)old_state, (void)new_state, (void)effects;
  imd_store *store = *(imd_store **)context;
  CHECK(imd_store_dispatch(store, "{\"type\":\"b\"}", IMD_ZERO_TERMINATED, error) == IMD_REENTRANT);
  CHECK(imd_store_dispatch_batch(store, "[]", IMD_ZERO_TERMINATED, error) == IMD_REENTRANT);
  return IMD_OK;
}

static void test_dispatch_in_rule(void) {
  imd_store *store = open_store();
  CHECK(imd_store_set_effect_error_handler(store, record_failure, NULL, NULL, NULL) == IMD_OK);
  CHECK(imd_store_set_rule(store, dispatch_in_rule, &store, NULL, NULL) == IMD_OK);
  dispatch_ask(store, "[]");
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  CHECK_TEXT(messages,
             "a rule dispatched an action; return an effect whose outcome is the action instead\n");
  CHECK(failed == 1 && statuses[0] == IMD_REENTRANT);
  check_query(store, "length(@)", "1");
  imd_store_close(store);
  failed = 0;
  messages[0] = 0;
}

/* A reason is passed on as it is, as a reducer's message is. A name that is quoted is escaped. */
static void test_reasons(void) {
  holder holder = {0};
  imd_store *store = open_store();
  CHECK(imd_store_set_effect_error_handler(store, record_failure, NULL, NULL, NULL) == IMD_OK);
  set_effect(store, "say\033", hold, &holder, NULL);
  for (int i = 0; i < 2; i++) {
    dispatch_ask(store, i ? "[{\"effect\":\"say\\u001b\"}]"
                          : "[{\"effect\":\"say\\u001b\",\"failure\":\"failed\"}]");
    CHECK(imd_effect_reject(take(&holder), "\033[1mno\nvoice\t", NULL) == IMD_OK);
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  }
  check_query(store, "[1].payload.reason", "\"\\u001b[1mno\\nvoice\\t\"");
  CHECK_TEXT(messages, "the effect \"say\\u001b\": \033[1mno\nvoice\t\n");
  CHECK(failed == 1 && statuses[0] == IMD_IO);
  imd_store_close(store);
  failed = 0;
  messages[0] = 0;
}

static void test_failures(void) {
  int has_message = 0;
  imd_store *store = open_store();
  CHECK(imd_store_set_effect_error_handler(store, record_failure, NULL, NULL, NULL) == IMD_OK);
  dispatch_ask(store, "[{\"effect\":\"none\"}]");
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  dispatch_ask(store, "[{\"efect\":\"none\"}]");
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  for (; has_message < 2; has_message++) {
    CHECK(imd_store_set_rule(store, refuse, &has_message, NULL, NULL) == IMD_OK);
    dispatch_ask(store, "[]");
    CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  }
  CHECK_TEXT(messages,
             "the program has not set a function for the effect \"none\"\n"
             "effects/0: unknown member \"efect\"; did you mean \"effect\"?\n"
             "the rule returned IMD_NOT_FOUND and no message\n"
             "out of ideas\n");
  CHECK(statuses[0] == IMD_NOT_FOUND && statuses[1] == IMD_INVALID_ARGUMENT);
  CHECK(statuses[2] == IMD_NOT_FOUND && statuses[3] == IMD_LIMIT);
  check_query(store, "length(@)", "4");
  imd_store_close(store);
}

/* ---- Threads ---------------------------------------------------------------------------------- */

enum { ROUNDS = 100 };

typedef struct {
  imd_effect *_Atomic effect;
  atomic_int round, done, won;
} race;

static void start_race(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)arguments;
  race *race = context;
  race->effect = effect;
  race->round++;
}

static void *end_all(void *context) {
  race *race = context;
  for (int round = 1; round <= ROUNDS; round++) {
    while (race->round < round) sched_yield();
    imd_status status = imd_effect_resolve(race->effect, NULL, NULL);
    CHECK(status == IMD_OK || status == IMD_CLOSED);
    if (status == IMD_OK) race->won++;
    race->done++;
  }
  return NULL;
}

/* Two threads end each effect, every other time while the store is closed. */
static void test_two_ends(void) {
  race race = {0};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, end_all, &race) == 0);
  for (int round = 1; round <= ROUNDS; round++) {
    race.won = 0;
    imd_store *store = open_store();
    set_effect(store, "race", start_race, &race, NULL);
    dispatch_ask(store, "[{\"effect\":\"race\",\"success\":\"won\"}]");
    while (race.round < round) sched_yield();
    if (round % 2) {
      imd_store_close(store);
      while (race.done < 2 * round) sched_yield();
      CHECK(race.won <= 1);
    } else {
      CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
      while (race.done < 2 * round) sched_yield();
      CHECK(race.won == 1);
      check_query(store, "[?type=='won'] | length(@)", "1");
      imd_store_close(store);
    }
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

/* ---- Calls inside callbacks ------------------------------------------------------------------- */

typedef struct {
  imd_store *store;
  atomic_int released, calls;
  imd_status settled, resolved;
} callback_context;

static void close_inside(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)arguments;
  callback_context *callback = context;
  callback->settled = imd_store_settle(callback->store, -1, NULL);
  imd_store_close(callback->store);
  CHECK(callback->released == 0); /* not before this returns */
  callback->resolved = imd_effect_resolve(effect, NULL, NULL);
  pthread_mutex_lock(&mutex);
  callback->calls++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void signal_release(void *context) {
  callback_context *callback = context;
  pthread_mutex_lock(&mutex);
  callback->released++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void test_close_inside(void) {
  callback_context callback = {.store = open_store()};
  set_effect(callback.store, "e", close_inside, &callback, signal_release);
  dispatch_ask(callback.store, "[{\"effect\":\"e\"}]");
  pthread_mutex_lock(&mutex);
  while (callback.released == 0) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  CHECK(callback.calls == 1 && callback.settled == IMD_REENTRANT && callback.resolved == IMD_CLOSED);
  imd_store_close(callback.store);
}

static void replace_inside(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)arguments;
  callback_context *callback = context;
  int before = callback->released;
  if (callback->calls++ == 0)
    set_effect(callback->store, "e", replace_inside, callback, signal_release);
  else
    set_effect(callback->store, "e", NULL, NULL, NULL);
  CHECK(callback->released == before);
  CHECK(imd_effect_resolve(effect, NULL, NULL) == IMD_OK);
}

static void test_replace_inside(void) {
  callback_context callback = {.store = open_store()};
  set_effect(callback.store, "e", replace_inside, &callback, signal_release);
  for (int i = 0; i < 3; i++) dispatch_ask(callback.store, "[{\"effect\":\"e\",\"failure\":\"f\"}]");
  CHECK(imd_store_settle(callback.store, -1, NULL) == IMD_OK);
  CHECK(callback.calls == 2 && callback.released == 2);
  check_query(callback.store, "[-1].payload.reason",
              "\"the program has not set a function for the effect \\\"e\\\"\"");
  imd_store_close(callback.store);
  CHECK(callback.released == 2);
}

static imd_status use_in_reducer(void *context, const imd_value *state, const imd_value *action,
                                 imd_value **next, imd_error *error) {
  (void)state, (void)action, (void)next;
  callback_context *callback = context;
  return imd_store_set_effect(callback->store, "e", close_inside, callback, signal_release, error);
}

static void test_reducer(void) {
  callback_context callback = {0};
  const char *action = "{\"type\":\"a\"}";
  CHECK(imd_store_create("0", 1, use_in_reducer, &callback, NULL, NULL, 0, &callback.store, NULL) ==
        IMD_OK);
  CHECK(imd_store_dispatch(callback.store, action, IMD_ZERO_TERMINATED, NULL) == IMD_REENTRANT);
  imd_store_close(callback.store);
  CHECK(callback.released == 0);
}

/* ---- A chain that never ends ------------------------------------------------------------------ */

static void end_now(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)arguments;
  imd_effect_resolve(effect, NULL, NULL);
  if (context) ++*(atomic_int *)context;
}

static imd_status keep(void *context, const imd_value *state, const imd_value *action,
                       imd_value **next, imd_error *error) {
  (void)context, (void)state, (void)action, (void)next, (void)error;
  return IMD_OK;
}

static imd_status ask_again(void *context, const imd_value *action, const imd_value *old_state,
                            const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)context, (void)action, (void)old_state, (void)new_state;
  const char *text = "[{\"effect\":\"e\",\"success\":\"s\"},{\"effect\":\"e\",\"success\":\"s\"}]";
  return imd_value_parse(text, IMD_ZERO_TERMINATED, effects, error);
}

static void test_endless_chain(void) {
  atomic_int count = 0, released = 0;
  imd_store *store = NULL;
  CHECK(imd_store_create("0", 1, keep, NULL, NULL, NULL, 0, &store, NULL) == IMD_OK);
  CHECK(imd_store_set_rule(store, ask_again, &released, count_release, NULL) == IMD_OK);
  set_effect(store, "e", end_now, &count, NULL);
  CHECK(imd_store_dispatch(store, "{\"type\":\"s\"}", IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  while (count < 1000) sched_yield();
  imd_store_close(store);
  CHECK(released == 1);
  int after = count;
  sched_yield();
  CHECK(count == after);
}

/* ---- fork ------------------------------------------------------------------------------------- */

/* In the child the effects of the parent are closed, and a new store has its own. */
static int works_in_child(imd_effect *effect) {
  if (imd_effect_resolve(effect, NULL, NULL) != IMD_CLOSED) return 1;
  imd_store *store = open_store();
  set_effect(store, "e", end_now, NULL, NULL);
  dispatch_ask(store, "[{\"effect\":\"e\",\"success\":\"s\"}]");
  if (imd_store_settle(store, 10000, NULL) != IMD_OK) return 2;
  check_query(store, "[-1].type", "\"s\"");
  imd_store_close(store);
  return failures;
}

static void test_fork(void) {
  holder holder = {0};
  int status = -1;
  imd_store *store = open_store();
  set_effect(store, "held", hold, &holder, NULL);
  dispatch_ask(store, "[{\"effect\":\"held\",\"success\":\"s\"}]");
  imd_effect *effect = take(&holder);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    end_child(works_in_child(effect) != 0);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(imd_effect_resolve(effect, NULL, NULL) == IMD_OK);
  CHECK(imd_store_settle(store, -1, NULL) == IMD_OK);
  check_query(store, "[-1].type", "\"s\"");
  imd_store_close(store);
}

/* ---- A system without another thread ---------------------------------------------------------- */

/* A sanitizer keeps account of the threads that its own pthread_create has made. */
#ifndef IMD_SANITIZED

static atomic_int refuses_threads;

/* Takes the place of that of the system, also for the library. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  if (refuses_threads) return EAGAIN;
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
  return create(thread, attributes, start, argument);
}

static holder unanswered;

/* As append, but ends the effect for the action "end". */
static imd_status end_inside(void *context, const imd_value *state, const imd_value *action,
                             imd_value **next, imd_error *error) {
  char *type = NULL;
  imd_value_get_string(action, "/type", &type, NULL, NULL);
  if (strcmp(type, "end") == 0) {
    CHECK(imd_effect_resolve(unanswered.effect, NULL, error) == IMD_LIMIT);
    CHECK_TEXT(error->message,
               "the process cannot start a thread for the outcome of the effect; end the effect "
               "outside of reducers, rules, comparisons and filters");
  }
  imd_free(type);
  return append(context, state, action, next, error);
}

/* A reducer cannot end an effect if no thread can dispatch the outcome. The effect stays. */
static void test_no_threads(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create("[]", IMD_ZERO_TERMINATED, end_inside, NULL, NULL, NULL, 0, &store,
                         NULL) == IMD_OK);
  CHECK(imd_store_set_rule(store, ask, NULL, NULL, NULL) == IMD_OK);
  set_effect(store, "hold", hold, &unanswered, NULL);
  refuses_threads = 1;
  dispatch_ask(store, "[{\"effect\":\"hold\",\"success\":\"held\"}]");
  CHECK(imd_store_dispatch(store, "{\"type\":\"end\"}", IMD_ZERO_TERMINATED, NULL) == IMD_OK);
  check_query(store, "[].type", "[\"ask\",\"end\"]");
  CHECK(imd_effect_resolve(unanswered.effect, NULL, NULL) == IMD_OK);
  check_query(store, "[].type", "[\"ask\",\"end\",\"held\"]");
  refuses_threads = 0;
  imd_store_close(store);
}

#endif

/* ---- Keys and times --------------------------------------------------------------------------- */

typedef struct {
  atomic_int released; /* first: count_release counts there */
  int told;
} listener;

static void tell(void *context) { ++((listener *)context)->told; }

/* A store whose time passes when the test says so. */
static imd_store *open_stepped_store(void) {
  imd_store *store = NULL;
  CHECK(imd_store_create("[]", IMD_ZERO_TERMINATED, append, NULL, NULL,
                         "{\"clock\":\"stepped\"}", IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK);
  CHECK(imd_store_set_rule(store, ask, NULL, NULL, NULL) == IMD_OK);
  return store;
}

static void test_keys_and_times(void) {
  holder work = {0};
  listener first = {0}, second = {0};
  size_t waiting = 9;
  imd_error error;
  imd_store *store = open_stepped_store();
  const char *search = "[{\"effect\":\"work\",\"key\":\"search\",\"delay\":300,"
                       "\"success\":\"found\",\"cancelled\":\"stopped\"}]";
  set_effect(store, "work", hold, &work, NULL);
  dispatch_ask(store, search);
  CHECK(imd_store_advance(store, 299, NULL) == IMD_OK);
  CHECK(work.effect == NULL);
  CHECK(imd_store_advance(store, 1, NULL) == IMD_OK);
  imd_effect *old = take(&work);
  CHECK(imd_effect_set_cancel(old, tell, &first, count_release, NULL) == IMD_OK);
  /* A function in place of another one. */
  CHECK(imd_effect_set_cancel(old, tell, &second, count_release, NULL) == IMD_OK);
  CHECK(first.released == 1 && second.released == 0);
  dispatch_ask(store, search);
  CHECK(imd_store_advance(store, 300, NULL) == IMD_OK);
  CHECK(first.told == 0 && second.told == 1 && second.released == 1);
  CHECK(imd_effect_resolve(old, NULL, NULL) == IMD_CLOSED);
  CHECK(imd_effect_set_cancel(old, tell, &first, count_release, NULL) == IMD_CLOSED);
  CHECK(first.released == 1);
  imd_effect *latest = take(&work);
  CHECK(imd_effect_resolve(latest, NULL, NULL) == IMD_OK);
  check_query(store, "[].type", "[\"ask\",\"ask\"]");
  CHECK(imd_store_receive(store, &waiting, NULL) == IMD_OK && waiting == 2);
  CHECK(imd_store_receive(store, &waiting, NULL) == IMD_OK && waiting == 1);
  CHECK(imd_store_receive(store, NULL, NULL) == IMD_OK);
  check_query(store, "[].type", "[\"ask\",\"ask\",\"stopped\",\"found\"]");
  /* One that is cancelled before it asks to be told. */
  dispatch_ask(store, search);
  CHECK(imd_store_advance(store, 300, NULL) == IMD_OK);
  imd_effect *late = take(&work);
  dispatch_ask(store, "[{\"cancel\":\"search\"}]");
  CHECK(imd_effect_set_cancel(late, NULL, NULL, NULL, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "function must not be NULL");
  CHECK(imd_effect_set_cancel(late, tell, &first, count_release, NULL) == IMD_OK);
  CHECK(first.told == 1 && first.released == 2);
  CHECK(imd_effect_reject(late, "late", NULL) == IMD_CLOSED);
  imd_store_close(store);
}

static void test_clock_of_the_system(void) {
  imd_error error;
  imd_store *store = open_store();
  CHECK(imd_store_advance(store, 1, &error) == IMD_INVALID_ARGUMENT);
  CHECK_TEXT(error.message, "the store has the clock of the system; open it with the option "
                            "\"clock\":\"manual\"");
  CHECK(imd_store_receive(store, NULL, NULL) == IMD_INVALID_ARGUMENT);
  imd_store_close(store);
  CHECK(imd_store_advance(store, 1, NULL) == IMD_CLOSED);
}

int main(void) {
  test_effects();
  test_keys_and_times();
  test_clock_of_the_system();
  test_wrong_calls();
  test_dispatch_in_rule();
  test_reasons();
  test_failures();
  test_two_ends();
  test_close_inside();
  test_replace_inside();
  test_reducer();
  test_endless_chain();
#ifndef IMD_SANITIZED
  test_no_threads();
#endif
  test_fork();
  return check_report();
}
