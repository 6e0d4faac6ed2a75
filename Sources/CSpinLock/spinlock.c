#include "CSpinLock.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

spinlock spinlock_table[SPINLOCK_COUNT];

void spinlock_wait(spinlock *lock) {
  enum { SPINS = 100, YIELDS = 100 };
  for (int i = 0; i < SPINS + YIELDS; i++) {
    if (!__atomic_load_n(&lock->is_held, __ATOMIC_RELAXED))
      return;
    if (i >= SPINS)
      sched_yield();
  }
  /* The holder may have a lower priority, which yielding would never let run. */
  const struct timespec pause = {0, 100000};
  nanosleep(&pause, 0);
}

static void lock_all(void) {
  for (int i = 0; i < SPINLOCK_COUNT; i++)
    spinlock_lock((uint8_t)i);
}

static void unlock_all(void) {
  for (int i = 0; i < SPINLOCK_COUNT; i++)
    spinlock_unlock((uint8_t)i);
}

static int registration_error;

/* As early as possible: other handlers may need the locks, and then run before lock_all and after
 * unlock_all. */
__attribute__((constructor)) static void register_fork_handlers(void) {
  registration_error = pthread_atfork(lock_all, unlock_all, unlock_all);
}

int spinlock_is_fork_safe(void) {
  return registration_error == 0;
}
