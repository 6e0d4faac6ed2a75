/* Changes, inserts, deletes and reads of one record, and selects of records, at every size and
 * compared with other libraries. */
#include "jobs.h"

#include "measure.h"
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>

enum { SUBJECTS = 7, MOST_ENTRANTS = SUBJECTS * SIZES };

static const subject *const subjects[SUBJECTS] = {&store_subject, &value_subject, &sqlite_subject,
                                                  &sqlite_indexed_subject, &jansson_subject,
                                                  &memory_subject, &floor_subject};

/* A subject with records. */
typedef struct entrant {
  const subject *subject;
  int count;
  void *context;
  batch *batch;
  double deletion; /* the seconds of a delete, measured with the inserts */
} entrant;

/* ---- Measurements ---------------------------------------------------------------------------- */

static double change(void *context) {
  entrant *entrant = context;
  renew_batch(entrant->batch);
  double start = now();
  entrant->subject->change(entrant->context, entrant->batch);
  return (now() - start) / BATCH;
}

/* Measures BATCH inserts and deletes. A small state takes several passes; each deletes what it
 * inserted. One more pass comes first and is not measured: during it, the memory allocator may sort
 * what the previous contestant freed, which takes longer than the pass. */
static double insert(void *context) {
  entrant *entrant = context;
  int passes = BATCH / entrant->batch->inserts;
  double inserting = 0, deleting = 0;
  for (int pass = passes > 1 ? -1 : 0; pass < passes; pass++) {
    double start = now();
    entrant->subject->insert(entrant->context, entrant->batch);
    double middle = now();
    entrant->subject->remove(entrant->context, entrant->batch);
    double end = now();
    if (pass < 0)
      continue;
    inserting += middle - start;
    deleting += end - middle;
  }
  entrant->deletion = deleting / BATCH;
  return inserting / BATCH;
}

/* The time that the insert before it measured. */
static double remove_records(void *context) {
  return ((entrant *)context)->deletion;
}

static void must_equal(int64_t found, int64_t expected, const entrant *entrant) {
  if (found == expected)
    return;
  fprintf(stderr, "%s: found %lld instead of %lld\n", entrant->subject->name, (long long)found,
          (long long)expected);
  exit(1);
}

static double read_fields(void *context) {
  entrant *entrant = context;
  int64_t expected = 0;
  for (int i = 0; i < BATCH; i++)
    expected += atoi(entrant->batch->operations[i].id + 1) + 4;
  double start = now();
  int64_t sum = entrant->subject->read(entrant->context, entrant->batch);
  double time = now() - start;
  must_equal(sum, expected, entrant);
  return time / BATCH;
}

/* Each select has a new limit, so that no output is cached. Expects f3 as make_records wrote it. */
static double select_records(void *context) {
  static int turn;
  entrant *entrant = context;
  int selected = entrant->count / 100, times = entrant->count < 65536 ? 65536 / entrant->count : 1;
  double start = now();
  for (int i = 0; i < times; i++) {
    double limit = entrant->count + 2 - selected + ++turn * 1e-6;
    must_equal(entrant->subject->select(entrant->context, limit), selected, entrant);
  }
  return (now() - start) / times;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

typedef struct job {
  const char *name;
  measurement measure;
} job;

/* Selects and reads come first: they expect unchanged fields. */
static const job select_job = {"select 1 % of the records, sorted", select_records},
                 read_job = {"read one field of a record", read_fields},
                 change_job = {"change one field of a record", change},
                 insert_job = {"insert a record", insert},
                 delete_job = {"delete a record", remove_records};

static int performs(const subject *subject, const job *job) {
  return job == &select_job   ? subject->select != NULL
         : job == &read_job   ? subject->read != NULL
         : job == &change_job ? subject->change != NULL
                              : subject->insert != NULL;
}

/* Measures up to two jobs, one after the other, and prints the points. Returns their number. */
static int measure_jobs(entrant *entrants, int count, const job *const *jobs, int job_count,
                        double *medians) {
  contestant contestants[2 * MOST_ENTRANTS] = {0};
  const job *of[2 * MOST_ENTRANTS];
  int used = 0;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < job_count; j++)
      if (performs(entrants[i].subject, jobs[j])) {
        of[used] = jobs[j];
        contestants[used++] = (contestant){entrants[i].subject->name, jobs[j]->measure, &entrants[i]};
      }
  measure_in_turns(contestants, used, medians);
  for (int i = 0; i < used; i++)
    print_point(of[i]->name, contestants[i].name, ((entrant *)contestants[i].context)->count,
                medians[i], "s");
  return used;
}

/* The entrants are ordered by subject, then by size: first the store with each size. */
static void print_growth(const char *job, const double *medians, int step) {
  char row[96];
  int last = sizes_measured() - 1;
  snprintf(row, sizeof row, "%s one of %s records", job, size_names[last]);
  print_row(row, medians[last * step], "ours with 1,024", medians[0], "s",
            "ratio <= 2");
}

/* The floor is the last subject that changes records. */
static void print_comparison_with_floor(const double *medians, int count) {
  static const char *const goals[SIZES] = {"ratio <= 7", "", "ratio <= 4", "ratio <= 2.5"};
  char row[96];
  for (int size = 0; size < sizes_measured(); size++) {
    snprintf(row, sizeof row, "change one of %s records, by an action", size_names[size]);
    print_row(row, medians[size], "the floor", medians[count - sizes_measured() + size], "s",
              goals[size]);
  }
}

static void print_comparison_with_sqlite(const double *medians) {
  char row[96];
  int size = sizes_measured() > 2 ? 2 : 0;
  const double *store = medians, *value = store + sizes_measured(), *sqlite = value + sizes_measured();
  snprintf(row, sizeof row, "change one of %s records, by an action", size_names[size]);
  print_row(row, store[size], "SQLite", sqlite[size], "s", "ratio <= 0.75");
  snprintf(row, sizeof row, "change one of %s records, a value without a store", size_names[size]);
  print_row(row, value[size], "SQLite", sqlite[size], "s", "");
}

void measure_sizes(void) {
  entrant entrants[MOST_ENTRANTS];
  double medians[2 * MOST_ENTRANTS];
  int count = 0;
  for (int subject = 0; subject < SUBJECTS; subject++)
    for (int size = 0; size < sizes_measured(); size++) {
      int records = sizes[size];
      entrants[count++] = (entrant){subjects[subject], records, subjects[subject]->open(records),
                                    make_batch(records), 0};
    }
  const job *const changes[] = {&insert_job, &delete_job};
  measure_jobs(entrants, count, &(const job *){&select_job}, 1, medians);
  measure_jobs(entrants, count, &(const job *){&read_job}, 1, medians);
  print_growth("read", medians, 1);
  int changes_measured = measure_jobs(entrants, count, &(const job *){&change_job}, 1, medians);
  print_growth("change", medians, 1);
  print_comparison_with_sqlite(medians);
  print_comparison_with_floor(medians, changes_measured);
  measure_jobs(entrants, count, changes, 2, medians);
  print_growth("insert", medians, 2);
  print_growth("delete", medians + 1, 2);
  for (int i = 0; i < count; i++) {
    entrants[i].subject->close(entrants[i].context);
    free_batch(entrants[i].batch);
  }
}
