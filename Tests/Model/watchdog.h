/* Turns a hang or a crash into a failure with a seed. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

/* Installs handlers that print the seed and the last calls on a fatal signal. If no call is
 * recorded for some seconds, a thread also prints the stacks of all threads, and terminates the
 * process. */
void watchdog_start(int seconds);
void watchdog_stop(void);

#endif
