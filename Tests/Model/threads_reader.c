/* Threads that read streams. */
#include "report.h"
#include "threads.h"

#include <string.h>

/* Actions are consecutive. Gaps occur only if the stream may drop actions. */
static void check(reader *reader, const imd_value *action, const imd_value *old_state,
                  const imd_value *new_state) {
  int64_t n, after;
  char *type;
  EXPECT_STATUS(imd_value_get_integer(old_state, "/n", &n, NULL), IMD_OK);
  EXPECT_STATUS(imd_value_get_integer(new_state, "/n", &after, NULL), IMD_OK);
  EXPECT_STATUS(imd_value_get_string(action, "/type", &type, NULL, NULL), IMD_OK);
  if (reader->kind == READS_LATEST)
    EXPECT(n >= reader->next, "the stream goes back from %ld to %ld", reader->next, (long)n);
  else
    EXPECT(n == reader->next, "the stream has %ld, not %ld", (long)n, reader->next);
  reader->next = n + (strcmp(type, "step") == 0);
  EXPECT(after == reader->next, "\"%s\" leads from %ld to %ld", type, (long)n, (long)after);
  reader->read++;
  imd_free(type);
}

static void *read_all(void *context) {
  reader *reader = context;
  imd_value *action, *old_state, *new_state;
  imd_status status;
  while ((status = imd_stream_next(reader->stream, -1, &action, &old_state, &new_state, NULL)) ==
         IMD_OK) {
    check(reader, action, old_state, new_state);
    imd_value_release(action);
    imd_value_release(old_state);
    imd_value_release(new_state);
  }
  if (reader->kind == READS_UNTIL_FULL)
    EXPECT(status == IMD_LIMIT || status == IMD_CLOSED, "%s", imd_status_name(status));
  else
    EXPECT_STATUS(status, IMD_CLOSED);
  return NULL;
}

void reader_start(reader *reader, shared_store *store, int kind) {
  static const char *const options[] = {"{\"capacity\":8,\"overflow\":\"block\"}",
                                        "{\"capacity\":4,\"overflow\":\"dropOldest\"}",
                                        "{\"capacity\":64,\"overflow\":\"fail\"}"};
  reader->kind = kind;
  EXPECT_STATUS(imd_store_stream(store->handle, options[kind], IMD_ZERO_TERMINATED,
                                 &reader->stream, NULL), IMD_OK);
  EXPECT(pthread_create(&reader->thread, NULL, read_all, reader) == 0, "no thread");
}

void reader_join(reader *reader) {
  EXPECT(pthread_join(reader->thread, NULL) == 0, "no thread to join");
  EXPECT_STATUS(imd_stream_dropped(reader->stream, &reader->dropped, NULL), IMD_OK);
  imd_stream_close(reader->stream);
}
