#ifndef JOBS_H
#define JOBS_H

void measure_sizes(void);
void measure_values(void);
void measure_database(void);
void measure_store(void);
void measure_sorted(void);
void measure_incremental(void);
void measure_observation(void);
void measure_batch(void);
void measure_beside_itself(void);
void measure_functions(void);
void measure_compaction(void);
void measure_shared_compaction(void);
void measure_history(void);
void measure_log(void);
void measure_log_file(void);
void measure_shared_log(void);
void measure_shared_observer(void);
void measure_stream(void);
void measure_reading(void);
void measure_writing(void);
void measure_memory(void);
void measure_memory_of_history(void);
void measure_peaks(void);

#endif
