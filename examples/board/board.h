/* A to-do board: projects, their tasks in order, and a filter that selects the tasks to show.
 *
 * The state:
 *
 *     {"filter":   {"project": "…", "tag": "…", "text": "…", "done": false},
 *      "projects": {ID: {"id": ID, "name": "…"}},
 *      "tasks":    {ID: {"id": ID, "project": ID, "order": 1, "title": "…", "due": "2026-12-01",
 *                        "tags": ["…"], "done": false}}}
 *
 * Members of the filter, and "due", are optional. reducer.c has the actions, view.c the selectors
 * and the output, main.c the command line. */
#ifndef BOARD_H
#define BOARD_H

#include <immutabledata.h>
#include <stdio.h>

#define BOARD_EMPTY "{\"filter\":{},\"projects\":{},\"tasks\":{}}"

/* The options of the store. Neighbouring actions with an equal "drag" in their meta are undone
 * together. */
#define BOARD_OPTIONS "{\"history\":{\"group\":{\"meta\":\"drag\"}}}"

/* The reducer. It uses no context. */
imd_status board_reduce(void *context, const imd_value *state, const imd_value *action,
                        imd_value **next, imd_error *error);

/* Defines the selectors that board_print uses. */
imd_status board_define_selectors(imd_store *store, imd_error *error);

/* Prints the tasks that match the filter, by project; then what can be undone and redone, and
 * whether the board has changed since it was opened. */
imd_status board_print(imd_store *store, FILE *file, imd_error *error);

#endif /* BOARD_H */
