/* The reducer of the board.
 *
 * A case has its own reference to the board: each step makes a new value and replaces *board with
 * it. If a step fails there is nothing to undo: the new values are released. */
#include "board.h"
#include "edit.h"

#include <stdlib.h>
#include <string.h>

/* Applies an action to a board, or to one task. */
typedef imd_status reduction(imd_value **value, const imd_value *action, imd_error *error);

/* ---- Tags ---------------------------------------------------------------------------------- */

/* Finds a tag of a task and writes its pointer. Returns 1, or 0 if the task lacks the tag. */
static int find_tag(const imd_value *task, const imd_value *tag, char *pointer, size_t size) {
  imd_value *tags;
  imd_cursor *cursor = NULL;
  const imd_value *each;
  int is_found = 0;
  if (imd_value_get(task, "/tags", &tags, NULL) == IMD_OK)
    imd_cursor_open(tags, NULL, &cursor, NULL);
  for (size_t index = 0; !is_found && imd_cursor_next(cursor, NULL, NULL, &each); index++) {
    is_found = imd_value_equal(each, tag);
    snprintf(pointer, size, "/tags/%zu", index);
  }
  imd_cursor_close(cursor);
  imd_value_release(tags);
  return is_found;
}

static imd_status add_tag(imd_value **task, const imd_value *tag, imd_error *error) {
  char pointer[32];
  if (imd_value_kind(tag) != IMD_STRING) return refuse(error, "a tag is a string");
  if (find_tag(*task, tag, pointer, sizeof pointer)) return IMD_OK;
  return put(task, "/tags/-", tag, error);
}

/* Adds the tags in the payload, if there are any. */
static imd_status add_tags(imd_value **task, const imd_value *action, imd_error *error) {
  imd_value *tags;
  imd_cursor *cursor = NULL;
  const imd_value *tag;
  if (!has(action, "/payload/tags")) return IMD_OK;
  imd_status status = imd_value_get(action, "/payload/tags", &tags, error);
  if (status == IMD_OK && imd_value_kind(tags) != IMD_ARRAY)
    status = refuse(error, "expected an array at \"/payload/tags\"");
  if (status == IMD_OK) status = imd_cursor_open(tags, NULL, &cursor, error);
  while (status == IMD_OK && imd_cursor_next(cursor, NULL, NULL, &tag))
    status = add_tag(task, tag, error);
  imd_cursor_close(cursor);
  imd_value_release(tags);
  return status;
}

/* ---- Order --------------------------------------------------------------------------------- */

/* Advances to the next task in a project. Returns 1, or 0 at the end. */
static int next_in_project(imd_cursor *tasks, const char *project, const char **id,
                           const imd_value **task) {
  while (imd_cursor_next(tasks, id, NULL, task))
    if (is_text(*task, "/project", project)) return 1;
  return 0;
}

static imd_status order_after(const imd_value *task, int64_t *order, imd_error *error) {
  imd_status status = imd_value_get_integer(task, "/order", order, error);
  if (status == IMD_OK && *order == INT64_MAX) status = refuse(error, "the order has no successor");
  if (status == IMD_OK) *order += 1;
  return status;
}

/* Computes the order after the last task of a project. */
static imd_status last_order(const imd_value *tasks, const char *project, int64_t *order,
                             imd_error *error) {
  imd_cursor *cursor;
  const char *id;
  const imd_value *task;
  int64_t after;
  *order = 1;
  imd_status status = imd_cursor_open(tasks, NULL, &cursor, error);
  while (status == IMD_OK && next_in_project(cursor, project, &id, &task)) {
    status = order_after(task, &after, error);
    if (status == IMD_OK && after > *order) *order = after;
  }
  imd_cursor_close(cursor);
  return status;
}

/* Moves a task down by one. */
static imd_status move_down(imd_value **board, const char *id, const imd_value *task,
                            imd_error *error) {
  int64_t after;
  imd_value *moved = imd_value_retain(task);
  char *pointer = pointer_to("/tasks", id);
  imd_status status = pointer == NULL ? refuse(error, "out of memory") : IMD_OK;
  if (status == IMD_OK) status = order_after(task, &after, error);
  if (status == IMD_OK) status = put_integer(&moved, "/order", after, error);
  if (status == IMD_OK) status = put(board, pointer, moved, error);
  free(pointer);
  imd_value_release(moved);
  return status;
}

/* Moves the tasks of a project with this order or a higher one down by one. */
static imd_status make_room(imd_value **board, const imd_value *tasks, const char *project,
                            int64_t order, imd_error *error) {
  imd_cursor *cursor;
  const char *id;
  const imd_value *task;
  int64_t taken;
  imd_status status = imd_cursor_open(tasks, NULL, &cursor, error);
  while (status == IMD_OK && next_in_project(cursor, project, &id, &task)) {
    status = imd_value_get_integer(task, "/order", &taken, error);
    if (status == IMD_OK && taken >= order) status = move_down(board, id, task, error);
  }
  imd_cursor_close(cursor);
  return status;
}

/* Makes a place for a task in a project, and computes its order: after the last task, or in the
 * place of the one that the payload names as "before". That task and all after it move down. */
