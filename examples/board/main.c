/* A to-do board: reads actions, and prints the resulting board.
 *
 *     board [--log FILE] [--project ID] [--tag TAG] [--text TEXT] [--open] [--json] [FILE]
 *
 * FILE, or standard input, contains JSON Lines: a line is an action, an array of actions to be
 * dispatched as a batch, "undo" or "redo". A refused line is reported and changes nothing; the exit
 * status is then 1. --log keeps the board in a file: the next run continues with it, and can undo
 * what this one has done. --project, --tag, --text and --open change the filter after all lines
 * have been read. */
#define _POSIX_C_SOURCE 200809L

#include "board.h"
#include "edit.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* ---- The command line ---------------------------------------------------------------------- */

typedef struct options {
  const char *log;     /* a file, or NULL */
  const char *actions; /* a file, or NULL for standard input */
  const char *project, *tag, *text;
  int open;
  int json;
} options;

/* Parses the command line. Returns 1, or 0 if it is invalid. */
static int read_options(int count, char **arguments, options *options) {
  enum { LOG = 1, PROJECT_ID, TAG, TEXT, OPEN, JSON };
  static const struct option names[] = {
      {"log", required_argument, NULL, LOG},
      {"project", required_argument, NULL, PROJECT_ID},
      {"tag", required_argument, NULL, TAG},
      {"text", required_argument, NULL, TEXT},
      {"open", no_argument, NULL, OPEN},
      {"json", no_argument, NULL, JSON},
      {NULL, 0, NULL, 0},
  };
  for (int name; (name = getopt_long(count, arguments, "", names, NULL)) != -1;) {
    switch (name) {
      case LOG: options->log = optarg; break;
      case PROJECT_ID: options->project = optarg; break;
      case TAG: options->tag = optarg; break;
      case TEXT: options->text = optarg; break;
      case OPEN: options->open = 1; break;
      case JSON: options->json = 1; break;
      default: return 0;
    }
  }
  if (optind < count) options->actions = arguments[optind++];
  return optind == count;
}

/* ---- The store ----------------------------------------------------------------------------- */

/* Makes the options of the store: BOARD_OPTIONS, with the path of a log unless it is NULL. */
static imd_status make_options(const char *log, char **out, imd_error *error) {
  imd_value *options;
  imd_status status = imd_value_parse(BOARD_OPTIONS, IMD_ZERO_TERMINATED, &options, error);
  if (status == IMD_OK && log != NULL) status = put_text(&options, "/log", log, error);
  *out = NULL;
  if (status == IMD_OK) status = imd_value_text(options, out, NULL, error);
  imd_value_release(options);
  return status;
}

/* Opens a store with the board in a log, or with an empty one. On failure, prints a message and
 * returns NULL. */
static imd_store *open_store(const char *log) {
  imd_error error;
  imd_store *store = NULL;
  char *options;
  imd_status status = make_options(log, &options, &error);
  if (status == IMD_OK)
    status = imd_store_create(BOARD_EMPTY, IMD_ZERO_TERMINATED, board_reduce, NULL, NULL, options,
                              IMD_ZERO_TERMINATED, &store, &error);
  if (status == IMD_OK) status = board_define_selectors(store, &error);
  imd_free(options);
  if (status == IMD_OK) return store;
  fprintf(stderr, "board: %s\n", error.message);
  imd_store_close(store);
  return NULL;
}

/* ---- Actions ------------------------------------------------------------------------------- */

static imd_status undo_or_redo(imd_store *store, const char *line, size_t length,
                               imd_error *error) {
  imd_value *command;
  imd_status status = imd_value_parse(line, length, &command, error);
  if (status != IMD_OK) return status;
  if (is_text(command, "", "undo"))
    status = imd_store_undo(store, 1, NULL, error);
  else if (is_text(command, "", "redo"))
    status = imd_store_redo(store, 1, NULL, error);
  else
    status = refuse(error, "expected an action, an array, \"undo\" or \"redo\"");
  imd_value_release(command);
  return status;
}

static imd_status dispatch_line(imd_store *store, const char *line, size_t length,
                                imd_error *error) {
  size_t blank = strspn(line, " \t\r\n");
  if (blank == length) return IMD_OK;
  if (line[blank] == '"') return undo_or_redo(store, line, length, error);
  return line[blank] == '[' ? imd_store_dispatch_batch(store, line, length, error)
                            : imd_store_dispatch(store, line, length, error);
}

/* Dispatches each line of a file. Returns 1, or 0 if one was refused. */
static int replay(imd_store *store, FILE *file) {
  imd_error error;
  int is_good = 1;
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  for (int number = 1; (length = getline(&line, &capacity, file)) > 0; number++) {
    if (dispatch_line(store, line, (size_t)length, &error) == IMD_OK) continue;
    fprintf(stderr, "line %d: %s\n", number, error.message);
    is_good = 0;
  }
  free(line);
  return is_good;
}

/* Changes the filter according to the options. */
static imd_status change_filter(imd_store *store, const options *options, imd_error *error) {
  imd_member filter[4];
  size_t count = 0;
  if (options->project != NULL) filter[count++] = IMD_MEMBER("project", options->project);
  if (options->tag != NULL) filter[count++] = IMD_MEMBER("tag", options->tag);
  if (options->text != NULL) filter[count++] = IMD_MEMBER("text", options->text);
  if (options->open) filter[count++] = IMD_MEMBER("done", false);
  imd_member payload = {.name = "payload", .kind = IMD_OBJECT, .count = count, .members = filter};
  return imd_store_dispatch_object(
      store, IMD_MEMBERS(IMD_MEMBER("type", "filter/changed"), payload), error);
}

/* ---- Output -------------------------------------------------------------------------------- */

static imd_status print_state(imd_store *store, FILE *file, imd_error *error) {
  imd_value *state;
  char *text = NULL;
  imd_status status = imd_store_state(store, &state, error);
  if (status == IMD_OK) status = imd_value_text(state, &text, NULL, error);
  if (status == IMD_OK) fprintf(file, "%s\n", text);
  imd_free(text);
  imd_value_release(state);
  return status;
}

/* Replays the actions and prints the board. Returns the exit status of the program. */
static int run(imd_store *store, const options *options) {
  imd_error error;
  FILE *file = options->actions == NULL ? stdin : fopen(options->actions, "rb");
  if (file == NULL) {
    perror(options->actions);
    return 2;
  }
  int is_good = replay(store, file);
  if (file != stdin) fclose(file);

  imd_status status = IMD_OK;
  if (options->project || options->tag || options->text || options->open)
    status = change_filter(store, options, &error);
  if (status == IMD_OK && options->log != NULL) {
    status = imd_store_mark_clean(store, &error); /* The log has all changes. */
    if (status == IMD_OK) status = imd_store_sync(store, -1, &error);
  }
  if (status == IMD_OK)
    status = options->json ? print_state(store, stdout, &error)
                           : board_print(store, stdout, &error);
  if (status != IMD_OK) {
    fprintf(stderr, "board: %s\n", error.message);
    return 2;
  }
  if (fflush(stdout) != 0) {
    perror("board");
    return 2;
  }
  return is_good ? 0 : 1;
}

int main(int count, char **arguments) {
  options options = {0};
  if (!read_options(count, arguments, &options)) {
    fputs("usage: board [--log FILE] [--project ID] [--tag TAG] [--text TEXT] [--open] [--json]"
          " [FILE]\n", stderr);
    return 2;
  }
  imd_store *store = open_store(options.log);
  if (store == NULL) return 2;
  int exit_status = run(store, &options);
  imd_store_close(store);
  return exit_status;
}
