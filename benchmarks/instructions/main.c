/* Runs a job under callgrind, which counts the instructions of its second run.
 *
 *     jobs            lists the jobs: the name, a tab, and the number of operations of a run
 *     jobs NAME       runs one
 */
#include "jobs.h"

#include <stdio.h>
#include <string.h>
#include <valgrind/callgrind.h>

static const job *const groups[] = {value_jobs, store_jobs, function_jobs, domain_jobs,
                                    text_jobs,  form_jobs,  member_jobs};

static void run(const job *job) {
  void *context = job->open();
  job->run(context);
  CALLGRIND_START_INSTRUMENTATION;
  job->run(context);
  CALLGRIND_STOP_INSTRUMENTATION;
}

int main(int count, char **arguments) {
  for (size_t group = 0; group < sizeof groups / sizeof *groups; group++)
    for (const job *job = groups[group]; job->name; job++) {
      if (count == 1)
        printf("%s\t%d\n", job->name, job->operations);
      else if (strcmp(job->name, arguments[1]) == 0)
        return run(job), 0;
    }
  if (count == 1)
    return 0;
  fprintf(stderr, "unknown job \"%s\"; \"jobs\" without arguments lists them\n", arguments[1]);
  return 1;
}
