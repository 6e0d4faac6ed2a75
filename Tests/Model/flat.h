/* What comes and goes; each leaves nothing behind. */
#ifndef FLAT_H
#define FLAT_H

/* Actions, with observations, streams and requests that come and go meanwhile. */
void flat_actions(long count);

/* Stores, each with selectors, an observation and a stream. */
void flat_stores(long count);

void flat_observations(long count);
void flat_streams(long count);
void flat_requests(long count);

/* Selectors that are defined, and used once, in stores of up to 100,000. */
void flat_selectors(long count);

/* Closes what stays open between two runs. */
void flat_end(void);

#endif
