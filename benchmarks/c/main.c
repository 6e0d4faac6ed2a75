#include "jobs.h"

int main(void) {
  measure_memory();
  measure_reading();
  measure_dispatch();
  measure_store();
  measure_observation();
  measure_stream();
}
