/* How much memory a function takes at most. */
#ifndef RSS_H
#define RSS_H

/* A function to measure. Returns 0 if it failed. */
typedef int (*peaking)(void *context);

/* Returns by how many bytes the memory of a process grows at most while it runs a function: a child,
 * which has no freed memory to reuse. Ends the program if it fails. The process must have only one
 * thread. */
double peak_growth(peaking run, void *context);

#endif
