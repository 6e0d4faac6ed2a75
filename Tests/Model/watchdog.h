/* Turns a hang, or a crash, into a failure with a seed. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

/* From now on a fatal signal prints the seed and the last calls before it ends the process. So does a
 * thread if no call is recorded for some seconds, with the stacks of all threads. */
void watchdog_start(int seconds);

#endif
