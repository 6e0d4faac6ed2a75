/* The program of the page, with a clock and keys of the test, which looks at each frame. */
#include <SDL.h>
#include <stdio.h>

static Uint32 ticks;
static Uint8 keys_down[SDL_NUM_SCANCODES];
static void look(void);

#pragma GCC diagnostic ignored "-Wreturn-type"
#define SDL_GetTicks() ticks
#define SDL_GetKeyboardState(count) keys_down
#define SDL_Delay(ms) look()
#define main program
#include "game.c"
#undef main

static int is_lit(SDL_Surface *surface, int x, int y) {
  const Uint8 *pixels = surface->pixels;
  return *(const Uint32 *)(pixels + y * surface->pitch + x * 4) == 0xffc83c;
}

/* Prints where the boxes begin and how wide they are, and does what is next. */
static void look(void) {
  static const struct {
    Uint32 ms;
    int key;
  } next[] = {
      {400, SDL_SCANCODE_UNKNOWN}, {100, SDL_SCANCODE_RIGHT}, {1600, SDL_SCANCODE_UNKNOWN},
      {1800, SDL_SCANCODE_UNKNOWN}, {5000, SDL_SCANCODE_LEFT},
  };
  static size_t frame = 0;
  SDL_Surface *surface = SDL_GetWindowSurface(SDL_GetWindowFromID(1));
  for (int y = 0; y < surface->h; y++)
    for (int x = 0; x < surface->w; x++) {
      int is_corner = is_lit(surface, x, y) && (x == 0 || !is_lit(surface, x - 1, y)) &&
                      (y == 0 || !is_lit(surface, x, y - 1));
      int width = 0;
      while (is_corner && x + width < surface->w && is_lit(surface, x + width, y)) width++;
      if (is_corner) printf("%d,%d %d  ", x, y, width);
    }
  puts("");
  keys_down[SDL_SCANCODE_LEFT] = keys_down[SDL_SCANCODE_RIGHT] = 0;
  if (frame < SDL_arraysize(next)) {
    ticks += next[frame].ms;
    keys_down[next[frame++].key] = 1;
  } else {
    SDL_PushEvent(&(SDL_Event){.type = SDL_QUIT});
  }
}

int main(void) {
  program();
  return 0;
}
