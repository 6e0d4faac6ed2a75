/* The modes of the test. A failure terminates the process; a run that returns has passed. */
#ifndef MODEL_TEST_H
#define MODEL_TEST_H

#include "report.h"

/* One thread: each call is compared with the model. */
void run_exact(const run *run);

/* Four threads on two stores: checks that hold in any order. */
void run_threads(const run *run);

/* A client of a server that changes, fails, and responds late, twice or never. */
void run_client(const run *run);

#endif
