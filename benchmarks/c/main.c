#include "jobs/jobs.h"

int main(void) {
  measure_peaks(); /* first, while little memory was taken and given back */
  measure_memory();
  measure_reading();
  measure_writing();
  measure_sizes();
  measure_store();
  measure_sorted();
  measure_observation();
  measure_stream();
}
