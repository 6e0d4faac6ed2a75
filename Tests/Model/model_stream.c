/* The streams of the model. */
#include "model.h"

int model_stream_is_full(const model_stream *stream) {
  return !stream->is_over && json_array_size(stream->elements) >= (size_t)stream->capacity;
}

int model_stream_write(model_stream *stream, const json_t *action, const json_t *old_state,
                       const json_t *new_state) {
  if (stream->is_over || (stream->types && !model_matches(stream->types, action))) return 0;
  int is_full = model_stream_is_full(stream);
  if (is_full && stream->overflow == OVERFLOW_FAIL) {
    stream->is_over = stream->has_overflowed = 1;
    return 0;
  }
  if (is_full && stream->overflow == OVERFLOW_DROP) {
    json_array_remove(stream->elements, 0);
    stream->dropped++;
  }
  json_array_append_new(stream->elements,
                        json_pack("[o,o,o]", json_deep_copy(action), json_deep_copy(old_state),
                                  json_deep_copy(new_state)));
  return is_full && stream->overflow == OVERFLOW_BLOCK;
}

imd_status model_stream_next(model_stream *stream, json_t **element) {
  *element = json_array_get(stream->elements, 0);
  if (*element) {
    json_incref(*element);
    json_array_remove(stream->elements, 0);
    return IMD_OK;
  }
  if (stream->has_overflowed) return IMD_LIMIT;
  return stream->is_over ? IMD_CLOSED : IMD_TIMEOUT;
}
