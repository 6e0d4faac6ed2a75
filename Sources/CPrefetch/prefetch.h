/* Requests memory before it is read, so that accesses overlap. */
#ifndef PREFETCH_H
#define PREFETCH_H

/* Any address may be passed, also one that is not mapped. */
static inline void prefetch_memory(const void *address, int size) {
  for (int offset = 0; offset < size; offset += 64)
    __builtin_prefetch((const char *)address + offset);
}

#endif
