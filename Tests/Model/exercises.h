/* Exercises that open and close many objects of a kind, none of which may leak. */
#ifndef EXERCISES_H
#define EXERCISES_H

/* Actions, with short-lived observations, streams and requests. */
void exercise_actions(long count);

/* Stores, each with a selector, two observations and a stream. */
void exercise_stores(long count);

void exercise_observations(long count);
void exercise_streams(long count);
void exercise_requests(long count);

/* Actions and jumps of a store with a history, groups, and reads of its steps. */
void exercise_history(long count);

/* Selectors that are defined and used once, in stores of up to 100,000 of them. */
void exercise_selectors(long count);

/* Functions of effects, each with a name of its own, that are set, called once and removed. */
void exercise_effects(long count);

/* Changes of single members of 65,536 records: as text, as values and in batches, in stores without
 * readers, with an observer and with a history. */
void exercise_records(long count);

/* Closes the objects that stay open between two runs. */
void end_exercises(void);

#endif
