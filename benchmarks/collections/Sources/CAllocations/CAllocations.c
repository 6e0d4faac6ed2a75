// Counts the allocations of each thread: defines malloc and its relatives over glibc's own. The
// program's definitions replace those of libc.so in all libraries.

#include "CAllocations.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static _Thread_local thread_allocations counts;

thread_allocations current_allocations(void) { return counts; }

static void *counted(void *block) {
  if (block) {
    counts.blocks++;
    counts.bytes += (int64_t)malloc_usable_size(block);
  }
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
  int64_t old_size = (int64_t)malloc_usable_size(block);
  void *result = __libc_realloc(block, size);
  // On failure, the old block remains.
  if (result || size == 0) counts.freed_bytes += old_size;
  return counted(result);
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

void free(void *block) {
  counts.freed_bytes += (int64_t)malloc_usable_size(block);
  __libc_free(block);
}
