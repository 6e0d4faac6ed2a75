/* libFuzzer: whatever a log driver answers, and whatever others have appended, the process
 * survives, calls end, and the state can be read.
 *
 * The driver keeps a log in memory. The input consists of parts separated by NUL: a script, and
 * texts. Each answer takes a byte of the script, which says how it deviates from a right one; what
 * the program does takes the others. Without further bytes all answers are right. */
#define _POSIX_C_SOURCE 200809L

#include <immutabledata_log.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 6, ENTRIES = 64, STORES = 4 };

typedef struct {
  const char *start;
  size_t length;
} part;

typedef struct {
  imd_log_entry entry;
  char *text;
  char origin[33];
} kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const imd_log_engine *engine;
static part script, texts[PARTS];
static size_t position, text_count, next_text;

/* The log. */
static kept entries[ENTRIES];
static size_t count;
static part header, snapshot;
static imd_log_place snapshot_place;
static imd_log_watch *watches[STORES];

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "check failed: %s\n", what);
  abort();
}

static unsigned take(void) {
  return position < script.length ? (unsigned char)script.start[position++] : 0;
}

static part take_text(void) {
  const part none = {"null", 4};
  return text_count == 0 ? none : texts[next_text++ % text_count];
}

static part copy(const char *text, size_t length) {
  char *copied = malloc(length + 1);
  require(copied != NULL, "there is memory");
  memcpy(copied, text, length);
  copied[length] = 0;
  return (part){copied, length};
}

static imd_log_place head(void) {
  return count == 0 ? (imd_log_place){0} : entries[count - 1].entry.place;
}

static void keep(part text, const char *origin, int64_t counter) {
  if (count == ENTRIES) return;
  kept *new = &entries[count];
  imd_log_place place = head();
  text = copy(text.start, text.length);
  new->text = (char *)text.start;
  memcpy(new->origin, origin, 33);
  engine->hash(place.hash, text.start, text.length, place.hash);
  place.number++;
  new->entry = (imd_log_entry){place, new->text, text.length, new->origin, counter, NULL};
  count++;
}

/* Another store appends a text of the input. */
static void interfere(void) {
  keep(take_text(), "00112233445566778899aabbccddeeff", 1);
}

/* Answers, and deviates from what is right. */
static void answer(imd_log_call *call, imd_log_answer right) {
  unsigned byte = take(), kind = byte % 24;
  imd_log_answer given = right;
  imd_log_entry one;
  const part text = take_text();
  switch (kind) {
  case 10: given.outcome = (imd_log_outcome)(byte / 24); break;
  case 11: given.head.number += byte / 24 - 5; break;
  case 12: given.head.hash[byte / 24]++; break;
  case 13: given.place.number = INT64_MAX - byte / 24; break;
  case 14: given.counter = (int64_t)(byte / 24 - 5) * 1000; break;
  case 15: given.text = text.start, given.length = text.length; break;
  case 16: given.text = NULL; break;
  case 17: given.id = byte < 128 ? NULL : "?"; break;
  case 18: if (given.count > 0) given.count--; break;
  case 19: given.message = "\x1b[0m\xff\n", given.outcome = IMD_LOG_REFUSED; break;
  case 20:
  case 21:
    /* Only an entry of the input. */
    one = (imd_log_entry){given.head, text.start, text.length, "?", byte, "\xff"};
    if (kind == 21) one.origin = "ffffffffffffffffffffffffffffffff";
    given.entries = &one, given.count = 1;
    break;
  case 22: given.head.number = INT64_MAX; break;
  case 23: engine->answer(call, NULL); break;
  }
  engine->answer(call, &given);
  if (byte == 9) engine->answer(call, &right);
}

static imd_log_answer done(void) {
  return (imd_log_answer){.outcome = IMD_LOG_DONE, .head = head()};
}

static void open_log(void *context, const imd_log_opening *opening, const imd_log_engine *given,
                     imd_log_watch *watch, void **log, imd_log_call *call) {
  pthread_mutex_lock(&lock);
  engine = given;
  if (header.start == NULL && opening->base != NULL) {
    header = copy(opening->header, opening->header_length);
    snapshot = copy(opening->base, opening->base_length);
  }
  imd_log_answer right = done();
  if (header.start == NULL) right.outcome = IMD_LOG_ABSENT;
  right.id = "00112233445566778899aabbccddeeff";
  right.text = header.start, right.length = header.length;
  for (int i = 0; i < STORES; i++)
    if (watches[i] == NULL) {
      watches[i] = watch;
      *log = &watches[i];
      break;
    }
  require(*log != NULL, "there are not too many stores");
  answer(call, right);
  pthread_mutex_unlock(&lock);
  (void)context;
}

static void append(void *log, const imd_log_place *after, const imd_log_entry *new, size_t length,
                   imd_log_call *call) {
  (void)log;
  pthread_mutex_lock(&lock);
  if (take() % 8 == 1) interfere();
  imd_log_answer right = done();
  int64_t counter = 0;
  for (size_t i = 0; i < count && length > 0; i++)
    if (strcmp(entries[i].origin, new->origin) == 0) counter = entries[i].entry.counter;
  if (length > 0 && new->counter != counter + 1)
    right.outcome = IMD_LOG_REPEATED, right.counter = counter;
  else if (after != NULL && after->number != right.head.number)
    right.outcome = IMD_LOG_MOVED;
  else if (count + length > ENTRIES)
    right.outcome = IMD_LOG_REFUSED, right.message = "the log is full";
  else
    for (size_t i = 0; i < length; i++)
      keep((part){new[i].text, new[i].length}, new[i].origin, new[i].counter);
  if (right.outcome == IMD_LOG_DONE) right.head = head();
  answer(call, right);
  pthread_mutex_unlock(&lock);
}

