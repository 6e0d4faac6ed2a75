/* immutabledata for those who write a log driver: the functions through which a store keeps its log
 * somewhere else than in a file, such as in a database that many machines share.
 *
 * A log is a sequence of entries, numbered from 1 without gaps. A driver keeps it and decides the
 * order; it never looks into an entry. A store opens a log by its address,
 *
 *     {"log": "postgresql://db.example/app?log=board-7"}
 *
 * and the part before "://" selects the driver, which the program has registered before:
 *
 *     imd_register_log("postgresql", driver, &error);
 *
 * How a store uses a log: it reads to the end, reduces an action, and appends the entry *after* the
 * last one that it has read. If the log does not end there any more, nothing is appended; the store
 * reads on, reduces again, and tries again. So the reducer has run on exactly the state before the
 * entry, and all stores with the same entries have the same state.
 *
 * The conventions are those of immutabledata.h. What is passed to a function, in either direction,
 * is *borrowed for the call*. */
#ifndef IMMUTABLEDATA_LOG_H
#define IMMUTABLEDATA_LOG_H

#include "immutabledata.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place in a log: after the entry with this number, or at the beginning if it is 0.
 *
 * The hash is that of all entries so far: SHA-256 (FIPS 180-4) of the hash before, as 32 bytes, and
 * the text of the entry. At the beginning it is 32 zeros. Two logs with the same hash at the same
 * number have the same entries. */
typedef struct imd_log_place {
  int64_t number;
  unsigned char hash[32];
} imd_log_place;

/* An entry. The engine makes the text; it is JSON on one line. */
typedef struct imd_log_entry {
  imd_log_place place; /* of this entry; not used in imd_log_driver.append */
  const char *text;    /* length bytes */
  size_t length;
  const char *origin; /* 32 hexadecimal digits: the opening of a store that has appended it */
  int64_t counter;    /* its place among the entries of its origin: 1, 2, 3 and so on */
  const char *author; /* who has appended it, if the driver can vouch for that; else NULL */
} imd_log_entry;

/* What came of a call. */
typedef enum imd_log_outcome {
  IMD_LOG_DONE = 0,
  IMD_LOG_MOVED = 1,       /* append: the log does not end at the place after which the entries were
                              to be; put_snapshot: another snapshot was put */
  IMD_LOG_REPEATED = 2,    /* append: the counter is not the next of its origin */
  IMD_LOG_ABSENT = 3,      /* open: there is no such log; get_snapshot: there is no snapshot */
  IMD_LOG_TRIMMED = 4,     /* read, put_snapshot: entries after that place are not kept any more */
  IMD_LOG_DIVERGED = 5,    /* read, append, put_snapshot: the log has another hash at that place, or
                              ends before it */
  IMD_LOG_UNAVAILABLE = 6, /* not now: the network fails, the server starts or is overloaded;
                              nothing was appended, but put_snapshot and trim may have been done */
  IMD_LOG_UNANSWERED = 7,  /* append: it is not known whether it was done. It may still be done,
                              until an entry with its counter is appended */
  IMD_LOG_UNAUTHENTICATED = 8, /* the credentials are wrong or have expired */
  IMD_LOG_REFUSED = 9      /* never: there is no permission, the entry is too large, or the log has
                              another format */
} imd_log_outcome;

/* The answer to a call. All that a call does not need is 0 or NULL. */
typedef struct imd_log_answer {
  imd_log_outcome outcome;
  const char *message;          /* for people, if the outcome is not IMD_LOG_DONE; without
                                   credentials */
  imd_log_place head;           /* the end of the log, after what the call did; with IMD_LOG_DONE,
                                   and with IMD_LOG_MOVED and IMD_LOG_REPEATED if it is known */
  const char *id;               /* open: 32 hexadecimal digits, random, the same for each opening */
  const char *text;             /* open: the header; get_snapshot: the snapshot. length bytes */
  size_t length;
  imd_log_place place;          /* get_snapshot: the place of the snapshot */
  const imd_log_entry *entries; /* read: those after a place, in order. With IMD_LOG_MOVED, entries
                                   after the place at which the caller has taken the log to end, if
                                   that saves the caller a call */
  size_t count;
  int64_t counter;              /* append with IMD_LOG_REPEATED: the last one of this origin.
                                   put_snapshot with IMD_LOG_MOVED: the number of the latest one */
} imd_log_answer;

/* A call that waits for its answer. A handle, like an imd_store *. */
typedef struct imd_log_call imd_log_call;

/* A store that wants to hear of new entries. A handle, like an imd_store *. */
typedef struct imd_log_watch imd_log_watch;

/* What a driver calls. */
typedef struct imd_log_engine {
  /* Answers a call: once, from any thread, also before the function of the driver returns.
   * IMD_CLOSED: it was answered. */
  imd_status (*answer)(imd_log_call *call, const imd_log_answer *answer);

  /* Tells a store that the log has, or may have, entries up to a number; 0 if the connection was
   * lost, or anything else is unknown. It is a hint: the store reads, at once, and now and then
   * without a hint. Any thread may call it, until close returns. */
  void (*changed)(imd_log_watch *watch, int64_t number);

  /* Computes the hash of a log after an entry, for a driver that has no SHA-256 of its own. */
  void (*hash)(const unsigned char before[32], const char *text, size_t length,
               unsigned char after[32]);
} imd_log_engine;

