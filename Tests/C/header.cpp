// Included first: the header must be self-contained.
#include <immutabledata.h>
#include <immutabledata_jansson.h>
#include <immutabledata_testing.h>

const char *(*header_in_cpp)() = imd_version;
