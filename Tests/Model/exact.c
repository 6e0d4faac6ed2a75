#include "exact.h"

#include "model_test.h"
#include "report.h"

#include <stddef.h>

enum { CALLS_OF_A_CALLBACK = 12 };

random_source source;
slot *slots[SLOTS];
int callback_depth, call_budget;

static const struct {
  int weight;
  void (*call)(slot *slot);
} calls[] = {
    {300, call_dispatch},
    {50, call_batch},
    {40, call_preview},
    {60, call_undo},
    {40, call_redo},
    {15, call_travel},
    {40, call_group},
    {15, call_cancel_group},
    {30, call_mark_clean},
    {20, call_history},
    {10, call_blame},
    {6, call_close},
    {20, call_reopen},
    {10, call_follow},
    {60, call_select},
    {5, call_define},
    {20, call_statistics},
    {120, call_observe},
    {60, call_cancel},
    {80, call_poll},
    {20, call_descriptor},
    {40, call_stream},
    {100, call_next},
    {15, call_stream_close},
    {20, call_stream_descriptor},
    {10, call_settle},
    {10, call_set_fetch},
    {10, call_set_trace},
    {10, call_refused},
    {1, call_fork},
};

slot *random_slot(const slot *not) {
  int start = random_below(&source, SLOTS);
  for (int i = 0; i < SLOTS; i++) {
    slot *slot = slots[(start + i) % SLOTS];
    if (slot && slot != not) return slot;
  }
  return NULL;
}

static void (*random_kind(void))(slot *) {
  int total = 0, i = 0;
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) total += calls[k].weight;
  for (int left = random_below(&source, total); left >= calls[i].weight; i++)
    left -= calls[i].weight;
  return calls[i].call;
}

static int is_open(const slot *slot) {
  for (int i = 0; i < SLOTS; i++)
    if (slots[i] == slot) return 1;
  return 0;
}

void random_call(const slot *not) {
  slot *slot = random_slot(not);
  if (!slot) return;
  random_kind()(slot);
  if (is_open(slot)) check_state(slot);
}

void run_exact(const run *run) {
  source = (random_source){run->seed};
  for (long i = 0; i < run->calls; i++) {
    int place = random_below(&source, SLOTS);
    call_budget = CALLS_OF_A_CALLBACK;
    if (!slots[place] && random_chance(&source, 50)) call_create(place);
    random_call(NULL);
    for (int j = 0; j < SLOTS; j++)
      if (slots[j]) check_descriptors(slots[j]);
    reap_observers();
    reap_slots();
  }
  call_budget = 0;
  for (int i = 0; i < SLOTS; i++)
    if (slots[i]) call_close(slots[i]);
  reap_observers();
  reap_slots();
  remove_folder();
}