static imd_status make_place(imd_value **board, const imd_value *action, const char *project,
                             int64_t *order, imd_error *error) {
  record before = {NULL, NULL};
  imd_value *next = NULL, *tasks;
  imd_status status = imd_value_get(*board, "/tasks", &tasks, error);
  if (status == IMD_OK && !has(action, "/payload/before")) {
    status = last_order(tasks, project, order, error);
  } else if (status == IMD_OK) {
    status = find_record(TASK, *board, action, "/payload/before", &before, &next, error);
    if (status == IMD_OK && !is_text(next, "/project", project))
      status = refuse(error, "the task \"%s\" is not in the project \"%s\"", before.id, project);
    if (status == IMD_OK) status = imd_value_get_integer(next, "/order", order, error);
    if (status == IMD_OK) status = make_room(board, tasks, project, *order, error);
  }
  release_record(&before);
  imd_value_release(next);
  imd_value_release(tasks);
  return status;
}

/* Places a task where the action says. */
static imd_status place_task(imd_value **board, const imd_value *action, const record *task,
                             const char *project, imd_value **value, imd_error *error) {
  int64_t order;
  imd_status status = make_place(board, action, project, &order, error);
  if (status == IMD_OK) status = put_text(value, "/project", project, error);
  if (status == IMD_OK) status = put_integer(value, "/order", order, error);
  if (status == IMD_OK) status = put(board, task->pointer, *value, error);
  return status;
}

/* ---- Cases: projects ----------------------------------------------------------------------- */

static imd_status project_added(imd_value **board, const imd_value *action, imd_error *error) {
  record project;
  imd_value *value = NULL;
  imd_status status = new_record(PROJECT, *board, action, &project, error);
  if (status == IMD_OK) status = imd_value_parse("{}", IMD_ZERO_TERMINATED, &value, error);
  if (status == IMD_OK) status = put_text(&value, "/id", project.id, error);
  if (status == IMD_OK) status = copy_member(&value, action, "/name", IMD_STRING, REFUSE, error);
  if (status == IMD_OK) status = put(board, project.pointer, value, error);
  imd_value_release(value);
  release_record(&project);
  return status;
}

static imd_status remove_tasks(imd_value **board, const char *project, imd_error *error) {
  imd_value *tasks;
  imd_cursor *cursor = NULL;
  const char *id;
  const imd_value *task;
  imd_status status = imd_value_get(*board, "/tasks", &tasks, error);
  if (status == IMD_OK) status = imd_cursor_open(tasks, NULL, &cursor, error);
  /* The cursor visits the tasks as they were, however the board changes. */
  while (status == IMD_OK && next_in_project(cursor, project, &id, &task)) {
    char *pointer = pointer_to("/tasks", id);
    status = pointer == NULL ? refuse(error, "out of memory") : IMD_OK;
    if (status == IMD_OK) status = drop(board, pointer, error);
    free(pointer);
  }
  imd_cursor_close(cursor);
  imd_value_release(tasks);
  return status;
}

static imd_status project_removed(imd_value **board, const imd_value *action, imd_error *error) {
  record project;
  imd_status status =
      find_record(PROJECT, *board, action, "/payload/id", &project, NULL, error);
  if (status == IMD_OK) status = drop(board, project.pointer, error);
  if (status == IMD_OK) status = remove_tasks(board, project.id, error);
  if (status == IMD_OK && is_text(*board, "/filter/project", project.id))
    status = drop(board, "/filter/project", error);
  release_record(&project);
  return status;
}

/* ---- Cases: tasks -------------------------------------------------------------------------- */

static imd_status task_added(imd_value **board, const imd_value *action, imd_error *error) {
  record task, project = {NULL, NULL};
  imd_value *value = NULL;
  const char *blank = "{\"done\":false,\"tags\":[]}";
  imd_status status = new_record(TASK, *board, action, &task, error);
  if (status == IMD_OK)
    status = find_record(PROJECT, *board, action, "/payload/project", &project, NULL, error);
  if (status == IMD_OK) status = imd_value_parse(blank, IMD_ZERO_TERMINATED, &value, error);
  if (status == IMD_OK) status = put_text(&value, "/id", task.id, error);
  if (status == IMD_OK) status = copy_member(&value, action, "/title", IMD_STRING, REFUSE, error);
  if (status == IMD_OK) status = copy_member(&value, action, "/due", IMD_STRING, SKIP, error);
  if (status == IMD_OK) status = add_tags(&value, action, error);
  if (status == IMD_OK) status = place_task(board, action, &task, project.id, &value, error);
  imd_value_release(value);
  release_record(&task);
  release_record(&project);
  return status;
}

static imd_status task_moved(imd_value **board, const imd_value *action, imd_error *error) {
  record task, project = {NULL, NULL};
  imd_value *value;
  char *old_project = NULL;
  imd_status status = find_record(TASK, *board, action, "/payload/id", &task, &value, error);
  if (status == IMD_OK && has(action, "/payload/project"))
    status = find_record(PROJECT, *board, action, "/payload/project", &project, NULL, error);
  else if (status == IMD_OK)
    status = imd_value_get_string(value, "/project", &old_project, NULL, error);
  if (status == IMD_OK)
    status = place_task(board, action, &task, old_project ? old_project : project.id, &value,
                        error);
  imd_free(old_project);
  imd_value_release(value);
  release_record(&task);
  release_record(&project);
  return status;
}

