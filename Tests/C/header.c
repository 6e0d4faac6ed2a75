/* Nothing before it: the header has to include what it needs. */
#include <immutabledata.h>

const char *(*header_in_c)(void) = imd_version;
