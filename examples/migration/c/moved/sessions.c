#include "moved.h"
#include "values.h"

#include "../legacy/memory.h"

#include <stdlib.h>
#include <string.h>

/* The context of the observer. */
typedef struct follower {
  sessions *sessions;
  imd_value *previous; /* the ids of the orders that were being prepared; NULL at first */
} follower;

static void release_follower(void *context) {
  follower *follower = context;
  imd_value_release(follower->previous);
  free(follower);
}

/* Ids in ascending order. id is "" at the end. */
typedef struct id_cursor {
  imd_cursor *cursor;
  char id[TEXT_SIZE];
} id_cursor;

static void advance(id_cursor *ids) {
  imd_error error;
  const imd_value *each;
  ids->id[0] = '\0';
  if (imd_cursor_next(ids->cursor, NULL, NULL, &each))
    require(read_text(each, "", ids->id, sizeof ids->id, &error), &error);
}

static void open_ids(id_cursor *ids, const imd_value *array) {
  imd_error error;
  require(imd_cursor_open(array, NULL, &ids->cursor, &error), &error);
  advance(ids);
}

/* Ends the sessions of ids that only previous has, and starts those that only current has. */
static void update_sessions(sessions *sessions, const imd_value *previous, const imd_value *current) {
  id_cursor old, new;
  open_ids(&old, previous);
  open_ids(&new, current);
  while (old.id[0] != '\0' || new.id[0] != '\0') {
    int order = strcmp(old.id, new.id);
    int is_old = new.id[0] == '\0' || (old.id[0] != '\0' && order < 0);
    int is_new = old.id[0] == '\0' || (new.id[0] != '\0' && order > 0);
    if (is_old) sessions_end(sessions, old.id);
    if (is_new) sessions_start(sessions, new.id);
    if (!is_new) advance(&old);
    if (!is_old) advance(&new);
  }
  imd_cursor_close(old.cursor);
  imd_cursor_close(new.cursor);
}

/* Observers are called in the order of the dispatches, on a thread that dispatches: here always the
 * thread of the model. */
static void follow(void *context, const imd_delivery *delivery) {
  follower *follower = context;
  if (delivery->kind == IMD_DELIVERY_FAILURE) require(delivery->error->status, delivery->error);
  if (follower->previous != NULL)
    update_sessions(follower->sessions, follower->previous, delivery->value);
  imd_value_release(follower->previous);
  follower->previous = imd_value_retain(delivery->value);
}

void follow_sessions(imd_store *store, sessions *sessions) {
  imd_error error;
  follower *context = resize(NULL, 1, sizeof *context);
  *context = (follower){.sessions = sessions};
  require(imd_store_define_selector(store, "selectPreparing",
                                    "orders.* | [?status == 'preparing'].id", &error),
          &error);
  require(imd_store_observe(store, "selectPreparing", NULL, 0, NULL, 0, follow, context,
                            release_follower, NULL, &error),
          &error);
}
