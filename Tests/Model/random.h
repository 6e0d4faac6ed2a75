/* A deterministic source of random numbers (splitmix64). */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

typedef struct random_source {
  uint64_t state;
} random_source;

static inline uint64_t random_next(random_source *source) {
  uint64_t z = source->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A number below limit. */
static inline int random_below(random_source *source, int limit) {
  return (int)(random_next(source) % (uint64_t)limit);
}

static inline int random_chance(random_source *source, int percent) {
  return random_below(source, 100) < percent;
}

#endif