static imd_status task_removed(imd_value **board, const imd_value *action, imd_error *error) {
  record task;
  imd_status status = find_record(TASK, *board, action, "/payload/id", &task, NULL, error);
  if (status == IMD_OK) status = drop(board, task.pointer, error);
  release_record(&task);
  return status;
}

static imd_status edit(imd_value **task, const imd_value *action, imd_error *error) {
  imd_status status = copy_member(task, action, "/title", IMD_STRING, SKIP, error);
  if (status == IMD_OK)
    status = copy_member(task, action, "/due", IMD_STRING, REMOVE_IF_NULL, error);
  return status;
}

static imd_status tag(imd_value **task, const imd_value *action, imd_error *error) {
  imd_value *tag;
  imd_status status = imd_value_get(action, "/payload/tag", &tag, error);
  if (status == IMD_OK) status = add_tag(task, tag, error);
  imd_value_release(tag);
  return status;
}

static imd_status untag(imd_value **task, const imd_value *action, imd_error *error) {
  char pointer[32];
  imd_value *tag;
  imd_status status = imd_value_get(action, "/payload/tag", &tag, error);
  if (status == IMD_OK && find_tag(*task, tag, pointer, sizeof pointer))
    status = drop(task, pointer, error);
  imd_value_release(tag);
  return status;
}

static imd_status complete(imd_value **task, const imd_value *action, imd_error *error) {
  (void)action;
  return put_bool(task, "/done", 1, error);
}

static imd_status reopen(imd_value **task, const imd_value *action, imd_error *error) {
  (void)action;
  return put_bool(task, "/done", 0, error);
}

/* ---- Cases: filter ------------------------------------------------------------------------- */

static imd_status filter_changed(imd_value **board, const imd_value *action, imd_error *error) {
  static const struct {
    const char *member;
    imd_kind kind;
  } members[] = {
      {"/project", IMD_STRING}, {"/tag", IMD_STRING}, {"/text", IMD_STRING}, {"/done", IMD_BOOL}};
  imd_value *filter;
  record project = {NULL, NULL};
  imd_status status = imd_value_get(*board, "/filter", &filter, error);
  if (status == IMD_OK && has(action, "/payload/project"))
    status = find_record(PROJECT, *board, action, "/payload/project", &project, NULL, error);
  for (size_t i = 0; i < sizeof members / sizeof *members && status == IMD_OK; i++)
    status = copy_member(&filter, action, members[i].member, members[i].kind, REMOVE_IF_NULL,
                         error);
  if (status == IMD_OK) status = put(board, "/filter", filter, error);
  release_record(&project);
  imd_value_release(filter);
  return status;
}

/* ---- The reducer --------------------------------------------------------------------------- */

/* The cases: each changes the board, or the task that the payload names. */
static const struct {
  const char *type;
  reduction *to_board;
  reduction *to_task;
} CASES[] = {
    {"projects/added", project_added, NULL},
    {"projects/removed", project_removed, NULL},
    {"tasks/added", task_added, NULL},
    {"tasks/edited", NULL, edit},
    {"tasks/moved", task_moved, NULL},
    {"tasks/tagged", NULL, tag},
    {"tasks/untagged", NULL, untag},
    {"tasks/completed", NULL, complete},
    {"tasks/reopened", NULL, reopen},
    {"tasks/removed", task_removed, NULL},
    {"filter/changed", filter_changed, NULL},
};

static imd_status change_task(imd_value **board, const imd_value *action, reduction *change,
                              imd_error *error) {
  record task;
  imd_value *value;
  imd_status status = find_record(TASK, *board, action, "/payload/id", &task, &value, error);
  if (status == IMD_OK) status = change(&value, action, error);
  if (status == IMD_OK) status = put(board, task.pointer, value, error);
  imd_value_release(value);
  release_record(&task);
  return status;
}

/* Applies an action; ignores unknown types. */
static imd_status reduce(imd_value **board, const imd_value *action, imd_error *error) {
  char *type;
  imd_status status = imd_value_get_string(action, "/type", &type, NULL, error);
  for (size_t i = 0; status == IMD_OK && i < sizeof CASES / sizeof *CASES; i++) {
    if (strcmp(type, CASES[i].type) != 0) continue;
    status = CASES[i].to_board != NULL ? CASES[i].to_board(board, action, error)
                                       : change_task(board, action, CASES[i].to_task, error);
    break;
  }
  imd_free(type);
  return status;
}

imd_status board_reduce(void *context, const imd_value *state, const imd_value *action,
                        imd_value **next, imd_error *error) {
  (void)context;
  imd_value *board = imd_value_retain(state);
  imd_status status = reduce(&board, action, error);
  *next = board; /* the store takes over the reference, or releases it if this fails */
  return status;
}
