/* A terminal window that shows a counter, with two buttons. It knows no store. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdint.h>

/* What the user wants. */
typedef enum screen_command {
  SCREEN_NOTHING,
  SCREEN_INCREMENT,
  SCREEN_DECREMENT,
  SCREEN_QUIT
} screen_command;

/* Takes over the terminal. If that is not possible, returns the reason; otherwise NULL. */
const char *screen_open(void);

/* Draws the value and a message, which may be empty. */
void screen_draw(int64_t value, const char *message);

/* Reads a key or a click. Does not wait. Returns 0 if no input is left. */
int screen_read(screen_command *command);

/* Restores the terminal. */
void screen_close(void);

#endif /* SCREEN_H */
