/* Parts of the contract that a run may leave out, by name. */
#ifndef FEATURES_H
#define FEATURES_H

typedef enum feature {
  KEEP_NOTHING,        /* *next stays NULL for no change */
  KEEP_RETAINED,       /* *next is the retained state, and nothing leaks */
  BECOME_ACTION,       /* *next is the borrowed action */
  REDUCER_STATUS,      /* a reducer that returns the status of a rejected call: IMD_REENTRANT */
  REDUCER_DESCRIPTORS, /* descriptors, and closing a stream, in a reducer */
  REDUCER_DISPATCHES,  /* dispatching to another store in a reducer */
  SKIPPED,             /* no count of dropped deliveries is lost */
  DESCRIPTOR,          /* a store's descriptor is readable only while something waits */
  RELEASE_ORDER,       /* closing a store releases its observers in the order of their start */
  SETTLE_IN_CALLBACK,  /* settling inside a callback: IMD_REENTRANT */
  STREAM_IN_CALLBACK,  /* a full stream, or an empty one, does not block a callback */
  CROSSING_STORES,     /* callbacks use other stores, for which other threads deliver */
  CROSSING_CANCELS,    /* callbacks cancel observers that run on other threads */
  CLOSE_IN_CALLBACK,   /* callbacks close stores that other threads use */
  REFUSED_OUTCOME,     /* an outcome that the reducer rejects ends its change */
  FOLLOWING,           /* a client follows a server through resets and failures */
  RACING_ANSWERS,      /* several threads respond to one request concurrently */
  LOST_UPDATE,         /* an update whose animal is gone ends */
  FORK,                /* children of forks */
  HISTORY,             /* stores with the option "history" */
  LOG,                 /* stores with the option "log", which are opened again */
  FEATURES
} feature;

int has_feature(feature feature);

/* Leaves out a feature, by its name in lower case with dashes. Returns whether it exists. */
int leave_out(const char *name);

#endif
