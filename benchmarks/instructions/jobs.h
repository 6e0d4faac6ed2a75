/* The jobs whose instructions are counted. */
#ifndef JOBS_H
#define JOBS_H

enum { RECORDS = 65536, OPERATIONS = 256 };

/* A job is opened once. Then run performs its operations twice: to warm up, and to be counted. */
typedef struct job {
  const char *name;
  int operations; /* of a run */
  void *(*open)(void);
  void (*run)(void *context);
} job;

/* Each ends with a job without a name. */
extern const job value_jobs[], store_jobs[], function_jobs[], domain_jobs[], text_jobs[],
    form_jobs[], member_jobs[];

#endif
