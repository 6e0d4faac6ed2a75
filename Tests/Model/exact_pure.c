/* Calls inside comparisons and filters, which must not call a reducer. */
#include "exact.h"
#include "report.h"

static imd_status call_reducer(imd_store *store, const char **name) {
  static const char *const names[] = {"dispatch", "batch", "preview", "confirmed state",
                                      "undo", "redo", "travel", "cancel group"};
  const size_t z = IMD_ZERO_TERMINATED;
  imd_value *value = NULL;
  int kind = random_below(&source, sizeof names / sizeof *names);
  *name = names[kind];
  note("%s %p, forbidden", *name, (void *)store);
  switch (kind) {
  case 0: return imd_store_dispatch(store, "{\"type\":\"add\",\"payload\":1}", z, NULL);
  case 1: return imd_store_dispatch_batch(store, "[]", z, NULL);
  case 2: return imd_store_preview(store, "[]", z, &value, NULL, NULL, NULL);
  case 3: return imd_store_confirmed_state(store, &value, NULL);
  case 4: return imd_store_undo(store, 1, NULL, NULL);
  case 5: return imd_store_redo(store, 1, NULL, NULL);
  case 6: return imd_store_travel(store, 0, NULL);
  default: return imd_store_cancel_group(store, NULL);
  }
}

void call_forbidden(slot *slot) {
  const char *name;
  slot = random_chance(&source, 50) ? slot : random_slot(NULL);
  imd_status status = call_reducer(slot->host.store, &name);
  EXPECT(status == IMD_REENTRANT, "%s: %s", name, imd_status_name(status));
}

void call_allowed(slot *slot) {
  static void (*const calls[])(struct slot *) = {call_group, call_history, call_blame,
                                                 call_select, check_state, call_mark_clean};
  if (random_chance(&source, 70)) return;
  report_depth++;
  int kind = random_below(&source, sizeof calls / sizeof *calls);
  /* Several transitions may wait because the model has not yet been asked about some of them. It
   * then does not know for which one this is. */
  slot->model->is_asking = slot->model->waiting == 1;
  int marks = calls[kind] == call_mark_clean || calls[kind] == call_group;
  if (!marks || slot->model->is_asking) calls[kind](slot);
  slot->model->is_asking = 0;
  report_depth--;
}
