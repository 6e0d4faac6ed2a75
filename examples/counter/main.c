/* A counter in a terminal.
 *
 *     counter_ncurses [VALUE]     starts at VALUE (0)
 *
 * A key dispatches an action; it does not change what is shown. An observer receives the new value.
 * It is queued: it runs when the loop calls imd_store_poll, which it does when the descriptor of
 * the store is readable. So other threads could dispatch, too. */
#define _GNU_SOURCE /* ppoll */

#include "screen.h"

#include <errno.h>
#include <immutabledata.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct counter {
  imd_store *store;
  int64_t value;   /* the latest output that was delivered */
  imd_error error; /* of the last command; the message is empty if it succeeded */
} counter;

/* ---- Signals ------------------------------------------------------------------------------- */

static volatile sig_atomic_t stop_signal;

static void stop(int signal) { stop_signal = signal; }

/* Blocks the signals that the loop handles, so that they arrive only while it waits. Threads that
 * start later inherit this. Returns the mask for the wait. */
static sigset_t block_signals(void) {
  sigset_t handled, before;
  sigemptyset(&handled);
  sigaddset(&handled, SIGWINCH); /* handled by ncurses */
  const int stopping[] = {SIGHUP, SIGINT, SIGTERM};
  for (int i = 0; i < 3; i++) {
    struct sigaction action = {.sa_handler = stop};
    sigaction(stopping[i], &action, NULL);
    sigaddset(&handled, stopping[i]);
  }
  sigprocmask(SIG_BLOCK, &handled, &before);
  return before;
}

/* Ends the process by the signal that stopped the loop, so that a shell sees it. */
static void end_by_signal(const sigset_t *mask) {
  signal(stop_signal, SIG_DFL);
  raise(stop_signal);
  sigprocmask(SIG_SETMASK, mask, NULL);
}

/* ---- The store ----------------------------------------------------------------------------- */

static void show(void *context, const imd_delivery *delivery) {
  counter *counter = context;
  imd_error error;
  if (delivery->kind == IMD_DELIVERY_FAILURE)
    counter->error = *delivery->error;
  else if (imd_value_get_integer(delivery->value, "", &counter->value, &error) != IMD_OK)
    counter->error = error;
}

static imd_status open_store(counter *counter, int64_t value, imd_error *error) {
  char options[64];
  snprintf(options, sizeof options, "{\"state\":{\"value\":%" PRId64 "}}", value);
  imd_status status =
      imd_store_open("counter", options, IMD_ZERO_TERMINATED, &counter->store, error);
  if (status == IMD_OK)
    status = imd_store_observe(counter->store, "selectValue", NULL, 0,
                               "{\"when\":\"queued\",\"coalesce\":true}", IMD_ZERO_TERMINATED, show,
                               counter, NULL, NULL, error);
  return status;
}

static void dispatch(counter *counter, const char *action) {
  counter->error = (imd_error){.message = ""};
  imd_store_dispatch(counter->store, action, IMD_ZERO_TERMINATED, &counter->error);
}

/* ---- The loop ------------------------------------------------------------------------------ */

/* Performs the commands that have been entered. Returns 0 if the user quits. */
static int perform_commands(counter *counter) {
  screen_command command;
  while (screen_read(&command)) {
    if (command == SCREEN_INCREMENT) dispatch(counter, "{\"type\":\"didTapIncrementButton\"}");
    if (command == SCREEN_DECREMENT) dispatch(counter, "{\"type\":\"didTapDecrementButton\"}");
    if (command == SCREEN_QUIT) return 0;
  }
  return 1;
}

/* Shows outputs and waits for commands, until the user quits or a signal arrives. */
static imd_status loop(counter *counter, const sigset_t *mask, imd_error *error) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN}, queue = {.events = POLLIN};
  imd_status status = imd_store_fd(counter->store, &queue.fd, error);
  while (status == IMD_OK && !stop_signal) {
    status = imd_store_poll(counter->store, NULL, error);
    screen_draw(counter->value, counter->error.message);
    struct pollfd ready[] = {input, queue};
    if (ppoll(ready, 2, NULL, mask) < 0 && errno != EINTR) {
      snprintf(error->message, sizeof error->message, "ppoll: %s", strerror(errno));
      return IMD_IO;
    }
    if (ready[0].revents & (POLLHUP | POLLERR) || !perform_commands(counter)) break;
  }
  return status;
}

static imd_status run(counter *counter, const sigset_t *mask, imd_error *error) {
  const char *reason = screen_open();
  if (reason != NULL) {
    snprintf(error->message, sizeof error->message, "%s", reason);
    return IMD_IO;
  }
  imd_status status = loop(counter, mask, error);
  screen_close();
  return status;
}

/* Parses the command line. Returns 1, or 0 if it is invalid. */
static int read_value(int count, char **arguments, int64_t *value) {
  char *end = "";
  errno = 0;
  *value = count > 1 ? strtoll(arguments[1], &end, 10) : 0;
  return count <= 2 && errno == 0 && *end == '\0' && (count < 2 || end > arguments[1]);
}

int main(int count, char **arguments) {
  int64_t value;
  if (!read_value(count, arguments, &value)) {
    fprintf(stderr, "usage: counter_ncurses [VALUE]; VALUE is an integer of 64 bits\n");
    return 2;
  }
  sigset_t mask = block_signals();
  counter counter = {.store = NULL};
  imd_error error;
  imd_status status = open_store(&counter, value, &error);
  if (status == IMD_OK) status = run(&counter, &mask, &error);
  imd_store_close(counter.store);
  if (status != IMD_OK) fprintf(stderr, "counter_ncurses: %s\n", error.message);
  if (stop_signal) end_by_signal(&mask);
  return status == IMD_OK ? 0 : 1;
}
