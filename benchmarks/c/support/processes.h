/* Child processes to be measured. The process that starts them must have only one thread. */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stddef.h>
#include <sys/types.h>

/* Returns zeroed memory that this process shares with its children. */
void *share_memory(size_t size);

/* Starts a child, which calls a function and exits. It is killed if this process ends. */
pid_t start_process(void (*run)(void *context, int number), void *context, int number);

/* Waits for the end of a child. Ends the program if the child failed. */
void end_process(pid_t child);

#endif
