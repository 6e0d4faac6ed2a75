#include "jobs/jobs.h"

int main(void) {
  measure_peaks(); /* first, before freed memory could hide the growth */
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
  measure_stream();
}
