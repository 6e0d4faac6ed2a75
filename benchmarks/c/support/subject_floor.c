/* The floor of a dispatch: what it cannot do without, by hand for these records only. The text of an
 * action is scanned once, and one path of a persistent tree is copied. The parts of the old version
 * move into the new one, which pays only because nobody holds the old one. */
#include "subject.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 16, FIELDS = 10, DEEPEST = 8 };

/* ---- The tree -------------------------------------------------------------------------------- */

/* The keys of a node, shared by its versions. Each is the first 8 bytes of the text, as a number that
 * sorts as the text does; no key of these records is longer. */
typedef struct keys {
  atomic_int owners;
  uint64_t keys[WIDTH];
} keys;

typedef struct record {
  atomic_int owners;
  int32_t fields[FIELDS];
} record;

typedef struct node {
  atomic_int owners;
  int count, is_leaf;
  keys *keys;
  void *parts[WIDTH]; /* nodes, or the records of a leaf */
} node;

typedef struct tree {
  node *root;
} tree;

static uint64_t key_of(const char *text, size_t length) {
  uint64_t key = 0;
  memcpy(&key, text, length < sizeof key ? length : sizeof key);
  return __builtin_bswap64(key);
}

static int release(atomic_int *owners) {
  return atomic_fetch_sub_explicit(owners, 1, memory_order_acq_rel) == 1;
}

static void release_node(node *node) {
  if (!release(&node->owners))
    return;
  for (int i = 0; i < node->count; i++)
    if (!node->is_leaf)
      release_node(node->parts[i]);
    else if (release(node->parts[i]))
      free(node->parts[i]);
  if (release(&node->keys->owners))
    free(node->keys);
  free(node);
}

/* The last part whose first key is not greater. */
static int part_for(const node *node, uint64_t key) {
  int count = 0;
  for (int i = 0; i < node->count; i++)
    count += node->keys->keys[i] <= key;
  return count - 1;
}

/* Finds a record, and the path to it. Returns its depth; 0 if there is none. */
static int find(const tree *tree, uint64_t key, node **path, int *places) {
  int depth = 0;
  for (node *node = tree->root;; node = node->parts[places[depth++]]) {
    int place = part_for(node, key);
    if (place < 0)
      return 0;
    path[depth] = node;
    places[depth] = place;
    if (node->is_leaf)
      return node->keys->keys[place] == key ? depth + 1 : 0;
  }
}

static void *copy(const void *old, size_t size) {
  atomic_int *new = memcpy(malloc(size), old, size);
  atomic_init(new, 1);
  return new;
}

static int set_field(tree *tree, uint64_t key, int field, int32_t value) {
  node *path[DEEPEST];
  int places[DEEPEST], depth = find(tree, key, path, places);
  if (depth == 0)
    return 0;
  record *old = path[depth - 1]->parts[places[depth - 1]];
  record *new = copy(old, sizeof *old);
  new->fields[field] = value;
  void *part = new;
  for (int i = depth - 1; i >= 0; i--) {
    node *node = copy(path[i], sizeof *node);
    node->parts[places[i]] = part;
    part = node;
  }
  tree->root = part;
  if (release(&old->owners))
    free(old);
  for (int i = 0; i < depth; i++)
    if (release(&path[i]->owners))
      free(path[i]);
  return 1;
}

/* ---- Actions --------------------------------------------------------------------------------- */

/* Slices of {"type":"set","payload":{"id":"k1","value":2}}. */
typedef struct action {
  const char *type, *id;
  size_t type_length, id_length;
  int32_t value;
} action;

/* A string without escapes. Returns what follows it; NULL if it is none. */
static const char *scan_string(const char *at, const char *end, const char **text, size_t *length) {
  if (at >= end || *at++ != '"')
    return NULL;
  *text = at;
  while (at < end && *at != '"')
    if (*at == '\\' || (unsigned char)*at++ < ' ')
      return NULL;
  *length = (size_t)(at - *text);
  return at < end ? at + 1 : NULL;
}

static const char *scan_integer(const char *at, const char *end, int32_t *value) {
  int32_t number = 0;
  const char *start = at;
  for (; at < end && *at >= '0' && *at <= '9'; at++)
    number = number * 10 + (*at - '0');
  *value = number;
  return at > start ? at : NULL;
}

