#include "moved.h"
#include "values.h"

#include "../legacy/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The observer of one order, and the context of its function. The library releases it. */
typedef struct order_observer {
  store_orders_screen *screen;
  imd_observation *observation; /* NULL until it is made */
  size_t index;                 /* that of the row */
  char id[TEXT_SIZE];
} order_observer;

/* ---- One order ----------------------------------------------------------------------------- */

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

static void build(void *context, const imd_delivery *delivery) {
  const order_observer *observer = context;
  screen *screen = &observer->screen->screen;
  if (delivery->kind == IMD_DELIVERY_FAILURE)
    fprintf(stderr, "%s: %s\n", observer->id, delivery->error->message);
  else if (imd_value_kind(delivery->value) != IMD_NULL) { /* null: the order is gone */
    write_row(&screen->rows[observer->index], observer->id, delivery->value);
    screen->built++;
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

/* The observers and rows of a list of ids. */
typedef struct order_list {
  order_observer **observers;
  row *rows;
  size_t count;
} order_list;

/* Returns the index of the observer of an order, or the count. Begins where the caller expects it:
 * most orders keep their neighbors. An observer that has moved to the new list is NULL. */
static size_t find(const order_list *list, size_t start, const char *id) {
  for (size_t i = 0; i < list->count; i++) {
    size_t index = (start + i) % list->count;
    if (list->observers[index] != NULL && strcmp(list->observers[index]->id, id) == 0) return index;
  }
  return list->count;
}

static order_observer *make_observer(store_orders_screen *screen, const char *id) {
  order_observer *observer = resize(NULL, 1, sizeof *observer);
  *observer = (order_observer){.screen = screen};
  copy_text(observer->id, sizeof observer->id, id);
  return observer;
}

/* Fills a row of the new list: moves it from the old one, or makes an empty one. Returns
 * where the search for the next row begins: behind the row that was found. */
static size_t fill_row(store_orders_screen *screen, size_t index, const char *id, order_list *old,
                       size_t start) {
  size_t from = find(old, start, id);
  if (from == old->count) {
    screen->observers[index] = make_observer(screen, id);
    screen->screen.rows[index].text[0] = '\0';
  } else {
    screen->observers[index] = old->observers[from];
    screen->screen.rows[index] = old->rows[from];
    old->observers[from] = NULL;
    start = from + 1;
  }
  screen->observers[index]->index = index;
  return start;
}

/* Follows the ids of all orders. O(n) if few orders come, go or move. */
static void follow(void *context, const imd_delivery *delivery) {
  store_orders_screen *screen = context;
  imd_error error;
  imd_cursor *ids;
  const imd_value *each;
  char id[TEXT_SIZE];
  if (delivery->kind == IMD_DELIVERY_FAILURE) require(delivery->error->status, delivery->error);
  order_list old = {screen->observers, screen->screen.rows, screen->screen.row_count};
  size_t count = imd_value_count(delivery->value), index = 0, start = 0;
  screen->observers = resize(NULL, count, sizeof *screen->observers);
  screen->screen.rows = NULL;
  screen_resize(&screen->screen, count);
  require(imd_cursor_open(delivery->value, NULL, &ids, &error), &error);
  for (; imd_cursor_next(ids, NULL, NULL, &each); index++) {
    require(read_text(each, "", id, sizeof id, &error), &error);
    start = fill_row(screen, index, id, &old, start);
  }
  imd_cursor_close(ids);
  for (size_t i = 0; i < old.count; i++)
    if (old.observers[i] != NULL) imd_observation_cancel(old.observers[i]->observation);
  for (size_t i = 0; i < count; i++)
    if (screen->observers[i]->observation == NULL) observe(screen->observers[i]);
  free(old.observers);
  free(old.rows);
}

void store_orders_screen_open(store_orders_screen *screen, imd_store *store, const char *selector) {
  imd_error error;
  *screen = (store_orders_screen){.store = store};
  require(imd_store_define_selector(store, "selectOrder", selector, &error), &error);
  require(imd_store_define_selector(store, "selectOrderIDs", "orderIDs", &error), &error);
  require(imd_store_observe(store, "selectOrderIDs", NULL, 0, NULL, 0, follow, screen, NULL, NULL,
                            &error),
          &error);
}

void store_orders_screen_close(store_orders_screen *screen) {
  free(screen->observers);
  screen_close(&screen->screen);
}
