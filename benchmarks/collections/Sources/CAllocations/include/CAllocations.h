#include <stdint.h>

// What a thread has allocated and freed since it started. Bytes are usable sizes.
typedef struct {
  int64_t blocks;
  int64_t bytes;
  int64_t freed_bytes;
} thread_allocations;

// Returns the counts of the calling thread.
thread_allocations current_allocations(void);
