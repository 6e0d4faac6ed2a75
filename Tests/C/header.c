/* Included first: the header must be self-contained. */
#include <immutabledata.h>
#include <immutabledata_jansson.h>
#include <immutabledata_testing.h>
#include <immutabledata_log.h>

const char *(*header_in_c)(void) = imd_version;
