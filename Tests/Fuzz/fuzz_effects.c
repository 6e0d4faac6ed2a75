/* libFuzzer: for any response and stream of a server, delivered in any way, the process
 * survives, effects end, and the state can be read.
 *
 * The input consists of parts separated by NUL: the status and the delivery of the response (two
 * bytes), the content type, the body, and the streamed data. */
#define _POSIX_C_SOURCE 200809L

#include <immutabledata.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 4 };

typedef struct {
  const char *start;
  size_t length;
} part;

static part parts[PARTS];
static char *type;
static sem_t followed; /* posted when stream is set */
static atomic_uintptr_t stream;

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "check failed: %s\n", what);
  abort();
}

static int is_open(imd_status status) {
  require(status == IMD_OK || status == IMD_CLOSED, "a request is open, or over");
  return status == IMD_OK;
}

static unsigned byte(size_t index) {
  return index < parts[0].length ? (unsigned char)parts[0].start[index] : 0;
}

static void answer(imd_request *request, part body) {
  imd_header header = {"Content-Type", type};
  int status = byte(0) < 128 ? 200 : (int)byte(0) * 4;
  unsigned delivery = byte(1);
  if (delivery % 8 == 7) {
    require(is_open(imd_request_reject(request, type, NULL)), "a request can be rejected");
    return;
  }
  size_t step = delivery % 8 < 2 ? body.length + 1 : delivery % 8;
  for (size_t i = 0; i < body.length; i += step) {
    size_t length = body.length - i < step ? body.length - i : step;
    if (!is_open(imd_request_receive(request, status, &header, 1, body.start + i, length, NULL)))
      return;
  }
  if (is_open(imd_request_resolve(request, status, &header, delivery & 1, NULL, 0, NULL)))
    require(imd_request_resolve(request, status, NULL, 0, NULL, 0, NULL) == IMD_CLOSED,
            "a request is answered once");
}

static void fetch(void *context, imd_request *request, const imd_request_info *info) {
  (void)context;
  require(info->body[info->body_length] == 0, "a body has a NUL behind it");
  if (!info->is_streamed) {
    answer(request, parts[2]);
    return;
  }
  uintptr_t none = 0;
  if (atomic_compare_exchange_strong(&stream, &none, (uintptr_t)request)) sem_post(&followed);
}

static void read_state(imd_store *store) {
  imd_value *state = NULL, *again = NULL;
  char *text = NULL;
  size_t length = 0;
  require(imd_store_state(store, &state, NULL) == IMD_OK, "the state can be read");
  require(imd_value_text(state, &text, &length, NULL) == IMD_OK, "the state has a text");
  require(imd_value_parse(text, length, &again, NULL) == IMD_OK, "its text is JSON");
  require(imd_value_equal(state, again), "its text is the state");
  imd_free(text);
  imd_value_release(state);
  imd_value_release(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const actions[] = {
      "{\"type\":\"ui/categoryList/onAppear\"}", "{\"type\":\"ui/animalList/onAppear\"}",
      "{\"type\":\"ui/animalEditor/onTapAddAnimalButton\",\"payload\":{\"id\":\"1\",\"name\":\"a\","
      "\"diet\":\"Omnivore\",\"categoryId\":\"b\"}}",
      "{\"type\":\"ui/categoryList/onTapReloadSampleDataButton\"}"};
  const char *at = (const char *)data, *end = at + size;
  for (int i = 0; i < PARTS; i++) {
    /* The two bytes of the first part may be NUL. */
    const char *stop = i == 0 ? at + (size < 2 ? size : 2) : memchr(at, 0, (size_t)(end - at));
    if (!stop || i == PARTS - 1) stop = end;
    parts[i] = (part){at, (size_t)(stop - at)};
    at = stop < end ? stop + 1 : end;
  }
  type = calloc(1, parts[1].length + 1);
  memcpy(type, parts[1].start, parts[1].length);
  atomic_store(&stream, 0);
  require(sem_init(&followed, 0, 0) == 0, "a semaphore can be made");

  imd_store *store = NULL;
  const char *options = "{\"remote\":\"http://127.0.0.1:1\",\"timeout\":50,\"optimistic\":true}";
  require(imd_store_open("animals", options, IMD_ZERO_TERMINATED, &store, NULL) == IMD_OK, "opens");
  require(imd_store_set_fetch(store, fetch, NULL, NULL, NULL) == IMD_OK, "takes the function");
  for (int i = 0; i < 4; i++)
    imd_store_dispatch(store, actions[i], IMD_ZERO_TERMINATED, NULL);
  require(imd_store_settle(store, 10000, NULL) == IMD_OK, "effects end");
  read_state(store);
  if (parts[3].length > 0) {
    while (sem_wait(&followed) != 0) {} /* interrupted by a signal */
    answer((imd_request *)atomic_load(&stream), parts[3]);
    require(imd_store_settle(store, 10000, NULL) == IMD_OK, "changes are taken over");
    read_state(store);
  }
  imd_store_close(store);
  sem_destroy(&followed);
  free(type);
  return 0;
}
