/* Calls that open, read and close streams. */
#include "exact.h"
#include "features.h"
#include "plain.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

/* A random index with or without a stream; -1 if there is none. */
static int find(const slot *slot, int has_stream) {
  int start = random_below(&source, MODEL_STREAMS);
  for (int i = 0; i < MODEL_STREAMS; i++) {
    int place = (start + i) % MODEL_STREAMS;
    if ((slot->streams[place] != NULL) == has_stream) return place;
  }
  return -1;
}

void call_stream(slot *slot) {
  static const char *const policies[] = {"fail", "dropOldest", "block"};
  static const char *const types[] = {"add*", "become*", "push"};
  char options[128];
  int place = find(slot, 0);
  if (place < 0) return;
  stream *stream = calloc(1, sizeof *stream);
  model_stream *expected = &stream->expected;
  stream->descriptor = -1;
  expected->elements = json_array();
  expected->overflow = (overflow)random_below(&source, 3);
  expected->capacity = 1 + random_below(&source, 6);
  expected->types = random_chance(&source, 30) ? types[random_below(&source, 3)] : NULL;
  int length = snprintf(options, sizeof options, "{\"capacity\":%d,\"overflow\":\"%s\"",
                        expected->capacity, policies[expected->overflow]);
  if (expected->types) snprintf(options + length, 64, ",\"types\":[\"%s\"]}", expected->types);
  else snprintf(options + length, 64, "}");
  note("stream %p %s", (void *)slot->host.store, options);
  EXPECT_STATUS(imd_store_stream(slot->host.store, options, IMD_ZERO_TERMINATED, &stream->handle,
                                 NULL), IMD_OK);
  slot->streams[place] = stream;
  slot->model->streams[place] = expected;
}

/* A timeout with which the call returns. */
static int random_timeout(const stream *stream) {
  int would_wait = json_array_size(stream->expected.elements) == 0 && !stream->expected.is_over;
  if (!would_wait) return random_below(&source, 3) - 1;
  return callback_depth > 0 && has_feature(STREAM_IN_CALLBACK) ? -1 : 0;
}

void call_next(slot *slot) {
  int place = find(slot, 1);
  if (place < 0) return;
  stream *stream = slot->streams[place];
  int timeout = random_timeout(stream);
  imd_value *action, *old_state, *new_state;
  json_t *element;
  note("next %p %d", (void *)stream->handle, timeout);
  imd_status status =
      imd_stream_next(stream->handle, timeout, &action, &old_state, &new_state, NULL);
  EXPECT_STATUS(status, model_stream_next(&stream->expected, &element));
  if (status == IMD_OK) {
    expect_text(action, json_array_get(element, 0), "the action");
    expect_text(old_state, json_array_get(element, 1), "the state before the action");
    expect_text(new_state, json_array_get(element, 2), "the state after the action");
  } else {
    EXPECT(!action && !old_state && !new_state, "a failed call returned a value");
  }
  imd_value_release(action);
  imd_value_release(old_state);
  imd_value_release(new_state);
  json_decref(element);
}

void call_stream_close(slot *slot) { close_stream(slot); }

int close_stream(slot *slot) {
  int place = find(slot, 1);
  if (place < 0) return 0;
  stream *stream = slot->streams[place];
  note("close stream %p", (void *)stream->handle);
  imd_stream_close(stream->handle);
  EXPECT_STATUS(imd_stream_next(stream->handle, -1, NULL, NULL, NULL, NULL), IMD_CLOSED);
  slot->streams[place] = NULL;
  slot->model->streams[place] = NULL;
  json_decref(stream->expected.elements);
  free(stream);
  return 1;
}

void call_stream_descriptor(slot *slot) {
  int place = find(slot, 1);
  if (place < 0) return;
  stream *stream = slot->streams[place];
  size_t dropped;
  note("fd and dropped of stream %p", (void *)stream->handle);
  EXPECT_STATUS(imd_stream_fd(stream->handle, &stream->descriptor, NULL), IMD_OK);
  EXPECT_STATUS(imd_stream_dropped(stream->handle, &dropped, NULL), IMD_OK);
  EXPECT(dropped == stream->expected.dropped, "%zu were dropped, not %zu", dropped,
         stream->expected.dropped);
}
