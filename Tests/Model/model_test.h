/* The modes of the test. Each fails by itself; a run that returns has found nothing. */
#ifndef MODEL_TEST_H
#define MODEL_TEST_H

#include "report.h"

/* One thread: each call is compared with the model. */
void run_exact(const run *run);

/* Four threads on two stores: what has to hold in any order. */
void run_threads(const run *run);

/* A client of a server that changes, fails, and answers late, twice or never. */
void run_client(const run *run);

#endif
