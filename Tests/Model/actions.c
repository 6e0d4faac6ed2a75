/* Random actions. */
#include "exact.h"
#include "features.h"

#include <stdio.h>
#include <string.h>

static const char *const keys[] = {"a", "b", "c"};

static json_t *random_state(void) {
  json_t *list = json_array();
  for (int i = random_below(&source, 6); i > 0; i--)
    json_array_append_new(list, json_integer(random_below(&source, 9)));
  return json_pack("{s:i,s:o,s:{s:i},s:i}", "n", random_below(&source, 100), "list", list, "sub",
                   "a", random_below(&source, 3), "tag", random_below(&source, 5) - 2);
}

static json_t *random_tag(void) {
  return random_chance(&source, 30) ? json_string(keys[random_below(&source, 3)])
                                    : json_integer(random_below(&source, 5) - 2);
}

static json_t *random_patch(void) {
  json_t *value = random_chance(&source, 30) ? json_null() : json_integer(random_below(&source, 3));
  return json_pack("{s:o}", keys[random_below(&source, 3)], value);
}

static json_t *make(const char *type, json_t *payload) {
  return payload ? json_pack("{s:s,s:o}", "type", type, "payload", payload)
                 : json_pack("{s:s}", "type", type);
}

/* An action whose reducer uses its store, and ignores or returns the status. */
static json_t *random_use(slot *slot) {
  static const char *const uses[] = {"Dispatch", "Batch",  "Select",   "Query",  "Define",
                                     "State",    "Statistics", "Observe", "Poll", "Settle",
                                     "SetFetch", "Stream", "Close", "Undo", "Redo", "Travel",
                                     "BeginGroup", "EndGroup", "CancelGroup", "MarkClean",
                                     "History", "Blame", "Preview"};
  static const char *const stream_uses[] = {"Next", "StreamFd", "Dropped", "StreamClose"};
  char type[32];
  const char *how = uses[random_below(&source, sizeof uses / sizeof *uses)];
  slot->host.stream = NULL;
  for (int i = 0; i < MODEL_STREAMS; i++)
    if (slot->streams[i]) slot->host.stream = slot->streams[i]->handle;
  if (slot->host.stream && random_chance(&source, 30)) {
    how = stream_uses[random_below(&source, has_feature(REDUCER_DESCRIPTORS) ? 4 : 1)];
  } else if (has_feature(REDUCER_DESCRIPTORS) && random_chance(&source, 10)) {
    how = "Fd";
  } else if (has_feature(REDUCER_DISPATCHES) && random_chance(&source, 20)) {
    struct slot *other = random_slot(slot);
    slot->host.other = other ? other->host.store : NULL;
    if (other) how = random_chance(&source, 50) ? "Other" : "OtherPreview";
  }
  int returns = has_feature(REDUCER_STATUS) && random_chance(&source, 30) &&
                strcmp(how, "StreamClose") != 0 && strcmp(how, "Close") != 0;
  snprintf(type, sizeof type, "use%s%s", how, returns ? "!" : "");
  return make(type, json_integer(1));
}

static json_t *random_kept(void) {
  int kind = random_below(&source, 6);
  if (kind == 0 && has_feature(KEEP_NOTHING)) return make("keepNothing", NULL);
  if (kind <= 2 && has_feature(KEEP_RETAINED)) return make("keepRetained", NULL);
  if (kind == 3 && has_feature(BECOME_ACTION)) return make("becomeAction", random_patch());
  if (kind == 4) return make("becomeActionRetained", random_patch());
  return make("keepState", NULL);
}

static json_t *random_plain_action(slot *slot) {
  int kind = random_below(&source, 100);
  if (kind < 25) return make("add", json_integer(random_below(&source, 3)));
  if (kind < 32) return make("addIfEven", NULL);
  if (kind < 45) return make("push", json_integer(random_below(&source, 9)));
  if (kind < 52) return make("pop", NULL);
  if (kind < 60) return make("setTag", random_tag());
  if (kind < 70) return make("merge", random_patch());
  if (kind < 78) return make("becomePayload", random_state());
  if (kind < 80) return make("becomePart", NULL);
  if (kind < 88) return random_kept();
  if (kind < 92) return make("refuse", random_patch());
  if (kind < 93) return json_pack("{s:i}", "payload", 1);
  if (kind < 94) return json_pack("{s:i}", "type", 1);
  return random_use(slot);
}

static void add_optimism(json_t *action) {
  static const char *const steps[] = {"begin", "succeed", "fail", "begin", "other"};
  int kind = random_below(&source, 20);
  const char *step = steps[kind == 19 ? 4 : kind % 4];
  const char *type = json_string_value(json_object_get(action, "type"));
  int is_outcome = strcmp(step, "succeed") == 0 || strcmp(step, "fail") == 0;
  /* An action that every state accepts. */
  int is_safe = type && (strcmp(type, "becomePayload") == 0 || strncmp(type, "keep", 4) == 0);
  if (is_outcome && !is_safe && !has_feature(REFUSED_OUTCOME)) return;
  json_object_set_new(action, "meta", json_pack("{s:{s:s}}", "optimistic", step,
                                                keys[random_below(&source, 2)]));
}

/* Marks an action as a part of one of two drags. */
static void add_drag(json_t *action) {
  json_t *meta = json_object_get(action, "meta");
  if (random_chance(&source, 50) || (meta && !json_is_object(meta))) return;
  if (!meta) json_object_set_new(action, "meta", meta = json_object());
  json_object_set_new(meta, "drag", json_integer(random_below(&source, 2)));
}

json_t *random_action(slot *slot) {
  if (slot->model->is_counter) {
    int kind = random_below(&source, 20);
    const char *type = kind % 2 ? "didTapIncrementButton" : "didTapDecrementButton";
    return make(kind == 0 ? "unknown" : type, NULL);
  }
  json_t *action = random_plain_action(slot);
  if (slot->model->is_optimistic && random_chance(&source, 30)) add_optimism(action);
  else if (random_chance(&source, 5)) json_object_set_new(action, "meta", json_integer(1));
  if (slot->model->history.joins == JOINS_META) add_drag(action);
  return action;
}
