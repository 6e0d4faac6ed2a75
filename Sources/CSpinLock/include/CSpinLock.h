/* Locks that are held for a few instructions. Written in C for a table that is initialized
 * statically, and for atomic access to a byte of a Swift structure.
 *
 * A thread must not fork, wait or call unknown code while it holds one. A fork waits until all
 * locks are free. */
#ifndef CSPINLOCK_H
#define CSPINLOCK_H

#include <stdint.h>

enum { SPINLOCK_COUNT = 64 };

/* A lock for each number below SPINLOCK_COUNT, in a cache line of its own. */
typedef struct {
  _Alignas(64) uint8_t is_held;
} spinlock;

extern spinlock spinlock_table[SPINLOCK_COUNT];

/* Waits a short time for the lock to become free. It may still be held afterwards. */
void spinlock_wait(spinlock *lock);

static inline void spinlock_lock(uint8_t number) {
  spinlock *lock = &spinlock_table[number % SPINLOCK_COUNT];
  while (__builtin_expect(__atomic_exchange_n(&lock->is_held, 1, __ATOMIC_ACQUIRE), 0))
    spinlock_wait(lock);
}

static inline void spinlock_unlock(uint8_t number) {
  __atomic_store_n(&spinlock_table[number % SPINLOCK_COUNT].is_held, 0, __ATOMIC_RELEASE);
}

/* Whether forks wait until all locks are free: 0 if there was no memory to register the handlers.
 * Then a child could inherit a lock that nothing unlocks. */
int spinlock_is_fork_safe(void);

/* Reads and writes a byte that threads access without a lock. */
static inline uint8_t spinlock_load(const uint8_t *byte) {
  return __atomic_load_n(byte, __ATOMIC_RELAXED);
}

static inline void spinlock_store(uint8_t *byte, uint8_t value) {
  __atomic_store_n(byte, value, __ATOMIC_RELAXED);
}

#endif
