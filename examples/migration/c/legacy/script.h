/* A user at work: the same taps at each stage. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "screens.h"

/* A function and its context. The text is the id of an order, or NULL. */
typedef struct callback {
  void (*function)(void *context, const char *id);
  void *context;
} callback;

typedef struct app {
  screen *orders, *truck, *donuts;
  sessions *sessions;
  callback status, add, complete; /* what the buttons do */
  model *model; /* for the text field of a donut on the donuts screen */
  void (*idle)(void *context); /* what the event loop does after each event, or NULL */
  void *idle_context;
} app;

/* Taps, and prints all screens after each tap. */
void play(const app *app);

#endif /* SCRIPT_H */
