#include "script.h"

#include <stdio.h>

static void print_rows(const char *title, const screen *screen) {
  for (size_t i = 0; i < screen->row_count; i++) printf("%-8s| %s\n", title, screen->rows[i].text);
}

static void show(const app *app, const char *step) {
  if (app->idle != NULL) app->idle(app->idle_context);
  printf("== %s\n", step);
  print_rows("orders", app->orders);
  print_rows("truck", app->truck);
  print_rows("donuts", app->donuts);
  print_rows("session", &app->sessions->events);
  printf("built   | orders %zu, truck %zu, donuts %zu\n", app->orders->built, app->truck->built,
         app->donuts->built);
  screen_resize(&app->sessions->events, 0);
  app->orders->built = app->truck->built = app->donuts->built = 0;
}

static void tap(callback button, const char *id) { button.function(button.context, id); }

void play(const app *app) {
  show(app, "the truck opens");
  tap(app->status, "#1201");
  show(app, "orders screen: prepare #1201");
  tap(app->complete, "#1201");
  show(app, "truck screen: complete #1201");
  model_rename_donut(app->model, "rainbow", "Unicorn");
  show(app, "donuts screen: rename Rainbow to Unicorn");
  tap(app->add, NULL);
  show(app, "orders screen: add an order");
  tap(app->status, "#9999");
  show(app, "orders screen: prepare an order that does not exist");
}
