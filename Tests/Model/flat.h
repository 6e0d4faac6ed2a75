/* Kinds of short-lived objects, none of which may leak. */
#ifndef FLAT_H
#define FLAT_H

/* Actions, with short-lived observations, streams and requests. */
void flat_actions(long count);

/* Stores, each with selectors, an observation and a stream. */
void flat_stores(long count);

void flat_observations(long count);
void flat_streams(long count);
void flat_requests(long count);

/* Selectors that are defined and used once, in stores of up to 100,000 of them. */
void flat_selectors(long count);

/* Closes the objects that stay open between two runs. */
void flat_end(void);

#endif
