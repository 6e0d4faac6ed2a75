/* The rows of the screens, and the sessions. */
#include "memory.h"
#include "screens.h"

#include <stdio.h>
#include <stdlib.h>

void screen_resize(screen *screen, size_t count) {
  screen->rows = resize(screen->rows, count, sizeof *screen->rows);
  screen->row_count = count;
}

void screen_close(screen *screen) {
  free(screen->rows);
  *screen = (struct screen){0};
}

void begin_order_row(row *row, const char *id, const char *status) {
  snprintf(row->text, sizeof row->text, "%s %-9s  ", id, status);
}

void add_name(row *row, const char *name, int is_first) {
  if (!is_first) append_text(row->text, sizeof row->text, ", ");
  append_text(row->text, sizeof row->text, name);
}

void write_truck_row(row *row, size_t placed, size_t preparing, size_t completed) {
  snprintf(row->text, sizeof row->text, "%zu placed, %zu preparing, %zu completed", placed,
           preparing, completed);
}

static void add_event(sessions *sessions, const char *id, const char *event) {
  screen_resize(&sessions->events, sessions->events.row_count + 1);
  row *row = &sessions->events.rows[sessions->events.row_count - 1];
  snprintf(row->text, sizeof row->text, "%s %s", id, event);
}

void sessions_start(sessions *sessions, const char *id) { add_event(sessions, id, "begins"); }

void sessions_end(sessions *sessions, const char *id) { add_event(sessions, id, "ends"); }
