/* What the migration adds: each stage uses more of it, and less of the folder legacy. */
#ifndef MOVED_H
#define MOVED_H

#include "../legacy/script.h"

#include <immutabledata.h>

/* ---- From stage 1: mirror.c ---------------------------------------------------------------- */

/* Records by id have no order of their own: the ids keep that of the lists. */
#define MIRROR_EMPTY "{\"donutIDs\":[],\"donuts\":{},\"orderIDs\":[],\"orders\":{}}"

/* The reducer: replaces the orders or the donuts with the published ones. It uses no context. */
imd_status mirror_reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error);

/* The model listener: dispatches each publication. Call it before other code follows the model, so
 * that the store is up to date when that code is called.
 *
 * The program does not depend on the store yet. So a publication that the reducer refuses is
 * reported on standard error, and the store keeps the last one that it accepted. */
void mirror(model *model, imd_store *store);

/* ---- From stage 2: orders_screen.c --------------------------------------------------------- */

/* Does what orders_screen does: an observer of each order builds its row. */
typedef struct store_orders_screen {
  screen screen;
  imd_store *store;
  struct order_observer **observers; /* in the order of the rows: that of the ids in the state */
} store_orders_screen;

/* The selector has the argument id; it returns the order with the names of its donuts. */
void store_orders_screen_open(store_orders_screen *screen, imd_store *store, const char *selector);

/* Call it after the store has been closed. */
void store_orders_screen_close(store_orders_screen *screen);

/* ---- From stage 4: actions.c --------------------------------------------------------------- */

#define TAP_STATUS "ui/orderDetailView/onTapStatusButton"
#define TAP_COMPLETE "ui/ordersView/onTapCompleteOrderButton"
#define TAP_ADD "ui/ordersView/onTapAddOrderButton"

/* What the buttons of the screens that read from the store do. The context is the store. */
void dispatch_status(void *store, const char *id);
void dispatch_add(void *store, const char *unused);
void dispatch_complete(void *store, const char *id);

/* Calls a function for each action of a type, with the payload's orderID, or "". */
typedef struct action_handler {
  const char *type;
  callback callback;
} action_handler;

/* The actions wait in a stream. The program forwards them when its event loop is idle, on the
 * thread of the model; an event loop can watch imd_stream_fd instead. */
typedef struct store_listener {
  imd_stream *stream;
  const action_handler *handlers;
  size_t count;
} store_listener;

/* handlers: borrowed until the listener is closed. */
void store_listener_open(store_listener *listener, imd_store *store,
                         const action_handler *handlers, size_t count);
void store_listener_forward(void *listener);
void store_listener_close(store_listener *listener);

/* ---- Stages 4 and 5: forward.c ------------------------------------------------------------- */

/* What the actions do as long as the model is the source of truth. The context is the model. */
void forward_status(void *model, const char *id);
void forward_add(void *model, const char *unused);
void forward_complete(void *model, const char *id);

/* ---- From stage 4: sessions.c -------------------------------------------------------------- */

/* Starts a session for each order that becomes "preparing", and ends it afterwards, whichever
 * screen changed the order. Call it after the first publications: orders that are already being
 * prepared have sessions. */
void follow_sessions(imd_store *store, sessions *sessions);

/* ---- From stage 5: truck_screen.c ---------------------------------------------------------- */

/* Does what truck_screen does. */
void store_truck_screen_open(screen *screen, imd_store *store);

/* ---- Stage 6: store_reducer.c -------------------------------------------------------------- */

#define RENAME_DONUT "ui/donutEditor/onRename"
#define DID_PLACE_ORDER "data/till/didPlaceOrder"

/* The reducer: does what the model did. An order has the ids of its donuts, and no copies. It uses
 * no context. */
imd_status store_model_reduce(void *context, const imd_value *state, const imd_value *action,
                              imd_value **next, imd_error *error);

/* ---- Stage 6: store_state.c ---------------------------------------------------------------- */

/* The selector of all donuts, in the order of the menu. */
#define SELECT_MENU "selectMenu"

/* Opens a store with the first orders and donuts. */
void store_model_create(imd_store **store);

/* Places the next order of a till. */
void store_model_place_order(imd_store *store, till *till);

/* ---- Stage 6: store_model.c ---------------------------------------------------------------- */

/* Link store_model.c instead of legacy/model.c. It implements what the remaining legacy screens use
 * of model.h: model_on_orders, model_on_donuts, model_rename_donut and model_close. */

/* Opens a model on top of a store, which stays yours. Close it after the store. */
model *store_model_open(imd_store *store);

/* ---- records.c ----------------------------------------------------------------------------- */

imd_status encode_donut(const donut *donut, imd_value **out, imd_error *error);
imd_status decode_donut(const imd_value *value, donut *donut, imd_error *error);

/* Decodes the donuts in an array or object; *count is the space on input. */
imd_status decode_donuts(const imd_value *values, donut *donuts, size_t *count, imd_error *error);

#endif /* MOVED_H */
