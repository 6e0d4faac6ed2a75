/* Turns a hang, or a crash, into a failure with a seed. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

/* From now on a fatal signal prints the seed and the last calls before the process ends. If no call
 * is recorded for some seconds, a thread prints the same with the stacks of all threads, and ends
 * the process. */
void watchdog_start(int seconds);
void watchdog_stop(void);

#endif
