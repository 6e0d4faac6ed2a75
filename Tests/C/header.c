/* Nothing before it: the header has to include what it needs. */
#include <immutabledata.h>
#include <immutabledata_jansson.h>

const char *(*header_in_c)(void) = imd_version;
