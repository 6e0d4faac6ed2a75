#ifndef POWERS_H
#define POWERS_H

#include <stdint.h>

/* 10^MIN_POWER is the least power that shortest_decimal needs, 10^MAX_POWER the greatest. */
enum { MIN_POWER = -292, MAX_POWER = 324 };

/* 5^MIN_POWER to 5^MAX_POWER as 128 bits with the highest set, high word first. Those from 5^0 to
 * 5^55 are exact, those from 5^-27 to 5^-1 rounded up, the others rounded down. */
extern const uint64_t powers_of_five[MAX_POWER - MIN_POWER + 1][2]
    __attribute__((visibility("hidden")));

#endif
