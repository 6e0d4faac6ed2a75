#include "jobs/jobs.h"

#include <string.h>

/* Before this process has threads, because they fork. */
static void measure_shared(void) {
  measure_shared_log();
  measure_shared_observer();
  measure_shared_compaction();
}

/* "benchmark shared" measures only shared logs, and "benchmark logs" only those of one writer. */
int main(int count, char **arguments) {
  const char *only = count == 2 ? arguments[1] : "";
  if (strcmp(only, "shared") == 0) {
    measure_shared();
    return 0;
  }
  if (strcmp(only, "logs") == 0) {
    measure_log_file();
    measure_log();
    measure_compaction();
    return 0;
  }
  measure_peaks(); /* first, before freed memory could hide the growth */
  measure_shared();
  measure_log_file(); /* before this process has threads */
  measure_memory();
  measure_memory_of_history();
  measure_reading();
  measure_writing();
  measure_sizes();
  measure_values();
  measure_database();
  measure_store();
  measure_sorted();
  measure_incremental();
  measure_observation();
  measure_batch();
  measure_beside_itself();
  measure_functions();
  measure_history();
  measure_log();
  measure_compaction();
  measure_stream();
}
