/* The selectors of the board, and its output.
 *
 * The selectors return the data as it is shown; printing only has to align it. */
#include "board.h"
#include "edit.h"

#include <string.h>

/* ---- Selectors ----------------------------------------------------------------------------- */

static const struct {
  const char *name;
  const char *expression;
} SELECTORS[] = {
    /* The number of all tasks, and of open tasks. */
    {"totals", "{all: length(tasks.*), open: length(tasks.* | [?!done])}"},

    /* The same for each project, in order of name. */
    {"projects",
     "let $tasks = tasks.* in sort_by(projects.*, &name)[].{id: id, name: name,"
     " all: let $id = id in length($tasks[?project == $id]),"
     " open: let $id = id in length($tasks[?project == $id && !done])}"},

    /* The tasks of a project that match the filter, in order. */
    {"shownTasks",
     "let $filter = filter in sort_by(tasks.* | [?project == $project"
     " && (!$filter.project || project == $filter.project)"
     " && (!$filter.tag || contains(tags, $filter.tag))"
     " && (!$filter.text || contains(title, $filter.text))"
     " && ($filter.done == `null` || done == $filter.done)], &order)"
     "[].{id: id, title: title, due: due || '', tags: join(', ', tags), done: done}"},

    /* A description of the filter; empty if every task matches. */
    {"shown",
     "filter | join(', ', [done && 'done', done == `false` && 'open',"
     " project && join(' ', ['project', project]), tag && join(' ', ['tag', tag]),"
     " text && join(' ', ['text', text])][?@])"},

    /* The tags of open tasks, sorted; a tag occurs once for each of its tasks. */
    {"openTags", "sort(tasks.* | [?!done].tags[])"},
};

imd_status board_define_selectors(imd_store *store, imd_error *error) {
  imd_status status = IMD_OK;
  for (size_t i = 0; i < sizeof SELECTORS / sizeof *SELECTORS && status == IMD_OK; i++)
    status = imd_store_define_selector(store, SELECTORS[i].name, SELECTORS[i].expression, error);
  return status;
}

/* Returns the tasks of a project to show. */
static imd_status select_tasks(imd_store *store, const imd_value *project, imd_value **out,
                               imd_error *error) {
  imd_value *id, *arguments = NULL;
  *out = NULL;
  imd_status status = imd_value_get(project, "/id", &id, error);
  if (status == IMD_OK) status = imd_value_parse("{}", IMD_ZERO_TERMINATED, &arguments, error);
  if (status == IMD_OK) status = put(&arguments, "/project", id, error);
  if (status == IMD_OK)
    status = imd_store_select_value(store, "shownTasks", arguments, NULL, out, error);
  imd_value_release(arguments);
  imd_value_release(id);
  return status;
}

/* ---- Lines --------------------------------------------------------------------------------- */

enum { WIDTH = 80 };

/* The line being printed, and its current column. A column is a code point. */
typedef struct line {
  FILE *file;
  int column;
} line;

static void go_to(line *line, int column) {
  for (; line->column < column; line->column++) fputc(' ', line->file);
}

static void end(line *line) {
  fputc('\n', line->file);
  line->column = 0;
}

static void rule(line *line) {
  for (int column = 0; column < WIDTH; column++) fputc('-', line->file);
  end(line);
}

static int starts_code_point(char byte) { return ((unsigned char)byte & 0xC0) != 0x80; }

static int count_code_points(const char *text, size_t length) {
  int count = 0;
  for (size_t i = 0; i < length; i++) count += starts_code_point(text[i]);
  return count;
}

/* Prints text at a column, cut to a width, with control characters replaced by spaces. */
static void write_text(line *line, int column, int width, const char *text, size_t length) {
  int is_cut = count_code_points(text, length) > width;
  int left = is_cut ? width - 1 : width;
  if (length == 0) return;
  go_to(line, column);
  for (size_t i = 0; i < length; i++) {
    if (starts_code_point(text[i]) && left-- == 0) break;
    fputc((unsigned char)text[i] < ' ' || text[i] == 0x7F ? ' ' : text[i], line->file);
    line->column += starts_code_point(text[i]);
  }
  if (is_cut) {
    fputs("…", line->file);
    line->column++;
  }
}

/* Prints the string at a pointer. */
static imd_status write_member(line *line, int column, int width, const imd_value *value,
                               const char *pointer, imd_error *error) {
  char *text;
  size_t length;
  imd_status status = imd_value_get_string(value, pointer, &text, &length, error);
  if (status == IMD_OK) write_text(line, column, width, text, length);
  imd_free(text);
  return status;
}

/* Prints the number of open tasks at the end of a line. */
static imd_status write_progress(line *line, const imd_value *counts, imd_error *error) {
  char text[64];
  int64_t all, open;
  imd_status status = imd_value_get_integer(counts, "/all", &all, error);
  if (status == IMD_OK) status = imd_value_get_integer(counts, "/open", &open, error);
  if (status != IMD_OK) return status;
  int length = snprintf(text, sizeof text, "%lld of %lld open", (long long)open, (long long)all);
  write_text(line, WIDTH - length, length, text, (size_t)length);
  end(line);
  return IMD_OK;
}

/* ---- Parts --------------------------------------------------------------------------------- */

