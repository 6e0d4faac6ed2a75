/* A stopwatch: a rule asks for a timer, and the timer's end is the next tick.
 *
 *     stopwatch [TICKS]     stops after TICKS (10) ticks of a tenth of a second
 *
 * The reducer and the rule are pure. Only the function of the effect waits, on a thread of its own,
 * so other effects can begin meanwhile. */
#define _POSIX_C_SOURCE 200809L

#include <immutabledata.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long last_tick = 10;
static sem_t is_over;

/* The timers so far, and those whose thread has left the library. */
static int timer_count;
static sem_t ended_timers;

/* Counts the ticks; "started" changes nothing. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context;
  char *type;
  int64_t ticks = 0;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  if (status != IMD_OK) return status;
  if (strcmp(type, "ticked") == 0) {
    status = imd_value_get_integer(state, "/ticks", &ticks, error);
    if (status == IMD_OK) status = imd_value_set_integer(state, "/ticks", ticks + 1, next, error);
  }
  imd_free(type);
  return status;
}

/* Asks for a tick after each action, until the last one. */
static imd_status ask_for_tick(void *context, const imd_value *action, const imd_value *old_state,
                               const imd_value *new_state, imd_value **effects, imd_error *error) {
  (void)context, (void)action, (void)old_state;
  const char *timer =
      "[{\"effect\":\"timer\",\"arguments\":{\"milliseconds\":100},\"success\":\"ticked\"}]";
  int64_t ticks = 0;
  imd_status status = imd_value_get_integer(new_state, "/ticks", &ticks, error);
  if (status != IMD_OK || ticks >= last_tick) return status;
  return imd_value_parse(timer, IMD_ZERO_TERMINATED, effects, error);
}

typedef struct {
  imd_effect *effect;
  int64_t milliseconds;
} timer;

static void *wait_and_end(void *context) {
  timer *timer = context;
  const struct timespec duration = {timer->milliseconds / 1000,
                                    timer->milliseconds % 1000 * 1000000};
  nanosleep(&duration, NULL);
  imd_effect_resolve(timer->effect, NULL, NULL); /* IMD_CLOSED if the store was closed */
  free(timer);
  sem_post(&ended_timers);
  return NULL;
}

/* Starts a timer and returns immediately. */
static void start_timer(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)context;
  pthread_t thread;
  imd_error error;
  timer *timer = malloc(sizeof *timer);
  if (timer == NULL) {
    imd_effect_reject(effect, "out of memory", NULL);
    return;
  }
  timer->effect = effect;
  if (imd_value_get_integer(arguments, "/milliseconds", &timer->milliseconds, &error) != IMD_OK) {
    imd_effect_reject(effect, error.message, NULL);
    free(timer);
  } else if (pthread_create(&thread, NULL, wait_and_end, timer) != 0) {
    imd_effect_reject(effect, "cannot start a thread", NULL);
    free(timer);
  } else {
    pthread_detach(thread);
    timer_count++;
  }
}

static void show(void *context, const imd_delivery *delivery) {
  (void)context;
  int64_t ticks = 0;
  imd_value_get_integer(delivery->value, "", &ticks, NULL);
  printf("%ld.%ld s\n", (long)ticks / 10, (long)ticks % 10);
  if (ticks == last_tick) sem_post(&is_over);
}

static void print_failure(void *context, const imd_error *error) {
  (void)context;
  fprintf(stderr, "%s\n", error->message);
  sem_post(&is_over);
}

int main(int count, char **arguments) {
  if (count > 1) last_tick = strtol(arguments[1], NULL, 10);
  imd_error error;
  imd_store *store = NULL;
  const char *state = "{\"ticks\":0}", *start = "{\"type\":\"started\"}";
  sem_init(&is_over, 0, 0);
  sem_init(&ended_timers, 0, 0);
  if (imd_store_create(state, IMD_ZERO_TERMINATED, reduce, NULL, NULL, NULL, 0, &store, &error) ||
      imd_store_define_selector(store, "ticks", "ticks", &error) ||
      imd_store_set_effect(store, "timer", start_timer, NULL, NULL, &error) ||
      imd_store_set_effect_error_handler(store, print_failure, NULL, NULL, &error) ||
      imd_store_set_rule(store, ask_for_tick, NULL, NULL, &error) ||
      imd_store_observe(store, "ticks", NULL, 0, NULL, 0, show, NULL, NULL, NULL, &error) ||
      imd_store_dispatch(store, start, IMD_ZERO_TERMINATED, &error)) {
    fprintf(stderr, "%s\n", error.message);
    imd_store_close(store);
    return 1;
  }
  while (sem_wait(&is_over) != 0) {
  }
  imd_store_close(store); /* From now on, no timer starts. */
  while (timer_count > 0)
    if (sem_wait(&ended_timers) == 0) timer_count--;
  sem_destroy(&ended_timers);
  sem_destroy(&is_over);
  return 0;
}