static int is(const char *text, size_t length, const char *name) {
  return length == strlen(name) && memcmp(text, name, length) == 0;
}

static const char *scan_member(const char *at, const char *end, action *action);

static const char *scan_object(const char *at, const char *end, action *action) {
  do {
    at = scan_member(at + 1, end, action);
  } while (at && at < end && *at == ',');
  return at && at < end && *at == '}' ? at + 1 : NULL;
}

static const char *scan_member(const char *at, const char *end, action *action) {
  const char *name, *text;
  size_t length, text_length;
  at = scan_string(at, end, &name, &length);
  if (!at || at >= end || *at++ != ':' || at >= end)
    return NULL;
  if (*at == '{')
    return scan_object(at, end, action);
  if (*at != '"')
    return scan_integer(at, end, &action->value);
  at = scan_string(at, end, &text, &text_length);
  if (!at)
    return NULL;
  if (is(name, length, "type")) {
    action->type = text;
    action->type_length = text_length;
  } else if (is(name, length, "id")) {
    action->id = text;
    action->id_length = text_length;
  }
  return at;
}

/* ---- The subject ----------------------------------------------------------------------------- */

static int compare(const void *left, const void *right) {
  uint64_t a = ((const uint64_t *)left)[0], b = ((const uint64_t *)right)[0];
  return (a > b) - (a < b);
}

/* A tree of records from first on, each of whose parts has span of them. rows has the key and the
 * number of each. */
static node *make_node(uint64_t (*rows)[2], int count, int first, int span) {
  node *node = calloc(1, sizeof *node);
  atomic_init(&node->owners, 1);
  node->keys = calloc(1, sizeof *node->keys);
  atomic_init(&node->keys->owners, 1);
  node->is_leaf = span == 1;
  for (int at = first; node->count < WIDTH && at < count; at += span, node->count++) {
    node->keys->keys[node->count] = rows[at][0];
    if (!node->is_leaf) {
      node->parts[node->count] = make_node(rows, count, at, span / WIDTH);
      continue;
    }
    record *record = malloc(sizeof *record);
    atomic_init(&record->owners, 1);
    for (int field = 0; field < FIELDS; field++)
      record->fields[field] = (int32_t)rows[at][1] + field;
    node->parts[node->count] = record;
  }
  return node;
}

static void *open_tree(int count) {
  tree *tree = malloc(sizeof *tree);
  uint64_t(*rows)[2] = malloc((size_t)count * sizeof *rows);
  int span = 1;
  for (int i = 0; i < count; i++) {
    char id[16];
    rows[i][0] = key_of(id, (size_t)sprintf(id, "k%d", i));
    rows[i][1] = (uint64_t)i;
  }
  qsort(rows, (size_t)count, sizeof *rows, compare);
  while (span * WIDTH < count)
    span *= WIDTH;
  tree->root = make_node(rows, count, 0, span);
  free(rows);
  return tree;
}

static void close_tree(void *context) {
  tree *tree = context;
  release_node(tree->root);
  free(tree);
}

static void change(void *context, const batch *batch) {
  for (int i = 0; i < BATCH; i++) {
    const text *text = &batch->operations[i].set;
    const char *end = text->characters + text->length;
    action action = {0};
    if (scan_object(text->characters, end, &action) != end ||
        !is(action.type, action.type_length, "set") ||
        !set_field(context, key_of(action.id, action.id_length), 3, action.value)) {
      fprintf(stderr, "the floor cannot %s\n", text->characters);
      exit(1);
    }
  }
}

static int64_t read_fields(void *context, const batch *batch) {
  node *path[DEEPEST];
  int places[DEEPEST];
  int64_t sum = 0;
  for (int i = 0; i < BATCH; i++) {
    const char *id = batch->operations[i].id;
    int depth = find(context, key_of(id, strlen(id)), path, places);
    sum += ((record *)path[depth - 1]->parts[places[depth - 1]])->fields[4];
  }
  return sum;
}

const subject floor_subject = {"C: the floor, a tree by hand", open_tree, close_tree, change, NULL,
                               NULL, read_fields, NULL};