/* How a log is opened. */
typedef struct imd_log_opening {
  const char *address; /* as in the option "log" */
  const char *header;  /* what the log is of: JSON of header_length bytes, for a new one */
  size_t header_length;
  const char *base; /* the snapshot at the beginning of a new log, of base_length bytes; NULL to
                       open only a log that exists */
  size_t base_length;
  int timeout_ms; /* how long a call may take: it is answered within this time */
} imd_log_opening;

/* The functions of a driver. context is that of the struct; log is what open has set.
 *
 * They are called on any thread, also while earlier calls are not answered, and take effect in the
 * order in which they were called. They must not use or close a store, nor wait: a function that
 * needs the network or a disk passes the call on, to a thread of its own, and returns. Each call is
 * answered within the timeout. Answers may come in any order.
 *
 * If a driver lost its connection, the next call makes a new one; the store waits before it tries
 * again. */
typedef struct imd_log_driver {
  size_t size; /* sizeof(imd_log_driver) */
  void *context;

  /* Opens a log, or makes one: if several do so at the same time, one succeeds, and all open that
   * one. Sets *log, before the call is answered, to what the other functions get; close is then
   * called once, whatever the answer is. If that is not IMD_LOG_DONE, *log may be NULL, and no
   * other function is called. It only remembers the address, if that is enough to find the log:
   * making a connection is a part of the call. */
  void (*open)(void *context, const imd_log_opening *opening, const imd_log_engine *engine,
               imd_log_watch *watch, void **log, imd_log_call *call);

  /* Appends entries of one origin: all or none. Their counters follow one another. If after is not
   * NULL, the log must end there (IMD_LOG_MOVED). The counter of the first must be the next one of
   * its origin (IMD_LOG_REPEATED); that is compared first, and known for ever, also if the entries
   * are trimmed. count may be 0: then nothing is appended, and what read has held is released. */
  void (*append)(void *log, const imd_log_place *after, const imd_log_entry *entries, size_t count,
                 imd_log_call *call);

  /* Reads entries after a place, of at most about limit bytes, but at least one if there is one.
   * If hold is not 0 and the answer is IMD_LOG_DONE, nobody else can append until the next append,
   * put_snapshot or trim of this log was answered, or a few seconds have passed. A driver that
   * cannot do this ignores it. */
  void (*read)(void *log, const imd_log_place *after, size_t limit, int hold, imd_log_call *call);

  /* Reads the latest snapshot: a text from which a store that opens the log begins. */
  void (*get_snapshot)(void *log, imd_log_call *call);

  /* Replaces the latest snapshot, if it still is the one at the number old (IMD_LOG_MOVED), by one
   * at place, which the log must have (IMD_LOG_DIVERGED). */
  void (*put_snapshot)(void *log, int64_t old, const imd_log_place *place, const char *text,
                       size_t length, imd_log_call *call);

  /* Removes the entries up to a number, which is at most that of the latest snapshot. The place of
   * the last one that is removed is kept, and so are the counters of all origins. */
  void (*trim)(void *log, int64_t number, imd_log_call *call);

  /* Ends the use of a log. When it returns, all calls were answered, and changed is not called. It
   * may wait for that, so it is not called inside of answer or changed. */
  void (*close)(void *log);
} imd_log_driver;

/* Registers a driver for the addresses that begin with a scheme and "://", such as "postgresql".
 * Stores that are opened later use it. The struct is copied; its context and its functions must
 * stay valid as long as the process. A scheme is registered anew by calling this again.
 *
 * IMD_INVALID_ARGUMENT: a scheme that is not of lower-case letters, digits, "+", "-" and "."
 * (RFC 3986), a size that is not that of the struct, or a function that is NULL. */
imd_status imd_register_log(const char *scheme, const imd_log_driver *driver, imd_error *error);

/* Removes the entries of a log up to its latest snapshot, which a store that opens the log does not
 * need. The log is opened by its address, as by a store with the option "log", but without a
 * reducer, and nothing is appended. Other stores may have it open: one that has not read that far
 * goes on from the snapshot. What was removed is gone for good: it cannot be replayed, and steps
 * before the snapshot cannot be undone by a store that is opened later. number gets that of the
 * last entry that was removed, now or before, or 0 if there is no snapshot yet; it may be NULL.
 *
 * Any thread may call it; it waits for the driver. O(n) for n entries, as the driver says.
 *
 * IMD_INVALID_ARGUMENT: not an address, or no driver is registered for it. IMD_IO: there is no such
 * log. IMD_UNAVAILABLE: the server cannot be reached, within 10 s of the first failure; entries may
 * have been removed, and another call goes on. IMD_REFUSED: the server does not allow it.
 * IMD_REENTRANT: called inside a callback. */
imd_status imd_log_trim(const char *address, int64_t *number, imd_error *error);

#ifdef __cplusplus
}
#endif

#endif /* IMMUTABLEDATA_LOG_H */
