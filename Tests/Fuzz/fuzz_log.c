/* libFuzzer: whatever a log and its snapshot contain, opening them returns a status. If it
 * succeeds, opening them again leads to the same state; if they are damaged, the log is left as it
 * is.
 *
 * The first byte of the input says how the files are made of the rest. With an odd one, the rest is
 * the log. Otherwise each line of the rest is the data of a line of the log, which gets the right
 * checksums; its first byte is the kind:
 *     h log   b base   a actions   j jump   m history   o options
 *     s   a snapshot after the last line   0 … 9   adds to the number of the next line
 *     anything else: a line as it is */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <immutabledata.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/imd-fuzz-XXXXXX";
static char path[64], snapshot_path[64], cut_path[64], options[160];

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "check failed: %s\n", what);
  abort();
}

/* CRC-32C. */
static uint32_t add(uint32_t sum, const char *bytes, size_t length) {
  sum = ~sum;
  for (size_t index = 0; index < length; index++) {
    sum ^= (uint8_t)bytes[index];
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0x82F63B78u : 0);
  }
  return ~sum;
}

/* A file in memory. */
typedef struct text {
  char *bytes;
  size_t length;
} text;

static void append(text *to, const char *bytes, size_t length) {
  to->bytes = realloc(to->bytes, to->length + length + 1);
  memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
}

static void write_file(const char *name, text content) {
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  require(file >= 0, "open a file");
  require(write(file, content.bytes, content.length) == (ssize_t)content.length, "write a file");
  close(file);
}

static int has_content(const char *name, text content) {
  char *bytes = malloc(content.length + 1);
  int file = open(name, O_RDONLY);
  require(file >= 0, "the log is there");
  ssize_t length = read(file, bytes, content.length + 1);
  close(file);
  int is_same = length == (ssize_t)content.length &&
                memcmp(bytes, content.bytes, content.length) == 0;
  free(bytes);
  return is_same;
}

/* The log that is made of an input. */
typedef struct made {
  text log, snapshot;
  char sum[9], base_sum[9];
  size_t line;
  long number;
} made;

/* Appends a line, of which `members` are those between "data" and the name of the kind. */
static void add_line(text *to, char sum[9], const char *members, const char *kind, const char *data,
                     size_t length) {
  char head[512], start[32];
  int head_length = snprintf(head, sizeof head, "\"data\":\"%08x\",%s\"%s\":",
                             (unsigned)add(0, data, length), members, kind);
  uint32_t next = add(add(0, sum, 8), head, (size_t)head_length);
  snprintf(sum, 9, "%08x", (unsigned)next);
  int start_length = snprintf(start, sizeof start, "{\"sum\":\"%s\",", sum);
  append(to, start, (size_t)start_length);
  append(to, head, (size_t)head_length);
  append(to, data, length);
  append(to, "}\n", 2);
}

static void make_line(made *made, const char *line, size_t length) {
  static const char letters[] = "hbajmos";
  static const char *const kinds[] = {"log",     "base",    "actions", "jump",
                                      "history", "options", "snapshot"};
  const char *letter = length > 0 ? memchr(letters, line[0], sizeof letters - 1) : NULL;
  if (length > 0 && line[0] >= '0' && line[0] <= '9') {
    made->number += line[0] - '0';
    return;
  }
  if (letter == NULL) {
    append(&made->log, line, length);
    append(&made->log, "\n", 1);
    return;
  }
  const char *data = line + 1;
  char members[320] = "";
  size_t end = made->log.length;
  if (*letter == 's') {
    char none[] = "00000000";
    snprintf(members, sizeof members,
             "\"number\":%ld,\"synced\":%zu,\"time\":1,\"origin\":\"%032d\",\"base\":\"%s\","
             "\"line\":%zu,\"offset\":%zu,\"after\":\"%s\",",
             made->number, end, 0, made->base_sum, made->line, end, made->sum);
    made->snapshot.length = 0;
    add_line(&made->snapshot, none, members, "snapshot", data, length - 1);
    return;
  }
  if (*letter == 'a' || *letter == 'j') made->number++;
  if (*letter != 'h') {
    snprintf(members, sizeof members, "\"number\":%ld,\"synced\":0,\"time\":1,", made->number);
  }
  made->line = end;
  add_line(&made->log, made->sum, members, kinds[letter - letters], data, length - 1);
  if (*letter == 'b') memcpy(made->base_sum, made->sum, sizeof made->base_sum);
}

