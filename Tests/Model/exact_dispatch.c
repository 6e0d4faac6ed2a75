/* Calls that change a state, or show what would change. */
#include "exact.h"
#include "features.h"
#include "plain.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

int begin_delivery(slot *slot) {
  int was_delivering = slot->model->is_delivering;
  slot->model->is_delivering = 1;
  return was_delivering;
}

void end_delivery(slot *slot, int was_delivering) {
  if (!was_delivering) {
    model_expect_delivered(slot->model);
    expect_traced(slot);
  }
  slot->model->is_delivering = was_delivering;
}

int is_blocked(const slot *slot) {
  for (int i = 0; i < MODEL_STREAMS; i++) {
    const stream *stream = slot->streams[i];
    if (stream && stream->expected.overflow == OVERFLOW_BLOCK &&
        model_stream_is_full(&stream->expected))
      return callback_depth == 0 || !has_feature(STREAM_IN_CALLBACK);
  }
  return 0;
}

/* Both ways to pass the length of a text. */
static size_t length_of(const char *text) {
  return random_chance(&source, 50) ? strlen(text) : IMD_ZERO_TERMINATED;
}

static void dispatch(slot *slot, json_t *actions, int is_batch) {
  if (is_blocked(slot)) {
    json_decref(actions);
    return;
  }
  char *text = plain_text(is_batch ? actions : json_array_get(actions, 0));
  note("dispatch %p %s", (void *)slot->host.store, text);
  imd_error error;
  int was_delivering = begin_delivery(slot);
  imd_status expected = model_dispatch(slot->model, actions, is_batch), status;
  if (is_batch) status = imd_store_dispatch_batch(slot->host.store, text, length_of(text), &error);
  else status = imd_store_dispatch(slot->host.store, text, length_of(text), &error);
  EXPECT(status == error.status, "the error says %s", imd_status_name(error.status));
  EXPECT(status == expected, "%s, not %s: %s", imd_status_name(status), imd_status_name(expected),
         error.message);
  end_delivery(slot, was_delivering);
  free(text);
  json_decref(actions);
}

void call_dispatch(slot *slot) { dispatch(slot, json_pack("[o]", random_action(slot)), 0); }

static json_t *random_batch(slot *slot) {
  json_t *actions = json_array();
  for (int i = random_below(&source, 4); i > 0; i--) {
    json_t *action = random_action(slot);
    const char *type = json_string_value(json_object_get(action, "type"));
    if (type && strncmp(type, "use", 3) == 0 && !has_feature(REDUCER_STATUS)) json_decref(action);
    else json_array_append_new(actions, action);
  }
  return actions;
}

void call_batch(slot *slot) { dispatch(slot, random_batch(slot), 1); }

/* An observer that is called meanwhile fails, as no delivery is due. A commit would change the
 * numbers of later ones. */
void call_preview(slot *slot) {
  json_t *actions = random_batch(slot), *expected;
  char *text = plain_text(actions), *patch = NULL;
  imd_value *state = NULL;
  size_t length = 99;
  int has_state = random_chance(&source, 80), has_patch = random_chance(&source, 50);
  note("preview %p %s", (void *)slot->host.store, text);
  imd_status status = imd_store_preview(slot->host.store, text, length_of(text),
                                        has_state ? &state : NULL, has_patch ? &patch : NULL,
                                        &length, NULL);
  EXPECT_STATUS(status, model_preview(slot->model, actions, &expected));
  EXPECT(!state == !(has_state && expected) && !patch == !(has_patch && expected) &&
             length == (patch ? strlen(patch) : 0), "the outputs do not fit the status");
  if (state) expect_text(state, expected, "the state of a preview");
  if (patch) expect_patch(patch, slot->model->state, expected);
  imd_value_release(state);
  imd_free(patch);
  free(text);
  json_decref(expected);
  json_decref(actions);
}
