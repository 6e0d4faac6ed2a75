#include "CThreadRecord.h"

_Thread_local thread_record thread_record_of_this_thread;

unsigned thread_record_assign_stripe(void) {
  static unsigned last;
  unsigned stripe;
  do {
    stripe = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  } while (stripe == 0);
  return thread_record_of_this_thread.stripe = stripe;
}