static imd_status print_head(imd_store *store, line *line, int *is_filtered, imd_error *error) {
  imd_value *totals, *shown = NULL;
  imd_status status = imd_store_select_value(store, "totals", NULL, NULL, &totals, error);
  if (status == IMD_OK) status = imd_store_select_value(store, "shown", NULL, NULL, &shown, error);
  *is_filtered = !is_text(shown, "", "");
  if (status == IMD_OK) {
    write_text(line, 0, WIDTH, "TO DO", strlen("TO DO"));
    status = write_progress(line, totals, error);
  }
  if (status == IMD_OK && *is_filtered) {
    write_text(line, 0, WIDTH, "Shown:", strlen("Shown:"));
    status = write_member(line, 7, WIDTH - 7, shown, "", error);
    end(line);
  }
  imd_value_release(totals);
  imd_value_release(shown);
  return status;
}

static imd_status print_task(line *line, const imd_value *task, imd_error *error) {
  int done;
  imd_status status = imd_value_get_bool(task, "/done", &done, error);
  if (status != IMD_OK) return status;
  write_text(line, 2, 3, done ? "[x]" : "[ ]", 3);
  status = write_member(line, 6, 5, task, "/id", error);
  if (status == IMD_OK) status = write_member(line, 12, 36, task, "/title", error);
  if (status == IMD_OK) status = write_member(line, 50, 10, task, "/due", error);
  if (status == IMD_OK) status = write_member(line, 62, 18, task, "/tags", error);
  end(line);
  return status;
}

/* Prints a project with its tasks, unless the filter hides all of them. */
static imd_status print_project(imd_store *store, line *line, const imd_value *project,
                                int is_filtered, imd_error *error) {
  imd_value *tasks;
  imd_cursor *cursor = NULL;
  const imd_value *task;
  imd_status status = select_tasks(store, project, &tasks, error);
  if (status == IMD_OK && (imd_value_count(tasks) > 0 || !is_filtered)) {
    end(line);
    status = write_member(line, 0, 60, project, "/name", error);
    if (status == IMD_OK) status = write_progress(line, project, error);
    rule(line);
    if (status == IMD_OK) status = imd_cursor_open(tasks, NULL, &cursor, error);
    while (status == IMD_OK && imd_cursor_next(cursor, NULL, NULL, &task))
      status = print_task(line, task, error);
  }
  imd_cursor_close(cursor);
  imd_value_release(tasks);
  return status;
}

static imd_status print_projects(imd_store *store, line *line, int is_filtered,
                                 imd_error *error) {
  imd_value *projects;
  imd_cursor *cursor = NULL;
  const imd_value *project;
  imd_status status = imd_store_select_value(store, "projects", NULL, NULL, &projects, error);
  if (status == IMD_OK) status = imd_cursor_open(projects, NULL, &cursor, error);
  while (status == IMD_OK && imd_cursor_next(cursor, NULL, NULL, &project))
    status = print_project(store, line, project, is_filtered, error);
  imd_cursor_close(cursor);
  imd_value_release(projects);
  return status;
}

static imd_status print_tag(line *line, const imd_value *tag, int count, imd_error *error) {
  char text[16];
  imd_status status = write_member(line, 2, 18, tag, "", error);
  int length = snprintf(text, sizeof text, "%3d", count);
  write_text(line, 21, length, text, (size_t)length);
  end(line);
  return status;
}

/* Prints each tag with its number of occurrences. */
static imd_status print_tags(imd_store *store, line *line, imd_error *error) {
  imd_value *tags, *last = NULL;
  imd_cursor *cursor = NULL;
  const imd_value *tag;
  int count = 0;
  imd_status status = imd_store_select_value(store, "openTags", NULL, NULL, &tags, error);
  if (status == IMD_OK) status = imd_cursor_open(tags, NULL, &cursor, error);
  if (imd_value_count(tags) > 0) {
    end(line);
    write_text(line, 0, WIDTH, "Tags of open tasks", strlen("Tags of open tasks"));
    end(line);
    rule(line);
  }
  while (status == IMD_OK && imd_cursor_next(cursor, NULL, NULL, &tag)) {
    if (last != NULL && !imd_value_equal(last, tag)) {
      status = print_tag(line, last, count, error);
      count = 0;
    }
    imd_value_release(last);
    last = imd_value_retain(tag);
    count++;
  }
  if (status == IMD_OK && last != NULL) status = print_tag(line, last, count, error);
  imd_cursor_close(cursor);
  imd_value_release(last);
  imd_value_release(tags);
  return status;
}

/* Prints the type of an action that can be undone or redone. */
static imd_status print_step(line *line, int column, const char *title, const imd_value *history,
                             const char *pointer, imd_error *error) {
  if (!has(history, pointer)) return IMD_OK;
  write_text(line, column, 5, title, strlen(title));
  return write_member(line, column + 6, 20, history, pointer, error);
}

static imd_status print_history(imd_store *store, line *line, imd_error *error) {
  imd_value *history;
  int clean = 1;
  imd_status status = imd_store_select_value(store, "@@history", NULL, NULL, &history, error);
  if (status == IMD_OK) status = imd_value_get_bool(history, "/clean", &clean, error);
  if (!clean || has(history, "/undoType") || has(history, "/redoType")) {
    end(line);
    status = print_step(line, 0, "Undo:", history, "/undoType", error);
    if (status == IMD_OK) status = print_step(line, 28, "Redo:", history, "/redoType", error);
    if (!clean) write_text(line, 56, 24, "Unsaved changes", strlen("Unsaved changes"));
    end(line);
  }
  imd_value_release(history);
  return status;
}

imd_status board_print(imd_store *store, FILE *file, imd_error *error) {
  line line = {file, 0};
  int is_filtered;
  imd_status status = print_head(store, &line, &is_filtered, error);
  if (status == IMD_OK) status = print_projects(store, &line, is_filtered, error);
  if (status == IMD_OK) status = print_tags(store, &line, error);
  if (status == IMD_OK) status = print_history(store, &line, error);
  return status;
}
