/* The food truck before the migration: a mutable model, which publishes its lists as a whole after
 * each change. For one thread. Memory that runs out ends the program: see memory.h. */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>

enum { TEXT_SIZE = 32, DONUTS_OF_ORDER = 4 };

typedef struct donut {
  char id[TEXT_SIZE];
  char name[TEXT_SIZE];
} donut;

typedef enum order_status { PLACED, PREPARING, COMPLETED } order_status;

typedef struct order {
  char id[TEXT_SIZE];
  order_status status;
  size_t donut_count;
  donut donuts[DONUTS_OF_ORDER]; /* copies, made when the order was placed */
} order;

/* "placed", "preparing" or "completed". */
const char *status_name(order_status status);

/* ---- Data ---------------------------------------------------------------------------------- */

enum { MENU_COUNT = 3, FIRST_ORDER_COUNT = 3 };

extern const donut MENU[MENU_COUNT];
extern const order FIRST_ORDERS[FIRST_ORDER_COUNT]; /* the newest first */

/* Where orders come from: a till that numbers them. */
typedef struct till {
  size_t last_number;
} till;

order till_next_order(till *till, const donut *donuts, size_t count);

/* ---- The model ----------------------------------------------------------------------------- */

typedef struct model model;

model *model_open(till *till);
void model_close(model *model);

/* What is published is borrowed for the call. */
typedef void orders_listener(void *context, const order *orders, size_t count);
typedef void donuts_listener(void *context, const donut *donuts, size_t count);

/* Calls a function with all orders, or all donuts, now and after each change. */
void model_on_orders(model *model, orders_listener *listener, void *context);
void model_on_donuts(model *model, donuts_listener *listener, void *context);

/* All orders, the newest first. Borrowed until the next change. */
const order *model_orders(const model *model, size_t *count);

/* Return NULL if the id is unknown. */
const order *model_find_order(const model *model, const char *id);
const donut *model_find_donut(const model *model, const char *id);

/* These do nothing if the id is unknown. */
void model_mark_order_as_next_step(model *model, const char *id);
void model_mark_order_as_completed(model *model, const char *id);
void model_rename_donut(model *model, const char *id, const char *name);

void model_add_order(model *model);

#endif /* MODEL_H */