/* Merges the payload into the state. */
static imd_status merge(void *context, const imd_value *state, const imd_value *action,
                        imd_value **next, imd_error *error) {
  (void)context;
  imd_value *payload = NULL;
  imd_status status = imd_value_get(action, "/payload", &payload, error);
  if (status == IMD_OK) status = imd_value_set(state, "/a", payload, next, error);
  imd_value_release(payload);
  return status;
}

/* Opens the log. Returns the state as text; NULL if it cannot be opened. */
static char *open_state(imd_status *status) {
  imd_error error;
  imd_store *store;
  *status = imd_store_create("{}", 2, merge, NULL, NULL, options, IMD_ZERO_TERMINATED, &store,
                             &error);
  require((*status == IMD_OK) == (store != NULL), "there is a store after success");
  require((*status == IMD_OK) == (error.message[0] == '\0'), "a failure has a message");
  if (store == NULL) return NULL;
  imd_value *state;
  char *out;
  require(imd_store_state(store, &state, NULL) == IMD_OK, "state");
  require(imd_value_text(state, &out, NULL, NULL) == IMD_OK, "text");
  imd_value_release(state);
  imd_store_close(store);
  return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (path[0] == '\0') {
    require(mkdtemp(folder) != NULL, "make a folder");
    snprintf(path, sizeof path, "%s/x.imd", folder);
    snprintf(snapshot_path, sizeof snapshot_path, "%s-snapshot", path);
    snprintf(cut_path, sizeof cut_path, "%s-cut", path);
    snprintf(options, sizeof options,
             "{\"optimistic\":true,\"history\":{\"limit\":5},\"log\":{\"path\":\"%s\"}}", path);
  }
  if (size == 0) return 0;
  made made = {.sum = "00000000", .base_sum = "00000000"};
  const char *rest = (const char *)data + 1, *end = (const char *)data + size;
  if (data[0] % 2 == 1) {
    append(&made.log, rest, (size_t)(end - rest));
  } else {
    while (rest < end) {
      const char *line_end = memchr(rest, '\n', (size_t)(end - rest));
      if (line_end == NULL) line_end = end;
      make_line(&made, rest, (size_t)(line_end - rest));
      rest = line_end < end ? line_end + 1 : end;
    }
  }
  write_file(path, made.log);
  unlink(snapshot_path);
  if (made.snapshot.length > 0) write_file(snapshot_path, made.snapshot);

  char *out = NULL;
  imd_log_verify(path, NULL, NULL, &out, NULL, NULL);
  imd_free(out);
  imd_log_entries(path, NULL, 0, &out, NULL, NULL);
  imd_free(out);
  imd_status status, again;
  char *state = open_state(&status);
  require(status != IMD_IO && status != IMD_CLOSED, "the file can be read");
  if (status == IMD_CORRUPT) require(has_content(path, made.log), "a damaged log is left");
  char *reopened = open_state(&again);
  require(status == again, "opening again has the same status");
  require(state == NULL || strcmp(state, reopened) == 0, "opening again leads to the same state");
  if (state != NULL) {
    /* What precedes the snapshot was not read. */
    status = imd_log_verify(path, NULL, NULL, &out, NULL, NULL);
    require(status == IMD_OK || (status == IMD_CORRUPT && made.snapshot.length > 0),
            "an opened log is whole");
    imd_free(out);
  }
  imd_free(state);
  imd_free(reopened);
  unlink(cut_path);
  unlink(snapshot_path);
  unlink(path);
  free(made.log.bytes);
  free(made.snapshot.bytes);
  return 0;
}