static void read_log(void *log, const imd_log_place *after, size_t limit, int hold,
                     imd_log_call *call) {
  (void)log, (void)limit, (void)hold;
  pthread_mutex_lock(&lock);
  static imd_log_entry found[ENTRIES];
  imd_log_answer right = done();
  if ((uint64_t)after->number > count) right.outcome = IMD_LOG_DIVERGED;
  else
    for (size_t i = after->number; i < count; i++)
      found[right.count++] = entries[i].entry;
  right.entries = found;
  answer(call, right);
  pthread_mutex_unlock(&lock);
}

static void get_snapshot(void *log, imd_log_call *call) {
  (void)log;
  pthread_mutex_lock(&lock);
  imd_log_answer right = done();
  right.text = snapshot.start, right.length = snapshot.length, right.place = snapshot_place;
  answer(call, right);
  pthread_mutex_unlock(&lock);
}

static void put_snapshot(void *log, int64_t old, const imd_log_place *place, const char *text,
                         size_t length, imd_log_call *call) {
  (void)log, (void)old;
  pthread_mutex_lock(&lock);
  free((char *)snapshot.start);
  snapshot = copy(text, length);
  snapshot_place = *place;
  answer(call, done());
  pthread_mutex_unlock(&lock);
}

static void trim(void *log, int64_t number, imd_log_call *call) {
  (void)log, (void)number;
  pthread_mutex_lock(&lock);
  answer(call, done());
  pthread_mutex_unlock(&lock);
}

static void close_log(void *log) {
  pthread_mutex_lock(&lock);
  *(imd_log_watch **)log = NULL;
  pthread_mutex_unlock(&lock);
}

static const imd_log_driver driver = {sizeof(imd_log_driver), NULL, open_log, append, read_log,
                                      get_snapshot, put_snapshot, trim, close_log};

/* Keeps the last payload; refuses some. */
static imd_status reduce(void *context, const imd_value *state, const imd_value *action,
                         imd_value **next, imd_error *error) {
  (void)context, (void)state;
  const imd_status status = imd_value_get(action, "/payload", next, error);
  return status == IMD_NOT_FOUND ? IMD_REDUCER_FAILED : status;
}

static const char *const actions[] = {
    "{\"type\":\"set\",\"payload\":1}", "{\"type\":\"set\",\"payload\":[2]}", "{\"type\":\"set\"}",
    "{\"type\":\"set\",\"payload\":{\"a\":\"é\"}}"};

static imd_store *open_store(void) {
  const char *options = "{\"history\":true,\"log\":{\"path\":\"fuzz://h/x\",\"timeout\":1}}";
  imd_store *store = NULL;
  imd_error error;
  const imd_status status = imd_store_create("0", 1, reduce, NULL, NULL, options,
                                             IMD_ZERO_TERMINATED, &store, &error);
  require((status == IMD_OK) == (store != NULL), "a store is opened, or not");
  require(status == IMD_OK || error.message[0] != 0, "an error has a message");
  return store;
}

static void use(imd_store *store, unsigned byte) {
  const char *action = actions[byte / 8 % 4];
  imd_error error;
  size_t done_count;
  int64_t number;
  switch (byte % 8) {
  case 1: imd_store_refresh(store, &error); break;
  case 2: imd_store_undo(store, 1, &done_count, &error); break;
  case 3: imd_store_redo(store, 1, &done_count, &error); break;
  case 4:
    imd_store_dispatch_async(store, action, IMD_ZERO_TERMINATED, NULL, NULL, &error);
    imd_store_settle(store, -1, &error);
    break;
  case 5: imd_log_trim("fuzz://h/x", &number, &error); break;
  default: imd_store_dispatch(store, action, IMD_ZERO_TERMINATED, &error);
  }
  imd_value *state = NULL;
  require(imd_store_state(store, &state, NULL) == IMD_OK, "the state can be read");
  imd_value_release(state);
}

static unsigned take_locked(void) {
  pthread_mutex_lock(&lock);
  const unsigned byte = take();
  pthread_mutex_unlock(&lock);
  return byte;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int is_registered;
  if (!is_registered) require(imd_register_log("fuzz", &driver, NULL) == IMD_OK, "it registers");
  is_registered = 1;
  const char *start = (const char *)data, *end = start + size;
  part parts[PARTS + 1] = {{0}};
  size_t found = 0;
  while (start <= end && found <= PARTS) {
    const char *nul = start < end ? memchr(start, 0, end - start) : NULL;
    const char *stop = nul ? nul : end;
    /* Each text has a NUL behind it. */
    parts[found++] = copy(start, stop - start);
    start = stop + 1;
  }
  script = found > 0 ? parts[0] : (part){"", 0};
  position = next_text = count = 0;
  text_count = found > 1 ? found - 1 : 0;
  for (size_t i = 0; i < text_count && i < PARTS; i++)
    texts[i] = parts[i + 1];
  header = snapshot = (part){NULL, 0};
  snapshot_place = (imd_log_place){0};
  imd_store *stores[2] = {open_store(), open_store()};
  for (int i = 0; i < 8; i++) {
    const unsigned byte = take_locked();
    if (stores[byte >> 7]) use(stores[byte >> 7], byte);
  }
  for (int i = 0; i < 2; i++)
    if (stores[i]) imd_store_close(stores[i]);
  for (size_t i = 0; i < count; i++)
    free(entries[i].text);
  free((char *)header.start);
  free((char *)snapshot.start);
  for (size_t i = 0; i < found; i++)
    free((char *)parts[i].start);
  return 0;
}
