#include "moved.h"
#include "values.h"

#include "../legacy/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The observer of one order, and the context of its function. The library releases it. */
typedef struct order_observer {
  store_orders_screen *screen;
  imd_observation *observation;
  char id[TEXT_SIZE];
} order_observer;

/* ---- One order ----------------------------------------------------------------------------- */

/* Returns the row of an order, or NULL if it was removed. O(log n). */
static row *find_row(const order_observer *observer) {
  const store_orders_screen *screen = observer->screen;
  size_t low = 0, high = screen->screen.row_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = strcmp(screen->observers[middle]->id, observer->id);
    if (order == 0) return &screen->screen.rows[middle];
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

static void write_row(row *row, const char *id, const imd_value *order) {
  imd_error error;
  char status[TEXT_SIZE], name[TEXT_SIZE];
  imd_value *names;
  imd_cursor *cursor;
  const imd_value *each;
  require(read_text(order, "/status", status, sizeof status, &error), &error);
  require(imd_value_get(order, "/donuts", &names, &error), &error);
  require(imd_cursor_open(names, NULL, &cursor, &error), &error);
  begin_order_row(row, id, status);
  for (int is_first = 1; imd_cursor_next(cursor, NULL, NULL, &each); is_first = 0) {
    require(read_text(each, "", name, sizeof name, &error), &error);
    add_name(row, name, is_first);
  }
  imd_cursor_close(cursor);
  imd_value_release(names);
}

/* The output is null once the order is gone, until follow cancels the observation. */
static void build(void *context, const imd_delivery *delivery) {
  order_observer *observer = context;
  row *row = find_row(observer);
  if (delivery->kind == IMD_DELIVERY_FAILURE)
    fprintf(stderr, "%s: %s\n", observer->id, delivery->error->message);
  else if (row != NULL && imd_value_kind(delivery->value) != IMD_NULL) {
    write_row(row, observer->id, delivery->value);
    observer->screen->screen.built++;
  }
}

static void observe(order_observer *observer) {
  imd_error error;
  imd_value *arguments;
  char *text;
  require(imd_value_parse("{}", IMD_ZERO_TERMINATED, &arguments, &error), &error);
  require(put_text(&arguments, "/id", observer->id, &error), &error);
  require(imd_value_text(arguments, &text, NULL, &error), &error);
  require(imd_store_observe(observer->screen->store, "selectOrder", text, IMD_ZERO_TERMINATED, NULL,
                            0, build, observer, free, &observer->observation, &error),
          &error);
  imd_free(text);
  imd_value_release(arguments);
}

/* ---- All orders ---------------------------------------------------------------------------- */

static void move_rows(store_orders_screen *screen, size_t to, size_t from, size_t count) {
  memmove(&screen->screen.rows[to], &screen->screen.rows[from], count * sizeof(row));
  memmove(&screen->observers[to], &screen->observers[from], count * sizeof(order_observer *));
}

static void insert_row(store_orders_screen *screen, size_t index, const char *id) {
  size_t count = screen->screen.row_count;
  order_observer *observer = resize(NULL, 1, sizeof *observer);
  *observer = (order_observer){.screen = screen};
  copy_text(observer->id, sizeof observer->id, id);
  screen_resize(&screen->screen, count + 1);
  screen->observers = resize(screen->observers, count + 1, sizeof *screen->observers);
  move_rows(screen, index + 1, index, count - index);
  screen->observers[index] = observer;
  observe(observer);
}

static void remove_row(store_orders_screen *screen, size_t index) {
  imd_observation *observation = screen->observers[index]->observation;
  size_t count = screen->screen.row_count - 1;
  move_rows(screen, index, index + 1, count - index);
  screen->screen.row_count = count;
  imd_observation_cancel(observation);
}

/* Follows the ids of all orders. Both they and the rows are in ascending order. */
static void follow(void *context, const imd_delivery *delivery) {
  store_orders_screen *screen = context;
  imd_error error;
  imd_cursor *ids;
  const imd_value *each;
  char id[TEXT_SIZE];
  size_t index = 0;
  if (delivery->kind == IMD_DELIVERY_FAILURE) require(delivery->error->status, delivery->error);
  require(imd_cursor_open(delivery->value, NULL, &ids, &error), &error);
  for (; imd_cursor_next(ids, NULL, NULL, &each); index++) {
    require(read_text(each, "", id, sizeof id, &error), &error);
    while (index < screen->screen.row_count && strcmp(screen->observers[index]->id, id) < 0)
      remove_row(screen, index);
    if (index == screen->screen.row_count || strcmp(screen->observers[index]->id, id) != 0)
      insert_row(screen, index, id);
  }
  while (index < screen->screen.row_count) remove_row(screen, index);
  imd_cursor_close(ids);
}

void store_orders_screen_open(store_orders_screen *screen, imd_store *store, const char *selector) {
  imd_error error;
  *screen = (store_orders_screen){.store = store};
  require(imd_store_define_selector(store, "selectOrder", selector, &error), &error);
  require(imd_store_define_selector(store, "selectOrderIDs", "keys(orders)", &error), &error);
  require(imd_store_observe(store, "selectOrderIDs", NULL, 0, NULL, 0, follow, screen, NULL, NULL,
                            &error),
          &error);
}

void store_orders_screen_close(store_orders_screen *screen) {
  free(screen->observers);
  screen_close(&screen->screen);
}
