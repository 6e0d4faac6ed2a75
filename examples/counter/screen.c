/* The window, by ncurses. */
#define _POSIX_C_SOURCE 200809L

#include "screen.h"

#include <curses.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 36, HEIGHT = 7, LINE = 60, BUTTON = 7, GAP = 6, RED = 1 };

static SCREEN *terminal;
static int button_row;

/* ---- Open and close ------------------------------------------------------------------------ */

const char *screen_open(void) {
  static char reason[256];
  const char *type = getenv("TERM");
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
    return "standard input or output is not a terminal; start the program in a terminal";
  if (type == NULL || *type == '\0')
    return "TERM is not set; set it to the type of your terminal, such as xterm-256color";
  setlocale(LC_CTYPE, "");
  terminal = newterm(NULL, stdout, stdin); /* initscr would exit with its own message */
  if (terminal == NULL || tigetstr("cup") == NULL) {
    if (terminal != NULL) {
      endwin();
      delscreen(terminal);
    }
    snprintf(reason, sizeof reason,
             "cannot use a terminal of the type \"%.100s\"; set TERM to the type of your terminal, "
             "such as xterm-256color",
             type);
    return reason;
  }
  if (has_colors()) {
    start_color();
    use_default_colors();
    init_pair(RED, COLOR_RED, -1);
  }
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  curs_set(0);
  mousemask(BUTTON1_PRESSED, NULL);
  mouseinterval(0); /* reports a press at once, without waiting for a double click */
  return NULL;
}

void screen_close(void) {
  erase(); /* for terminals without an alternate screen */
  refresh();
  endwin();
  delscreen(terminal);
}

/* ---- Draw ---------------------------------------------------------------------------------- */

/* Writes text in the middle of a row, and breaks it at spaces if it is long. Returns the row after
 * it. */
static int write_centered(int row, const char *text, attr_t attributes) {
  const int room = COLS < LINE ? COLS : LINE;
  attron(attributes);
  while (*text != '\0') {
    int length = (int)strlen(text);
    if (length > room) {
      length = room;
      while (length > 0 && text[length] != ' ') length--;
      if (length == 0) length = room; /* a long word */
    }
    mvaddnstr(row++, (COLS - length) / 2, text, length);
    text += length;
    text += strspn(text, " ");
  }
  attroff(attributes);
  return row;
}

static int button_column(screen_command command) {
  int middle = COLS / 2;
  return command == SCREEN_DECREMENT ? middle - GAP / 2 - BUTTON : middle + GAP / 2;
}

static void draw_button(screen_command command, const char *label) {
  attron(A_REVERSE);
  mvaddstr(button_row, button_column(command), label);
  attroff(A_REVERSE);
}

/* Draws the frame if the window has room for it. Returns the row of the value. */
static int draw_frame(void) {
  int room = LINES - 4; /* below the frame: a message, an empty row and the keys */
  if (room < HEIGHT || COLS < WIDTH) return 0;
  int top = (room - HEIGHT) / 2, left = (COLS - WIDTH) / 2;
  WINDOW *frame = derwin(stdscr, HEIGHT, WIDTH, top, left);
  box(frame, 0, 0);
  delwin(frame);
  write_centered(top, " Counter ", A_BOLD);
  return top + 2;
}

void screen_draw(int64_t value, const char *message) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, value);
  erase();
  int row = draw_frame(), has_frame = row > 0;
  row = write_centered(row, text, A_BOLD) + has_frame;
  button_row = row;
  draw_button(SCREEN_DECREMENT, "   -   ");
  draw_button(SCREEN_INCREMENT, "   +   ");
  attr_t color = has_colors() ? COLOR_PAIR(RED) : 0;
  row = write_centered(row + 1 + 2 * has_frame, message, A_BOLD | color);
  const char *keys = COLS < WIDTH ? "+  -  q quit" : "+ increment  - decrement  q quit";
  if (row < LINES) write_centered(LINES - 1, keys, A_DIM);
  refresh();
}

/* ---- Read ---------------------------------------------------------------------------------- */

static screen_command clicked(void) {
  MEVENT click;
  if (getmouse(&click) != OK || click.y != button_row) return SCREEN_NOTHING;
  for (int command = SCREEN_INCREMENT; command <= SCREEN_DECREMENT; command++) {
    int offset = click.x - button_column((screen_command)command);
    if (offset >= 0 && offset < BUTTON) return (screen_command)command;
  }
  return SCREEN_NOTHING;
}

int screen_read(screen_command *command) {
  int key = getch();
  switch (key) {
    case '+':
    case KEY_UP: *command = SCREEN_INCREMENT; break;
    case '-':
    case KEY_DOWN: *command = SCREEN_DECREMENT; break;
    case 'q': *command = SCREEN_QUIT; break;
    case KEY_MOUSE: *command = clicked(); break;
    default: *command = SCREEN_NOTHING; /* with KEY_RESIZE, ncurses has the new size */
  }
  return key != ERR;
}
