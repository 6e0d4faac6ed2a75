/* The screens, and what their buttons do. */
#ifndef SCREENS_H
#define SCREENS_H

#include "model.h"

/* ---- Rows ---------------------------------------------------------------------------------- */

typedef struct row {
  char text[192];
} row;

/* The rows that a screen shows. built counts those that it has built. */
typedef struct screen {
  row *rows;
  size_t row_count;
  size_t built;
} screen;

/* Changes the number of rows. The caller writes the new ones. */
void screen_resize(screen *screen, size_t count);
void screen_close(screen *screen);

/* The row of an order: its names are added one by one. */
void begin_order_row(row *row, const char *id, const char *status);
void add_name(row *row, const char *name, int is_first);

void write_truck_row(row *row, size_t placed, size_t preparing, size_t completed);

/* ---- The screens of the model -------------------------------------------------------------- */

/* A row for each order. The donuts of an order are copies, so the screen looks up their names. */
typedef struct orders_screen {
  screen screen;
  model *model;
} orders_screen;

void orders_screen_open(orders_screen *screen, model *model);

/* How many orders are in each status. */
void truck_screen_open(screen *screen, model *model);

/* A row for each donut, with the number of its orders. */
typedef struct donuts_screen {
  screen screen;
  donut *donuts;
  size_t donut_count;
  order *orders;
  size_t order_count;
} donuts_screen;

void donuts_screen_open(donuts_screen *screen, model *model);
void donuts_screen_close(donuts_screen *screen);

/* ---- Sessions ------------------------------------------------------------------------------ */

/* The activity session of each order that is being prepared, as a lock screen shows it. */
typedef struct sessions {
  screen events;
} sessions;

void sessions_start(sessions *sessions, const char *id);
void sessions_end(sessions *sessions, const char *id);

/* ---- Taps ---------------------------------------------------------------------------------- */

/* What the buttons do. Each must update the session too, and one forgets to. */
typedef struct taps {
  model *model;
  sessions *sessions;
} taps;

/* The context of these functions is the taps. */
void tap_status(void *taps, const char *id);   /* the button of an order on the orders screen */
void tap_add(void *taps, const char *unused);
void tap_complete(void *taps, const char *id); /* the one on the truck screen; ends no session */

#endif /* SCREENS_H */
